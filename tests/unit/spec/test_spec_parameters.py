"""Parameters in one shape, and which of them are arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Reader = Callable[..., Any]
ANSWERS = {"responses": {"200": {"description": "ok"}}}


def parameters(
    read: Reader, *listed: Any, path: str = "/x", version: str = "3.0.3", **rest: Any
) -> list[dict[str, Any]]:
    found = read({"paths": {path: {"get": {"parameters": list(listed), **ANSWERS}}}, **rest}, version)
    result: list[dict[str, Any]] = found.operation(path)["parameters"]
    return result


@pytest.mark.parametrize(
    ("where", "written", "style", "explode"),
    [
        ("query", {}, "form", True),
        ("path", {}, "simple", False),
        ("header", {}, "simple", False),
        ("cookie", {}, "form", True),
        ("query", {"explode": False}, "form", False),
        ("query", {"explode": "false"}, "form", False),
        ("query", {"style": "deepObject", "explode": True}, "deepObject", True),
        ("query", {"style": "pipeDelimited"}, "pipeDelimited", False),
        ("path", {"style": "matrix", "explode": True}, "matrix", True),
        ("cookie", {"style": "cookie"}, "cookie", True),
        ("query", {"style": "matrix"}, "form", True),  # does not fit its place
        ("path", {"style": "form"}, "simple", False),
        ("query", {"style": ["form"]}, "form", True),
    ],
)
def test_style_and_explode(
    read: Reader, where: str, written: dict[str, Any], style: str, explode: bool
) -> None:
    parameter = {"name": "p", "in": where, "required": True, "schema": {"type": "string"}, **written}
    (found,) = parameters(read, parameter, path="/x/{p}" if where == "path" else "/x")
    assert (found["style"], found["explode"]) == (style, explode)


@pytest.mark.parametrize(
    ("where", "written", "style", "explode"),
    [
        ("query", None, "form", False),
        ("query", "csv", "form", False),
        ("query", "ssv", "spaceDelimited", False),
        ("query", "tsv", "tabDelimited", False),
        ("query", "pipes", "pipeDelimited", False),
        ("query", "multi", "form", True),
        ("query", "other", "form", False),
        ("path", "csv", "simple", False),
        ("header", "pipes", "pipeDelimited", False),
    ],
)
def test_collection_formats(read: Reader, where: str, written: str | None, style: str, explode: bool) -> None:
    parameter = {"name": "p", "in": where, "required": True, "type": "array", "items": {"type": "string"}}
    parameter |= {"collectionFormat": written} if written else {}
    (found,) = parameters(read, parameter, path="/x/{p}" if where == "path" else "/x", version="2.0")
    assert (found["style"], found["explode"]) == (style, explode)
    assert found["schema"] == {"type": "array", "items": {"type": "string"}}


def test_content_parameters(read: Reader) -> None:
    content = {"application/json": {"schema": {"type": "object"}, "example": {"a": 1}}}
    (found,) = parameters(read, {"name": "p", "in": "query", "content": content})
    assert found["content"]["application/json"]["schema"] == {"type": "object"}
    assert found["examples"] == [{"a": 1}]


def test_a_query_string_without_a_name(read: Reader) -> None:
    content = {"application/x-www-form-urlencoded": {"schema": {"type": "object"}}}
    (found,) = parameters(read, {"in": "querystring", "content": content}, version="3.2.0")
    assert (found["name"], found["in"]) == ("querystring", "querystring")


def test_a_type_outside_of_schema_is_read(read: Reader) -> None:
    (found,) = parameters(read, {"name": "p", "in": "query", "type": "array", "items": {"type": "string"}})
    assert found["schema"] == {"type": "array", "items": {"type": "string"}}
    assert (found["style"], found["explode"]) == ("form", True)


def test_bodies_as_parameters_in_version_3(read: Reader) -> None:
    body = {"name": "b", "in": "body", "required": True, "schema": {"type": "object"}}
    form = {"name": "f", "in": "formData", "type": "string"}
    found = read(
        {
            "paths": {
                "/x": {"post": {"parameters": [body], **ANSWERS}, "put": {"parameters": [form], **ANSWERS}}
            }
        }
    )
    (media,) = found.operation(method="POST")["requestBody"]["content"].values()
    assert media["schema"] == {"type": "object"}
    assert list(found.operation(method="PUT")["requestBody"]["content"]) == [
        "application/x-www-form-urlencoded"
    ]
    assert found.codes().count("spec-repaired") == 2


def test_a_schema_in_a_parameter_of_version_2(read: Reader) -> None:
    (found,) = parameters(read, {"name": "p", "in": "query", "schema": {"type": "integer"}}, version="2.0")
    assert found["schema"] == {"type": "integer"}


def test_the_operation_overrides_its_path(read: Reader) -> None:
    paths = {
        "/x": {
            "parameters": [
                {"name": "a", "in": "query", "schema": {"type": "string"}},
                {"name": "a", "in": "header", "schema": {"type": "string"}},
            ],
            "get": {"parameters": [{"name": "a", "in": "query", "schema": {"type": "integer"}}], **ANSWERS},
        }
    }
    found = read({"paths": paths}).operation()["parameters"]
    assert [(item["in"], item["schema"]["type"]) for item in found] == [
        ("query", "integer"),
        ("header", "string"),
    ]


def test_the_last_of_two_equal_ones_counts(read: Reader) -> None:
    listed = [{"name": "a", "in": "query", "schema": {"type": kind}} for kind in ("string", "integer")]
    found = read({"paths": {"/x": {"get": {"parameters": listed, **ANSWERS}}}})
    assert [item["schema"] for item in found.operation()["parameters"]] == [{"type": "integer"}]
    assert any("listed twice" in message for message in found.messages("spec-repaired"))


def test_headers_that_openapi_sets_are_no_arguments(read: Reader) -> None:
    names = ["Accept", "content-type", "AUTHORIZATION", "X-Mine"]
    listed = [{"name": name, "in": "header", "schema": {"type": "string"}} for name in names]
    found = read({"paths": {"/x": {"get": {"parameters": listed, **ANSWERS}}}})
    assert [item["name"] for item in found.operation()["parameters"]] == ["X-Mine"]
    assert found.codes().count("parameter-ignored") == 3


SCHEMES = {
    "key": {"type": "apiKey", "in": "query", "name": "api_key"},
    "other": {"type": "http", "scheme": "bearer"},
}


@pytest.mark.parametrize(
    ("own", "required", "security"),
    [
        (None, True, [{"key": []}]),
        (None, False, [{"key": []}, {}]),
        ([{"key": []}], True, [{"key": []}]),
        ([{"other": []}], True, [{"other": [], "key": []}]),
        ([{"other": []}], False, [{"other": []}]),
        ([], True, [{"key": []}]),
    ],
)
def test_the_key_of_a_security_scheme_is_no_argument_and_is_still_sent(
    read: Reader, own: Any, required: bool, security: Any
) -> None:
    operation = {
        "parameters": [
            {"name": "api_key", "in": "query", "required": required, "schema": {"type": "string"}}
        ],
        **ANSWERS,
    }
    operation |= {} if own is None else {"security": own}
    found = read({"paths": {"/x": {"get": operation}}, "components": {"securitySchemes": SCHEMES}})
    assert found.operation()["parameters"] == []
    assert found.operation()["security"] == security
    assert found.messages("parameter-ignored")[0].startswith("the query parameter `api_key` is the key")


def test_path_parameters_agree_with_the_path(read: Reader) -> None:
    path = "/a/{one}/{two}/{two}:do"
    listed = [
        {"name": "one", "in": "path", "schema": {"type": "integer"}},
        {"name": "gone", "in": "path", "schema": {}},
    ]
    listed.append({"name": "lost", "in": "path", "schema": {}})
    found = read({"paths": {path: {"get": {"parameters": listed, **ANSWERS}}}})
    assert [
        (item["name"], item["required"], item["schema"]) for item in found.operation(path)["parameters"]
    ] == [
        ("one", True, {"type": "integer"}),
        ("two", True, {"type": "string"}),
    ]
    messages = found.messages("spec-repaired")
    assert f"the placeholder `{{two}}` of {path} is not described; it is read as text" in messages
    assert f"the path parameter `gone` is not in the path {path}; it is left out" in messages


def test_one_name_on_each_side_is_the_same_parameter(read: Reader) -> None:
    (found,) = parameters(
        read, {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}, path="/a/{aId}"
    )
    assert (found["name"], found["schema"]) == ("aId", {"type": "integer"})


def test_a_parameter_without_a_place_that_the_path_names(read: Reader) -> None:
    (found,) = parameters(read, {"name": "id", "schema": {"type": "integer"}}, path="/a/{id}")
    assert (found["in"], found["schema"]) == ("path", {"type": "integer"})


@pytest.mark.parametrize(
    "broken",
    [
        {"in": "query"},
        {"name": "a", "in": "nowhere"},
        {"name": "a"},
        "text",
        None,
        {"name": ["a"], "in": "query"},
    ],
)
def test_an_optional_parameter_that_cannot_be_understood_is_left_out(read: Reader, broken: Any) -> None:
    good = {"name": "b", "in": "query", "schema": {}}
    found = read({"paths": {"/x": {"get": {"parameters": [broken, good], **ANSWERS}}}})
    assert [item["name"] for item in found.operation()["parameters"]] == ["b"]
    assert "parameter-skipped" in found.codes()


def test_a_required_parameter_that_cannot_be_understood_skips_the_operation(read: Reader) -> None:
    broken = {"name": "a", "in": "nowhere", "required": True}
    found = read({"paths": {"/x": {"get": ANSWERS, "put": {"parameters": [broken], **ANSWERS}}}})
    assert [item.method for item in found.document.skipped] == ["PUT"]


def test_lists_inside_a_list_of_version_2_have_delimiters_of_their_own(read: Reader) -> None:
    deepest = {"type": "array", "items": {"type": "string"}}
    rows = {"type": "array", "collectionFormat": "pipes", "items": deepest}
    parameter = {"name": "r", "in": "query", "type": "array", "collectionFormat": "multi", "items": rows}
    operation = {"parameters": [parameter], "responses": {"200": {"description": "ok"}}}
    (found,) = read({"paths": {"/x": {"get": operation}}}, "2.0").operation()["parameters"]
    assert (found["style"], found["explode"], found["inner"]) == ("form", True, ["|", ","])

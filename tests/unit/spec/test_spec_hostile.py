"""Documents that are wrong in ways that could hide an operation, break out of a request, or use up time."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from typing import Any

import pytest

from mcpgen.ir.methods import METHOD_OVERRIDES
from mcpgen.runtime.requests.headers import IGNORED
from mcpgen.runtime.requests.overriding import OVERRIDING
from mcpgen.spec.cycles import break_cycles
from mcpgen.spec.fanning import fans_out
from mcpgen.spec.inheritance import split_bases
from mcpgen.spec.parameter_lists import NO_ARGUMENTS

Reader = Callable[..., Any]
OK = {"responses": {"200": {"description": "ok"}}}
REF = "#/components/schemas/"


def skipped(found: Any) -> set[tuple[str, str]]:
    return {(item.method, item.path) for item in found.document.skipped}


def body(content: dict[str, Any], *, required: bool = True) -> dict[str, Any]:
    return {"paths": {"/x": {"post": {"requestBody": {"required": required, "content": content}, **OK}}}}


def test_no_operation_goes_without_a_word(read: Reader) -> None:
    paths = {
        "a": {"get": {"operationId": "first", **OK}, "put": OK},
        "/a": {"GET": {"operationId": "third", **OK}, "get": {"operationId": "second", **OK}, "foo": OK},
    }
    found = read({"paths": paths})
    assert found.operation("/a")["operationId"] == "second"
    assert set(found.document.root["paths"]["/a"]) == {"GET", "PUT"}
    assert [(item.method, item.path) for item in found.document.skipped] == [
        ("GET", "/a"),
        ("foo", "/a"),
        ("GET", "/a"),
    ]
    assert len(found.messages("operation-skipped")) == 3


def test_what_is_no_operation_is_not_reported_as_one(read: Reader) -> None:
    item = {"get": OK, "x-put": OK, "summary": "s", "parameters": [], "note": {"text": "no operation"}}
    assert not skipped(read({"paths": {"/a": item}}))


def test_additional_operations_need_a_method_that_can_be_sent(read: Reader) -> None:
    found = read({"paths": {"/x": {"get": OK, "additionalOperations": {"weird method": OK}}}}, "3.2.0")
    assert skipped(found) == {("weird method", "/x")}


@pytest.mark.parametrize("path", ["/../../etc/{a}", "/a/%2E%2e/b", "/./a", "/a/..", "/a\\..\\b"])
def test_a_path_that_leads_elsewhere_is_no_operation(read: Reader, path: str) -> None:
    assert skipped(read({"paths": {"/x": {"get": OK}, path: {"get": OK}}})) == {("GET", path)}


@pytest.mark.parametrize("path", ["/a..b", "/...", "/{a}/b", "/a?b=/../c"])
def test_dots_in_names_are_names(read: Reader, path: str) -> None:
    assert not skipped(read({"paths": {path: {"get": OK}}}))


@pytest.mark.parametrize(
    ("written", "meant"),
    [("json", "application/json"), ("XML", "application/xml"), ("form", "application/x-www-form-urlencoded")],
)
def test_short_names_of_media_types(read: Reader, written: str, meant: str) -> None:
    found = read(body({written: {"schema": {"type": "object"}}}))
    assert list(found.operation(method="POST")["requestBody"]["content"]) == [meant]
    assert "spec-repaired" in found.codes()


@pytest.mark.parametrize("written", ["application/json\r\nX: y", "thing", "application/json; a=\u65e5"])
def test_a_required_body_without_a_media_type_is_no_operation(read: Reader, written: str) -> None:
    document = body({written: {"schema": {"type": "object"}}})
    document["paths"]["/y"] = {"get": OK}
    found = read(document)
    assert skipped(found) == {("POST", "/x")}
    assert any("is no media type" in message for message in found.messages("spec-repaired"))


def test_an_optional_body_without_a_media_type_is_left_out(read: Reader) -> None:
    found = read(body({"thing": {}}, required=False))
    assert "requestBody" not in found.operation(method="POST")
    assert any("is no media type" in message for message in found.messages("spec-repaired"))


def test_the_content_type_of_a_field_cannot_end_its_header(read: Reader) -> None:
    encoding = {"a": {"contentType": "image/png\r\nX: y"}, "b": {"contentType": "image/png, image/*"}}
    found = read(body({"multipart/form-data": {"schema": {"type": "object"}, "encoding": encoding}}))
    media = found.operation(method="POST")["requestBody"]["content"]["multipart/form-data"]
    assert media["encoding"] == {"a": {}, "b": {"contentType": "image/png, image/*"}}


def test_swagger_2_media_types_and_statuses_are_checked(read: Reader) -> None:
    operation = {"produces": ["json", "a\nb"], "responses": {"200": {"schema": {"type": "string"}}, "ok": {}}}
    found = read({"paths": {"/x": {"get": operation}}}, "2.0")
    assert list(found.operation()["responses"]) == ["200"]
    assert list(found.operation()["responses"]["200"]["content"]) == ["application/json"]
    assert any("`ok` is no HTTP status" in message for message in found.messages("spec-repaired"))


@pytest.mark.parametrize(
    "scheme",
    [
        {"type": "apiKey", "in": "header", "name": "X-Bad\r\nEvil: 1"},
        {"type": "apiKey", "in": "cookie", "name": "a;b"},
        {"type": "http", "scheme": "bearer\nX: 1"},
    ],
)
def test_a_scheme_cannot_end_the_line_that_it_stands_in(read: Reader, scheme: dict[str, Any]) -> None:
    found = read({"components": {"securitySchemes": {"s": scheme}}})
    assert found.document.root["components"]["securitySchemes"] == {}
    assert "security-unsupported" in found.codes()


def test_headers_of_the_connection_are_no_arguments(read: Reader) -> None:
    names = ["Host", "content-length", "Upgrade", "X-Mine"]
    parameters = [{"name": name, "in": "header", "schema": {"type": "string"}} for name in names]
    found = read({"paths": {"/x": {"get": {"parameters": parameters, **OK}}}})
    assert [item["name"] for item in found.operation()["parameters"]] == ["X-Mine"]
    assert found.codes().count("parameter-ignored") == 3
    assert NO_ARGUMENTS == IGNORED


def test_the_method_is_no_argument_of_the_query(read: Reader) -> None:
    free = [
        {"name": name, "in": "query", "schema": {"type": "string"}}
        for name in ("_method", "X-HTTP-Method-Override", "q")
    ]
    only = {"name": "_method", "in": "query", "required": True, "schema": {"enum": ["PUT"]}}
    for parameters, kept in ((free, ["q"]), ([only], ["_method"])):
        found = read({"paths": {"/x": {"post": {"parameters": parameters, **OK}}}})
        assert [item["name"] for item in found.operation(method="POST")["parameters"]] == kept
        assert found.codes().count("parameter-ignored") == len(parameters) - len(kept)
    assert METHOD_OVERRIDES == OVERRIDING


@pytest.mark.parametrize(
    "name", ["X-HTTP-Method-Override", "x-http-method", "X-Method-Override", "X-Rewrite-URL"]
)
def test_no_argument_turns_a_read_into_something_else(read: Reader, name: str) -> None:
    parameter = {"name": name, "in": "header", "schema": {"type": "string"}}
    found = read({"paths": {"/x": {"get": {"parameters": [parameter], **OK}}}})
    assert found.operation()["parameters"] == []
    assert f"the header `{name}` is set by the request itself, not by callers" in "\n".join(
        found.messages("parameter-ignored")
    )


def test_a_name_that_no_header_can_have(read: Reader) -> None:
    parameters = [{"name": "X\r\nY: 1", "in": "header", "schema": {"type": "string"}}]
    found = read({"paths": {"/x": {"get": {"parameters": parameters, **OK}}}})
    assert found.operation()["parameters"] == []
    assert "parameter-skipped" in found.codes()


@pytest.mark.parametrize("bound", [10**400, "1" + "0" * 400, "1e999"])
def test_bounds_beyond_all_doubles_are_left_out(lifted: Callable[..., Any], bound: Any) -> None:
    assert lifted({"type": "number", "minimum": bound}) == {"type": "number"}


# -- bases that list their subtypes

PET = {
    "type": "object",
    "properties": {"kind": {"type": "string"}},
    "oneOf": [{"$ref": REF + "Cat"}, {"$ref": REF + "Dog"}],
    "discriminator": {"propertyName": "kind"},
}
CAT = {"allOf": [{"$ref": REF + "Pet"}, {"properties": {"lives": {"type": "integer"}}}]}
DOG = {"allOf": [{"$ref": REF + "Pet"}, {"properties": {"bark": {"type": "string"}}}]}


@pytest.mark.parametrize("names", list(itertools.permutations(["Pet", "Cat", "Dog"])))
def test_a_subtype_extends_what_its_base_says_besides(read: Reader, names: tuple[str, ...]) -> None:
    all_of_them: dict[str, Any] = {"Pet": PET, "Cat": CAT, "Dog": DOG}
    found = read({"components": {"schemas": {name: all_of_them[name] for name in names}}}, "3.1.0")
    common = {"type": "object", "properties": {"kind": {"type": "string"}}}
    assert found.schemas["Pet"] == PET
    assert found.schemas["Cat"] == {"allOf": [common, CAT["allOf"][1]]}
    assert found.schemas["Dog"] == {"allOf": [common, DOG["allOf"][1]]}
    assert "reference-cycle" not in found.codes()
    assert len(found.messages("schema-simplified")) == 2


def test_bases_of_bases() -> None:
    definitions: dict[str, Any] = {
        "C": {"allOf": [{"$ref": REF + "B"}, {"title": "c"}]},
        "B": {"allOf": [{"$ref": REF + "A"}], "minProperties": 2, "oneOf": [{"$ref": REF + "C"}]},
        "A": {"minProperties": 1, "anyOf": [{"$ref": REF + "B"}]},
    }
    assert set(split_bases(definitions)) == {("C", "B"), ("B", "A")}
    assert break_cycles(definitions) == []
    assert definitions["C"]["allOf"][0] == {"allOf": [{"minProperties": 1}], "minProperties": 2}
    assert definitions["B"]["allOf"] == [{"minProperties": 1}]


@pytest.mark.parametrize("names", [("A", "B"), ("B", "A")])
def test_alternatives_that_name_each_other_admit_all_of_them(names: tuple[str, ...]) -> None:
    both: dict[str, Any] = {
        "A": {"anyOf": [{"type": "string"}, {"$ref": REF + "B"}]},
        "B": {"anyOf": [{"type": "integer"}, {"$ref": REF + "A"}]},
    }
    definitions = {name: both[name] for name in names}
    assert split_bases(definitions) == []
    assert break_cycles(definitions) == ["B"]
    assert definitions["A"] == {"anyOf": [{"type": "string"}, {"$ref": REF + "B"}]}
    assert definitions["B"]["anyOf"][0] == {"type": "integer"}
    assert "string" in str(definitions["B"]["anyOf"][1])
    assert "not" not in str(definitions)


def test_an_alternative_that_is_the_schema_itself_never_applies() -> None:
    definitions: dict[str, Any] = {
        "A": {"anyOf": [{"type": "string"}, {"$ref": REF + "A", "title": "again"}]}
    }
    assert break_cycles(definitions) == ["A"]
    assert definitions == {"A": {"anyOf": [{"type": "string"}, {"not": {}}]}}


# -- time and places of the validator


def doubled(levels: int) -> dict[str, Any]:
    found: dict[str, Any] = {f"L{n}": {"allOf": [{"$ref": f"{REF}L{n + 1}"}] * 2} for n in range(levels)}
    return {**found, f"L{levels}": {"type": "object"}}


def test_doubled_compositions_are_not_expanded(read: Reader) -> None:
    start = time.process_time()
    found = read({"components": {"schemas": doubled(20)}})
    assert time.process_time() - start < 5
    assert any("expand too far" in message for message in found.messages("spec-invalid"))


def test_what_fans_out() -> None:
    assert fans_out({"components": {"schemas": doubled(18)}})
    assert not fans_out({"components": {"schemas": doubled(5)}})
    assert not fans_out({"components": {"schemas": {"A": {"allOf": [{"$ref": REF + "A"}] * 3}}}})


def test_findings_about_the_meaning_have_places(read: Reader) -> None:
    operation = {"operationId": "same", **OK}
    schema = {"type": "object", "allOf": [{"type": "object"}], "required": ["gone"]}
    found = read(
        {
            "paths": {"/x": {"get": operation}, "/y": {"put": operation}},
            "components": {"schemas": {"S": schema}},
        }
    )
    places = {item.location.pointer for item in found.diagnostics if item.code == "spec-invalid"}
    assert places == {"/paths/~1y/put", "/components/schemas/S"}


def test_a_pattern_that_backtracks_is_said_and_stays(read: Reader) -> None:
    schema = {"properties": {"value": {"type": "string", "pattern": "^(a+)+(?!b)$"}}}
    found = read({"components": {"schemas": {"S": schema}}})
    assert found.schemas["S"]["properties"]["value"]["pattern"] == "^(a+)+(?!b)$"
    (message,) = found.messages("schema-simplified")
    assert "'^(a+)+(?!b)$' could take very long to match, so only the API checks it" in message


def test_a_pattern_of_names_that_backtracks_is_left_out(read: Reader) -> None:
    patterns = {"^(a+)+$": {}, "^x-": {}}
    found = read(
        {"components": {"schemas": {"S": {"patternProperties": patterns, "additionalProperties": False}}}}
    )
    assert found.schemas["S"] == {"patternProperties": {"^x-": {}}, "additionalProperties": {}}
    assert len(found.messages("schema-simplified")) == 1

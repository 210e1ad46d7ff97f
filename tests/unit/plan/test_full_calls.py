"""Full calls: every argument that can go together, values that are hard to write, and not too large."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from mcpgen.diagnostics import Collector
from mcpgen.pipeline import GenerateRequest, plan_spec
from mcpgen.plan.full_calls import leads_elsewhere
from mcpgen.plan.model import ToolPlan


def tool(operation: dict[str, Any], schemas: dict[str, Any] | None = None, path: str = "/things") -> ToolPlan:
    """The one tool of a document with one operation."""
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Things", "version": "1"},
        "paths": {
            path: {
                "post": {"operationId": "makeThing", "responses": {"200": {"description": "Made."}}}
                | operation
            }
        },
        "components": {"schemas": schemas or {}},
    }
    request = GenerateRequest("-", stdin=json.dumps(document).encode())
    return plan_spec(request, Collector()).plan.tools[0]


def parameter(name: str, schema: dict[str, Any], where: str = "query", **more: Any) -> dict[str, Any]:
    return {"name": name, "in": where, "required": where == "path", "schema": schema, **more}


def with_parameters(*parameters: dict[str, Any], path: str = "/things") -> ToolPlan:
    return tool({"parameters": list(parameters)}, path=path)


def with_body(schema: dict[str, Any], media: str = "application/json", **schemas: Any) -> ToolPlan:
    return tool({"requestBody": {"required": True, "content": {media: {"schema": schema}}}}, schemas)


def full(found: ToolPlan) -> dict[str, Any]:
    """The full call, which has to keep the published schema and to hold all of the minimal one."""
    call = found.samples.full
    assert call is not None
    assert found.samples.minimal is not None
    Draft202012Validator(dict(found.input_schema)).validate(call)
    assert call.keys() >= found.samples.minimal.keys()
    return dict(call)


STRING: dict[str, Any] = {"type": "string"}


@pytest.mark.parametrize("where", ["path", "query", "header", "cookie"])
def test_a_free_text_holds_what_must_be_escaped(where: str) -> None:
    found = with_parameters(
        parameter("a", STRING, where), path="/things/{a}" if where == "path" else "/things"
    )
    text = full(found)["a"]
    assert set(text) >= set(" /?&=+%<")
    assert text.isascii() == (where == "header")
    assert text == text.strip()


def test_an_example_gives_way_to_a_text_that_tells_more_but_a_shape_stays() -> None:
    call = full(
        with_parameters(
            parameter("free", {"type": "string", "examples": ["plain"]}),
            parameter("shaped", {"type": "string", "pattern": "^[A-Z]{3}$", "examples": ["ABC"]}),
            parameter("day", {"type": "string", "format": "date"}),
            parameter("kind", {"type": "string", "enum": ["x", "y"]}),
            parameter("short", {"type": "string", "maxLength": 3}),
        )
    )
    assert "/" in call["free"]
    assert (call["shaped"], call["day"]) == ("ABC", "2026-01-15")
    assert call["kind"] in ("x", "y")
    assert len(call["short"]) <= 3


def test_no_two_values_are_alike() -> None:
    kinds = [STRING, {"type": "integer", "format": "int32"}, {"type": "number"}]
    call = full(with_parameters(*(parameter(f"p{place}", kinds[place % 3]) for place in range(12))))
    assert len(call) == 12
    assert len({json.dumps(value) for value in call.values()}) == 12


def test_booleans_take_turns_and_lists_have_two_items() -> None:
    call = full(
        with_parameters(
            *(parameter(f"p{place}", {"type": "boolean"}) for place in range(2)),
            parameter("list", {"type": "array", "items": STRING}),
            parameter("one", {"type": "array", "items": STRING, "maxItems": 1}),
            parameter("none", {"type": "array", "items": STRING, "maxItems": 0}),
        )
    )
    assert [call["p0"], call["p1"]] == [True, False]
    assert len(call["list"]) == len(set(call["list"])) == 2
    assert len(call["one"]) == 1


@pytest.mark.parametrize(("style", "barred"), [("spaceDelimited", " "), ("pipeDelimited", "|")])
def test_items_do_not_hold_the_delimiter_of_their_list(style: str, barred: str) -> None:
    schema = {"type": "array", "items": STRING}
    call = full(with_parameters(parameter("a", schema, style=style, explode=False)))
    assert not any(barred in item for item in call["a"])


def test_objects_have_all_fields_near_the_root_and_maps_two_entries() -> None:
    inner = {"type": "object", "properties": {name: STRING for name in "abcd"}}
    call = full(
        with_body(
            {
                "type": "object",
                "properties": {"in": inner, "map": {"type": "object"}, "id": {"type": "integer"}},
            }
        )
    )
    assert call["in"].keys() == set("abcd")
    assert len(call["map"]) == 2
    assert isinstance(call["id"], int)


def test_fields_that_only_the_answer_has_are_not_sent() -> None:
    call = full(
        with_body({"type": "object", "properties": {"id": {**STRING, "readOnly": True}, "name": STRING}})
    )
    assert call.keys() == {"name"}


def test_of_fields_that_exclude_each_other_one_is_sent() -> None:
    schema = {
        "type": "object",
        "properties": {"name": STRING, "by_id": STRING, "by_mail": STRING},
        "oneOf": [{"required": ["by_id"]}, {"required": ["by_mail"]}],
        "required": ["name"],
    }
    call = full(with_body(schema))
    assert len(call.keys() & {"by_id", "by_mail"}) <= 1
    assert "name" in call


def test_alternatives_and_what_depends_on_a_field() -> None:
    schema = {
        "type": "object",
        "properties": {
            "of": {
                "oneOf": [
                    {"type": "object", "required": ["a"], "properties": {"a": {"const": 1}}},
                    {"type": "null"},
                ]
            },
            "card": STRING,
            "address": STRING,
        },
        "dependentRequired": {"card": ["address"]},
    }
    call = full(with_body(schema))
    assert call["of"] == {"a": 1}
    assert {"card", "address"} <= call.keys()


def test_a_file_has_a_name_and_a_type() -> None:
    schema = {"type": "object", "properties": {"photo": {"type": "string", "format": "binary"}}}
    photo = full(with_body(schema, "multipart/form-data"))["photo"]
    assert photo.keys() == {"content_base64", "filename", "content_type"}


def test_a_schema_that_fans_out_gives_a_small_call() -> None:
    wide = {f"f{place}": {"$ref": "#/components/schemas/Wide"} for place in range(40)}
    texts = {f"t{place}": STRING for place in range(60)}
    schemas = {"Wide": {"type": "object", "properties": {**wide, **texts}}}
    found = with_body({"$ref": "#/components/schemas/Wide"}, **schemas)
    assert len(json.dumps(full(found))) < 20_000


def test_all_of_many_parameters_are_there() -> None:
    call = full(with_parameters(*(parameter(f"p{place}", STRING) for place in range(300))))
    assert len(call) == 300
    assert len(json.dumps(call)) < 20_000


def test_where_nothing_more_can_be_shown_the_full_call_is_the_minimal_one() -> None:
    found = with_parameters(parameter("id", {"type": "integer"}, "path"), path="/things/{id}")
    assert found.samples.full == found.samples.minimal == {"id": 1}
    assert with_body({"not": {}}).samples.full is None


@pytest.mark.parametrize("example", ["../../etc/passwd", "..", "a/../b", ".", "", "%2e%2e", "a\\..\\b"])
def test_an_example_of_a_path_parameter_that_leads_elsewhere_is_no_sample(example: str) -> None:
    for more in ({"example": example}, {"schema": {"type": "string", "examples": [example]}}):
        found = with_parameters({**parameter("id", STRING, "path"), **more}, path="/things/{id}")
        assert found.samples.minimal == {"id": "string"}
        assert not leads_elsewhere(full(found)["id"])


def test_other_examples_of_path_parameters_are_kept() -> None:
    found = with_parameters({**parameter("id", STRING, "path"), "example": "a.b/..c"}, path="/things/{id}")
    assert found.samples.minimal == {"id": "a.b/..c"}


@given(
    st.lists(
        st.builds(
            lambda kind, low, high: {"type": kind, "minLength": low, "maxLength": low + high},
            st.just("string"),
            st.integers(0, 60),
            st.integers(0, 60),
        )
        | st.builds(
            lambda kind, low, step: {"type": kind, "minimum": low, "multipleOf": step},
            st.sampled_from(["integer", "number"]),
            st.integers(-9, 99),
            st.integers(1, 9),
        ),
        max_size=4,
    )
)
def test_values_keep_their_limits(schemas: list[dict[str, Any]]) -> None:
    found = with_parameters(*(parameter(f"p{place}", schema) for place, schema in enumerate(schemas)))
    assert len(full(found)) == len(schemas)

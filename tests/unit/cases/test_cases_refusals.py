"""Calls that break one constraint, once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from mcpgen.cases.kinds import Reader
from mcpgen.cases.model import CallCase, ExpectedRequest, RefusalCase
from mcpgen.cases.refusals import refusals_of
from mcpgen.plan.examples import example_value
from mcpgen.plan.model import ArgumentPlan, BodyWire, Code, ParameterWire, ToolPlan
from mcpgen.runtime.inputs.arguments import repaired
from mcpgen.runtime.inputs.checking import ArgumentCheck
from mcpgen.runtime.outcomes.failures import CallFailed

from .both_ways import tool_with

Schema = Mapping[str, Any]


def tool(schema: Schema, **more: Any) -> ToolPlan:
    return replace(tool_with(**more), input_schema=schema)


def call(arguments: Mapping[str, Any]) -> CallCase:
    return CallCase("minimal", arguments, ExpectedRequest("GET", "/things", {}))


def closed(properties: Mapping[str, Schema], *required: str, **more: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
        **more,
    }


def refusals(
    schema: Schema, arguments: Mapping[str, Any], full: Mapping[str, Any] | None = None
) -> list[RefusalCase]:
    return list(refusals_of(tool(schema), [call(arguments), call(full or arguments)]))


def broken(schema: Schema, value: Any) -> dict[str, Any]:
    """The values that an argument `a` gets, by the keyword that they break."""
    found = refusals(closed({"a": schema}, "a"), {"a": value})
    return {case.breaks[3:]: case.arguments.get("a") for case in found if case.breaks.startswith("a: ")}


def test_every_kind_once() -> None:
    schema = closed({"id": {"type": "integer", "minimum": 1}, "q": {"type": "string"}}, "id")
    assert refusals(schema, {"id": 5}) == [
        RefusalCase("id: required", "id", {}),
        RefusalCase("no_such_field: additionalProperties", "no_such_field", {"id": 5, "no_such_field": 1}),
        RefusalCase("id: type", "id", {"id": "text"}),
        RefusalCase("id: null", "id", {"id": None}),
        RefusalCase("id: minimum", "id", {"id": 0}),
        RefusalCase("q: type", "q", {"id": 5, "q": True}),
    ]


@pytest.mark.parametrize(
    ("schema", "value", "keyword", "expected"),
    [
        ({"type": "string", "enum": ["open", "shut"]}, "open", "enum", "no such value"),
        ({"type": "string", "enum": ["open", "no such value"]}, "open", "enum", "open_"),
        ({"type": "integer", "enum": [1, 5]}, 1, "enum", 6),
        ({"type": "boolean", "const": True}, True, "const", False),
        ({"type": "integer", "minimum": 3}, 4, "minimum", 2),
        ({"type": "integer", "minimum": 10, "multipleOf": 5}, 10, "minimum", 5),
        ({"type": "integer", "maximum": 9007199254740993}, 4, "maximum", 9007199254740994),
        ({"type": "number", "maximum": 2.5}, 1, "maximum", 3),
        ({"type": "number", "exclusiveMinimum": 2.5}, 3, "exclusiveMinimum", 2.5),
        ({"type": "integer", "exclusiveMaximum": 7}, 3, "exclusiveMaximum", 7),
        ({"type": "integer", "multipleOf": 5}, 10, "multipleOf", 11),
        ({"type": "integer", "multipleOf": 5, "maximum": 10}, 10, "multipleOf", 9),
        ({"type": "number", "multipleOf": 0.5}, 1, "multipleOf", 1.25),
        ({"type": "string", "minLength": 3}, "abcd", "minLength", "ab"),
        ({"type": "string", "maxLength": 3}, "ab", "maxLength", "abbb"),
        ({"type": "string", "pattern": "^[a-z]+$"}, "ab", "pattern", "!"),
        ({"type": "string", "pattern": "^[a-z]{3}$", "minLength": 3}, "abc", "pattern", "!!!"),
        ({"type": "string", "pattern": "^[^~]*$"}, "ab", "pattern", "~"),
        ({"type": "array", "items": {"type": "string"}, "minItems": 1}, ["a"], "minItems", []),
        ({"type": "array", "items": {"type": "string"}, "minItems": 2}, ["a", "b"], "minItems", ["a"]),
        ({"type": "array", "items": {"type": "string"}, "maxItems": 1}, ["a"], "maxItems", ["a", "a"]),
        (
            {"type": "array", "items": {"type": "integer"}, "maxItems": 1, "uniqueItems": True},
            [4],
            "maxItems",
            [4, 5],
        ),
        (
            {"type": "array", "items": {"type": "string"}, "uniqueItems": True},
            ["a"],
            "uniqueItems",
            ["a", "a"],
        ),
        ({"type": "object", "minProperties": 1}, {"b": 1}, "minProperties", {}),
        (
            {"type": "object", "maxProperties": 1},
            {"b": 1},
            "maxProperties",
            {"b": 1, "member0": 1, "member1": 1},
        ),
        ({"type": "string"}, "a", "type", True),
        ({"type": "array", "items": {"type": "string"}}, ["a"], "type", True),
        ({"type": "array", "items": {"type": "boolean"}}, [True], "type", "text"),
        ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, "a", "type", True),
        ({"anyOf": [{"type": "integer", "minimum": 3}, {"type": "null"}]}, 3, "minimum", 2),
        ({"allOf": [{"type": "integer"}, {"minimum": 3}]}, 3, "minimum", 2),
    ],
)
def test_the_value_that_breaks_a_keyword(schema: Schema, value: Any, keyword: str, expected: Any) -> None:
    assert broken(schema, value)[keyword] == expected


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": "array"},
        {"type": "string", "pattern": "^\\p{L}+$"},
        {"type": "string", "pattern": ""},
        {"type": "string", "format": "date"},
        {"type": "string", "maxLength": 10_000},
        {"type": "array", "items": {"type": "string"}, "maxItems": 1_000},
        {"type": ["string", "integer"], "enum": ["a", 1, None]},
    ],
)
def test_what_can_not_be_broken_for_sure_is_left(schema: Schema) -> None:
    told = broken(schema, example_value(schema, {}, direction="request"))
    assert told.keys() <= {"required", "type", "null", "enum"}


def test_a_slip_that_the_server_mends_is_no_refusal() -> None:
    """A number as text, one item for a list, null for what can be left out."""
    schema = closed(
        {
            "text": {"type": "string"},
            "list": {"type": "array", "items": {}},
            "texts": {"type": "array", "items": {"type": ["string", "boolean"]}},
        },
        "list",
    )
    found = refusals(schema, {"list": [1]}, {"list": [1], "text": "a", "texts": ["a"]})
    values = {case.breaks: case.arguments for case in found}
    assert values["text: type"] == {"list": [1], "text": True}
    assert values["texts: type"] == {"list": [1], "texts": {"a": 1}}
    assert values["list: null"] == {"list": None}
    assert "list: type" not in values
    assert not {"text: null", "texts: null"} & values.keys()


def test_what_is_inside_is_broken_at_its_place() -> None:
    item = closed({"sku": {"type": "string", "minLength": 1}, "count": {"type": "integer"}}, "sku")
    schema = closed({"order": closed({"items": {"type": "array", "items": item}}, "items")}, "order")
    found = {case.breaks: case for case in refusals(schema, {"order": {"items": [{"sku": "a"}]}})}

    assert found["order.items[0].sku: required"].arguments == {"order": {"items": [{}]}}
    assert found["order.items[0].sku: minLength"].argument == "sku"
    assert found["order.items[0].no_such_field: additionalProperties"].argument == "no_such_field"
    assert found["order.items: required"].arguments == {"order": {}}


def test_inside_a_choice_the_place_of_the_choice_is_named() -> None:
    inner = closed({"id": {"type": "integer", "minimum": 1}}, "id")
    schema = closed({"shop": {"anyOf": [inner, {"type": "null"}]}}, "shop")
    found = {case.breaks: case.argument for case in refusals(schema, {"shop": {"id": 1}})}
    assert found["shop.id: minimum"] == "shop"


def test_references_are_followed() -> None:
    schema = closed(
        {"a": {"$ref": "#/$defs/Small"}}, "a", **{"$defs": {"Small": {"type": "integer", "maximum": 3}}}
    )
    assert {"a: maximum", "a: type"} <= {case.breaks for case in refusals(schema, {"a": 1})}


def test_arguments_that_are_needed_together() -> None:
    schema = closed({"a": {}, "b": {}}, dependentRequired={"a": ["b"]})
    found = {case.breaks: case for case in refusals(schema, {"a": 1, "b": 1})}
    assert found["b: dependentRequired"] == RefusalCase("b: dependentRequired", "b", {"a": 1})
    with pytest.raises(CallFailed, match="`b` is missing"):
        repaired("do_it", ArgumentCheck(schema), {"a": 1})


def test_a_bound_leaves_out_what_is_most_alike() -> None:
    names = [f"n{number}" for number in range(30)]
    schema = closed({name: {"type": "integer", "minimum": 1} for name in names}, *names)
    found = refusals_of(tool(schema), [call(dict.fromkeys(names, 5))], most=6)
    assert [case.breaks for case in found] == [
        "n0: required",
        "no_such_field: additionalProperties",
        "n0: type",
        "n0: null",
        "n0: minimum",
        "n1: required",
    ]
    assert len(refusals_of(tool(schema), [call(dict.fromkeys(names, 5))])) == 24


def test_without_a_call_there_is_nothing_to_break() -> None:
    assert refusals_of(tool(closed({})), []) == ()


def parameter_tool(where: str, schema: Schema, path: str = "/things/{value}", **more: Any) -> ToolPlan:
    argument = ArgumentPlan("value", "value", where, schema, True, Code("str"), "value")
    wire = ParameterWire("value", where, "simple", False, True, **more)
    made = tool_with(wire, path=path, arguments=(argument,), parameters=(wire,))
    return replace(made, input_schema=closed({"value": schema}, "value"))


def unsendable(subject: ToolPlan) -> dict[str, Any]:
    found = refusals_of(subject, [call({"value": "a"})])
    kinds = ("another segment", "empty segment", "line break", "control character")
    return {case.breaks: case.arguments["value"] for case in found if case.breaks.endswith(kinds)}


def test_values_that_lead_elsewhere_in_a_path() -> None:
    told = unsendable(parameter_tool("path", {"type": "string"}))
    assert told == {"value: another segment": "..", "value: empty segment": ""}
    assert unsendable(parameter_tool("path", {"type": "string"}, path="/things/v{value}")) == {}
    assert unsendable(parameter_tool("path", {"type": "string"}, content_type="application/json")) == {}
    assert unsendable(parameter_tool("query", {"type": "string"})) == {}
    assert "value: another segment" not in unsendable(
        parameter_tool("path", {"type": "string", "pattern": "^a$"})
    )


def test_values_that_would_end_a_header() -> None:
    assert unsendable(parameter_tool("header", {"type": "string"})) == {
        "value: line break": "sample\r\nX-Sample: 1",
        "value: control character": "sample\x00",
    }


def test_a_file_that_is_not_base64() -> None:
    file = closed({"content_base64": {"type": "string"}}, "content_base64")
    argument = ArgumentPlan("photo", "photo", "body", file, True, Code("str"), None, "/photo")
    body = BodyWire("multipart/form-data", "multipart", True, files={"photo": "one"})
    subject = replace(
        tool_with(body=body, arguments=(argument,)), input_schema=closed({"photo": file}, "photo")
    )
    found = refusals_of(subject, [call({"photo": {"content_base64": "YQ=="}})])
    assert found[0] == RefusalCase("photo: base64", "photo", {"photo": {"content_base64": "no base64!"}})


_NUMBERS = st.fixed_dictionaries(
    {"type": st.sampled_from(["integer", "number"])},
    optional={
        "minimum": st.integers(-5, 5),
        "maximum": st.integers(6, 20),
        "multipleOf": st.sampled_from([1, 2, 0.5]),
        "exclusiveMinimum": st.integers(-9, -6),
    },
)
_TEXTS = st.one_of(
    st.fixed_dictionaries(
        {"type": st.just("string")},
        optional={
            "minLength": st.integers(0, 3),
            "maxLength": st.integers(3, 9),
            "pattern": st.sampled_from(["^[a-z0-9]*$", "[a-z]", "^a|b$"]),
        },
    ),
    st.fixed_dictionaries(
        {"type": st.just("string"), "enum": st.lists(st.text(max_size=4), min_size=1, max_size=3)}
    ),
)
_PLAIN = st.one_of(_NUMBERS, _TEXTS, st.just({"type": "boolean"}))


def _nested(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    lists = st.fixed_dictionaries(
        {"type": st.just("array"), "items": inner},
        optional={"minItems": st.integers(0, 2), "maxItems": st.integers(2, 4), "uniqueItems": st.booleans()},
    )
    names = st.sampled_from(["id", "name", "kind"])
    objects = st.dictionaries(names, inner, min_size=1).flatmap(
        lambda properties: st.lists(st.sampled_from(sorted(properties)), unique=True).map(
            lambda required: closed(properties, *required)
        )
    )
    nullable = inner.map(lambda schema: {"anyOf": [schema, {"type": "null"}]})
    return st.one_of(lists, objects, nullable)


_SCHEMAS = st.dictionaries(
    st.sampled_from(["first", "second", "third"]), st.recursive(_PLAIN, _nested, max_leaves=6), min_size=1
)


@given(_SCHEMAS, st.data())
def test_each_refusal_breaks_what_it_says_and_is_refused(
    properties: dict[str, Schema], data: st.DataObject
) -> None:
    required = data.draw(st.lists(st.sampled_from(sorted(properties)), unique=True))
    schema = closed(properties, *required)
    arguments = example_value(schema, {}, direction="request")
    assume(arguments is not None)  # a schema can ask for two different items and have one value for them
    assert isinstance(arguments, dict)
    validator = Draft202012Validator(schema)
    assume(validator.is_valid(arguments))
    minimal = {name: value for name, value in arguments.items() if name in required}

    found = refusals_of(tool(schema), [call(minimal), call(arguments)])

    assert len({case.breaks for case in found}) == len(found)
    assert {"no_such_field: additionalProperties", *(f"{name}: required" for name in required)} <= {
        case.breaks for case in found
    }
    for case in found:
        (error,) = validator.iter_errors(dict(case.arguments))
        keyword = case.breaks.rpartition(": ")[2]
        told = {"type": {"type", "enum"}, "null": {"type", "enum"}}.get(keyword, {keyword})
        assert error.validator in {*told, "anyOf"}, case
        with pytest.raises(CallFailed) as refused:
            repaired("do_it", ArgumentCheck(schema), dict(case.arguments))
        assert case.argument in refused.value.failure.message, case


def test_types_are_read_through_choices_and_references() -> None:
    reader = Reader({"$defs": {"N": {"type": "number"}}})
    assert reader.kinds({"$ref": "#/$defs/N"}) == {"number", "integer"}
    assert reader.kinds({"anyOf": [{"$ref": "#/$defs/N"}, {"type": "null"}]}) == {"number", "integer", "null"}
    assert reader.kinds({"allOf": [{"type": ["string", "null"]}, {"enum": ["a"]}]}) == {"string"}
    assert reader.kinds({"const": True}) == {"boolean"}
    assert reader.kinds(False) <= reader.kinds({})

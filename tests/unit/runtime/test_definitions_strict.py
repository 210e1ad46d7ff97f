"""Strict schemas of OpenAI: what they look like, and why a tool can't have one."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.runtime.definitions.model import Kind
from mcpgen.runtime.definitions.restoring import Restorer
from mcpgen.runtime.definitions.strict import StrictSchema

from .provider_rules import strict_faults

NULL = {"type": "null"}


def arguments(properties: dict[str, Any], *required: str, **more: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return {**schema, "additionalProperties": False, **more}


def strict(properties: dict[str, Any], *required: str, **more: Any) -> dict[str, Any]:
    """The properties of the strict schema of a tool that can have one."""
    found = StrictSchema("tool", arguments(properties, *required, **more))
    assert not found.problems
    assert not strict_faults(found.schema)
    return dict(found.schema["properties"])


def reasons(schema: Any, **defs: Any) -> list[tuple[str, str]]:
    """Why the only argument can't be strict."""
    found = StrictSchema("tool", arguments({"a": schema}, "a", **({"$defs": defs} if defs else {})))
    return [(problem.pointer, problem.text) for problem in found.problems]


def noted(schema: Any) -> list[tuple[Kind, str, str]]:
    found = StrictSchema("tool", arguments({"a": schema}))
    return [(finding.kind, finding.pointer, finding.text) for finding in found.findings]


def test_what_is_optional_is_required_and_nullable() -> None:
    assert strict(
        {"id": {"type": "string"}, "limit": {"type": "integer", "description": "How many."}}, "id"
    ) == {
        "id": {"type": "string"},
        "limit": {"type": ["integer", "null"], "description": "How many."},
    }


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string", "enum": ["a"]}, {"anyOf": [{"type": "string", "enum": ["a"]}, NULL]}),
        ({"type": "string", "const": "a"}, {"anyOf": [{"type": "string", "const": "a"}, NULL]}),
        ({"const": "a"}, {"anyOf": [{"type": "string", "const": "a"}, NULL]}),
        (
            {"type": "array", "items": {"type": "string"}, "description": "Words."},
            {"anyOf": [{"type": "array", "items": {"type": "string"}}, NULL], "description": "Words."},
        ),
        ({"anyOf": [{"type": "string"}, NULL]}, {"anyOf": [{"type": "string"}, NULL]}),
        ({"type": ["string", "null"]}, {"anyOf": [{"type": "string"}, NULL]}),
        (
            {"type": ["string", "integer"], "minimum": 1},
            {"anyOf": [{"type": "string"}, {"type": "integer", "minimum": 1}, NULL]},
        ),
        (
            {"enum": ["a", 1]},
            {"anyOf": [{"type": "integer", "enum": [1]}, {"type": "string", "enum": ["a"]}, NULL]},
        ),
    ],
)
def test_every_kind_of_optional_value(schema: dict[str, Any], expected: dict[str, Any]) -> None:
    assert strict({"a": schema}) == {"a": expected}


def test_objects_are_closed_at_every_depth() -> None:
    inner = {
        "type": "object",
        "properties": {"x": {"type": "object", "properties": {"y": {"type": "string"}}}},
    }
    found = strict({"a": {"type": "array", "items": inner}}, "a")["a"]["items"]
    assert found["additionalProperties"] is False
    assert found["properties"]["x"]["anyOf"][0] == {
        "type": "object",
        "properties": {"y": {"type": ["string", "null"]}},
        "required": ["y"],
        "additionalProperties": False,
    }
    assert [kind for kind, _, _ in noted(inner)] == [Kind.CLOSED, Kind.CLOSED]


def test_references_stay_and_may_lead_in_circles() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node", "description": "The next."}}}
    source = arguments({"first": {"$ref": "#/$defs/Node"}}, "first", **{"$defs": {"Node": node}})
    found = StrictSchema("tool", source)
    assert not found.problems
    assert not strict_faults(found.schema)
    assert found.schema["properties"]["first"] == {"$ref": "#/$defs/Node"}
    following = found.schema["$defs"]["Node"]["properties"]["next"]
    assert following == {"anyOf": [{"$ref": "#/$defs/Node"}, NULL], "description": "The next."}
    given = {"first": {"next": {"next": {"next": None}}}}
    assert Restorer(found).restored(given) == {"first": {"next": {"next": {}}}}


def test_what_has_no_keyword_is_said_in_words() -> None:
    schema = {
        "type": "string",
        "description": "A code",
        "minLength": 2,
        "maxLength": 5,
        "format": "uri",
        "pattern": "(?=a)b",
        "default": "ab",
    }
    told = "A code. Matches the pattern (?=a)b. Format: uri. At least 2 characters. At most 5 characters."
    assert strict({"a": schema}, "a") == {"a": {"type": "string", "description": f'{told} Default: "ab".'}}
    assert [text for kind, _, text in noted(schema) if kind is Kind.WORDED] == [
        "pattern",
        "minLength",
        "maxLength",
    ]


def test_what_has_a_keyword_keeps_it() -> None:
    number = {"type": "number", "minimum": 0, "exclusiveMaximum": 9, "multipleOf": 0.5}
    text = {"type": "string", "pattern": "^[a-z]+$", "format": "date-time"}
    many = {"type": "array", "items": {"type": "boolean"}, "minItems": 1, "maxItems": 3}
    assert strict({"n": number, "t": text, "m": many}, "n", "t", "m") == {"n": number, "t": text, "m": many}


@pytest.mark.parametrize(
    ("schema", "place", "reason"),
    [
        ({}, "", "any value is admitted"),
        (True, "", "any value is admitted"),
        ({"description": "Anything."}, "", "any value is admitted"),
        ({"minimum": 3}, "", "no type is said"),
        ({"type": "object"}, "", "the object says nothing of its fields"),
        ({"type": "object", "additionalProperties": True}, "", "the object admits fields of any name"),
        (
            {
                "type": "object",
                "properties": {"x": {"type": "string"}},
                "additionalProperties": {"type": "string"},
            },
            "",
            "the object admits fields of any name",
        ),
        ({"type": "array", "items": {}}, "/items", "any value is admitted"),
        ({"type": "array"}, "/items", "any value is admitted"),
        (
            {"type": "object", "properties": {"x": {"type": "string"}}, "required": ["y"]},
            "",
            "`y` is required, but not described",
        ),
        ({"type": "string", "not": {"const": "a"}}, "", "strict schemas have no `not`"),
        ({"allOf": [{"type": "string"}], "type": "string"}, "", "strict schemas have no `allOf`"),
        (
            {"type": "object", "properties": {"x": {"type": "string"}}, "anyOf": [{"required": ["x"]}]},
            "",
            "a choice stands beside other rules",
        ),
        (
            {"type": "string", "anyOf": [{"type": "integer"}]},
            "/anyOf/0",
            "the alternative has another type than the whole",
        ),
        ({"enum": [{"x": 1}]}, "", "`enum` lists what strict schemas can't list"),
        ({"$ref": "https://example.com/x"}, "", "a reference stands beside other rules"),
    ],
)
def test_what_cannot_be_strict_is_told_with_its_place(schema: Any, place: str, reason: str) -> None:
    assert (f"/properties/a{place}", reason) in reasons(schema)


def test_what_is_below_a_definition_is_told_too() -> None:
    assert reasons({"$ref": "#/$defs/Free"}, Free={"type": "object"}) == [
        ("/$defs/Free", "the object says nothing of its fields")
    ]


def nested(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = arguments({"x": schema}, "x")
    return schema


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        (nested(10), "its objects are nested 11 levels deep, more than 10"),
        ({"type": "string", "enum": [f"v{n}" for n in range(1001)]}, "it lists 1001 values, more than 1000"),
        (
            {"type": "string", "enum": [f"{n:0100}" for n in range(251)]},
            "a list of 251 values has more than 15000 characters",
        ),
        (
            arguments({f"p{n}": {"type": "string"} for n in range(5000)}),
            "it has 5001 properties, more than 5000",
        ),
        (
            arguments({f"{n:0130}": {"type": "string"} for n in range(1000)}),
            "its names and values have 130001 characters, more than 120000",
        ),
    ],
)
def test_limits(schema: dict[str, Any], reason: str) -> None:
    assert reasons(schema) == [("", reason)]


def test_ten_levels_are_allowed() -> None:
    assert reasons(nested(9)) == []


def test_null_of_an_optional_value_means_absent_at_every_depth() -> None:
    line = {"type": "object", "properties": {"sku": {"type": "string"}, "note": {"type": ["string", "null"]}}}
    line = {**line, "required": ["sku"], "additionalProperties": False}
    source = arguments(
        {
            "lines": {"type": "array", "items": line},
            "until": {"anyOf": [{"type": "string"}, NULL]},
            "reason": {"type": ["string", "null"]},
        },
        "reason",
    )
    found = StrictSchema("tool", source)
    told = [(f.pointer, f.kind) for f in found.findings]
    assert told == [
        ("/properties/lines/items/properties/note", Kind.NULL_IS_ABSENT),
        ("/properties/until", Kind.NULL_IS_ABSENT),
    ]
    given = {"lines": [{"sku": "a", "note": None}, {"sku": "b", "note": "n"}], "until": None, "reason": None}
    assert Restorer(found).restored(given) == {
        "lines": [{"sku": "a"}, {"sku": "b", "note": "n"}],
        "reason": None,  # required: here null is a value
    }


def test_what_fits_no_alternative_is_left_for_the_check_of_the_call() -> None:
    choice = {"anyOf": [arguments({"x": {"type": "string"}}), arguments({"y": {"type": "integer"}})]}
    restorer = Restorer(StrictSchema("tool", arguments({"a": choice})))
    assert restorer.restored({"a": {"y": None}}) == {"a": {}}
    assert restorer.restored({"a": {"z": None}, "other": None}) == {"a": {"z": None}, "other": None}

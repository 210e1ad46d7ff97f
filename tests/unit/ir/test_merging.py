"""References followed and `allOf` merged."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from mcpgen.ir.merging import flatten, hidden_properties, marked


def ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def test_all_parts_of_allof_count() -> None:
    schemas = {"Named": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}}
    schema = {
        "allOf": [ref("Named"), {"properties": {"age": {"type": "integer"}}, "required": ["age"]}],
        "description": "Own.",
    }

    flat, opened = flatten(schema, schemas)

    assert flat["properties"].keys() == {"name", "age"}
    assert flat["required"] == ["name", "age"]
    assert flat["description"] == "Own."
    assert "allOf" not in flat
    assert opened == {"Named"}


def test_keywords_beside_a_reference_apply_with_it() -> None:
    flat, _ = flatten(
        {**ref("Count"), "maximum": 12, "description": "Rungs."},
        {"Count": {"type": "integer", "minimum": 1, "maximum": 50}},
    )

    assert flat == {"type": "integer", "minimum": 1, "maximum": 12, "description": "Rungs."}


def test_the_same_property_in_two_parts_must_meet_both() -> None:
    schema = {"allOf": [{"properties": {"a": {"minimum": 1}}}, {"properties": {"a": {"maximum": 5}}}]}

    flat, _ = flatten(schema, {})

    validator = Draft202012Validator(flat)
    assert validator.is_valid({"a": 3})
    assert not validator.is_valid({"a": 0})
    assert not validator.is_valid({"a": 6})


def test_parts_that_contradict_stay_in_allof() -> None:
    flat, _ = flatten({"allOf": [{"pattern": "^a"}, {"pattern": "b$"}]}, {})

    assert flat == {"pattern": "^a", "allOf": [{"pattern": "b$"}]}


def test_a_circle_of_allof_ends() -> None:
    schemas = {
        "A": {"allOf": [ref("B")], "properties": {"a": {}}},
        "B": {"allOf": [ref("A")], "properties": {"b": {}}},
    }

    flat, _ = flatten(ref("A"), schemas)

    assert flat["properties"].keys() == {"a", "b"}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"readOnly": True}, True),
        (ref("Id"), True),
        ({"allOf": [ref("Id")], "readOnly": False}, False),
        ({}, False),
    ],
)
def test_marks_are_found_through_references(schema: dict[str, Any], expected: bool) -> None:
    assert marked(schema, {"Id": {"type": "string", "readOnly": True}}, "readOnly") is expected


def test_hidden_properties_are_found_in_every_part() -> None:
    schema = {"allOf": [{"properties": {"id": {"readOnly": True}}}, {"properties": {"name": {}}}]}

    assert hidden_properties(schema, {}, "readOnly") == {"id"}


part = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["integer", "number", "string"]),
        "minimum": st.integers(-3, 3),
        "maximum": st.integers(-3, 3),
        "minLength": st.integers(0, 2),
        "enum": st.lists(st.integers(-3, 3), min_size=1, max_size=4, unique=True),
        "multipleOf": st.integers(1, 3),
        "pattern": st.sampled_from(["^a", "b$"]),
    },
)


@given(
    parts=st.lists(part, min_size=1, max_size=3),
    value=st.integers(-4, 4) | st.sampled_from(["", "a", "ab"]) | st.just(1.5),
)
def test_merging_means_the_same(parts: list[dict[str, Any]], value: Any) -> None:
    flat, _ = flatten({"allOf": parts}, {})

    assert Draft202012Validator(flat).is_valid(value) == Draft202012Validator({"allOf": parts}).is_valid(
        value
    )


@pytest.mark.parametrize(
    ("first", "second", "merged"),
    [
        ({"multipleOf": 0.5}, {"multipleOf": 2}, {"multipleOf": 0.5, "allOf": [{"multipleOf": 2}]}),
        ({"multipleOf": 4}, {"multipleOf": 6}, {"multipleOf": 12}),
        ({"enum": [1, 2]}, {"enum": [True, 2.0]}, {"enum": [2]}),
        ({"type": ["integer", "number"]}, {"type": "string"},
         {"type": ["integer", "number"], "allOf": [{"type": "string"}]}),
        ({"type": ["number", "null"]}, {"type": ["integer", "null"]}, {"type": ["null", "integer"]}),
        ({"dependentRequired": {"a": ["b"]}}, {"dependentRequired": {"a": ["c"], "d": ["e"]}},
         {"dependentRequired": {"a": ["b", "c"], "d": ["e"]}}),
        ({"prefixItems": [{}]}, {"items": {"type": "string"}},
         {"prefixItems": [{}], "allOf": [{"items": {"type": "string"}}]}),
        ({"items": {"type": "string"}}, {"items": {"minLength": 1}},
         {"items": {"allOf": [{"type": "string"}, {"minLength": 1}]}}),
        ({"contains": {"const": 1}, "minContains": 2}, {"contains": {"const": 2}},
         {"contains": {"const": 1}, "minContains": 2, "allOf": [{"contains": {"const": 2}}]}),
        ({"contains": {"const": 1}}, {"maxContains": 1}, {"contains": {"const": 1}}),
        ({"if": {"const": 1}}, {"then": {"type": "string"}}, {"if": {"const": 1}}),
        ({"anyOf": [{"const": 1}], "properties": {"a": {}}}, {"anyOf": [{"const": 2}], "properties": {"b": {}}},
         {"anyOf": [{"const": 1}], "properties": {"a": {}, "b": {}}, "allOf": [{"anyOf": [{"const": 2}]}]}),
        ({"properties": {"a": {}}, "additionalProperties": {"not": {}}}, {"properties": {"b": {}}},
         {"properties": {"a": {}, "b": {}}, "additionalProperties": {"not": {}}}),
        ({"const": 1}, {"const": True}, {"const": 1, "allOf": [{"const": True}]}),
    ],
)  # fmt: skip
def test_parts_become_one_only_where_that_means_the_same(
    first: dict[str, Any], second: dict[str, Any], merged: dict[str, Any]
) -> None:
    assert flatten({"allOf": [first, second]}, {})[0] == merged

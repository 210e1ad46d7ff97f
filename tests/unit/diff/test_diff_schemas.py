"""Single differences of schemas: what is said, and where."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.diff.schemas import Delta, Way, compare_schemas

TEXT, WHOLE = {"type": "string"}, {"type": "integer"}


def deltas(old: Any, new: Any, loose_from: int = 99, **roots: Any) -> list[Delta]:
    return compare_schemas(old, new, roots.get("old", old), roots.get("new", new), loose_from=loose_from)


def said(old: Any, new: Any, loose_from: int = 99) -> list[tuple[str, Way, str]]:
    return [(one.code, one.way, "/".join(one.path)) for one in deltas(old, new, loose_from)]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            {"type": "integer", "multipleOf": 10},
            {"type": "integer", "multipleOf": 5},
            ("limit-loosened", Way.WIDENED),
        ),
        (
            {"type": "integer", "multipleOf": 5},
            {"type": "integer", "multipleOf": 10},
            ("limit-tightened", Way.NARROWED),
        ),
        (
            {"type": "integer", "multipleOf": 4},
            {"type": "integer", "multipleOf": 6},
            ("limit-changed", Way.CHANGED),
        ),
        ({"type": "string", "minLength": 0}, TEXT, None),
        ({"type": "array", "items": {}, "uniqueItems": False}, {"type": "array", "items": {}}, None),
        ({"type": "string", "pattern": ".*"}, TEXT, None),
        (
            {"type": "integer", "format": "int32"},
            {"type": "integer", "format": "int64"},
            ("format-widened", Way.WIDENED),
        ),
        (
            {"type": "integer", "format": "int64"},
            {"type": "integer", "format": "int32"},
            ("format-narrowed", Way.NARROWED),
        ),
        ({"const": 1}, {"enum": [1, 2]}, ("enum-value-added", Way.WIDENED)),
        ({"enum": [1]}, {"const": 1}, None),
        ({"enum": [1, 0]}, {"enum": [0, 1]}, None),
        ({"enum": [1]}, {"enum": [True]}, ("type-changed", Way.CHANGED)),
        (TEXT, {"anyOf": [TEXT, {"type": "null"}]}, ("nullable-added", Way.WIDENED)),
        ({"type": ["null", "string"]}, {"anyOf": [TEXT, {"type": "null"}]}, None),
        ({"anyOf": [TEXT, WHOLE]}, {"anyOf": [WHOLE, TEXT]}, None),
        ({"anyOf": [TEXT, {"type": "number"}]}, {"anyOf": [TEXT, {"type": "number"}, WHOLE]}, None),
        ({"anyOf": [TEXT, WHOLE]}, TEXT, ("alternative-removed", Way.NARROWED)),
        (
            {"type": "string", "not": {"maxLength": 2}},
            {"type": "string", "not": {"maxLength": 5}},
            ("condition-changed", Way.NARROWED),
        ),
        (True, {"not": {}}, ("type-narrowed", Way.NARROWED)),
        (False, TEXT, ("type-widened", Way.WIDENED)),
        ({"description": "One."}, {"description": "Two.", "title": "T"}, None),
    ],
)
def test_one_difference(old: Any, new: Any, expected: tuple[str, Way] | None) -> None:
    assert [(code, way) for code, way, _ in said(old, new)] == ([expected] if expected else [])


def test_a_description_that_is_a_property_is_no_text() -> None:
    old = {"type": "object", "properties": {"description": TEXT}}
    new = {"type": "object", "properties": {"description": WHOLE}}
    assert said(old, new) == [("type-changed", Way.CHANGED, "properties/description")]


def test_an_alternative_that_changed_is_compared_with_what_it_was() -> None:
    def choice(length: int) -> dict[str, Any]:
        card = {
            "type": "object",
            "properties": {"kind": {"const": "card"}, "number": {"type": "string", "maxLength": length}},
        }
        cash = {"type": "object", "properties": {"kind": {"const": "cash"}}}
        return {"anyOf": [cash, card]}

    old, new = choice(9), {"anyOf": list(reversed(choice(5)["anyOf"]))}
    assert said(old, new) == [("limit-tightened", Way.NARROWED, "anyOf/0/properties/number/maxLength")]


def tree(**extra: Any) -> dict[str, Any]:
    node = {"type": "object", "properties": {"name": TEXT, "child": {"$ref": "#/$defs/Node"}, **extra}}
    return {"$ref": "#/$defs/Node", "$defs": {"Node": node}}


def test_recursion_ends_and_says_a_difference_once() -> None:
    assert deltas(tree(), tree()) == []
    assert said(tree(), tree(size=WHOLE)) == [("property-added", Way.NOTE, "properties/size")]


def test_recursion_on_one_side_ends() -> None:
    flat = {
        "type": "object",
        "properties": {"name": TEXT, "child": {"type": "object", "properties": {"name": WHOLE}}},
    }
    assert ("type-changed", Way.CHANGED, "properties/child/properties/name") in said(tree(), flat)
    loop = {"$ref": "#/$defs/A", "$defs": {"A": {"anyOf": [{"$ref": "#/$defs/A"}, TEXT]}}}
    assert said(loop, loop) == []


def test_a_reference_to_itself_ends() -> None:
    loop = {"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/A"}}}
    assert said(loop, TEXT, 0) == [("detail-gained", Way.NARROWED, "")]


@pytest.mark.parametrize(
    ("bare", "full"),
    [
        ({"type": "object"}, {"type": "object", "properties": {"a": TEXT}, "required": ["a"]}),
        ({"type": "array", "items": {}}, {"type": "array", "items": TEXT}),
        ({}, TEXT),
    ],
)
def test_what_was_loosened_is_told_from_what_changed(bare: Any, full: Any) -> None:
    """Deep down, a bare schema may only be one that was cut to keep the whole small."""
    assert [code for code, _, _ in said(full, bare, 0)] == ["detail-lost"]
    assert [code for code, _, _ in said(bare, full, 0)] == ["detail-gained"]
    assert "detail" not in str(said(full, bare)) + str(said(bare, full))


def test_required_without_a_schema_counts() -> None:
    old, new = {"type": "object", "required": ["a"]}, {"type": "object", "required": ["b"]}
    assert said(old, new) == [
        ("property-became-optional", Way.WIDENED, "properties/a"),
        ("property-became-required", Way.NARROWED, "properties/b"),
    ]


CLOSED = {"type": "object", "additionalProperties": False}
BARE = {**CLOSED, "properties": {"a": TEXT}}
BOUND = {**CLOSED, "properties": {"a": TEXT, "b": TEXT}, "dependentRequired": {"b": ["a"]}}


def test_what_a_new_property_requires_is_no_change_of_its_own() -> None:
    assert [code for code, _, _ in said(BARE, BOUND)] == ["property-added"]
    assert [code for code, _, _ in said(BOUND, BARE)] == ["property-removed"]
    opened = [
        {key: value for key, value in one.items() if key != "additionalProperties"} for one in (BARE, BOUND)
    ]
    assert ("dependent-required-added", Way.NARROWED) in [(code, way) for code, way, _ in said(*opened)]

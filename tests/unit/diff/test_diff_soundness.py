"""Held against a validator: what was valid and is not any more is always said, and so is the other way round."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from mcpgen.diff.schemas import Way, compare_schemas

LOSES = {Way.NARROWED, Way.CHANGED}
GAINS = {Way.WIDENED, Way.CHANGED}
NAMES = ("a", "b")
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.sampled_from(["", "x", "xy", "xyz"]), st.just(1.5)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=2),
    max_leaves=4,
)


def _numbers(kind: str) -> st.SearchStrategy[dict[str, Any]]:
    limits = {
        "minimum": st.integers(-2, 2),
        "maximum": st.integers(-2, 2),
        "multipleOf": st.sampled_from([1, 2]),
    }
    return st.fixed_dictionaries({"type": st.just(kind)}, optional=limits)


TEXTS = st.fixed_dictionaries(
    {"type": st.just("string")},
    optional={
        "minLength": st.integers(0, 2),
        "maxLength": st.integers(0, 3),
        "enum": st.lists(st.sampled_from(["", "x", "xy"]), min_size=1, max_size=3, unique=True),
        "pattern": st.sampled_from(["^x", "y$", ".*"]),
    },
)
LEAVES = st.one_of(
    TEXTS,
    _numbers("integer"),
    _numbers("number"),
    st.sampled_from([{"type": "null"}, {"type": "boolean"}, {"type": ["string", "null"]}, {"const": "x"}]),
)


def _structures(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    arrays = st.fixed_dictionaries(
        {"type": st.just("array"), "items": inner},
        optional={"minItems": st.integers(0, 2), "maxItems": st.integers(0, 2), "uniqueItems": st.booleans()},
    )
    objects = st.fixed_dictionaries(
        {"type": st.just("object"), "properties": st.dictionaries(st.sampled_from(NAMES), inner, max_size=2)},
        optional={
            "required": st.lists(st.sampled_from(NAMES), unique=True, max_size=2),
            "additionalProperties": st.booleans(),
            "minProperties": st.integers(0, 2),
            "dependentRequired": st.just({"a": ["b"]}),
        },
    )
    unions = st.lists(inner, min_size=1, max_size=3).map(lambda parts: {"anyOf": parts})
    return arrays | objects | unions


SCHEMAS = st.recursive(LEAVES, _structures, max_leaves=5)


def valid(value: Any, schema: Any) -> bool:
    return bool(Draft202012Validator(schema).is_valid(value))


def ways(old: Any, new: Any) -> set[Way]:
    # From a length of path that no schema here reaches, nothing counts as loosened.
    return {delta.way for delta in compare_schemas(old, new, old, new, loose_from=99)}


def named(schema: Any) -> set[frozenset[str]]:
    """The sets of properties that the objects of a schema name."""
    parts = [schema.get("items"), *schema.get("anyOf", ()), *schema.get("properties", {}).values()]
    found = {frozenset(schema["properties"])} if "properties" in schema else set()
    return found.union(*(named(part) for part in parts if part is not None))


def opens(old: Any, new: Any) -> bool:
    """A property that comes to or leaves an open object is said, but is no loss of values by our (and oasdiff's) rules."""
    return named(old) != named(new)


@given(SCHEMAS, SCHEMAS, st.lists(VALUES, max_size=8))
def test_no_loss_and_no_gain_is_missed(old: Any, new: Any, values: list[Any]) -> None:
    found = ways(old, new)
    if opens(old, new):
        return
    for value in values:
        before, after = valid(value, old), valid(value, new)
        assert not (before and not after) or found & LOSES, (value, old, new, found)
        assert not (after and not before) or found & GAINS, (value, old, new, found)


@given(SCHEMAS)
def test_a_schema_does_not_differ_from_itself(schema: Any) -> None:
    assert compare_schemas(schema, schema, schema, schema) == []


@given(SCHEMAS, SCHEMAS)
def test_the_way_back_is_the_reverse(old: Any, new: Any) -> None:
    there, back = ways(old, new), ways(new, old)
    if opens(old, new):
        return
    assert bool(there & LOSES) == bool(back & GAINS), (old, new, there, back)

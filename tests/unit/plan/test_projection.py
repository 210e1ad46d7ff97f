"""Published schemas: self-contained, bounded, legal for clients, and never stricter than the spec."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from mcpgen.plan.projection import Direction, Projected, Projector


def ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def project(
    schema: dict[str, Any],
    schemas: dict[str, Any] | None = None,
    direction: Direction = Direction.REQUEST,
    budget: int = 20_000,
) -> Projected:
    return Projector(schemas or {}, direction, budget).project(schema)


def parts(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        yield schema
        for value in schema.values():
            yield from parts(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from parts(value)


def test_references_are_inlined() -> None:
    found = project(
        {"type": "object", "properties": {"a": ref("A")}}, {"A": {"type": "string", "maxLength": 3}}
    )

    assert found.schema == {"type": "object", "properties": {"a": {"type": "string", "maxLength": 3}}}


def test_recursion_stays_exact_in_requests() -> None:
    schemas = {
        "Node": {
            "type": "object",
            "properties": {"next": ref("Node"), "n": {"type": "integer"}},
            "required": ["n"],
        }
    }

    found = project(ref("Node"), schemas)

    validator = Draft202012Validator(found.schema)
    assert not found.simplified
    assert validator.is_valid({"n": 1, "next": {"n": 2, "next": {"n": 3}}})
    assert not validator.is_valid({"n": 1, "next": {"n": 2, "next": {}}})


def test_recursion_ends_in_answers_without_references() -> None:
    schemas = {"Node": {"type": "object", "properties": {"next": ref("Node")}}}

    found = project(ref("Node"), schemas, Direction.RESPONSE)

    assert "$ref" not in json.dumps(found.schema)
    assert Draft202012Validator(found.schema).is_valid({"next": {"next": {"next": {}}}})


def test_references_that_fan_out_stay_small_and_exact() -> None:
    schemas: dict[str, Any] = {
        f"P{n}": {"type": "object", "properties": {"l": ref(f"P{n + 1}"), "r": ref(f"P{n + 1}")}}
        for n in range(24)
    }
    schemas["P24"] = {"type": "integer"}

    found = project({"type": "object", "properties": {"p": ref("P0")}}, schemas)

    assert len(json.dumps(found.schema)) < 30_000
    assert Draft202012Validator(found.schema).is_valid({"p": {"l": {"r": {}}}})
    assert not Draft202012Validator(found.schema).is_valid({"p": {"l": {"r": 1}}})


def test_a_schema_over_its_budget_is_loosened_far_from_the_root_first() -> None:
    inner: dict[str, Any] = {"type": "integer"}
    for number in range(30):
        inner = {"type": "object", "properties": {f"level{number}": inner}, "description": "x" * 50}

    found = project({"type": "object", "properties": {"near": {"enum": ["a"]}, "deep": inner}}, budget=500)

    assert found.simplified
    assert found.schema["properties"]["near"] == {"enum": ["a"]}
    assert len(json.dumps(found.schema)) < 2_500


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"type": ["string", "null"], "maxLength": 2}, ["ab", None], ["abc", 1]),
        ({"type": ["array", "null"], "items": {"type": "integer"}}, [[1], None], [["a"], 1]),
        ({"type": ["string", "null"], "enum": ["a", None]}, ["a", None], ["b"]),
        (
            {"type": ["object", "null"], "properties": {"a": {"type": "string"}}},
            [{"a": "x"}, None],
            [{"a": 1}],
        ),
        ({"type": ["string", "integer"]}, ["a", 1], [None, 1.5]),
    ],
)
def test_type_lists_keep_their_meaning(schema: dict[str, Any], good: list[Any], bad: list[Any]) -> None:
    published = project({"type": "object", "properties": {"v": schema}}).schema
    validator = Draft202012Validator(published)

    assert all(validator.is_valid({"v": value}) for value in good)
    assert not any(validator.is_valid({"v": value}) for value in bad)


def test_overlapping_alternatives_admit_what_matches_both() -> None:
    published = project({"oneOf": [{"type": "integer"}, {"type": "number"}]}).schema

    assert Draft202012Validator(published).is_valid(1)


def test_read_only_fields_leave_requests_and_write_only_fields_leave_answers() -> None:
    schema = {
        "type": "object",
        "properties": {
            "id": {"type": "string", "readOnly": True},
            "pin": {"type": "string", "writeOnly": True},
            "name": {},
        },
        "required": ["id", "pin", "name"],
    }

    request = project(schema).schema
    answer = project(schema, direction=Direction.RESPONSE).schema

    assert (list(request["properties"]), request["required"]) == (["pin", "name"], ["pin", "name"])
    assert (list(answer["properties"]), answer["required"]) == (["id", "name"], ["id", "name"])


def test_answers_may_grow() -> None:
    published = project(
        {"type": "object", "properties": {"a": {}}, "additionalProperties": False},
        direction=Direction.RESPONSE,
    ).schema

    assert Draft202012Validator(published).is_valid({"a": 1, "new": 2})


plain = st.sampled_from(["string", "integer", "number", "boolean", "null", "object", "array"])
schemas_ = st.recursive(
    st.builds(dict, type=plain) | st.just({}) | st.builds(ref, st.sampled_from(["A", "B", "C"])),
    lambda inner: st.builds(
        lambda p, r: {"type": "object", "properties": p, "required": r},
        st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
        st.lists(st.sampled_from("ab"), max_size=1),
    )
    | st.builds(lambda i: {"type": "array", "items": i}, inner)
    | st.builds(
        lambda key, parts: {key: parts},
        st.sampled_from(["anyOf", "oneOf", "allOf"]),
        st.lists(inner, min_size=1, max_size=3),
    )
    | st.builds(lambda k: {"type": [k, "null"]}, plain.filter(lambda k: k != "null")),
    max_leaves=6,
)
instances = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.just("a") | st.just(1.5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=5,
)


def _acyclic(schema: Any, seen: frozenset[str], known: dict[str, Any]) -> bool:
    """Whether references through `allOf` and the like end; JSON Schema leaves endless ones undefined."""
    if not isinstance(schema, dict):
        return True
    name = schema.get("$ref", "").rpartition("/")[2]
    if name and (name in seen or not _acyclic(known[name], seen | {name}, known)):
        return False
    return all(
        _acyclic(part, seen, known) for key in ("anyOf", "oneOf", "allOf") for part in schema.get(key, ())
    )


@given(
    root=schemas_,
    known=st.fixed_dictionaries({"A": schemas_, "B": schemas_, "C": schemas_}),
    value=instances,
    budget=st.sampled_from([60, 20_000]),
)
def test_projection_never_refuses_what_the_source_admits(
    root: dict[str, Any], known: dict[str, Any], value: Any, budget: int
) -> None:
    if not all(_acyclic(schema, frozenset(), known) for schema in (root, *known.values())):
        return
    source = {"allOf": [root], "components": {"schemas": known}}
    for direction in Direction:
        published = project(root, known, direction, budget).schema
        Draft202012Validator.check_schema(published)
        assert all("items" in part for part in parts(published) if part.get("type") == "array")
        if Draft202012Validator(source).is_valid(value):
            assert Draft202012Validator(published).is_valid(value)

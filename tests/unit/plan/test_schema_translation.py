"""From the document to the published schema: the same values are accepted and refused, by the rules of each version.

The reference is a reading of the versions of its own, written here, and `jsonschema` for OpenAPI 3.1. Two deliberate
readings are part of it: `oneOf` admits what matches several alternatives (`mcpgen.plan.projection`), and `nullable`
admits null whatever stands beside it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from mcpgen.diagnostics import Collector
from mcpgen.plan.projection import Direction, Projected, Projector
from mcpgen.source.load import load
from mcpgen.spec.context import Context
from mcpgen.spec.notes import Notes
from mcpgen.spec.schemas import SchemaLifter
from mcpgen.spec.versions import detect

LARGE = 10_000_000
NAMES = ("A", "B", "C")
Schemas = dict[str, Any]


def published(version: str, root: Any, components: Schemas, direction: Direction) -> Projected:
    """What the stages make of one schema of a document."""
    schemas = {"Root": root, **components}
    holder = {"definitions": schemas} if version == "2.0" else {"components": {"schemas": schemas}}
    key = "swagger" if version == "2.0" else "openapi"
    diagnostics = Collector()
    tree = load("-", diagnostics=diagnostics, stdin=json.dumps({key: version, **holder}).encode())
    lifter = SchemaLifter(Context(tree, detect(tree.node, diagnostics)[0], Notes(diagnostics)))
    place = (
        tree.node.child("definitions") if version == "2.0" else tree.node.child("components").child("schemas")
    )
    lifter.reserve(place)
    lifter.drain()
    found = Projector(lifter.definitions, direction, LARGE).project(lifter.definitions["Root"])
    Draft202012Validator.check_schema(found.schema)
    return found


# -- the reference for OpenAPI 3.0 and Swagger 2.0 --------------------------------------------------------------


def admits(schema: Any, value: Any, known: Schemas, exact: bool = False) -> bool:
    """Whether a Schema Object of OpenAPI 3.0.4 (or 2.0) admits a value, without `readOnly` and `writeOnly`.

    `exact` reads `oneOf` to the letter, as under `not`.
    """
    if "$ref" in schema:  # siblings are ignored (Reference Object)
        return admits(known[schema["$ref"].rpartition("/")[2]], value, known, exact)
    if value is None and (schema.get("nullable") is True or schema.get("x-nullable") is True):
        return True
    return (
        _of_type(schema, value)
        and _in_limits(schema, value)
        and _combined(schema, value, known, exact)
        and _members(schema, value, known, exact)
    )


def _of_type(schema: Schemas, value: Any) -> Any:
    if "enum" in schema and not any(_same(value, item) for item in schema["enum"]):
        return False
    kinds: dict[str, Any] = {
        "string": str,
        "array": list,
        "object": dict,
        "number": (int, float),
        "integer": int,
    }
    kind = schema.get("type")
    if kind is None:
        return True
    if isinstance(value, bool) or kind == "boolean":
        return isinstance(value, bool) and kind == "boolean"
    return isinstance(value, kinds[kind])


def _in_limits(schema: Schemas, value: Any) -> Any:
    if isinstance(value, str):
        return len(value) >= schema.get("minLength", 0) and len(value) <= schema.get("maxLength", 99)
    if isinstance(value, list):
        distinct = len({json.dumps(item, sort_keys=True) for item in value}) == len(value)
        return len(value) >= schema.get("minItems", 0) and (distinct or not schema.get("uniqueItems"))
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        low, high = schema.get("minimum", -99), schema.get("maximum", 99)
        over = value > low if schema.get("exclusiveMinimum") is True else value >= low
        under = value < high if schema.get("exclusiveMaximum") is True else value <= high
        return over and under
    return True


def _combined(schema: Schemas, value: Any, known: Schemas, exact: bool) -> bool:
    def matches(key: str) -> int:
        return sum(admits(part, value, known, exact) for part in schema[key])

    return (
        all(admits(part, value, known, exact) for part in schema.get("allOf", ()))
        and ("anyOf" not in schema or matches("anyOf") > 0)
        and ("oneOf" not in schema or matches("oneOf") in ((1,) if exact else range(1, 9)))
        and not ("not" in schema and admits(schema["not"], value, known, exact=True))
    )


def _members(schema: Schemas, value: Any, known: Schemas, exact: bool) -> bool:
    if isinstance(value, list):
        return all(admits(schema.get("items", {}), item, known, exact) for item in value)
    if not isinstance(value, dict):
        return True
    if not set(schema.get("required", ())) <= set(value):
        return False
    extra = schema.get("additionalProperties", {})
    rest: Any = {} if extra is True else {"not": {}} if extra is False else extra
    fields = schema.get("properties", {})
    return all(admits(fields.get(name, rest), item, known, exact) for name, item in value.items())


def _same(first: Any, second: Any) -> bool:
    return type(first) is type(second) and bool(first == second)


# -- documents and values ---------------------------------------------------------------------------------------

scalars = st.none() | st.booleans() | st.integers(-2, 3) | st.sampled_from(["", "a", "bb"]) | st.just(1.5)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=6,
)


def merged(*strategies: st.SearchStrategy[Schemas]) -> st.SearchStrategy[Schemas]:
    return st.tuples(*strategies).map(lambda parts: {k: v for part in parts for k, v in part.items()})


def optional(**entries: st.SearchStrategy[Any]) -> st.SearchStrategy[Schemas]:
    return st.fixed_dictionaries({}, optional=entries)


def references(prefix: str) -> st.SearchStrategy[Schemas]:
    return st.sampled_from(NAMES).map(lambda name: {"$ref": f"#/{prefix}/{name}"})


def old_schemas(version: str) -> st.SearchStrategy[Schemas]:
    """Schema Objects of 2.0 and 3.0."""
    three = version != "2.0"
    nullable = optional(**{"nullable" if three else "x-nullable": st.booleans()})
    text = merged(
        st.just({"type": "string"}),
        optional(minLength=st.integers(0, 2), maxLength=st.integers(0, 2)),
        nullable,
    )
    low = optional(minimum=st.integers(-1, 2), exclusiveMinimum=st.booleans())
    high = optional(maximum=st.integers(0, 3), exclusiveMaximum=st.booleans())
    number = merged(
        st.sampled_from(["integer", "number"]).map(lambda kind: {"type": kind}), low, high, nullable
    )
    listed = st.lists(st.integers(0, 2) | st.sampled_from(["a", "bb"]), min_size=1, max_size=3).map(
        lambda items: {"enum": items}
    )
    leaves: st.SearchStrategy[Any] = (
        text | number | listed | st.just({}) | st.just({"type": "boolean"}) | references(_prefix(version))
    )

    def grow(inner: st.SearchStrategy[Schemas]) -> st.SearchStrategy[Schemas]:
        properties = st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
        shape = optional(
            properties=properties, required=st.lists(st.sampled_from("abc"), min_size=1, unique=True)
        )
        extra = optional(additionalProperties=st.booleans() | inner)
        objects = merged(st.just({"type": "object"}), shape, extra, nullable)
        untyped = merged(shape, nullable)
        arrays = merged(
            st.just({"type": "array"}),
            inner.map(lambda items: {"items": items}),
            optional(minItems=st.integers(0, 2), uniqueItems=st.booleans()),
            nullable,
        )
        parts = st.lists(inner, min_size=1, max_size=3)
        keys = ("allOf", "anyOf", "oneOf") if three else ("allOf",)
        combined = merged(
            st.sampled_from(keys).flatmap(lambda key: parts.map(lambda items: {key: items})), shape, nullable
        )
        found = objects | untyped | arrays | combined
        return found | inner.map(lambda part: {"not": part}) if three else found

    return st.recursive(leaves, grow, max_leaves=6)


def _prefix(version: str) -> str:
    return "definitions" if version == "2.0" else "components/schemas"


def new_schemas() -> st.SearchStrategy[Any]:
    """Schemas of 3.1: JSON Schema 2020-12."""
    kinds = st.sampled_from(["string", "integer", "number", "boolean", "null", "object", "array"])
    leaves: st.SearchStrategy[Any] = (
        st.just({})
        | st.booleans()
        | kinds.map(lambda kind: {"type": kind})
        | st.lists(kinds, min_size=1, max_size=3, unique=True).map(lambda kind: {"type": kind})
        | scalars.map(lambda value: {"const": value})
        | st.lists(scalars, min_size=1, max_size=3).map(lambda items: {"enum": items})
        | merged(
            optional(
                minimum=st.integers(-1, 2),
                exclusiveMaximum=st.integers(0, 3),
                multipleOf=st.sampled_from([1, 2, 0.5]),
            ),
            optional(minLength=st.integers(0, 2), pattern=st.sampled_from(["^a", "b$"])),
        )
        | references(_prefix("3.1.0"))
    )

    def grow(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        names = st.sampled_from("abc")
        shape = optional(
            properties=st.dictionaries(names, inner, max_size=3),
            required=st.lists(names, min_size=1, unique=True),
            dependentRequired=st.dictionaries(names, st.lists(names, max_size=2, unique=True), max_size=2),
            dependentSchemas=st.dictionaries(names, inner, max_size=1),
            propertyNames=inner,
            patternProperties=st.dictionaries(st.sampled_from(["^a", "b"]), inner, max_size=2),
        )
        closing = optional(additionalProperties=inner, unevaluatedProperties=inner)
        items = optional(
            items=inner,
            prefixItems=st.lists(inner, min_size=1, max_size=2),
            contains=inner,
            minContains=st.integers(0, 2),
            maxContains=st.integers(1, 2),
            uniqueItems=st.booleans(),
            unevaluatedItems=inner,
        )
        parts = st.lists(inner, min_size=1, max_size=3)
        combined = optional(allOf=parts, anyOf=parts, oneOf=parts)
        condition = optional(**{"not": inner, "if": inner, "then": inner, "else": inner})
        kind = optional(type=st.sampled_from(["object", "array", ["object", "null"], ["array", "string"]]))
        beside = merged(references(_prefix("3.1.0")), shape)
        return (
            merged(shape, closing, kind)
            | merged(items, kind)
            | merged(combined, shape, kind)
            | merged(condition, kind)
            | merged(combined, closing)
            | beside
        )

    return st.recursive(leaves, grow, max_leaves=6)


def _ends(schema: Any, seen: frozenset[str], known: Schemas) -> bool:
    """Whether references on the same value end; JSON Schema leaves endless ones undefined."""
    if not isinstance(schema, dict):
        return True
    name = schema.get("$ref", "").rpartition("/")[2]
    if name and (name in seen or not _ends(known[name], seen | {name}, known)):
        return False
    parts = [part for key in ("anyOf", "oneOf", "allOf") for part in schema.get(key, ())]
    parts += [schema[key] for key in ("not", "if", "then", "else") if key in schema]
    parts += schema.get("dependentSchemas", {}).values()
    return all(_ends(part, seen, known) for part in parts)


def _walk(schema: Any) -> Any:
    yield schema
    children = schema.values() if isinstance(schema, Mapping) else schema if isinstance(schema, list) else ()
    for child in children:
        yield from _walk(child)


def closed_in_parts(schemas: Schemas) -> bool:
    """Whether one of several parts says what else is allowed: that is read as about the whole (`ir.merging.flatten`)."""
    words = {"additionalProperties", "unevaluatedProperties", "unevaluatedItems"}
    for part in _walk(schemas):
        if isinstance(part, dict) and ("allOf" in part or ("$ref" in part and len(part) > 1)):
            levels = list(_levels(part, schemas, set()))
            if any(words & level.keys() for level in levels[1:]) or "additionalProperties" in levels[0]:
                return True
    return False


def _levels(schema: Any, schemas: Schemas, seen: set[str]) -> Iterator[Schemas]:
    """The objects that are merged into one level."""
    if not isinstance(schema, dict):
        return
    yield schema
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    if name and name not in seen:
        yield from _levels(schemas[name], schemas, seen | {name})
    for part in schema.get("allOf", ()):
        yield from _levels(part, schemas, seen)


def generous(schema: Any) -> Any:
    """The schema with the reading of `oneOf` that clients get; conditions stay, and refer to what stays."""
    if isinstance(schema, list):
        return [generous(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    found = {
        key: _literal(value) if key in ("not", "if", "contains") else generous(value)
        for key, value in schema.items()
    }
    if "oneOf" in found:
        alternatives = found.pop("oneOf")
        found["allOf"] = [*found.get("allOf", ()), {"anyOf": alternatives}]
    return found


def _literal(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_literal(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {key: f"{value}-exact" if key == "$ref" else _literal(value) for key, value in schema.items()}


def check(version: str, root: Any, known: Schemas, value: Any, expected: bool) -> None:
    """Requests are admitted exactly, but for what is read more generously or had to be loosened; answers at least."""
    request = published(version, root, known, Direction.REQUEST)
    found = Draft202012Validator(request.schema).is_valid(value)
    assert found or not expected, request.schema
    assert (
        expected or not found or request.simplified or closed_in_parts({"root": root, **known})
    ), request.schema
    if expected:
        response = published(version, root, known, Direction.RESPONSE)
        assert Draft202012Validator(response.schema).is_valid(value), response.schema


@pytest.mark.parametrize("version", ["2.0", "3.0.3"])
@given(data=st.data(), value=values)
def test_older_versions(version: str, data: st.DataObject, value: Any) -> None:
    schemas = old_schemas(version)
    known = {name: data.draw(schemas) for name in NAMES}
    root = data.draw(schemas)
    assume(all(_ends(schema, frozenset(), known) for schema in (root, *known.values())))
    expected = admits(root, value, known)
    check(version, root, known, value, expected)


@given(root=new_schemas(), known=st.fixed_dictionaries({name: new_schemas() for name in NAMES}), value=values)
def test_version_3_1(root: Any, known: Schemas, value: Any) -> None:
    assume(all(_ends(schema, frozenset(), known) for schema in (root, *known.values())))
    source = {name: generous(schema) for name, schema in known.items()}
    source |= {f"{name}-exact": _literal(schema) for name, schema in known.items()}
    reference = {"allOf": [generous(root)], "components": {"schemas": source}}
    expected = Draft202012Validator(reference).is_valid(value)
    check("3.1.0", root, known, value, expected)

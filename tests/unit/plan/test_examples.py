"""Example values are valid, deterministic, and what a reader expects."""

import json
import re
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from mcpgen.plan.examples import conforms, example_value

NODE = {
    "Node": {
        "type": "object",
        "required": ["name", "next"],
        "properties": {
            "name": {"type": "string"},
            "next": {"anyOf": [{"$ref": "#/components/schemas/Node"}, {"type": "null"}]},
            "children": {"type": "array", "items": {"$ref": "#/components/schemas/Node"}},
            "parent": {"$ref": "#/components/schemas/Node"},
        },
    }
}


def bounded(lower: str, upper: str, most: int) -> st.SearchStrategy[dict[str, int]]:
    pairs = st.tuples(st.integers(0, most), st.integers(0, most))
    both = pairs.map(lambda pair: {lower: min(pair), upper: max(pair)})
    return both.flatmap(
        lambda limits: st.sets(st.sampled_from([lower, upper])).map(lambda keys: {k: limits[k] for k in keys})
    )


PATTERNS = [
    r"^ORD-\d{6}$", "^[-a-zA-Z0-9_]+$", r"^(?![0-9]+$)[a-z0-9_\-]+$", r"^https:\/\/.+$", r"^[^ :]+$", r"[0-9a-f]{7,}?",
    r"^(?<year>\d{4})-(0[1-9]|1[0-2])$", r"^W\/\"[0-9]+\"$", r"\S", r"^([A-Z]{2}|[a-z]{3})+$", r"^.+@.+\..+$",
]  # fmt: skip
SCALARS = st.one_of(
    st.builds(lambda limits: {"type": "string", **limits}, bounded("minLength", "maxLength", 30)),
    st.builds(lambda pattern: {"type": "string", "pattern": pattern}, st.sampled_from(PATTERNS)),
    st.builds(lambda limits: {"type": "integer", **limits}, bounded("minimum", "maximum", 1000)),
    st.builds(lambda limits: {"type": "number", **limits}, bounded("minimum", "maximum", 5)),
    st.builds(lambda low, step: {"type": "integer", "exclusiveMinimum": low, "multipleOf": step}, st.integers(-99, 99), st.integers(1, 9)),
    st.builds(lambda low: {"type": "number", "exclusiveMinimum": low, "multipleOf": 0.01}, st.floats(-9, 9)),
    st.builds(lambda values: {"enum": values}, st.lists(st.sampled_from(["a", "b", 1, None, True]), min_size=1)),
    st.builds(lambda value: {"const": value}, st.sampled_from(["x", 0, None, False, {"a": [1]}])),
    st.just({"type": "boolean"}),
    st.just({"type": ["null", "integer"]}),
    st.just({}),
)  # fmt: skip
NAMES = st.sampled_from(["a", "b", "c", "kind"])


def composed(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    properties = st.dictionaries(NAMES, inner, max_size=4)
    objects = st.builds(
        lambda props, required, extra: {"type": "object", "properties": props, "required": required, **extra},
        properties,
        st.lists(NAMES, unique=True),
        st.sampled_from([{}, {"minProperties": 2}, {"minProperties": 6}, {"maxProperties": 5}]),
    )
    arrays = st.builds(
        lambda items, limits: {"type": "array", "items": items, **limits},
        inner,
        bounded("minItems", "maxItems", 4),
    )
    tuples = st.builds(
        lambda first, rest: {"type": "array", "prefixItems": first, "items": rest},
        st.lists(inner, min_size=1, max_size=3),
        inner,
    )
    maps = st.builds(
        lambda value, least: {"type": "object", "additionalProperties": value, "minProperties": least},
        inner,
        st.integers(0, 3),
    )
    extended = st.builds(
        lambda base, extra: {"allOf": [base, {"properties": {"extra": extra}, "required": ["extra"]}]},
        objects,
        inner,
    )
    choices = st.builds(lambda branches: {"anyOf": branches}, st.lists(inner, min_size=1, max_size=3))
    return st.one_of(objects, arrays, tuples, maps, extended, choices)


@given(st.recursive(SCALARS, composed, max_leaves=8), st.booleans())
def test_value_is_valid(schema: dict[str, Any], minimal: bool) -> None:
    value = example_value(schema, {}, direction="request", minimal=minimal)
    # The pattern with a named group is ECMA-262's, which the plain validator does not read.
    plain = json.loads(json.dumps(schema).replace("(?<year>", "(?P<year>"))
    Draft202012Validator(plain).validate(value)
    json.dumps(value, allow_nan=False)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array", "items": {"type": "boolean"}, "uniqueItems": True, "minItems": 2},
        {"type": "array", "items": {"enum": ["a", "b", "c"]}, "uniqueItems": True, "minItems": 3},
        {"type": "array", "items": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}},
         "uniqueItems": True, "minItems": 4},
        {"type": "array", "contains": {"const": 7}, "items": {"type": "integer"}, "minContains": 2},
        {"type": "string", "not": {"enum": ["string"]}},
        {"type": "object", "patternProperties": {"^x-": {"type": "integer"}}, "additionalProperties": False, "minProperties": 2},
        {"type": "object", "propertyNames": {"pattern": "^[A-Z]{3}$"}, "minProperties": 2},
        {"type": "object", "properties": {"a": {"type": "string"}}, "dependentRequired": {"a": ["b"]}},
        {"type": "object", "properties": {"a": {}}, "dependentSchemas": {"a": {"required": ["c"], "properties": {"c": {"const": 3}}}}},
        {"type": "object", "required": ["kind"], "properties": {"kind": {"enum": ["x", "y"]}},
         "if": {"properties": {"kind": {"const": "x"}}}, "then": {"required": ["size"]}, "else": {"required": ["colour"]}},
        {"oneOf": [{"type": "object", "required": ["a"]}, {"type": "object", "required": ["a", "b"]}]},
        {"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 10}]},
        {"anyOf": [{"required": ["a"]}, {"required": ["b"]}], "type": "object", "properties": {"a": {"type": "integer"}}},
        {"allOf": [{"anyOf": [{"minLength": 3}, {"maxLength": 1}]}, {"anyOf": [{"pattern": "^q"}, {"pattern": "^z"}]}],
         "type": "string"},
        {"type": "object", "properties": {"a": False, "b": True}, "required": ["b"]},
        {"type": "object", "properties": {"a": {"not": {}}, "b": {"type": "integer"}}, "unevaluatedProperties": {"not": {}}},
        {"type": "string", "minLength": 5000},
        {"minimum": 5, "maximum": 6},
        {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
    ],
)  # fmt: skip
def test_value_is_valid_for_rare_keywords(schema: dict[str, Any]) -> None:
    for minimal in (False, True):
        value = example_value(schema, {}, direction="response", minimal=minimal)
        Draft202012Validator(schema).validate(value)


@pytest.mark.parametrize(
    "name",
    [
        "date-time",
        "date",
        "time",
        "email",
        "ipv4",
        "ipv6",
        "uuid",
        "duration",
        "json-pointer",
        "regex",
        "hostname",
        "uri",
    ],
)
def test_text_has_its_format(name: str) -> None:
    schema = {"type": "string", "format": name}
    value = example_value(schema, {}, direction="request")
    Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER).validate(value)
    assert value != "string"


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string", "pattern": r"^ORD-\d{6}$"}, "ORD-000000"),
        ({"type": "integer"}, 1),
        ({"type": "integer", "minimum": 10}, 10),
        ({"type": "string", "examples": ["good"], "default": "other"}, "good"),
        ({"type": "integer", "examples": ["wrong"], "default": 20}, 20),
        ({"type": "string", "default": ""}, "string"),
        ({"type": ["null", "string"]}, "string"),
        ({"anyOf": [{"type": "null"}, {"type": "integer"}]}, 1),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, {"key": 1}),
    ],
)
def test_value_is_what_a_reader_expects(schema: dict[str, Any], expected: object) -> None:
    assert example_value(schema, {}, direction="request") == expected


def test_minimal_object_holds_only_what_is_required() -> None:
    schema = {
        "type": "object",
        "required": ["a"],
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
        "examples": [{"a": 5, "b": 6}],
    }
    assert example_value(schema, {}, direction="request") == {"a": 5, "b": 6}
    assert example_value(schema, {}, direction="request", minimal=True) == {"a": 5}


def test_direction_decides_what_travels() -> None:
    schema = {
        "type": "object",
        "required": ["id", "password", "name"],
        "properties": {
            "id": {"type": "integer", "readOnly": True},
            "password": {"type": "string", "writeOnly": True},
            "name": {"type": "string"},
        },
    }
    assert example_value(schema, {}, direction="request") == {"password": "string", "name": "string"}
    assert example_value(schema, {}, direction="response") == {"id": 1, "name": "string"}
    with_examples = {**schema, "examples": [{"id": 7, "password": "p", "name": "n"}]}
    assert example_value(with_examples, {}, direction="request") == {"password": "p", "name": "n"}
    assert conforms({"password": "p", "name": "n"}, schema, {}, direction="request")
    assert not conforms({"password": "p"}, schema, {}, direction="request")


def test_recursion_comes_to_an_end() -> None:
    value = example_value({"$ref": "#/components/schemas/Node"}, NODE, direction="response")
    assert value == {"name": "string", "next": None, "children": []}


def test_endless_schema_gives_none() -> None:
    schemas = {
        "Loop": {
            "type": "object",
            "required": ["loop"],
            "properties": {"loop": {"$ref": "#/components/schemas/Loop"}},
        }
    }
    assert example_value({"$ref": "#/components/schemas/Loop"}, schemas, direction="response") is None


def test_fan_out_stays_small() -> None:
    def level(number: int) -> dict[str, Any]:
        reference = {"$ref": f"#/components/schemas/L{number + 1}"}
        names = [f"p{place}" for place in range(8)]
        return {"type": "object", "properties": dict.fromkeys(names, reference)}

    schemas: dict[str, Any] = {f"L{number}": level(number) for number in range(12)} | {
        "L12": {"type": "string"}
    }
    value = example_value({"$ref": "#/components/schemas/L0"}, schemas, direction="response")
    assert len(json.dumps(value)) < 20_000


def test_discriminator_names_the_branch() -> None:
    schemas: dict[str, Any] = {
        "Cat": {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}}},
        "Dog": {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}}},
    }
    union = {
        "oneOf": [{"$ref": "#/components/schemas/Dog"}, {"$ref": "#/components/schemas/Cat"}],
        "discriminator": {"propertyName": "kind", "mapping": {"hound": "#/components/schemas/Dog"}},
    }
    assert example_value(union, schemas, direction="request") == {"kind": "hound"}


def test_published_schema_with_definitions_of_its_own() -> None:
    schema = {
        "type": "object",
        "required": ["tree"],
        "properties": {"tree": {"$ref": "#/$defs/Tree"}},
        "$defs": {
            "Tree": {
                "type": "object",
                "properties": {"leaves": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}},
            }
        },
    }
    value = example_value(schema, {}, direction="request")
    assert value == {"tree": {"leaves": []}}
    Draft202012Validator(schema).validate(value)


def test_hostile_patterns_cost_little() -> None:
    for pattern in (r"((a{1000}){1000}){1000}", r"^(\w+)+!$", "(", r"\p{L}+", "(?>a)"):
        example_value({"type": "string", "pattern": pattern, "minLength": 40}, {}, direction="request")


def test_value_does_not_depend_on_hash_seed() -> None:
    code = (
        "from mcpgen.plan.examples import example_value as e;"
        r"print(e({'type': 'string', 'pattern': r'^[^a-y0-9]{3}\W$'}, {}, direction='request'))"
    )

    def run(seed: str) -> str:
        command, env = [sys.executable, "-c", code], {"PYTHONHASHSEED": seed}
        done = subprocess.run(command, env=env, capture_output=True, check=True, text=True)
        return done.stdout

    runs = {run(seed) for seed in "123"}
    assert len(runs) == 1
    assert re.search(r"^[^a-y0-9]{3}\W$", runs.pop().rstrip("\n"))


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "array", "items": {"type": "integer"}, "minItems": 10**9},
        {"type": "array", "contains": {"type": "integer"}, "minContains": 10**9},
        {"type": "string", "minLength": 10**9},
        {"type": "object", "minProperties": 10**9},
        {"type": "string", "minLength": "long"},
        {"type": "integer", "minimum": "low", "multipleOf": "half"},
    ],
)
def test_absurd_limits_cost_little(schema: dict[str, Any]) -> None:
    assert len(json.dumps(example_value(schema, {}, direction="request"))) < 2_000

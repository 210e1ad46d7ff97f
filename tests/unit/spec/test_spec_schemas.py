"""Schemas of every version become JSON Schema 2020-12."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from mcpgen.spec.nullability import with_null

Lift = Callable[..., Any]
REF = {"$ref": "#/components/schemas/T"}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
        ({"type": "string", "nullable": "true"}, {"type": ["string", "null"]}),
        ({"type": "string", "nullable": False}, {"type": "string"}),
        ({"type": "string", "enum": ["a"], "nullable": True}, {"type": ["string", "null"], "enum": ["a", None]}),
        ({"enum": ["a"], "nullable": True}, {"enum": ["a", None]}),
        ({"nullable": True}, {}),
        ({"nullable": True, "description": "d"}, {"description": "d"}),
        ({"properties": {}, "nullable": True}, {"properties": {}}),
        ({"allOf": [REF], "nullable": True, "description": "d"}, {"description": "d", "anyOf": [REF, {"type": "null"}]}),
        ({"anyOf": [REF, {"type": "string"}], "nullable": True}, {"anyOf": [REF, {"type": "string"}, {"type": "null"}]}),
        ({"anyOf": [REF, {"type": "string", "nullable": True}], "nullable": True}, {"anyOf": [REF, {"type": ["string", "null"]}]}),
        ({"oneOf": [REF, REF], "nullable": True}, {"anyOf": [{"oneOf": [REF, REF]}, {"type": "null"}]}),
        ({"type": "object", "allOf": [REF], "nullable": True}, {"anyOf": [{"type": "object", "allOf": [REF]}, {"type": "null"}]}),
        ({"type": "integer", "minimum": 1, "exclusiveMinimum": True}, {"type": "integer", "exclusiveMinimum": 1}),
        ({"type": "integer", "maximum": 9, "exclusiveMaximum": False}, {"type": "integer", "maximum": 9}),
        ({"exclusiveMinimum": True}, {}),
        ({"type": "string", "example": "e"}, {"type": "string", "examples": ["e"]}),
        ({"example": None}, {"examples": [None]}),
        ({"description": "d", **REF}, {"description": "d", **REF}),
        ({"title": "t", "nullable": True, "type": "string", **REF}, REF),
        ({"additionalProperties": True}, {"additionalProperties": {}}),
        ({"additionalProperties": False}, {"additionalProperties": {"not": {}}}),
        ({"type": "string", "x-vendor": ["A"], "x-mcp-name": "n"}, {"type": "string", "x-mcp-name": "n"}),
        ({"enum": [1], "x-enum-varnames": ["A"], "x-enum": "B"}, {"enum": [1], "x-enum-varnames": ["A"]}),
        ({"type": "file"}, {"type": "string", "format": "binary"}),
        ({"xml": {"name": "n", "wrapped": True, "x-y": 1}}, {"xml": {"name": "n", "wrapped": True}}),
    ],
)  # fmt: skip
def test_openapi_3_0(lifted: Lift, schema: Any, expected: Any) -> None:
    assert lifted(schema, T={"type": "string"}) == expected


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        (True, {}),
        (False, {"not": {}}),
        ({"type": ["string", "null"]}, {"type": ["string", "null"]}),
        ({"type": ["string"]}, {"type": "string"}),
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
        ({"minimum": 1, "exclusiveMinimum": True}, {"exclusiveMinimum": 1}),
        ({**REF, "description": "d", "minLength": 2}, {**REF, "description": "d", "minLength": 2}),
        ({"items": False, "prefixItems": [True, REF]}, {"items": {"not": {}}, "prefixItems": [{}, REF]}),
        ({"const": None, "default": None}, {"const": None, "default": None}),
        ({"dependencies": {"a": ["b"], "c": {"required": ["d"]}}},
         {"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"c": {"required": ["d"]}}}),
        ({"$id": "https://x.test/s", "$comment": "c", "$schema": "y", "type": "string"}, {"type": "string"}),
        ({"if": REF, "then": {"minLength": 1}, "else": False}, {"if": REF, "then": {"minLength": 1}, "else": {"not": {}}}),
        ({"unevaluatedProperties": False, "patternProperties": {"^a": REF}},
         {"unevaluatedProperties": {"not": {}}, "patternProperties": {"^a": REF}}),
    ],
)  # fmt: skip
def test_openapi_3_1(lifted: Lift, schema: Any, expected: Any) -> None:
    assert lifted(schema, "3.1.0", T={"type": "string"}) == expected


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string", "x-nullable": True}, {"type": ["string", "null"]}),
        (
            {"type": "object", "discriminator": "kind"},
            {"type": "object", "discriminator": {"propertyName": "kind"}},
        ),
        ({"$ref": "#/definitions/T", "minLength": 1}, REF),
        ({"type": "string", "x-example": "e"}, {"type": "string", "examples": ["e"]}),
    ],
)
def test_swagger_2(lifted: Lift, schema: Any, expected: Any) -> None:
    assert lifted(schema, "2.0", T={"type": "string"}) == expected


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string", "required": True}, {"type": "string"}),
        ({"required": ["a", 5, "a"]}, {"required": ["a"]}),
        ({"enum": []}, {}),
        ({"enum": ["a", "a", 1, True]}, {"enum": ["a", 1, True]}),
        ({"type": "array", "items": [{"type": "string"}, {"type": "null"}]}, {"type": "array"}),
        ({"pattern": "^("}, {}),
        ({"pattern": "/^[a-z]+$/"}, {"pattern": "^[a-z]+$"}),
        ({"minLength": -1, "maxLength": "5", "minItems": 2.0, "maxItems": 1.5}, {"maxLength": 5, "minItems": 2}),
        ({"minimum": "0.5", "maximum": "many", "multipleOf": 0}, {"minimum": 0.5}),
        ({"maximum": "nan", "minimum": "-inf"}, {}),
        ({"type": "int"}, {}),
        ({"type": ["string", "date"]}, {}),
        ({"type": ["string", "string"]}, {"type": "string"}),
        ({"readOnly": "true", "deprecated": "no"}, {"readOnly": True}),
        ({"description": 5, "title": None, "format": ["x"]}, {"description": "5"}),
        ({"properties": {"a": "text", "b": None, "c": 5}}, {"properties": {"a": {}, "b": {}, "c": {}}}),
        ({"properties": []}, {}),
        ({"allOf": {"type": "string"}, "anyOf": [], "oneOf": "x"}, {"allOf": [{"type": "string"}]}),
        ({"patternProperties": {"(": {}}, "additionalProperties": False}, {"additionalProperties": {}}),
        ({"type": "string", "enum": [1, 2]}, {"enum": [1, 2]}),
        ({"type": "array", "items": {"type": "string"}, "enum": ["a"]}, {"type": "array", "items": {"type": "string", "enum": ["a"]}}),
        ({"examples": {"one": {"value": 1}}}, {"examples": [1]}),
        ({"additionalProperties": "false"}, {"additionalProperties": {"not": {}}}),
        ([REF], REF),
        ("text", {}),
        ({"$ref": 5, "type": "string"}, {"type": "string"}),
    ],
)  # fmt: skip
def test_what_is_wrong_is_read_in_its_only_sense_or_left_out(
    lifted: Lift, schema: Any, expected: Any
) -> None:
    found = lifted(schema, T={"type": "string"})
    assert found == expected
    Draft202012Validator.check_schema(found)


def test_repairs_are_located_and_counted(read: Callable[..., Any]) -> None:
    broken = {f"p{n}": {"type": "string", "minLength": "2"} for n in range(8)}
    found = read({"components": {"schemas": {"S": {"properties": broken}}}})
    messages = found.messages("spec-repaired")
    assert messages.count("`minLength: '2'` is read as 2") == 5
    assert "and 3 more: `minLength` of another type" in messages
    first = next(
        item for item in found.diagnostics if item.code == "spec-repaired" and "read as 2" in item.message
    )
    assert first.location.pointer == "/components/schemas/S/properties/p0/minLength"
    assert first.location.line is not None


def test_discriminators_follow_their_schemas(read: Callable[..., Any]) -> None:
    schemas = {
        "Pet": {
            "oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "dog.yaml"}],
            "discriminator": {"propertyName": "kind", "mapping": {"c": "Cat", "d": "dog.yaml", "x": "Gone"}},
        },
        "Cat": {"type": "object"},
        "dog": {"type": "string"},
    }
    found = read({"components": {"schemas": schemas}}, "3.0.3", {"dog.yaml": {"type": "object"}})
    pet = found.schemas["Pet"]
    dog = pet["oneOf"][1]["$ref"]
    assert dog == "#/components/schemas/dog_2"
    assert pet["discriminator"] == {
        "propertyName": "kind",
        "mapping": {"c": "#/components/schemas/Cat", "d": dog},
    }
    assert any("`Gone`" in message for message in found.messages("reference-broken"))


def test_a_renamed_alternative_keeps_its_discriminating_value(read: Callable[..., Any]) -> None:
    schemas = {
        "Pet": {"oneOf": [{"$ref": "parts.yaml#/defs/Cat"}], "discriminator": {"propertyName": "kind"}},
        "Cat": {},
    }
    found = read(
        {"components": {"schemas": schemas}}, "3.0.3", {"parts.yaml": {"defs": {"Cat": {"type": "object"}}}}
    )
    assert found.schemas["Pet"]["discriminator"]["mapping"] == {"Cat": "#/components/schemas/parts_Cat"}


def test_circles_without_content_are_broken(read: Callable[..., Any]) -> None:
    def ref(name: str) -> dict[str, str]:
        return {"$ref": f"#/components/schemas/{name}"}

    schemas = {
        "A": ref("B"), "B": ref("A"), "Self": {"allOf": [ref("Self"), {"type": "object"}]},
        "Either": {"anyOf": [{"type": "string"}, ref("Either")]},
        "Tree": {"type": "object", "properties": {"child": ref("Tree")}, "additionalProperties": ref("Tree")},
    }  # fmt: skip
    found = read({"components": {"schemas": schemas}})
    assert found.schemas["Self"] == {"allOf": [{}, {"type": "object"}]}
    assert found.schemas["Either"] == {"anyOf": [{"type": "string"}, {"not": {}}]}
    assert found.schemas["Tree"] == schemas["Tree"]
    assert [found.schemas["A"], found.schemas["B"]].count({}) == 1
    assert len(found.messages("reference-cycle")) == 3
    Draft202012Validator({"components": {"schemas": found.schemas}, **ref("Self")}).is_valid({})


SCHEMAS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["string", "integer", "object"]),
        "enum": st.lists(st.sampled_from(["a", 1]), min_size=1, unique=True),
        "allOf": st.just([{"type": "string"}]),
        "anyOf": st.just([{"type": "string"}, {"type": "integer"}]),
        "oneOf": st.just([{"type": "string"}, {"type": ["integer", "null"]}]),
        "not": st.just({"type": "boolean"}),
        "const": st.sampled_from(["a", 1]),
        "description": st.just("d"),
    },
)


@given(SCHEMAS)
def test_with_null_admits_null_and_nothing_else(schema: dict[str, Any]) -> None:
    before, after = Draft202012Validator(schema), Draft202012Validator(with_null(schema))
    assert after.is_valid(None)
    for value in ("a", "b", 1, 2, True, {}, []):
        assert before.is_valid(value) == after.is_valid(value)


JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 3)
    | st.sampled_from(["", "string", "x", "(", "#/components/schemas/S"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(
            "type $ref properties items allOf anyOf not enum required nullable minimum exclusiveMinimum pattern discriminator "
            "propertyName mapping additionalProperties patternProperties example examples xml default $dynamicRef $id "
            "dependencies prefixItems".split()
        ),
        inner,
        max_size=4,
    ),
    max_leaves=15,
)


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(JUNK, st.sampled_from(["2.0", "3.0.3", "3.1.0"]))
def test_any_junk_becomes_a_valid_schema(lifted: Lift, junk: Any, version: str) -> None:
    Draft202012Validator.check_schema(lifted(junk, version))


def test_a_closed_base_that_is_extended_is_said(read: Callable[..., Any]) -> None:
    base = {"type": "object", "properties": {"a": {}}, "additionalProperties": False}
    schemas = {
        "Base": base,
        "More": {"allOf": [{"$ref": "#/components/schemas/Base"}, {"properties": {"b": {}}}]},
        "Same": {"allOf": [{"$ref": "#/components/schemas/Base"}, {"properties": {"a": {"type": "string"}}}]},
    }
    found = read({"components": {"schemas": schemas}})
    (message,) = found.messages("schema-simplified")
    assert message.startswith("the schema `More` closes a part of an `allOf`")
    (item,) = [item for item in found.diagnostics if item.code == "schema-simplified"]
    assert item.location.pointer == "/components/schemas/More"


def test_nullable_beside_a_reference_is_ignored_and_said(read: Callable[..., Any]) -> None:
    found = read({"components": {"schemas": {"S": {**REF, "nullable": True}, "T": {"type": "string"}}}})
    assert found.schemas["S"] == REF
    assert found.messages("schema-simplified") == [
        "`nullable` beside `$ref` has no effect in this version of OpenAPI"
    ]

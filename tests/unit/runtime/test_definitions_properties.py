"""For any schema: what a strict schema takes, led back, is what the tool's own schema takes, and the other way round."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from mcpgen.runtime.definitions.formats import APIS, define
from mcpgen.runtime.definitions.restoring import Restorer
from mcpgen.runtime.definitions.strict import StrictSchema

from .provider_rules import anthropic_faults, gemini_faults, openai_faults, strict_faults

NODE = {
    "type": "object",
    "properties": {"next": {"$ref": "#/$defs/Node"}, "value": {"type": "integer"}},
    "required": ["value"],
    "additionalProperties": False,
}
DEFS = {"Node": NODE}
NAMES = st.sampled_from(["a", "b", "c/d", "e~f"])
SCALARS: list[dict[str, Any]] = [
    {"type": "string"},
    {"type": "integer", "minimum": -1, "maximum": 1},
    {"type": "boolean"},
    {"type": "string", "enum": ["x", "y"]},
    {"const": 1},
    {"type": ["string", "integer"]},
]
NULLABLE: list[dict[str, Any]] = [
    {"type": ["string", "null"]},
    {"anyOf": [{"type": "boolean"}, {"type": "null"}]},
]


def objects(
    children: st.SearchStrategy[Any], names: st.SearchStrategy[str] = NAMES
) -> st.SearchStrategy[dict[str, Any]]:
    def made(drawn: dict[str, tuple[dict[str, Any], bool]]) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": {name: schema for name, (schema, _) in drawn.items()},
            "required": [name for name, (_, required) in drawn.items() if required],
            "additionalProperties": False,
        }

    return st.dictionaries(names, st.tuples(children, st.booleans()), max_size=3).map(made)


def lists(children: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return children.map(lambda items: {"type": "array", "items": items, "maxItems": 2})


def choices(children: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.lists(children, min_size=2, max_size=3).map(lambda branches: {"anyOf": branches})


def tools(leaves: list[dict[str, Any]], *, unions: bool) -> st.SearchStrategy[dict[str, Any]]:
    """Input schemas of tools."""

    def wider(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        more = [choices(children)] if unions else []
        return st.one_of(objects(children), lists(children), *more)

    leaf = st.sampled_from([*leaves, {"$ref": "#/$defs/Node"}])
    values = st.recursive(leaf, wider, max_leaves=6)
    return objects(values, st.sampled_from(["a", "b", "c"])).map(lambda root: {**root, "$defs": DEFS})


def valid(schema: dict[str, Any], defs: dict[str, Any], value: Any) -> bool:
    return bool(Draft202012Validator({**schema, "$defs": defs}).is_valid(value))


@st.composite
def values(draw: st.DrawFn, schema: dict[str, Any], defs: dict[str, Any], depth: int = 0) -> Any:
    """A value that keeps a schema."""
    if "$ref" in schema:
        schema = defs[schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema:
        branches = schema["anyOf"]
        if depth > 4 and {"type": "null"} in branches:
            return None
        return draw(values(draw(st.sampled_from(branches)), defs, depth + 1))
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return draw(st.sampled_from(schema["enum"]))
    kind = schema["type"] if isinstance(schema["type"], str) else draw(st.sampled_from(schema["type"]))
    if kind == "object":
        return {
            name: draw(values(child, defs, depth + 1))
            for name, child in schema["properties"].items()
            if name in schema["required"] or (depth < 4 and draw(st.booleans()))
        }
    if kind == "array":
        return draw(st.lists(values(schema["items"], defs, depth + 1), max_size=0 if depth > 4 else 2))
    return draw(
        {"string": st.sampled_from(["", "x"]), "integer": st.integers(-1, 1), "boolean": st.booleans()}.get(
            kind, st.none()
        )
    )


def encoded(value: Any, schema: dict[str, Any], defs: dict[str, Any]) -> Any:
    """As a strict model has to write a value: null for what is left out."""
    if "$ref" in schema:
        schema = defs[schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema:
        schema = next(branch for branch in schema["anyOf"] if valid(branch, defs, value))
        return encoded(value, schema, defs)
    if isinstance(value, dict):
        properties = schema["properties"]
        return {
            name: encoded(value[name], child, defs) if name in value else None
            for name, child in properties.items()
        }
    return [encoded(item, schema["items"], defs) for item in value] if isinstance(value, list) else value


@given(st.data(), tools([*SCALARS, *NULLABLE], unions=True))
def test_what_strict_takes_the_tool_takes(data: st.DataObject, source: dict[str, Any]) -> None:
    strict = StrictSchema("tool", source)
    assert not strict.problems
    assert not strict_faults(strict.schema)
    value = data.draw(values(strict.schema, strict.defs))
    assert valid(strict.schema, strict.defs, value)
    assert valid(source, DEFS, Restorer(strict).restored(value))


@given(st.data(), tools(SCALARS, unions=False))
def test_what_the_tool_takes_strict_can_say(data: st.DataObject, source: dict[str, Any]) -> None:
    strict = StrictSchema("tool", source)
    value = data.draw(values(source, DEFS))
    told = encoded(value, source, DEFS)
    assert valid(strict.schema, strict.defs, told)
    assert Restorer(strict).restored(told) == value


@given(st.data(), tools([*SCALARS, *NULLABLE], unions=True))
def test_with_choices_too_all_can_be_said(data: st.DataObject, source: dict[str, Any]) -> None:
    strict = StrictSchema("tool", source)
    told = encoded(data.draw(values(source, DEFS)), source, DEFS)
    assert valid(strict.schema, strict.defs, told)
    assert valid(source, DEFS, Restorer(strict).restored(told))


ODD: list[dict[str, Any]] = [
    {},
    {"type": "object"},
    {"type": "object", "additionalProperties": {"type": "string"}},
    {"type": "array", "items": {}},
    {"type": "string", "minLength": 2, "pattern": "(?<=a)b", "format": "uri", "default": "\ud800"},
    {"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.01, "default": 1},
    {"type": "array", "items": {"type": "string"}, "uniqueItems": True, "contains": {"const": "a"}},
    {"enum": [1, None, "a", True, [1]]},
    {"not": {"type": "null"}},
    {"type": "object", "properties": {"x": {}}, "dependentRequired": {"x": ["y"]}, "minProperties": 1},
    {"if": {"type": "string"}, "then": {"minLength": 1}},
    {"$ref": "#/$defs/Node", "description": "A node"},
    {"oneOf": [{"type": "string"}, {"type": "array", "prefixItems": [{"type": "string"}], "items": False}]},
]


@given(tools([*SCALARS, *NULLABLE, *ODD], unions=True), st.text(max_size=5))
def test_no_definition_breaks_a_rule_of_its_provider(source: dict[str, Any], text: str) -> None:
    tool = {
        "name": "tool",
        "description": text * 300,
        "inputSchema": {**source, "anyOf": [{"required": ["a"]}]},
    }
    for candidate in (tool, {**tool, "inputSchema": source}):
        for api in APIS:
            for format_ in ("openai", "openai-strict"):
                [found] = define([candidate], format_, api)
                assert not openai_faults(found.value, api)
        assert not anthropic_faults(define([candidate], "anthropic")[0].value)
        assert not gemini_faults(define([candidate], "gemini")[0].value)

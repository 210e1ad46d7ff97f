"""Schemas of the spec as it is written: without a type, arrays of anything, enumerations of hundreds of values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mcpgen.diagnostics import Location, Severity
from mcpgen.lint.context import Context, found
from mcpgen.lint.model import Finding, Patch, Question
from mcpgen.lint.tokens import Counter
from mcpgen.source.model import escape

HUGE = 100
_NESTED = ("properties", "patternProperties", "schemas", "definitions", "$defs", "dependentSchemas")
_SINGLE = ("items", "schema", "additionalProperties", "contains", "propertyNames", "not", "itemSchema")
_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
_TELLING = frozenset(
    {
        "type",
        "$ref",
        "$dynamicRef",
        "allOf",
        "anyOf",
        "oneOf",
        "not",
        "const",
        "if",
        "content",
        "nullable",
        "x-nullable",
    }
)
_KINDS: dict[type, str] = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}
_PARAMETER_KEYS = frozenset({"name", "in"})


def check_schemas(context: Context) -> Iterator[Finding]:
    if context.subject.api is None:
        return
    for file, document in context.subject.documents:
        for pointer, schema, role in walk(document):
            place = Location(file, pointer)
            yield from _typed(schema, role, place)
            yield from _array(schema, place)
            yield from _enumeration(schema, place, context.counter)


def walk(document: Any) -> Iterator[tuple[str, Mapping[str, Any], str]]:
    """Every schema of a document with its JSON pointer, and its role: `parameter`, `member` (of a composition), or ``.

    A parameter of Swagger 2.0 is its own schema.
    """
    stack: list[tuple[Any, str, str | None]] = [(document, "", None)]
    while stack:
        value, pointer, role = stack.pop()
        if isinstance(value, list):
            stack += [(item, f"{pointer}/{index}", None) for index, item in enumerate(value) if _holds(item)]
            continue
        if not isinstance(value, dict):
            continue
        if (
            role is None
            and value.keys() >= _PARAMETER_KEYS
            and "schema" not in value
            and "content" not in value
        ):
            role = "parameter" if value.get("in") in ("query", "header", "path", "formData") else None
        if role is not None:
            yield pointer, value, role
        stack += list(_inner(value, pointer, role))


def _inner(value: dict[str, Any], pointer: str, role: str | None) -> Iterator[tuple[Any, str, str | None]]:
    for key, item in value.items():
        if not _holds(item) or key in ("example", "examples", "default", "enum"):
            continue
        below = f"{pointer}/{escape(str(key))}"
        if (
            key in _NESTED
            and isinstance(item, dict)
            and (role is not None or key != "properties" or _is_schema(value))
        ):
            yield from (
                (child, f"{below}/{escape(str(name))}", "") for name, child in item.items() if _holds(child)
            )
        elif key in _SINGLE and isinstance(item, dict):
            yield item, below, "parameter" if key == "schema" and value.keys() >= _PARAMETER_KEYS else ""
        elif key in _LISTS and isinstance(item, list):
            yield from ((child, f"{below}/{index}", "member") for index, child in enumerate(item))
        else:
            yield item, below, None


def _is_schema(value: Mapping[str, Any]) -> bool:
    return value.get("type") == "object" or "required" in value


def _holds(item: Any) -> bool:
    return isinstance(item, dict | list) and bool(item)


def _typed(schema: Mapping[str, Any], role: str, place: Location) -> Iterator[Finding]:
    if role == "member" or _TELLING & schema.keys():
        return
    kind = _evident(schema)
    if kind is not None:
        repair = Patch(place, {"type": kind})
        message = f"the schema does not say that it is of type {kind}"
        yield found("type-missing", message, place, severity=Severity.INFO, repair=repair)
    elif role == "parameter" and not schema.keys() & {"enum", "properties", "items"}:
        question = Question(place, "type", "Of which type is the value?")
        yield found("type-missing", "the parameter does not say of which type it is", place, repair=question)


def _evident(schema: Mapping[str, Any]) -> str | None:
    """The only type that a schema can have been meant to have."""
    if isinstance(schema.get("properties"), dict):
        return "object"
    if isinstance(schema.get("items"), dict):
        return "array"
    values = schema.get("enum")
    kinds = {_KINDS.get(type(value)) for value in values} if isinstance(values, list) and values else set()
    return kinds.pop() if len(kinds) == 1 else None


def _array(schema: Mapping[str, Any], place: Location) -> Iterator[Finding]:
    kind = schema.get("type")
    if kind == "array" and not {"items", "prefixItems", "contains", "allOf", "$ref"} & schema.keys():
        message = "the array does not say what it holds"
        yield found("items-missing", message, place, repair=Patch(place, {"items": {}}))


def _enumeration(schema: Mapping[str, Any], place: Location, counter: Counter) -> Iterator[Finding]:
    values = schema.get("enum")
    if isinstance(values, list) and len(values) > HUGE:
        message = f"the enumeration has {len(values)} values, {counter.of(values):,} tokens"
        yield found("enum-huge", message, place)

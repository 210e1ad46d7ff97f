"""Published schemas as Python annotations. Only what is true of the value at run time: JSON, as the caller gave it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcpgen.plan.model import Code

_PLAIN = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
_LITERALS = 12
_UNION = 4


def annotation_of(schema: Mapping[str, Any]) -> Code:
    """The annotation of a value that the schema admits; `JsonValue` where it can be many things."""
    return Code(_annotation(schema))


def _annotation(schema: Mapping[str, Any]) -> str:
    if "enum" in schema or "const" in schema:
        literal = _literal(schema.get("enum", [schema.get("const")]))
        if literal:
            return literal
    if "anyOf" in schema and "properties" not in schema:
        members = list(dict.fromkeys(_annotation(part) for part in schema["anyOf"]))
        if "JsonValue" in members or len(members) > _UNION:
            return "JsonValue"
        return " | ".join(sorted(members, key=lambda member: member == "None"))
    kind = schema.get("type")
    if kind == "array":
        return f"list[{_annotation(schema.get('items', {}))}]"
    if kind == "object":
        return "JsonObject"
    if isinstance(kind, str):
        return _PLAIN[kind]
    if isinstance(kind, list) and all(one in _PLAIN for one in kind):
        return " | ".join(_PLAIN[one] for one in kind)
    return "JsonValue"


def _literal(values: list[Any]) -> str | None:
    """`Literal[...]` for a short list of plain words or numbers; anything else stays its type."""
    if not 0 < len(values) <= _LITERALS:
        return None
    if not all(isinstance(v, bool | int) or (isinstance(v, str) and _plain(v)) for v in values):
        return None
    return f"Literal[{', '.join(Code.string(v) if isinstance(v, str) else repr(v) for v in values)}]"


def _plain(text: str) -> bool:
    return len(text) <= 40 and text.isascii() and text.isprintable()

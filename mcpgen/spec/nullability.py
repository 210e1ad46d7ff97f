"""`nullable` of OpenAPI 3.0 (and `x-nullable` of Swagger 2.0) in the words of JSON Schema 2020-12."""

from __future__ import annotations

from typing import Any

from mcpgen.spec.model import Json

_ANNOTATIONS = frozenset(
    {"title", "description", "default", "deprecated", "readOnly", "writeOnly", "examples", "xml", "format"}
)
_RESTRICTING = ("$ref", "allOf", "anyOf", "oneOf", "not", "const", "if")
"""Keywords that can refuse null in a schema without `type`."""


def with_null(schema: Json) -> Json:
    """The schema that admits null besides what it admits already.

    Without `type`, `enum` and a combination, a schema admits null anyway, and stays as it is. An `enum` gets null too: its authors
    mean that null is allowed (OpenAPI 3.0.3 asks for it to be listed, most documents do not).
    """
    kinds = schema.get("type")
    combined = any(key in schema for key in _RESTRICTING)
    if kinds is not None and not combined:
        listed = [kinds] if isinstance(kinds, str) else list(kinds)
        result = dict(schema)
        if "null" not in listed:
            result["type"] = [*listed, "null"]
        if "enum" in schema and None not in schema["enum"]:
            result["enum"] = [*schema["enum"], None]
        return result
    if not combined:
        if "enum" in schema and None not in schema["enum"]:
            return {**schema, "enum": [*schema["enum"], None]}
        return schema
    return _beside(schema)


def _beside(schema: Json) -> Json:
    outer = {key: value for key, value in schema.items() if key in _ANNOTATIONS or key.startswith("x-mcp")}
    inner = {key: value for key, value in schema.items() if key not in outer}
    if (
        any(_is_null(option) for key in ("anyOf", "oneOf") if key in inner for option in inner[key])
        and len(inner) == 1
    ):
        return schema
    if set(inner) == {"anyOf"}:
        return {**outer, "anyOf": [*inner["anyOf"], {"type": "null"}]}
    if set(inner) == {"allOf"} and len(inner["allOf"]) == 1:
        inner = inner["allOf"][0]
    return {**outer, "anyOf": [inner, {"type": "null"}]}


def _is_null(option: Any) -> bool:
    kinds = option.get("type") if isinstance(option, dict) else None
    return kinds == "null" or (isinstance(kinds, list) and "null" in kinds and "enum" not in option)

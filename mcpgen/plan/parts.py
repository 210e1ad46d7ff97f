"""The parts of form and multipart bodies: how they are written, and which of them are files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcpgen.ir.api import Encoding, MediaType, Schema
from mcpgen.ir.merging import flatten
from mcpgen.plan.media import is_binary

FILE_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "content_base64": {"type": "string", "description": "The bytes of the file in base64."},
        "filename": {"type": "string"},
        "content_type": {"type": "string"},
    },
    "required": ["content_base64"],
    "additionalProperties": False,
}
"""A file argument (CONTRACT, Results). A server whose operator has opened a folder admits `path` in its place; the
run-time library says so in the schemas that it publishes then (`runtime.inputs.file_arguments`)."""

_NO_ENCODING = Encoding()
_DESCRIBING = frozenset(
    {"description", "title", "examples", "deprecated", "$comment", "readOnly", "writeOnly"}
)


def encoding_wire(encoding: Encoding, schemas: Mapping[str, Schema]) -> dict[str, Any]:
    """One encoding as the catalogue holds it."""
    wire: dict[str, Any] = {
        "content_type": encoding.content_type,
        "style": encoding.style.value if encoding.style else None,
        "explode": encoding.explode,
        "allow_reserved": encoding.allow_reserved,
    }
    headers = {
        name: text
        for name, schema in encoding.headers.items()
        if (text := _only_value(schema, schemas)) is not None
    }
    return {**wire, "headers": headers} if headers else wire


def _only_value(schema: Schema, schemas: Mapping[str, Schema]) -> str | None:
    """The value of a part's header, where the document leaves no choice; no argument of a tool asks for one."""
    flat, _ = flatten(schema, schemas)
    values = flat.get("enum", ())
    found = flat.get("const", values[0] if len(values) == 1 else flat.get("default"))
    if isinstance(found, bool):
        return "true" if found else "false"
    return str(found) if isinstance(found, str | int | float) else None


def in_order(schema: Schema, schemas: Mapping[str, Schema]) -> bool:
    """Whether the parts of a multipart body are a list (OpenAPI 3.2, Encoding By Position)."""
    flat, _ = flatten(schema, schemas)
    return flat.get("type") == "array" or "prefixItems" in flat


def list_of_parts(
    schema: Schema, media: MediaType, schemas: Mapping[str, Schema]
) -> tuple[Schema, dict[str, str]]:
    """The list with its files as file arguments, and where they are: by position, `*` for all further parts."""
    flat, _ = flatten(schema, schemas)
    rest = media.item_encoding or _NO_ENCODING
    out: dict[str, Any] = {**flat, "type": "array"}
    files: dict[str, str] = {}
    if "prefixItems" in flat:
        out["prefixItems"] = list(flat["prefixItems"])
        for index, child in enumerate(flat["prefixItems"]):
            own = media.prefix_encoding[index] if index < len(media.prefix_encoding) else rest
            if _is_file_part(child, own, schemas):
                out["prefixItems"][index] = _file_like(child, schemas)
                files[str(index)] = "one"
    items = flat.get("items")
    if isinstance(items, Mapping) and _is_file_part(items, rest, schemas):
        out["items"] = _file_like(items, schemas)
        files["*"] = "one"
    return out, files


def _is_file_part(schema: Schema, encoding: Encoding, schemas: Mapping[str, Schema]) -> bool:
    """OpenAPI 3.2, Encoding Object, `contentType`: without a type the default is `application/octet-stream`."""
    if is_binary(schema, schemas):
        return True
    flat, _ = flatten(schema, schemas)
    declared = (encoding.content_type or "").lower()
    return not flat.keys() - _DESCRIBING and not declared.startswith(
        ("text/", "application/json", "multipart/")
    )


def _file_like(schema: Schema, schemas: Mapping[str, Schema]) -> dict[str, Any]:
    flat, _ = flatten(schema, schemas)
    return {**FILE_SCHEMA, "description": str(flat.get("description") or flat.get("title") or "The file.")}

"""What the run-time library needs to know to write XML (OpenAPI 3.2, XML Object)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcpgen.ir.api import Schema
from mcpgen.ir.merging import flatten

_DEEPEST = 8


def xml_hints(schema: Schema, schemas: Mapping[str, Schema], depth: int = 0) -> dict[str, Any]:
    """Names, attributes, node types and wrapping, in the shape of the value."""
    flat, _ = flatten(schema, schemas)
    hints: dict[str, Any] = dict(flat["xml"]) if isinstance(flat.get("xml"), Mapping) else {}
    if "name" not in hints and "$ref" in schema and depth == 0:
        hints["name"] = str(schema["$ref"]).rsplit("/", 1)[-1]
    if depth > _DEEPEST:
        return hints
    properties = {
        name: xml_hints(child, schemas, depth + 1) for name, child in flat.get("properties", {}).items()
    }
    properties = {name: child for name, child in properties.items() if child}
    if properties:
        hints["properties"] = properties
    if isinstance(flat.get("items"), Mapping):
        items = xml_hints(flat["items"], schemas, depth + 1)
        if items:
            hints["items"] = items
    if flat.get("prefixItems"):
        hints["prefixItems"] = [xml_hints(child, schemas, depth + 1) for child in flat["prefixItems"]]
    return hints

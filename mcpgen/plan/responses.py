"""The success answer of an operation, and the result schema that every client can check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mcpgen.ir.api import MediaType, Operation, Response, Schema
from mcpgen.ir.merging import flatten
from mcpgen.plan.media import accept_header, kind_of, preferred
from mcpgen.plan.projection import Projected

CATEGORIES = ("validation", "permission", "not_found", "business", "transient", "internal")
_BINARY: Schema = {
    "type": "object",
    "properties": {
        "media_type": {"type": "string"},
        "size": {"type": "integer"},
        "sha256": {"type": "string"},
    },
    "required": ["media_type", "size", "sha256"],
}


@dataclass(frozen=True, slots=True)
class Success:
    """What a successful call gives: the schema of its data, and the answer that the document promises first."""

    schema: Schema
    accept: str
    status: int
    media: MediaType | None
    kind: str
    """`json`, `text`, `binary`, `ndjson`, `empty` or `unknown` (undocumented)."""


def success_of(operation: Operation, schemas: Mapping[str, Schema]) -> Success:
    """The success answer: all documented 2xx together; else `2XX`; else `default` (OpenAPI 3.2, Responses Object)."""
    chosen = _successes(operation.responses)
    media = [one for response in chosen for one in response.media]
    accept = accept_header(media)
    if not chosen:
        return Success({}, accept, 200, None, "unknown")
    variants: list[Schema] = []
    kinds: list[str] = []
    for response in chosen:
        schema, kind = _data_schema(response, operation, schemas)
        kinds.append(kind)
        if schema not in variants:
            variants.append(schema)
    with_content = [index for index, kind in enumerate(kinds) if kind != "empty"]
    first = chosen[with_content[0]] if with_content else chosen[0]
    main = preferred(first.media) if first.media else None
    schema = variants[0] if len(variants) == 1 else {"anyOf": variants}
    status = int(first.status) if first.status.isdigit() else 200
    return Success(schema, accept, status, main, kinds[with_content[0]] if with_content else kinds[0])


def _successes(responses: Sequence[Response]) -> list[Response]:
    numbered = sorted(
        (r for r in responses if r.status.isdigit() and r.status[0] == "2"), key=lambda r: r.status
    )
    if numbered:
        return numbered
    for status in ("2XX", "DEFAULT"):
        found = [response for response in responses if response.status == status]
        if found:
            return found
    return []


def _data_schema(
    response: Response, operation: Operation, schemas: Mapping[str, Schema]
) -> tuple[Schema, str]:
    if not response.media or response.status in ("204", "205") or operation.method == "HEAD":
        return {"type": "null"}, "empty"
    media = preferred(response.media)
    kind = kind_of(media, schemas)
    if kind == "json":
        return media.schema or {}, "json"
    if kind == "ndjson":
        return _records(media, schemas), "ndjson"
    if kind in ("text", "xml", "form"):
        return {"type": "string"}, "text"
    return _BINARY, "binary"


def _records(media: MediaType, schemas: Mapping[str, Schema]) -> Schema:
    """A stream of records is a list of them (OpenAPI 3.2, Sequential Media Types). Before 3.2, `schema` is mostly
    that of one record."""
    schema = media.schema or {}
    if media.item_schema is None and flatten(schema, schemas)[0].get("type") == "array":
        return schema
    return {"type": "array", "items": media.item_schema or schema}


def output_schema(data: Projected) -> dict[str, Any]:
    """The result contract around the data (CONTRACT, Results): one object, success and failure told apart by `ok`."""
    schema = dict(data.schema)
    defs = schema.pop("$defs", None)
    out: dict[str, Any] = {
        "type": "object",
        "properties": {
            "ok": {"type": "boolean"},
            "data": schema,
            "raw": {},
            "total": {"type": "integer"},
            "note": {"type": "string"},
            "next": {"type": "object"},
            "error": {"type": "string"},
            "category": {"enum": list(CATEGORIES)},
            "retryable": {"type": "boolean"},
            "status": {"type": "integer"},
            "trace_id": {"type": "string"},
            "hint": {"type": "string"},
        },
        "required": ["ok"],
        "oneOf": [
            {"properties": {"ok": {"const": True}}, "anyOf": [{"required": ["data"]}, {"required": ["raw"]}]},
            {
                "properties": {"ok": {"const": False}},
                "required": ["error", "category", "retryable", "trace_id"],
            },
        ],
    }
    if defs:
        out["$defs"] = defs
    return out

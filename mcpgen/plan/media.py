"""Which media type a tool uses, and what kind of value that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mcpgen.ir.api import MediaType, Schema
from mcpgen.ir.merging import flatten

FORM = "application/x-www-form-urlencoded"
_SEQUENCES = frozenset(
    {"application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines"}
    | {"application/json-seq", "application/jsonlines", "application/x-json-stream", "text/event-stream"}
)
_TEXTS = frozenset(
    {"application/csv", "application/toml", "application/javascript", "application/ecmascript"}
    | {"application/graphql", "application/sql"}
)
_PREFERENCE = (FORM, "multipart/form-data", "application/octet-stream", "text/plain")


def is_json(bare: str) -> bool:
    """Whether a type holds JSON (RFC 6839 `+json`). A wildcard admits JSON."""
    misspelt = bare.startswith(
        "application/json+"
    )  # the suffix in front, as in `application/json+merge-patch`
    known = ("application/json", "text/json", "application/*", "*/*")
    return bare in known or bare.endswith("+json") or misspelt


def is_binary(schema: Schema | None, schemas: Mapping[str, Schema]) -> bool:
    """Whether a schema means raw bytes: `format: binary` (3.0) or an unencoded `contentMediaType` (3.1)."""
    flat, _ = flatten(schema or {}, schemas)
    alternatives = [
        part for part in (*flat.get("anyOf", ()), *flat.get("oneOf", ())) if part != {"type": "null"}
    ]
    if alternatives:
        return all(_says_binary(flatten(part, schemas)[0]) for part in alternatives)
    return _says_binary(flat)


def _says_binary(flat: Mapping[str, Any]) -> bool:
    return flat.get("format") == "binary" or ("contentMediaType" in flat and "contentEncoding" not in flat)


def kind_of(media: MediaType, schemas: Mapping[str, Schema]) -> str:
    """`json`, `form`, `multipart`, `ndjson`, `text`, `xml` or `binary`."""
    bare = media.bare
    if bare.startswith("multipart/"):
        return "multipart"
    if (
        bare in _SEQUENCES
        or bare.endswith("+json-seq")
        or (media.item_schema is not None and media.schema is None)
    ):
        return "ndjson"
    if is_json(bare):
        return "binary" if "*" in bare and is_binary(media.schema, schemas) else "json"
    if bare == FORM:
        return "form"
    if bare.endswith(("/xml", "+xml")):
        return "xml"
    if bare.startswith("text/") or "yaml" in bare or bare in _TEXTS:
        return "text"
    return "binary"


def preferred(media: Sequence[MediaType], schemas: Mapping[str, Schema] | None = None) -> MediaType:
    """JSON first whatever the order in the document, then forms, then raw bodies (acceptance, judgement calls)."""
    known = schemas or {}
    return min(media, key=lambda candidate: (_rank(candidate.bare), _is_no_patch(candidate, known)))


def _is_no_patch(media: MediaType, schemas: Mapping[str, Schema]) -> bool:
    """JSON Patch is a list of operations (RFC 6902, 3): a document that shows it as an object means another one."""
    kind = flatten(media.schema or {}, schemas)[0].get("type")
    return "json-patch" in media.bare and kind not in (None, "array")


def _rank(bare: str) -> int:
    if bare == "application/json":
        return 0
    if is_json(bare):
        return 2 if "*" in bare or "patch" in bare else 1
    if bare in _PREFERENCE:
        return 3 + _PREFERENCE.index(bare)
    return 7 if bare.startswith("text/") else 8


def accept_header(media: Sequence[MediaType]) -> str:
    """What to ask for: the preferred documented type first, every other one after it, and anything at last."""
    if not media:
        return "application/json, */*;q=0.5"
    ordered = sorted(dict.fromkeys(m.bare for m in media if "*" not in m.bare), key=_rank)
    parts = [bare if index == 0 else f"{bare};q=0.8" for index, bare in enumerate(ordered)]
    return ", ".join([*parts, "*/*;q=0.1"]) if parts else "*/*"

"""What the stub API answers: the success that the spec promises, from its examples and schemas."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mcpgen.ir.api import MediaType, Operation, Schema
from mcpgen.plan.examples import example_value
from mcpgen.plan.responses import success_of

# The smallest PNG: one transparent pixel.
_PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)


@dataclass(frozen=True, slots=True)
class Answer:
    """One HTTP response. `content_type` is None when there is no body."""

    status: int
    content_type: str | None
    body: bytes


def answer_to(operation: Operation, schemas: Mapping[str, Schema]) -> Answer:
    """The documented success of an operation; an empty 204 when no success is documented."""
    success = success_of(operation, schemas)
    if success.kind == "unknown":
        return Answer(204, None, b"")
    if success.kind == "empty" or success.media is None:
        return Answer(success.status, None, b"")
    return Answer(success.status, _concrete(success.media), _body(success.kind, success.media, schemas))


def problem(status: int, title: str, detail: str) -> Answer:
    """An error of the stub itself (RFC 9457)."""
    content = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    return Answer(status, "application/problem+json", json.dumps(content).encode())


def _concrete(media: MediaType) -> str:
    """A media type that can be sent: a range such as `image/*` is none."""
    if media.bare == "image/*":
        return "image/png"
    return "application/json" if "*" in media.bare else media.name


def _body(kind: str, media: MediaType, schemas: Mapping[str, Schema]) -> bytes:
    if kind == "ndjson":
        value = _value(media, media.item_schema or media.schema or {}, schemas)
        lines = value if isinstance(value, list) else [value]
        prefix, end = ("data: ", "\n\n") if media.bare == "text/event-stream" else ("", "\n")
        return "".join(f"{prefix}{_json(line)}{end}" for line in lines).encode()
    value = _value(media, media.schema or {}, schemas)
    if kind == "json":
        return _json(value).encode()
    if kind == "binary":
        return _PIXEL if media.bare in ("image/png", "image/*") else _text(value).encode()
    return _text(value).encode()


def _value(media: MediaType, schema: Schema, schemas: Mapping[str, Schema]) -> Any:
    """The media type's own example where it is valid, else the schema's."""
    known = {"allOf": [schema], "examples": list(media.examples)} if media.examples else schema
    return example_value(known, schemas, direction="response")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else _json(value)

"""The bodies that an operation can be cut by: objects in JSON and in forms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from mcpgen.ir.api import MediaType, Operation, Schema
from mcpgen.plan.media import kind_of, preferred

_KINDS = frozenset({"json", "form", "multipart"})


def body_media(operation: Operation, schemas: Mapping[str, Schema]) -> MediaType | None:
    """The media type in which the body is sent, if it is one whose fields can choose an action."""
    if operation.body is None or not operation.body.media:
        return None
    media = preferred(operation.body.media, schemas)
    return media if kind_of(media, schemas) in _KINDS else None


def properties_of(flat: Mapping[str, Any]) -> Mapping[str, Any]:
    """The properties of a schema whose references are followed."""
    found = flat.get("properties")
    return found if isinstance(found, Mapping) else {}


def with_body(
    operation: Operation, media: MediaType, schema: Schema, *, required: bool | None = None
) -> Operation:
    """The operation with another schema for its body, and no other media type than this one.

    Examples of the whole body may be of another action, so they go.
    """
    if operation.body is None:
        return operation
    only = replace(media, schema=schema, examples=())
    needed = operation.body.required if required is None else required
    return replace(operation, body=replace(operation.body, media=(only,), required=needed))

"""How large one message may be on its way to the client: over HTTP it can travel as one server-sent event.

Clients refuse long events: httpx2, which the MCP SDK's own client uses, ends the session over one of more than 1 MiB
(`DEFAULT_MAX_EVENT_SIZE_BYTES`). Revisions before 2026-07-28 are always answered by events; since then a call is once it
has reported progress, or has taken some seconds, which nobody knows beforehand. So every call over HTTP keeps the bound.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import mcp_types as mt
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

_EVENT = 1 << 20
_FRAME = 32 << 10
"""Bytes for what stands around a result: the envelope, `_meta`, the request's id, the event's own lines, later notes."""
WORST = 6
"""The most bytes on the wire for one of a result's text: it is there twice, in 2026-07-28 with all but ASCII escaped."""


def event_room(context: ServerRequestContext[Any, Any] | None) -> int | None:
    """Bytes that a result may have on the wire; None where there is no such bound (standard input, no client)."""
    return None if getattr(context, "request", None) is None else _EVENT - _FRAME


def listed_by_event(context: ServerRequestContext[Any, Any]) -> bool:
    """Whether `tools/list`, which reports nothing and takes no time, is answered by an event."""
    return event_room(context) is not None and context.protocol_version not in MODERN_PROTOCOL_VERSIONS


def wire_size(value: Any) -> int:
    """Bytes of a value (or of an answer) as JSON in an event; all but ASCII counts as escaped, as 2026-07-28 has it."""
    if isinstance(value, mt.CallToolResult):
        value = value.model_dump(mode="json", by_alias=True, exclude_none=True)
    return len(json.dumps(value, separators=(",", ":")))

"""Keys under which something is remembered about calls: equal calls of one caller have the same."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from .caller import caller_key

if TYPE_CHECKING:
    from ..call import Call


def call_key(kind: str, call: Call, *more: Any) -> str | None:
    """The key of a call: caller, server, tool, arguments. None for a caller who can't be told apart.

    Args:
        kind: what is remembered.
        more: what else must be the same.
    """
    caller = caller_key(call)
    if caller is None:
        return None
    return f"{kind} {_digest([caller, *_server(call), call.operation.tool, call.arguments, *more])}"


def caller_wide_key(kind: str, call: Call) -> str | None:
    """A key for everything that a caller does on this server."""
    caller = caller_key(call)
    return None if caller is None else f"{kind} {_digest([caller, *_server(call)])}"


def toolset_wide_key(kind: str, call: Call) -> str:
    """A key for everything that anybody does with a toolset of this server."""
    return f"{kind} {_digest([*_server(call), call.operation.toolset])}"


def _server(call: Call) -> tuple[str, str | None]:
    """Several servers may share a store, and one server may be there for testing and for real."""
    return call.app.catalog.package, call.app.servers.default


def _digest(what: Any) -> str:
    text = json.dumps(what, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()

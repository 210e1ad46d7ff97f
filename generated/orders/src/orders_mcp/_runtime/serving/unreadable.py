"""The answer to a line of standard input that is no message (JSON-RPC 2.0, 5.1): without it its sender would wait for nothing."""

from __future__ import annotations

import json
import re

from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError
from pydantic import ValidationError

_DIGITS = 18
"""Of an id; longer numbers are none that a client counts with."""
_FIRST = re.compile(
    r'\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,)*\s*"id"\s*:\s*(?:(-?\d{1,18})|"([^"\\]{1,200})")\s*[,}]'
)
"""An id before everything that could have one inside."""


def answer_to(error: Exception) -> JSONRPCError:
    """The error that tells the sender, under the id of its request where that can be told."""
    given = error.errors()[0]["input"] if isinstance(error, ValidationError) and error.error_count() else None
    if isinstance(given, str):
        reason = str(error.errors()[0]["msg"]) if isinstance(error, ValidationError) else ""
        said = ErrorData(code=PARSE_ERROR, message=f"Parse error: {reason[:200]}")
        return JSONRPCError(jsonrpc="2.0", id=_id_of(given), error=said)
    said = ErrorData(code=INVALID_REQUEST, message="Invalid Request")
    return JSONRPCError(
        jsonrpc="2.0", id=_known(given.get("id")) if isinstance(given, dict) else None, error=said
    )


def _id_of(line: str) -> int | str | None:
    """What Python reads and the SDK's parser does not (lone surrogates, long numbers, some nesting) has its id as any other."""
    try:
        read = json.loads(line, parse_int=lambda digits: int(digits) if len(digits) <= _DIGITS else digits)
    except (ValueError, RecursionError):
        found = _FIRST.match(line)
        return None if found is None else int(found[1]) if found[1] else found[2]
    return _known(read.get("id")) if isinstance(read, dict) and "method" in read else None


def _known(value: object) -> int | str | None:
    return value if isinstance(value, int | str) and not isinstance(value, bool) else None

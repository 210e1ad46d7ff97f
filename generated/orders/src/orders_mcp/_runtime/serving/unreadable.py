"""The answer to a line of standard input that is no message (JSON-RPC 2.0, 5.1): without it its sender would wait for nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError
from pydantic import ValidationError

_DIGITS = 18
"""Of an id; longer numbers are none that a client counts with."""
_FIRST = re.compile(
    r'\s*\{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,)*\s*"id"\s*:\s*(?:(-?\d{1,18})|"([^"\\]{1,200})")\s*[,}]'
)
"""An id before everything that could have one inside."""


def answer_to(error: Exception) -> JSONRPCError:
    """The error that tells the sender, under the id of its request where that is sure."""
    problems: list[Any] = error.errors() if isinstance(error, ValidationError) else []
    if problems and problems[0]["type"] == "json_invalid":
        said = ErrorData(code=PARSE_ERROR, message=f"Parse error: {str(problems[0]['msg'])[:200]}")
        return JSONRPCError(jsonrpc="2.0", id=_id_in(str(problems[0]["input"])), error=said)
    whole = (one["input"] for one in problems if len(one["loc"]) <= 2 and isinstance(one["input"], Mapping))
    said = ErrorData(code=INVALID_REQUEST, message="Invalid Request")
    return JSONRPCError(jsonrpc="2.0", id=_id_of(next(whole, None)), error=said)


def _id_in(line: str) -> int | str | None:
    """What Python reads and the SDK's parser does not (lone surrogates, long numbers, some nesting) has its id as any other."""
    try:
        return _id_of(
            json.loads(line, parse_int=lambda digits: int(digits) if len(digits) <= _DIGITS else None)
        )
    except (ValueError, RecursionError):
        found = _FIRST.match(line) if '"method"' in line else None
        return None if found is None else int(found[1]) if found[1] else found[2]


def _id_of(message: object) -> int | str | None:
    """The id of a request. That of a wrong response is one of this server's own: the sender waits for nothing under it."""
    if not isinstance(message, Mapping) or "method" not in message:
        return None
    told = message.get("id")
    if isinstance(told, str) and not re.search("[\ud800-\udfff]", told):
        return told
    return told if isinstance(told, int) and not isinstance(told, bool) else None

"""The last look at the size of an answer, whatever made it: a search, a cache, a failure, a note of a link further out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import mcp_types as mt

from ..outcomes.result import Result
from ..secrecy.last_look import answer_without_secrets
from ..secrecy.redact import Redactor
from .fitting import within
from .wire import WORST, event_room, wire_size

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

_CUT = "The result was too large for one message over HTTP: parts of it were left out."
_TEXT = 2000
"""Characters of an error's message when the whole is too large."""


def conveyed(
    result: Result[Any], trace_id: str, redactor: Redactor, context: ServerRequestContext[Any, Any] | None
) -> mt.CallToolResult:
    """The answer that a client gets, no larger than the transport of its request can carry.

    Raises:
        TypeError, ValueError: the result is not JSON.
    """
    answer = answer_without_secrets(result, trace_id, redactor)
    room = event_room(context)
    if room is None or wire_size(answer) <= room:
        return answer
    return answer_without_secrets(_shortened(result, room // WORST, redactor), trace_id, redactor)


def _shortened(result: Result[Any], room: int, redactor: Redactor) -> Result[Any]:
    if result.failure is not None:
        failure = replace(result.failure, message=redactor.text(result.failure.message)[:_TEXT], hint=None)
        return Result(failure=failure)
    value = within(result.value, room - 4 * _TEXT, redactor.value).value
    note = (result.note or "")[:_TEXT]
    return Result(raw=value, total=result.total, notes=(*([note] if note else []), _CUT))

"""Link: whatever becomes of a call, it ends in a result that keeps the contract."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any

from mcp import MCPError

from ..bounds.conveying import conveyed
from ..call import Call
from ..outcomes.failures import CallFailed, Category, Failure
from ..outcomes.fate import with_fate
from ..outcomes.hints import Caller, hint_for
from ..outcomes.result import Result
from ..secrecy.last_look import without_secrets
from .model import Asked, Following

log = logging.getLogger(__name__)

_CRASH = Failure(Category.INTERNAL, "The tool failed because of a fault in this server.")


async def settled(call: Call, following: Following) -> Result[Any]:
    """Turns failures and crashes into results, adds notes and the hint, and makes the answer (`call.answer`).

    Raises:
        Asked, MCPError: these are no results, but the protocol's own answers.
    """
    try:
        result = await following(call)
    except CallFailed as error:
        result = Result(failure=error.failure)
    except Asked:
        raise
    except MCPError as error:
        raise without_secrets(error, call.app.redactor) from error
    except Exception:
        log.exception("%s: %s crashed", call.trace_id, call.operation.tool)
        result = Result(failure=_CRASH)
    result = _finished(call, result)
    try:
        call.answer = conveyed(result, call.trace_id, call.app.redactor, call.context)
    except (TypeError, ValueError):  # a hook or a team's own tool has put something else than JSON into it
        log.exception("%s: the result of %s is not JSON", call.trace_id, call.operation.tool)
        result = _finished(call, Result(failure=_CRASH))
        call.answer = conveyed(result, call.trace_id, call.app.redactor, call.context)
    return result


def _finished(call: Call, result: Result[Any]) -> Result[Any]:
    failure = result.failure
    if failure is None:
        return replace(result, notes=(*call.notes, *result.notes))
    failure = with_fate(call, failure)
    log.info("%s: %s failed (%s): %s", call.trace_id, call.operation.tool, failure.category, failure.message)
    caller = Caller(call.arguments, call.app.redactor.names, call.named(call.operation.tool))
    hint = result.hint or hint_for(failure, call.operation, call.app.registered, call.how, caller)
    return replace(result, failure=failure, hint=hint)

"""Link: the outermost one. What becomes of a call is told to everyone who wants to know."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import anyio
from anyio import to_thread
from mcp import MCPError

from ..app import App
from ..call import Call
from ..chain.model import Asked, Following
from ..outcomes.result import Result
from ..secrecy.secret_names import SecretNames
from .events import Ended, Outcome, outcome_of
from .secret_arguments import secret_arguments
from .spans import current_traceparent, tell_span

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

log = logging.getLogger(__name__)

_BIG = 16 << 10
"""From this length on an answer is looked at in a thread, so that other calls are not held up."""


@dataclass(frozen=True, slots=True)
class _Watched:
    """A call that is not over, and what has to be remembered from its beginning."""

    call: Call
    given: Mapping[str, Any]
    names: SecretNames
    started: float
    clock: float

    def ended(self, outcome: Outcome, result: Result[Any] | None = None, code: int | None = None) -> Ended:
        return Ended(
            tool=self.call.operation.tool,
            effect=self.call.operation.effect,
            operation=self.call.operation,
            arguments=self.given,
            names=self.names,
            trace_id=self.call.trace_id,
            outcome=outcome,
            started=self.started,
            seconds=time.perf_counter() - self.clock,
            record=self.call.record,
            result=result,
            answer=self.call.answer,
            code=code,
            traceparent=current_traceparent(),
            context=self.call.context,
        )


class Observed:
    """Watches every call from outside: how it ended, what it cost, where the API differs from its description."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._names: dict[str, SecretNames] = {}

    async def __call__(self, call: Call, following: Following) -> Result[Any]:
        names = self._secret_names(call)
        watched = _Watched(call, call.arguments, names, time.time(), time.perf_counter())
        self._app.redactor.watch(call.arguments, names)
        self._app.observers.began(call.operation.tool)
        try:
            result = await following(call)
        except Asked:
            self._tell(watched.ended(Outcome.ASKED))
            raise
        except MCPError as error:
            self._tell(watched.ended(Outcome.ERROR, code=error.error.code))
            raise
        except BaseException as error:
            stopped = isinstance(error, anyio.get_cancelled_exc_class())
            self._tell(watched.ended(Outcome.CANCELLED if stopped else Outcome.ERROR))
            raise
        ended = watched.ended(outcome_of(result), result)
        if ended.text_length < _BIG or self._app.observers.audit is None:
            self._tell(ended)
        else:
            self._count(ended)
            with anyio.CancelScope(shield=True):  # the call was made, so it is told
                await to_thread.run_sync(audit_call, self._app, ended)
        return result

    def _secret_names(self, call: Call) -> SecretNames:
        tool = call.operation.tool
        if tool not in self._names:
            own = secret_arguments(call.operation)
            base = self._app.redactor.names
            self._names[tool] = base.with_exact(own) if own else base
        return self._names[tool]

    def _tell(self, event: Ended) -> None:
        self._count(event)
        audit_call(self._app, event)

    def _count(self, event: Ended) -> None:
        self._app.observers.count(event)
        tell_span(event)
        log.info(
            "%s: %s ended: %s, %s, status %s, %d attempts, %.1f ms, trace %s",
            event.trace_id,
            event.tool,
            event.outcome,
            event.category or event.record.source or "-",
            event.record.status or "-",
            event.record.attempts,
            event.seconds * 1000,
            event.traceparent or "-",
        )
        if event.record.drift is not None and event.operation is not None:
            pointer, rule = event.record.drift
            log.warning(
                "%s: %s (%s %s): the answer breaks its schema at %s: %s",
                event.trace_id,
                event.tool,
                event.operation.method,
                event.operation.path,
                pointer or "its root",
                rule,
            )


def audit_call(app: App, event: Ended) -> None:
    """Writes the audit line, where there is an audit. What goes wrong with it is no failure of the call."""
    if app.observers.audit is None:
        return
    try:
        app.observers.audit.write(event)
    except Exception:
        log.exception("%s: the audit line of this call is lost", event.trace_id)


def observe_answer(
    app: App,
    tool: str,
    arguments: Mapping[str, Any],
    trace_id: str,
    context: ServerRequestContext[Any, Any] | None,
    clock: float,
    *,
    result: Result[Any] | None = None,
    code: int | None = None,
) -> None:
    """Tells of a call that no tool of the API was needed for: a search tool's, or one of a tool that there is none of.

    Args:
        clock: what `time.perf_counter` said when it began.
    """
    app.redactor.watch(arguments)
    seconds = time.perf_counter() - clock
    event = Ended(
        tool=tool,
        effect=None if result is None else "read",
        operation=None,
        arguments=arguments,
        names=app.redactor.names,
        trace_id=trace_id,
        outcome=Outcome.ERROR if result is None else outcome_of(result),
        started=time.time() - seconds,
        seconds=seconds,
        result=result,
        code=code,
        traceparent=current_traceparent(),
        context=context,
    )
    app.observers.count(event)
    tell_span(event)
    audit_call(app, event)

"""Two links: a write that is equal to one a short time ago is not sent again (`repeat_window` in a tool's policy)."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import anyio

from ..app import App
from ..call import Call
from ..inputs.own_arguments import of_operation
from ..memory.call_keys import call_key
from ..memory.stored import (
    failure_as_json,
    failure_from_json,
    read,
    success_as_json,
    success_from_json,
    written,
)
from ..outcomes.failures import CallFailed, Category, Failure, broken
from ..outcomes.fate import with_fate
from ..outcomes.result import Result
from .model import Following

log = logging.getLogger(__name__)

_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 0.5
_GRACE = 60.0
"""Seconds beyond its time limit after which a call that was never settled is taken for lost."""
_PATIENCE = 2.0
"""Seconds that a store gets after a call that was cut off."""
_IN_PROGRESS = Failure(
    Category.TRANSIENT,
    "The same call is still in progress; it was not sent a second time.",
    retryable=True,
    wait=5,
)


class _State(StrEnum):
    RUNNING = "running"
    DONE = "done"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class _Entry:
    """What is known of the first one of equal calls."""

    state: _State
    at: float
    told: dict[str, Any]

    @property
    def age(self) -> str:
        seconds = max(0, round(time.time() - self.at))
        return "1 second" if seconds == 1 else f"{seconds} seconds"


class Once:
    """Gives the first result again, for each caller and its arguments, unless the model says that a repeat is meant.

    `known` stands before the user is asked: nobody has to agree to what is not sent. `guarded` stands after that, and
    lets one of equal calls through at a time. So nothing is locked while a user thinks, or while a client asks one and
    then calls again.
    """

    def __init__(self, app: App) -> None:
        self._app = app
        self._warned = False

    async def known(self, call: Call, following: Following) -> Result[Any]:
        """Answers a repeat of a call that is over."""
        key = _key(call)
        if key is None and _wanted(call) and not self._warned:
            self._warned = True
            log.warning("repeat_window does nothing for callers who can't be told apart")
        if key is not None and not call.meant:
            try:
                entry = _read(await self._app.store.get(key))
            except Exception as error:
                raise _unsure(call) from error
            if entry is not None and entry.state is not _State.RUNNING:
                return _again(call, entry)
        return await following(call)

    async def guarded(self, call: Call, following: Following) -> Result[Any]:
        """Sends one of equal calls; the others wait for its result."""
        key = _key(call)
        if key is None:
            return await following(call)
        if not call.meant:
            entry = await self._first(call, key)
            if entry is not None:
                return _again(call, entry)
        try:
            result = await following(call)
        except CallFailed as error:
            await self._settle(call, key, Result(failure=error.failure))
            raise
        except BaseException:  # cancelled, or a crash of the team's own code
            lost = Failure(Category.TRANSIENT, "The call was broken off.", retryable=True)
            await self._settle(call, key, Result(failure=lost))
            raise
        await self._settle(call, key, result)
        return result

    async def _first(self, call: Call, key: str) -> _Entry | None:
        """None for the first one of equal calls, which may go on; for the others, what became of it."""
        limit = call.policy.timeout or self._app.settings.timeout
        running = _text(_State.RUNNING, {})
        end, pause = anyio.current_time() + limit, _FIRST_PAUSE
        while True:
            try:
                if await self._app.store.add(key, running, max(call.policy.repeat_window, limit + _GRACE)):
                    return None
                entry = _read(await self._app.store.get(key))
            except Exception as error:
                raise _unsure(call) from error
            if entry is not None and entry.state is not _State.RUNNING:
                return entry
            if anyio.current_time() >= end:
                call.record.source = "repeat"
                raise CallFailed(_IN_PROGRESS)
            await anyio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    async def _settle(self, call: Call, key: str, result: Result[Any]) -> None:
        """Keeps a success, and a call whose fate nobody knows. A failure lets the next one through."""
        failure = result.hinted_failure
        if failure is None:
            text: str | None = _text(_State.DONE, success_as_json(result))
        elif not call.repeatable and (told := with_fate(call, failure)).outcome_unknown:
            text = _text(_State.UNKNOWN, failure_as_json(told))
        else:
            text = None
        with anyio.move_on_after(_PATIENCE, shield=True):
            try:
                if text is not None:
                    await self._app.store.put(key, text, call.policy.repeat_window)
                elif not call.meant:
                    await self._app.store.delete(key)
            except Exception:
                log.exception("%s: what became of the call can't be remembered", call.trace_id)


def _wanted(call: Call) -> bool:
    return call.policy.repeat_window > 0 and call.operation.effect != "read"


def _key(call: Call) -> str | None:
    """What is given of the answer makes it no other call."""
    return call_key("once", call) if _wanted(call) else None


def _text(state: _State, told: dict[str, Any]) -> str:
    return written({"state": str(state), "at": time.time(), "told": told})


def _read(text: str | None) -> _Entry | None:
    told = read(text)
    try:
        return None if told is None else _Entry(_State(told["state"]), float(told["at"]), told["told"])
    except (KeyError, TypeError, ValueError):
        return None


def _unsure(call: Call) -> CallFailed:
    log.exception("%s: equal calls can't be looked up", call.trace_id)
    return broken("It can't be told whether the same call was made before. Nothing was sent.")


def _again(call: Call, entry: _Entry) -> Result[Any]:
    """The first result, or what is known instead of one."""
    call.record.source = "repeat"
    repeat = of_operation(call.operation, call.policy).repeat
    meant = f" with `{repeat}`: true" if repeat is not None else ""
    if entry.state is _State.UNKNOWN:
        failure = failure_from_json(entry.told)
        words = (
            f"The same call was sent {entry.age} ago, and it is not known whether it took effect; it was not sent again. "
            f"If it did not, call again{meant}. The first time: {failure.message}"
        )
        return Result(failure=replace(failure, message=words, wait=None))
    note = f"The same call succeeded {entry.age} ago; this is its result, and nothing was sent. If a repeat is meant, call again{meant}."
    result = success_from_json(entry.told)
    return replace(result, notes=(*result.notes, note))

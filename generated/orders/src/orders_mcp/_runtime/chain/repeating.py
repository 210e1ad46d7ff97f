"""Link: a call that failed twice for good is not sent a third time."""

from __future__ import annotations

import logging
import secrets
from dataclasses import dataclass, replace
from typing import Any

from ..app import App
from ..call import Call
from ..memory.call_keys import call_key, caller_wide_key
from ..memory.stored import failure_as_json, failure_from_json, read, written
from ..outcomes.failures import CallFailed, Category, Failure, with_words
from ..outcomes.fate import with_fate
from ..outcomes.result import Result
from .model import Following

log = logging.getLogger(__name__)

_ENOUGH = 2
_FOR_GOOD = frozenset({Category.VALIDATION, Category.PERMISSION, Category.BUSINESS, Category.NOT_FOUND})
_CURABLE_BY_A_WRITE = frozenset({Category.BUSINESS, Category.NOT_FOUND})
_AGAIN = "The same call has failed like this twice, so it was not sent again."


@dataclass(frozen=True, slots=True)
class _Failed:
    """How often a call failed in the same way, and after which write of its caller."""

    failure: Failure
    count: int
    after: str


class Repeating:
    """Remembers failures that no repetition can cure, for each caller and its arguments, for `FAILURE_WINDOW` seconds.

    A success of the same call ends that. A write that succeeds may have made what was missing: then what was not found,
    or against a rule, is worth another try.
    """

    def __init__(self, app: App) -> None:
        self._app = app
        self._window = app.settings.failure_window

    async def __call__(self, call: Call, following: Following) -> Result[Any]:
        key = call_key("failed", call) if self._window else None
        if key is None:
            return await following(call)
        known = await self._known(call, key)
        if known is not None and known.count >= _ENOUGH:
            call.record.source = "refused"
            raise CallFailed(replace(known.failure, message=with_words(known.failure.message, _AGAIN)))
        try:
            result = await following(call)
        except CallFailed as error:
            await self._remember(call, key, known, error.failure)
            raise
        await self._remember(call, key, known, result.hinted_failure)
        return result

    async def _known(self, call: Call, key: str) -> _Failed | None:
        try:
            told = read(await self._app.store.get(key))
            if told is None:
                return None
            found = _Failed(failure_from_json(told["failure"]), int(told["count"]), str(told["after"]))
            if found.failure.category in _CURABLE_BY_A_WRITE and found.after != await self._last_write(call):
                return None
        except Exception:
            # It saves an API some work, and guards nothing: a store that is down must not stop the service.
            log.exception("%s: earlier failures can't be looked up", call.trace_id)
            return None
        return found

    async def _remember(self, call: Call, key: str, known: _Failed | None, failure: Failure | None) -> None:
        try:
            if failure is not None and _for_good(failure):
                same = known is not None and _alike(known.failure, failure)
                count = known.count + 1 if known is not None and same else 1
                told = {
                    "failure": failure_as_json(failure),
                    "count": count,
                    "after": await self._last_write(call),
                }
                await self._app.store.put(key, written(told), self._window)
            elif failure is None and known is not None:
                await self._app.store.delete(key)
            if call.operation.effect != "read" and _changed(call, failure):
                await self._app.store.put(self._writes(call), secrets.token_hex(8), self._window)
        except Exception:
            log.exception("%s: what became of the call can't be remembered", call.trace_id)

    async def _last_write(self, call: Call) -> str:
        return await self._app.store.get(self._writes(call)) or ""

    def _writes(self, call: Call) -> str:
        return caller_wide_key("written", call) or ""


def _for_good(failure: Failure) -> bool:
    """What the API, or a check of the arguments, will say again. This server's own refusals are not meant: the user may
    agree the next time."""
    return failure.category in _FOR_GOOD and (
        failure.status is not None or failure.category is Category.VALIDATION
    )


def _alike(one: Failure, other: Failure) -> bool:
    return (one.category, one.status) == (other.category, other.status)


def _changed(call: Call, failure: Failure | None) -> bool:
    """Whether a write has changed something, as far as anyone knows."""
    if call.record.source is not None:
        return False
    return failure is None or with_fate(call, failure).outcome_unknown

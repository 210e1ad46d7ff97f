"""Link: a client that wants to know hears that a long call is still under way."""

from __future__ import annotations

import logging
from typing import Any

from anyio import create_task_group, sleep

from ..call import Call
from ..outcomes.result import Result
from .model import Following

log = logging.getLogger(__name__)

_SECONDS = 5.0


class Progressing:
    """Reports every few seconds for as long as the call takes.

    Args:
        seconds: between two reports.
    """

    def __init__(self, seconds: float = _SECONDS) -> None:
        self._seconds = seconds

    async def __call__(self, call: Call, following: Following) -> Result[Any]:
        if call.context is None:
            return await following(call)
        failed: Exception | None = None
        async with create_task_group() as group:
            group.start_soon(self._report, call)
            try:
                result = await following(call)
            except Exception as error:  # out of the group's sight, which would wrap it
                failed = error
            group.cancel_scope.cancel()
        if failed is not None:
            raise failed
        return result

    async def _report(self, call: Call) -> None:
        passed = 0.0
        while True:
            await sleep(self._seconds)
            passed += self._seconds
            try:
                await call.reports.wait(passed, f"Waiting for the API ({passed:g} s)")
            except (
                Exception
            ):  # a client that can't be told anything any more still gets its answer, if it can
                log.debug("%s: progress can't be reported", call.trace_id, exc_info=True)
                return

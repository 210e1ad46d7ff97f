"""What a client is told while a call is under way (MCP 2026-07-28, Progress), if it has asked for that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext


_LONGEST = 2000
"""Characters of a message."""


class Progress:
    """Reports of one call: each number is higher than the one before, whoever reports.

    A tool's own reports are worth more than the clock's. Once there is one, the clock is silent, and the tool's numbers
    (and totals) go on from where the clock was.
    """

    def __init__(self, context: ServerRequestContext[Any, Any] | None) -> None:
        self._context = context
        self._last: float | None = None
        self._clock = 0.0
        self._told = False

    async def tell(self, done: float, total: float | None = None, message: str | None = None) -> None:
        """What the tool's own code says. A number that is not higher than the last one is left out."""
        self._told = True
        whole = None if total is None else self._clock + total
        await self._report(self._clock + done, whole, message)

    async def wait(self, seconds: float, message: str) -> None:
        """What the clock says."""
        if not self._told:
            self._clock = seconds
            await self._report(seconds, None, message)

    async def _report(self, done: float, total: float | None, message: str | None) -> None:
        if self._context is None or (self._last is not None and done <= self._last):
            return
        self._last = done
        await self._context.session.report_progress(done, total, message and message[:_LONGEST])

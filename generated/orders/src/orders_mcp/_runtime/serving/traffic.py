"""What is under way, and whether the server is about to end: what has begun is finished, nothing new begins."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from anyio import sleep

_LOOK_AGAIN = 0.02


class Traffic:
    """Counts what is in flight: tool calls, and the HTTP requests that carry their answers.

    Attributes:
        serving: the server is up.
        ending: the server was told to end; no call begins any more.
    """

    def __init__(self) -> None:
        self.serving = False
        self.ending = False
        self._under_way = 0

    @contextmanager
    def passing(self) -> Iterator[None]:
        """Around something that should be finished before the server ends."""
        self._under_way += 1
        try:
            yield
        finally:
            self._under_way -= 1

    @property
    def idle(self) -> bool:
        """Nothing is under way."""
        return self._under_way == 0


async def until(condition: Callable[[], bool], seconds: float) -> bool:
    """Waits for the condition; whether it came true in time.

    It looks again and again, because a signal handler may make it true, and that can set no event.
    """
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() >= end:
            return False
        await sleep(_LOOK_AGAIN)
    return True

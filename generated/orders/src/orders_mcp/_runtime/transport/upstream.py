"""The hosts of the API: how many requests each gets at a time and a second, who waits, what may be repeated.

What is counted here is of this process alone: connections and the requests on them are, too.
"""

from __future__ import annotations

import math
import sys
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from anyio import Lock, Semaphore, current_time, sleep

from ..outcomes.failures import CallFailed, Category, Failure
from ..setup.settings import Settings
from .confinement import origin
from .deadline import time_left
from .retries import RetryBudget

_MOST_HOSTS = 200
_LONGEST_WAIT = 60
_SMOOTHING = 0.2


class Pace:
    """At most so many starts in any second, first come first served; a fraction is one start in so many seconds.

    A window that moves with the clock, which neither a leaky bucket nor fixed windows give: those let twice as many pass
    around the moment where they are full again.
    """

    def __init__(self, rate: float) -> None:
        self._count = max(1, int(rate))
        self._seconds = self._count / rate
        self._starts: deque[float] = deque(maxlen=self._count)
        self._turn = Lock(fast_acquire=True)

    def wait(self, ahead: int = 0) -> float:
        """Seconds until the next start, when so many others come before it."""
        rounds, place = divmod(ahead, self._count)
        place -= self._count - len(self._starts)  # below 0 is a place that nobody has taken
        free = self._starts[place] + self._seconds - current_time() if place >= 0 else 0.0
        return max(free, 0.0) + rounds * self._seconds

    async def start(self) -> None:
        """Returns when it is time to start."""
        async with self._turn:
            while (seconds := self.wait()) > 0:
                await sleep(seconds)
            self._starts.append(current_time())


class Upstream:
    """One host of the API (scheme, name and port)."""

    def __init__(self, settings: Settings) -> None:
        self.budget = RetryBudget(settings.retry_budget)
        self._most = settings.max_concurrency or sys.maxsize
        self._slots = Semaphore(self._most, fast_acquire=True)  # a free slot is no wait, so none is counted
        self._pace = Pace(settings.max_rate) if settings.max_rate else None
        self._queue = settings.max_queue
        self._waiting = 0
        self._seconds = 0.0

    @property
    def idle(self) -> bool:
        """Whether no request is here, or waits to be."""
        return not self._waiting and self._slots.value == self._most

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Waits for a turn, first come first served, and holds it.

        Raises:
            CallFailed: too many are waiting already, or the turn would come when the call's time is over.
        """
        paced = self._pace.wait(self._waiting) if self._pace else 0.0
        busy = self._waiting or not self._slots.value or paced
        if (busy and self._waiting >= self._queue) or paced >= time_left():
            # About as long as those who are before it take, all together.
            raise _overloaded(max(paced, self._seconds * (self._waiting + 1) / self._most))
        async with AsyncExitStack() as held:
            self._waiting += 1
            try:
                await held.enter_async_context(self._slots)
                if self._pace is not None:
                    await self._pace.start()
            finally:
                self._waiting -= 1
            started = current_time()
            yield
            self._seconds += _SMOOTHING * (current_time() - started - self._seconds)


class Upstreams:
    """All hosts, each made with its first request. Of very many, as a hook could name, the idle ones are forgotten."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._known: OrderedDict[tuple[str, str, int | None], Upstream] = OrderedDict()

    def of(self, url: str) -> Upstream:
        """The host of an address.

        Raises:
            httpx2.InvalidURL: it is none.
        """
        key = origin(url)
        if key not in self._known:
            self._known[key] = Upstream(self._settings)
        self._known.move_to_end(key)
        if len(self._known) > _MOST_HOSTS:
            for old in [other for other, upstream in self._known.items() if upstream.idle and other != key]:
                del self._known[old]
        return self._known[key]


def _overloaded(seconds: float) -> CallFailed:
    wait = math.ceil(min(max(seconds, 1.0), _LONGEST_WAIT))
    message = "Too many calls are waiting for the API already."
    return CallFailed(Failure(Category.TRANSIENT, message, retryable=True, wait=wait))

"""When a request is sent again, and after how long.

No library for this: what it would leave to us (which answers and errors count, `Retry-After`, the time that is left,
the budget of a host) is all of it but the loop.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from anyio import current_time

from ..answers.answer_headers import retry_after
from ..requests.payload import Payload
from .client import Answer, PreparedRequest
from .deadline import time_left
from .unreachable import Unreachable

REPEAT_STATUSES = frozenset({408, 425, 429, 502, 503, 504})
_FIRST_BACKOFF = 0.5
_LONGEST_BACKOFF = 8.0
_RESERVE = 10.0
"""Repeats that a host always has, however few its calls are."""
_REFILL_SECONDS = 60.0
"""How long the reserve takes to fill up by itself."""


class RetryBudget:
    """How many repeats a host may still get: a share of its calls, so that repeats can't multiply an outage.

    Args:
        share: repeats for each call, on average; 0 is no repeat at all.
    """

    def __init__(self, share: float, clock: Callable[[], float] = current_time) -> None:
        self._share = share
        self._clock = clock
        self._left = _RESERVE
        self._filled = clock()

    def call(self) -> None:
        """Counts a call in."""
        self._add(self._share)

    def take(self) -> bool:
        """Whether there is a repeat left; it is taken."""
        now = self._clock()
        self._add((now - self._filled) * _RESERVE / _REFILL_SECONDS)
        self._filled = now
        if not self._share or self._left < 1:
            return False
        self._left -= 1
        return True

    def _add(self, repeats: float) -> None:
        self._left = min(self._left + repeats, _RESERVE)


class Repeats:
    """Decides about the repeats of one request; every repeat is the exact same request.

    Args:
        safe: whether it may be sent again after the API may have seen it.
        most: how often at all.
    """

    def __init__(self, request: PreparedRequest, safe: bool, most: int, budget: RetryBudget) -> None:
        whole = request.content is None or isinstance(request.content, bytes | Payload)
        self._safe = safe
        self._most = most if whole else 0  # a hook's own stream can be read only once
        self._budget = budget

    def wait(self, attempt: int, outcome: Answer | Unreachable, took: float) -> float | None:
        """Seconds until the next attempt; None where there is none.

        Args:
            attempt: how many there were, at least 1.
            took: seconds that the last one took; the next one may take as long, and must not be cut off in the middle.
        """
        if attempt > self._most or not self._worth(outcome):
            return None
        wait = _backoff(attempt)
        if isinstance(outcome, Answer):
            asked = retry_after(outcome.headers)
            wait = wait if asked is None else float(asked)
        fits = wait + took < time_left()
        return wait if fits and self._budget.take() else None

    def _worth(self, outcome: Answer | Unreachable) -> bool:
        if isinstance(outcome, Unreachable):
            return not outcome.lasting and (self._safe or not outcome.sent)
        return self._safe and outcome.status in REPEAT_STATUSES


def _backoff(attempt: int) -> float:
    """Exponential with full jitter: clients that failed together don't come back together."""
    most = min(_LONGEST_BACKOFF, _FIRST_BACKOFF * 2 ** (attempt - 1))
    return random.uniform(0, most)  # noqa: S311 (it guards nothing)  # nosec B311

"""State that outlives one call: first results of writes, cached reads, failures, counts.

It stands behind one small interface, so that several processes of one server can share it: a `store` in the team's
`hooks.py` takes the place of the one in memory.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Protocol

_MOST_ENTRIES = 10_000
_MOST_BYTES = 64 << 20


class Store(Protocol):
    """Values by key, each for a time. Keys and values are texts; every method is safe between processes that share it."""

    async def get(self, key: str) -> str | None:
        """The value, unless there is none or its time is over."""
        ...

    async def put(self, key: str, value: str, seconds: float) -> None:
        """Sets the value."""
        ...

    async def add(self, key: str, value: str, seconds: float) -> bool:
        """Sets the value unless there is one; whether it did. It is one step: of two at the same time one does."""
        ...

    async def increment(self, key: str, seconds: float) -> int:
        """Counts up from 0 and gives the new number. The time runs from the first count."""
        ...

    async def delete(self, key: str) -> None:
        """Forgets the value, if there is one."""
        ...


class MemoryStore:
    """The store of one process, bounded in entries and bytes: what was not used for longest goes first."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._entries: OrderedDict[str, tuple[str, float]] = OrderedDict()
        self._bytes = 0

    async def get(self, key: str) -> str | None:
        return self._get(key)

    async def put(self, key: str, value: str, seconds: float) -> None:
        self._put(key, value, self._clock() + seconds)

    async def add(self, key: str, value: str, seconds: float) -> bool:
        if self._get(key) is not None:
            return False
        self._put(key, value, self._clock() + seconds)
        return True

    async def increment(self, key: str, seconds: float) -> int:
        known = self._get(key)
        until = self._clock() + seconds if known is None else self._entries[key][1]
        count = int(known or 0) + 1
        self._put(key, str(count), until)
        return count

    async def delete(self, key: str) -> None:
        self._drop(key)

    def _get(self, key: str) -> str | None:
        found = self._entries.get(key)
        if found is None:
            return None
        if found[1] <= self._clock():
            self._drop(key)
            return None
        self._entries.move_to_end(key)
        return found[0]

    def _put(self, key: str, value: str, until: float) -> None:
        self._drop(key)
        self._entries[key] = (value, until)
        self._bytes += len(key) + len(value)
        while len(self._entries) > _MOST_ENTRIES or (self._bytes > _MOST_BYTES and len(self._entries) > 1):
            self._drop(next(iter(self._entries)))

    def _drop(self, key: str) -> None:
        found = self._entries.pop(key, None)
        if found is not None:
            self._bytes -= len(key) + len(found[0])

"""The store in memory: times, bounds, one step for `add`."""

from __future__ import annotations

import pytest

from mcpgen.runtime.memory import store as module
from mcpgen.runtime.memory.store import MemoryStore

pytestmark = pytest.mark.anyio


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


async def test_a_value_lives_for_its_time(clock) -> None:
    store = MemoryStore(clock)
    await store.put("a", "1", 10)
    clock.now += 9.9
    assert await store.get("a") == "1"
    clock.now += 0.2
    assert await store.get("a") is None


async def test_add_does_nothing_where_there_is_one(clock) -> None:
    store = MemoryStore(clock)
    assert await store.add("a", "1", 10)
    assert not await store.add("a", "2", 10)
    assert await store.get("a") == "1"
    clock.now += 11
    assert await store.add("a", "3", 10)


async def test_counting_keeps_the_time_of_the_first_count(clock) -> None:
    store = MemoryStore(clock)
    assert [await store.increment("n", 10) for _ in range(3)] == [1, 2, 3]
    clock.now += 9
    assert await store.increment("n", 10) == 4
    clock.now += 2
    assert await store.increment("n", 10) == 1


async def test_what_was_not_used_for_longest_goes_first(clock, monkeypatch) -> None:
    monkeypatch.setattr(module, "_MOST_ENTRIES", 2)
    store = MemoryStore(clock)
    await store.put("a", "1", 10)
    await store.put("b", "1", 10)
    await store.get("a")
    await store.put("c", "1", 10)
    assert [await store.get(key) for key in "abc"] == ["1", None, "1"]


async def test_bytes_are_bounded_and_freed(clock, monkeypatch) -> None:
    monkeypatch.setattr(module, "_MOST_BYTES", 100)
    store = MemoryStore(clock)
    for number in range(50):
        await store.put(f"k{number % 5}", "x" * 60, 10)
    assert await store.get("k4") == "x" * 60
    assert await store.get("k3") is None
    await store.delete("k4")
    await store.put("a", "y" * 40, 10)
    await store.put("b", "y" * 40, 10)
    assert await store.get("a") == "y" * 40

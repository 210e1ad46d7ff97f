"""Many projects at once: runs in processes of their own, and what two projects of a workspace must not share."""

from __future__ import annotations

import os
import signal
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Crash:
    """A run that ended by a fault of mcpgen, or whose process was ended from outside; `trace` is for its developers."""

    detail: str
    trace: str = ""


def default_workers() -> int:
    """One for each processor that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


def in_order(
    function: Callable[[Item], Result], items: Sequence[Item], workers: int
) -> Iterator[Result | Crash]:
    """The results of a function for items, in the order of the items, several computed at once.

    One item does not disturb another: an exception, even the end of a process, is the result of its own item only. The
    function and what it takes and gives must be picklable. On an interrupt, what has begun is finished first.
    """
    workers = min(workers, len(items))
    guarded = partial(_guarded, function)
    if workers <= 1:
        yield from map(guarded, items)
        return
    with _pool(workers) as pool:
        futures = [_submitted(pool, guarded, item) for item in items]
        try:
            for item, future in zip(items, futures, strict=True):
                found = _result(future)
                yield found if found is not None else _alone(guarded, item)
        finally:
            pool.shutdown(cancel_futures=True)


def _guarded(function: Callable[[Item], Result], item: Item) -> Result | Crash:
    try:
        return function(item)
    except Exception as error:
        return Crash(f"{type(error).__name__}: {error}", traceback.format_exc())


def _submitted(
    pool: ProcessPoolExecutor, guarded: Callable[[Item], Result | Crash], item: Item
) -> Future[Result | Crash] | None:
    try:
        return pool.submit(guarded, item)
    except BrokenProcessPool:
        return None


def _result(future: Future[Result | Crash] | None) -> Result | Crash | None:
    """What came of it; None where a process has died, which takes the results of all others along."""
    try:
        return future.result() if future is not None else None
    except BrokenProcessPool:
        return None


def _alone(guarded: Callable[[Item], Result | Crash], item: Item) -> Result | Crash:
    """The same once more in a process that dies alone, if it does."""
    with _pool(1) as pool:
        found = _result(_submitted(pool, guarded, item))
    return found if found is not None else Crash("its process was ended from outside; is memory short?")


def _pool(workers: int) -> ProcessPoolExecutor:
    """New processes, not copies of this one: copies of a process with threads can hang."""
    return ProcessPoolExecutor(workers, get_context("spawn"), _ignore_interrupts)


def _ignore_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


_INSTALLED = "only one of them can be installed in an environment"
_SHARED = {
    "package": ("Python package", _INSTALLED),
    "name": ("distribution name", _INSTALLED),
    "env_prefix": ("prefix of variables", "in one environment, both get the same settings and credentials"),
}


def clashes(names: Mapping[str, str], before: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[str, str]]:
    """What a project has in common with those before it, as (key of [project], what it is).

    Args:
        names: the project's `package`, `name` and `env_prefix`.
        before: the same of other projects, by project.
    """
    for key, (kind, reason) in _SHARED.items():
        others = [other for other, taken in before.items() if key in names and taken.get(key) == names[key]]
        if others:
            have = f"{' and '.join(others)} {'has' if len(others) == 1 else 'have'}"
            yield key, f"{have} the {kind} {names[key]} too; {reason}"

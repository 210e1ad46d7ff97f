"""Statistics of one process, and what is said about them at its end. Memory is bounded by the number of tools."""

from __future__ import annotations

import math
import random
import time
from array import array
from collections import Counter
from collections.abc import Iterable

from .events import Ended, Outcome

_SAMPLES = 512
"""Latencies kept for each tool: up to here percentiles are exact, beyond they are of a fair sample."""
_MOST_ROWS = 50


class ToolStats:
    """What has become of the calls of one tool."""

    __slots__ = ("calls", "drift", "failures", "latencies", "ok", "received", "retries", "sent")

    def __init__(self) -> None:
        self.calls = self.ok = self.retries = self.sent = self.received = self.drift = 0
        self.failures: Counter[str] = Counter()
        self.latencies = array("d")

    def add(self, ended: Ended) -> None:
        """Counts one call."""
        record = ended.record
        self.calls += 1
        if ended.outcome is Outcome.OK:
            self.ok += 1
        else:
            self.failures[ended.category or str(ended.outcome)] += 1
        self.retries += max(0, record.attempts - 1)
        self.sent += record.sent_bytes
        self.received += record.received_bytes
        self.drift += record.drift is not None
        if len(self.latencies) < _SAMPLES:
            self.latencies.append(ended.seconds)
            return
        # Algorithm R: every call has the same chance to stay.
        place = int(random.random() * self.calls)  # noqa: S311 (it guards nothing)  # nosec B311
        if place < _SAMPLES:
            self.latencies[place] = ended.seconds

    def percentile(self, share: float) -> float:
        """The latency in seconds that this share of the calls did not exceed (nearest rank)."""
        ordered = sorted(self.latencies)
        return ordered[max(0, math.ceil(len(ordered) * share) - 1)] if ordered else 0.0


class Stats:
    """Statistics by tool."""

    def __init__(self) -> None:
        self.tools: dict[str, ToolStats] = {}
        self._started = time.monotonic()

    def add(self, ended: Ended) -> None:
        """Counts one call of a tool that exists."""
        if ended.effect is not None:
            self.tools.setdefault(ended.tool, ToolStats()).add(ended)

    def summary(self, server: str) -> str:
        """A table for people, the most called tools first."""
        seconds = time.monotonic() - self._started
        calls = sum(tool.calls for tool in self.tools.values())
        failed = calls - sum(tool.ok for tool in self.tools.values())
        first = f"{server}: {calls} calls of {len(self.tools)} tools in {seconds:.0f} s, {failed} not ok"
        if not self.tools:
            return first
        ordered = sorted(self.tools.items(), key=lambda item: (-item[1].calls, item[0]))
        lines = [first, *_table([_HEAD, *(_row(name, tool) for name, tool in ordered[:_MOST_ROWS])])]
        if len(ordered) > _MOST_ROWS:
            lines.append(f"and {len(ordered) - _MOST_ROWS} more tools")
        return "\n".join(lines)


_HEAD = (
    "tool",
    "calls",
    "ok",
    "p50 ms",
    "p95 ms",
    "p99 ms",
    "retries",
    "sent",
    "received",
    "drift",
    "not ok",
)


def _row(name: str, tool: ToolStats) -> tuple[str, ...]:
    percentiles = (f"{tool.percentile(share) * 1000:.1f}" for share in (0.5, 0.95, 0.99))
    failures = ", ".join(f"{count} {what}" for what, count in tool.failures.most_common())
    counts = (str(number) for number in (tool.retries, tool.sent, tool.received, tool.drift))
    return (name, str(tool.calls), f"{tool.ok / tool.calls:.1%}", *percentiles, *counts, failures)


def _table(rows: list[tuple[str, ...]]) -> Iterable[str]:
    """Columns side by side: the first and the last to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *numbers, last in rows:
        aligned = (text.rjust(width) for text, width in zip(numbers, widths[1:-1], strict=True))
        yield "  ".join([name.ljust(widths[0]), *aligned, last]).rstrip()

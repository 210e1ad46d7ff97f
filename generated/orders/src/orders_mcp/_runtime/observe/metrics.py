"""Metrics of calls through OpenTelemetry. Attributes are names of tools and fixed words: their number is bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from opentelemetry.metrics import Meter

    from .events import Ended

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
_BYTES = (100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000)


class CallMetrics:
    """The instruments of one meter."""

    def __init__(self, meter: Meter) -> None:
        self._calls = meter.create_counter(
            "mcp.tool.calls", "{call}", "Calls by tool, effect, outcome and category"
        )
        self._retries = meter.create_counter(
            "mcp.tool.retries", "{request}", "Requests beyond a call's first"
        )
        self._drift = meter.create_counter("mcp.tool.drift", "{call}", "Answers that break their schema")
        self._in_flight = meter.create_up_down_counter(
            "mcp.tool.in_flight", "{call}", "Calls that are not over"
        )
        self._duration = meter.create_histogram(
            "mcp.tool.duration", "s", "How long calls took", explicit_bucket_boundaries_advisory=_SECONDS
        )
        self._sent = meter.create_histogram(
            "mcp.tool.request.size", "By", "Bytes sent to the API", explicit_bucket_boundaries_advisory=_BYTES
        )
        self._received = meter.create_histogram(
            "mcp.tool.response.size",
            "By",
            "Bytes received from the API",
            explicit_bucket_boundaries_advisory=_BYTES,
        )

    def began(self, tool: str) -> None:
        """A call of an API's tool has begun."""
        self._in_flight.add(1, {"tool": tool})

    def add(self, ended: Ended) -> None:
        """Counts one call of a tool that exists."""
        if ended.effect is None:
            return
        tool, record = {"tool": ended.tool}, ended.record
        told = {"effect": ended.effect, "outcome": str(ended.outcome), "category": ended.category or ""}
        self._calls.add(1, tool | told)
        self._duration.record(ended.seconds, tool)
        if ended.operation is None:
            return
        self._in_flight.add(-1, tool)
        if record.attempts:
            self._sent.record(record.sent_bytes, tool)
            self._received.record(record.received_bytes, tool)
        if record.attempts > 1:
            self._retries.add(record.attempts - 1, tool)
        if record.drift is not None:
            self._drift.add(1, tool)

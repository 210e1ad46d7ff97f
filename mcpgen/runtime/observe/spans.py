"""Traces: the client's trace goes on into the requests to the API (W3C Trace Context), with a span for each of them.

Only OpenTelemetry's API is used here. Without its SDK nothing is recorded, but a trace that the client has begun is
still passed on. Baggage is not: what a client writes there is not for the API.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from opentelemetry.trace import (
    Span,
    SpanKind,
    StatusCode,
    format_span_id,
    format_trace_id,
    get_current_span,
    get_tracer,
)
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

if TYPE_CHECKING:
    from ..transport.client import PreparedRequest
    from .events import Ended

SCOPE = "mcpgen.runtime"
_tracer = get_tracer(SCOPE)
_propagator = TraceContextTextMapPropagator()
_METHODS = frozenset(
    {"GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "QUERY"}
)


@dataclass(frozen=True, slots=True)
class RequestSpan:
    """One request to the API while it is under way."""

    _span: Span

    def carried_by(self, request: PreparedRequest) -> PreparedRequest:
        """The request with `traceparent` and `tracestate`, unless it has them by itself."""
        carrier: dict[str, str] = {}
        _propagator.inject(carrier)
        if not carrier or "traceparent" in request.headers:
            return request
        headers = request.headers.copy()
        headers.update(carrier)
        return replace(request, headers=headers)

    def answered(self, status: int) -> None:
        """The API has answered. For a client, statuses from 400 on are errors (HTTP semantic conventions)."""
        if self._span.is_recording():
            self._span.set_attribute("http.response.status_code", status)
            if status >= 400:
                self._span.set_attribute("error.type", str(status))
                self._span.set_status(StatusCode.ERROR)


@contextmanager
def request_span(method: str, url: str, number: int) -> Iterator[RequestSpan]:
    """A client span around one request. It has no path and no query: arguments and keys can be in them.

    Args:
        number: which of a call's requests it is, from 1 on.
    """
    name = method if method in _METHODS else "HTTP"
    with _tracer.start_as_current_span(
        name, kind=SpanKind.CLIENT, record_exception=False, set_status_on_exception=False
    ) as span:
        if span.is_recording():
            span.set_attributes(_attributes(method, url, number))
        try:
            yield RequestSpan(span)
        except BaseException as error:
            span.set_attribute("error.type", type(error).__qualname__)
            span.set_status(StatusCode.ERROR)
            raise


def _attributes(method: str, url: str, number: int) -> dict[str, Any]:
    parts = urlsplit(url)
    told: dict[str, Any] = {
        "http.request.method": method if method in _METHODS else "_OTHER",
        "url.scheme": parts.scheme,
        "server.address": parts.hostname or "",
        "server.port": parts.port or {"http": 80, "https": 443}.get(parts.scheme, 0),
    }
    if method not in _METHODS:
        told["http.request.method_original"] = method
    return told | ({"http.request.resend_count": number - 1} if number > 1 else {})


def current_traceparent() -> str | None:
    """The trace context of the call that is being answered, as a `traceparent` header has it."""
    context = get_current_span().get_span_context()
    if not context.is_valid:
        return None
    trace, span = format_trace_id(context.trace_id), format_span_id(context.span_id)
    return f"00-{trace}-{span}-{int(context.trace_flags) & 0xFF:02x}"


def tell_span(ended: Ended) -> None:
    """Adds what is known of a call to the server's span: how it ended, and how the log names it."""
    span = get_current_span()
    if span.is_recording():
        told = {
            "mcp.tool.effect": ended.effect,
            "mcp.tool.outcome": str(ended.outcome),
            "mcp.tool.category": ended.category,
            "mcp.tool.attempts": ended.record.attempts,
            "mcp.tool.source": ended.record.source,
            "mcp.tool.drift": ended.record.drift is not None,
            "mcp.tool.trace_id": ended.trace_id,
        }
        span.set_attributes({key: value for key, value in told.items() if value is not None})

"""Traces and metrics through OpenTelemetry: what is told, under which names, and what never is."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import httpx2
import pytest
from mcp import Client
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode
from starlette.applications import Starlette

from mcpgen.runtime import SettingsError
from mcpgen.runtime.app import App
from mcpgen.runtime.observe.prometheus import metrics_endpoint
from mcpgen.runtime.server import server_for

pytestmark = pytest.mark.anyio

TRACE = "0af7651916cd43dd8448eb211c80319c"


def of_kind(spans: InMemorySpanExporter, kind: SpanKind, start: str = "") -> Sequence[ReadableSpan]:
    found = (span for span in spans.get_finished_spans() if span.kind is kind and span.name.startswith(start))
    return sorted(found, key=lambda span: span.start_time or 0)


@pytest.fixture
def shop(build, op):
    auth = {"key": {"type": "apiKey", "in": "query", "name": "key", "env": {"key": "SHOP_KEY"}}}
    return build(
        auth,
        get_order=op(
            path="/orders/{order_id}",
            params=[("path", "order_id", {"type": "string"}, {})],
            data={"type": "object", "required": ["id"]},
            more={"security": [{"key": []}]},
        ),
        add_order=op(
            method="POST",
            path="/orders",
            effect="write",
            fields={"note": {"type": "string"}},
            body={"content_type": "application/json", "kind": "json", "required": False},
        ),
    )


async def test_the_clients_trace_goes_on_to_the_api(shop, spans, mode) -> None:
    shop.answer(httpx2.Response(503), httpx2.Response(200, json={"id": 1}))
    meta = {"traceparent": f"00-{TRACE}-b7ad6b7169203331-01", "tracestate": "vendor=x"}
    environ = {"SHOP_KEY": "key-in-the-query", "SHOP_RETRY_BUDGET": "5"}
    async with Client(shop.server(**environ), mode=mode) as client:
        await client.call_tool("get_order", {"order_id": "in-the-path"}, meta=meta)
    (served,) = of_kind(spans, SpanKind.SERVER, "tools/call")
    assert served.name == "tools/call get_order"
    first, second = (span for span in of_kind(spans, SpanKind.CLIENT) if span.name == "GET")
    for span, request in zip((first, second), shop.requests, strict=True):
        assert span.parent is not None
        assert served.context is not None
        assert span.parent.span_id == served.context.span_id
        assert span.context is not None
        sent = f"00-{span.context.trace_id:032x}-{span.context.span_id:016x}-"
        assert request.headers["traceparent"].startswith(sent)
        assert request.headers["tracestate"] == "vendor=x"
    assert first.attributes == {
        "http.request.method": "GET",
        "url.scheme": "https",
        "server.address": "api.example.com",
        "server.port": 443,
        "http.response.status_code": 503,
        "error.type": "503",
    }
    assert first.status.status_code is StatusCode.ERROR
    assert second.attributes is not None
    assert second.attributes["http.request.resend_count"] == 1
    assert second.status.status_code is StatusCode.UNSET
    assert served.attributes is not None
    told = {key: value for key, value in served.attributes.items() if key.startswith("mcp.tool.")}
    assert len(told.pop("mcp.tool.trace_id")) == 16
    assert told == {
        "mcp.tool.effect": "read",
        "mcp.tool.outcome": "ok",
        "mcp.tool.attempts": 2,
        "mcp.tool.drift": False,
    }
    text = "".join(span.to_json() for span in spans.get_finished_spans())
    assert "in-the-path" not in text
    assert "key-in-the-query" not in text


async def test_a_request_that_fails(shop, spans) -> None:
    shop.answer(httpx2.ConnectError("refused by key-in-the-query"))
    await shop.told("get_order", {"order_id": "1"}, SHOP_KEY="key-in-the-query", SHOP_RETRIES="0")
    (span,) = (span for span in of_kind(spans, SpanKind.CLIENT) if span.name == "GET")
    assert span.attributes is not None
    assert span.attributes["error.type"] == "Unreachable"
    assert (span.status.status_code, span.status.description, span.events) == (StatusCode.ERROR, None, ())
    (served,) = of_kind(spans, SpanKind.SERVER, "tools/call")
    assert served.attributes is not None
    assert served.attributes["mcp.tool.category"] == "transient"
    assert served.attributes["error.type"] == "tool_error"


async def test_a_trace_of_the_callers_own_request_stays(build, op) -> None:
    own = f"00-{TRACE}-00f067aa0ba902b7-00"
    package = build(get=op(params=[("header", "traceparent", {"type": "string"}, {})]))
    async with Client(package.server()) as client:
        await client.call_tool("get", {"traceparent": own}, meta={"traceparent": own.replace("00f0", "11f1")})
    assert package.sent.headers["traceparent"] == own


# -- metrics


async def scraped(app: App) -> str:
    route = metrics_endpoint(app)
    assert route is not None
    transport = httpx2.ASGITransport(app=Starlette(routes=[route]))
    async with httpx2.AsyncClient(transport=transport, base_url="http://test") as client:
        answer = await client.get("/metrics")
        assert (await client.post("/metrics")).status_code == 405
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=")
    return answer.text


@pytest.fixture
def started(shop):
    def start(**environ: str) -> App:
        return App.start(shop.name, environ, httpx2.MockTransport(shop._handle))

    return start


async def test_metrics_of_every_call(shop, started, mode) -> None:
    app = started(SHOP_METRICS="1", SHOP_KEY="key-in-the-query", SHOP_RETRY_BUDGET="5")
    shop.answer(
        httpx2.Response(503),
        httpx2.Response(200, json={"id": 1}),
        httpx2.Response(200, json={}),
        httpx2.Response(404),
        httpx2.Response(201),
    )
    async with Client(server_for(app), mode=mode) as client:
        for _ in range(3):
            await client.call_tool("get_order", {"order_id": "in-the-path"})
        await client.call_tool("add_order", {"note": "x"})
        with pytest.raises(Exception, match="Unknown tool"):
            await client.call_tool("no_such_tool", {})
    told = [line for line in (await scraped(app)).splitlines() if not line.startswith("#")]
    ok = 'category="",effect="read",outcome="ok",tool="get_order"'
    assert f"mcp_tool_calls_total{{{ok}}} 2.0" in told
    failed = 'category="not_found",effect="read",outcome="error",tool="get_order"'
    assert f"mcp_tool_calls_total{{{failed}}} 1.0" in told
    assert 'mcp_tool_retries_total{tool="get_order"} 1.0' in told
    assert 'mcp_tool_drift_total{tool="get_order"} 1.0' in told
    assert 'mcp_tool_in_flight{tool="get_order"} 0.0' in told
    assert 'mcp_tool_duration_seconds_count{tool="get_order"} 3.0' in told
    assert 'mcp_tool_request_size_bytes_sum{tool="add_order"} 12.0' in told
    assert any(line.startswith("target_info{") and 'service_name="shop-mcp"' in line for line in told)
    assert not any("no_such_tool" in line or "in-the" in line for line in told)


async def test_two_servers_in_one_process_count_for_themselves(shop, started) -> None:
    one, other = started(SHOP_METRICS="1"), started(SHOP_METRICS="1")
    async with Client(server_for(one)) as client:
        await client.call_tool("add_order", {})
    assert "mcp_tool_calls_total{" in await scraped(one)
    assert "mcp_tool_calls_total{" not in await scraped(other)
    one.finished()
    one.finished()


async def test_what_the_collector_wants_is_a_secret_too(started, monkeypatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20key-of-the-collector,x-a=b")
    app = started(SHOP_METRICS="1")
    assert app.redactor.text("said key-of-the-collector") == "said [redacted]"


async def test_no_endpoint_when_it_is_not_wanted(started) -> None:
    assert metrics_endpoint(started()) is None


@pytest.mark.parametrize(
    ("variable", "missing"), [("SHOP_TELEMETRY", "opentelemetry.sdk"), ("SHOP_METRICS", "prometheus")]
)
async def test_the_missing_extra_is_named(started, monkeypatch, variable, missing) -> None:
    real = importlib.import_module

    def load(name: str, *more: Any) -> Any:
        if missing in name:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return real(name, *more)

    monkeypatch.setattr("mcpgen.runtime.observe.providers.importlib.import_module", load)
    with pytest.raises(SettingsError, match=rf"{variable}: .*{missing}.* its extra `telemetry`"):
        started(**{variable: "1"})


@pytest.mark.parametrize(
    ("variable", "value", "told"),
    [
        (
            "OTEL_TRACES_EXPORTER",
            "zipkin",
            "OTEL_TRACES_EXPORTER: 'zipkin' is not one of otlp, console, none",
        ),
        ("OTEL_METRICS_EXPORTER", "prometheus", "OTEL_METRICS_EXPORTER: 'prometheus' is not one of"),
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", "OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' is not supported"),
        ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "grpc", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'grpc' is not"),
    ],
)
async def test_wrong_standard_variables_stop_the_start(started, monkeypatch, variable, value, told) -> None:
    for name in ("get_tracer_provider", "get_meter_provider"):
        module = "trace" if "tracer" in name else "metrics"
        monkeypatch.setattr(f"opentelemetry.{module}.{name}", lambda module=module: _stand_in(module))
    monkeypatch.setenv(variable, value)
    with pytest.raises(SettingsError, match=f"SHOP_TELEMETRY: {told}"):
        started(SHOP_TELEMETRY="1")


def _stand_in(module: str) -> object:
    return type("Proxy", (), {"__module__": f"opentelemetry.{module}"})()


async def test_with_everything_off_nothing_of_it_is_imported(shop) -> None:
    code = (
        "import sys; from mcpgen.runtime.app import App; from mcpgen.runtime.server import server_for\n"
        f"server_for(App.start({shop.name!r}, {{}}))\n"
        "heavy = ('opentelemetry.sdk', 'opentelemetry.metrics', 'opentelemetry.exporter', 'prometheus_client')\n"
        "heavy += ('mcpgen.runtime.observe.audit', 'mcpgen.runtime.observe.stats', 'mcpgen.runtime.observe.replay')\n"
        "print([name for name in sys.modules if name.startswith(heavy)])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": ":".join([str(shop.root.parent), *sys.path])},
    )
    assert done.stdout.strip() == "[]"

"""Real processes: the summary at the end, one audit file of several servers, metrics over HTTP, telemetry, commands."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

SPEC = {
    "openapi": "3.1.0",
    "info": {"title": "Shop", "version": "1"},
    "servers": [{"url": "https://shop.example"}],
    "security": [{"key": []}],
    "components": {"securitySchemes": {"key": {"type": "apiKey", "in": "query", "name": "key"}}},
    "paths": {
        "/orders/{id}": {
            "get": {
                "operationId": "getOrder",
                "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}],
                "responses": {
                    "200": {
                        "description": "The order.",
                        "content": {
                            "application/json": {
                                "schema": {
                                    "type": "object",
                                    "required": ["id"],
                                    "properties": {"id": {"type": "string"}},
                                }
                            }
                        },
                    }
                },
            }
        }
    },
}


class Api(ThreadingHTTPServer):
    """An API, and a collector of OpenTelemetry's messages beside it."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.seen: list[tuple[str, dict[str, str], bytes]] = []
        self.answer: dict[str, Any] = {"id": "1"}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Api

    def do_GET(self) -> None:
        content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.seen.append((self.path, {k.lower(): v for k, v in self.headers.items()}, content))
        body = b"" if self.path.startswith("/v1/") else json.dumps(self.server.answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def api() -> Iterator[Api]:
    server = Api()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / "shop.json").write_text(json.dumps(SPEC))
    command = [
        sys.executable,
        "-m",
        "mcpgen",
        "generate",
        str(folder / "shop.json"),
        "-o",
        str(folder / "out"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "out"


@pytest.fixture
def environ(project: Path, api: Api, tmp_path: Path) -> dict[str, str]:
    kept = {
        k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy") and not k.startswith("OTEL_")
    }
    paths = os.pathsep.join([str(project / "src"), *sys.path])
    return kept | {
        "PYTHONPATH": paths,
        "SHOP_BASE_URL": api.url,
        "SHOP_KEY": "key-of-the-shop",
        "SHOP_AUDIT": str(tmp_path / "audit.jsonl"),
    }


def lines(environ: dict[str, str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(environ["SHOP_AUDIT"]).read_text("utf-8").splitlines()]


async def _over_stdio(environ: dict[str, str], calls: int, errors: Any, mode: str = "auto") -> None:
    parameters = StdioServerParameters(command=sys.executable, args=["-m", "shop_mcp"], env=environ)
    async with Client(stdio_client(parameters, errlog=errors), mode=mode) as client:
        for number in range(calls):
            await client.call_tool("get_order", {"id": str(number)})


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_summary_when_the_input_ends(environ, tmp_path, mode) -> None:
    with (tmp_path / "log").open("w+") as log:
        anyio.run(_over_stdio, environ | {"SHOP_SUMMARY": "1"}, 3, log, mode)
        log.seek(0)
        told = log.read().splitlines()
    assert told[0].startswith("shop-mcp: 3 calls of 1 tools in ")
    assert told[2].split()[:3] == ["get_order", "3", "100.0%"]
    assert [line["received_bytes"] for line in lines(environ)] == [len(b'{"id": "1"}')] * 3


@pytest.mark.skipif(os.name == "nt", reason="no such signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_summary_at_a_signal(environ, number) -> None:
    command = [sys.executable, "-m", "shop_mcp"]
    with subprocess.Popen(
        command,
        env=environ | {"SHOP_SUMMARY": "1", "SHOP_LOG_LEVEL": "INFO"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        process.stdin.flush()
        process.stdout.readline()  # it is up
        process.send_signal(number)
        told = process.stderr.read()
        assert process.wait(20) == 0
    assert "shop-mcp: 0 calls of 0 tools" in told


def test_several_servers_share_one_audit(environ, tmp_path) -> None:
    async def several() -> None:
        with (tmp_path / "log").open("w") as log:
            async with anyio.create_task_group() as group:
                for _ in range(3):
                    group.start_soon(_over_stdio, environ, 10, log)

    anyio.run(several)
    assert len(lines(environ)) == 30


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@contextmanager
def _serving(environ: dict[str, str], log: Path) -> Iterator[str]:
    port = _free_port()
    command = [sys.executable, "-m", "shop_mcp", "--transport", "http", "--port", str(port)]
    with log.open("w") as errors, subprocess.Popen(command, env=environ, stderr=errors) as process:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(20)
    assert process.returncode == 0


async def _over_http(url: str, mode: str) -> None:
    async with (
        httpx2.AsyncClient(trust_env=False) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode) as client,
    ):
        await client.call_tool("get_order", {"id": "1"}, meta={"traceparent": TRACE})


TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def test_metrics_and_summary_over_http(environ, tmp_path) -> None:
    with _serving(environ | {"SHOP_METRICS": "1", "SHOP_SUMMARY": "1"}, tmp_path / "log") as url:
        for mode in ("auto", "legacy"):
            anyio.run(_over_http, f"{url}/mcp", mode)
        told = httpx2.get(f"{url}/metrics", trust_env=False).text
    calls = 'mcp_tool_calls_total{category="",effect="read",outcome="ok",tool="get_order"} 2.0'
    assert calls in told.splitlines()
    assert "mcp_tool_response_size_bytes_sum{" in told
    assert "key-of-the-shop" not in told
    assert (tmp_path / "log").read_text().startswith("shop-mcp: 2 calls of 1 tools in ")


def test_without_metrics_there_is_no_endpoint(environ, tmp_path) -> None:
    with _serving(environ, tmp_path / "log") as url:
        assert httpx2.get(f"{url}/metrics", trust_env=False).status_code == 404


def test_telemetry_is_sent_where_the_standard_variables_say(environ, api, tmp_path) -> None:
    more = {
        "SHOP_TELEMETRY": "1",
        "OTEL_EXPORTER_OTLP_ENDPOINT": api.url,
        "OTEL_RESOURCE_ATTRIBUTES": "deployment.environment=test",
    }
    with _serving(environ | more, tmp_path / "log") as url:
        anyio.run(_over_http, f"{url}/mcp", "auto")
    sent = {path: content for path, _, content in api.seen if path.startswith("/v1/")}
    assert set(sent) == {"/v1/traces", "/v1/metrics"}
    for word in (
        b"tools/call get_order",
        b"shop-mcp",
        b"deployment.environment",
        b"http.response.status_code",
    ):
        assert word in sent["/v1/traces"]
    assert b"mcp.tool.calls" in sent["/v1/metrics"]
    trace_id = TRACE.split("-")[1]
    assert bytes.fromhex(trace_id) in sent["/v1/traces"]
    (request,) = [headers for path, headers, _ in api.seen if path.startswith("/orders")]
    assert request["traceparent"].split("-")[1] == trace_id
    assert request["traceparent"].split("-")[2] != TRACE.split("-")[2]
    assert lines(environ)[0]["traceparent"].split("-")[1] == trace_id
    assert not any(b"key-of-the-shop" in content for content in sent.values())


def test_spans_for_the_console_leave_the_protocol_alone(environ, tmp_path) -> None:
    more = {"SHOP_TELEMETRY": "1", "OTEL_TRACES_EXPORTER": "console", "OTEL_METRICS_EXPORTER": "none"}
    with (tmp_path / "log").open("w+") as log:
        anyio.run(_over_stdio, environ | more, 1, log)
        log.seek(0)
        told = log.read()
    assert '"name": "tools/call get_order"' in told
    assert "key-of-the-shop" not in told


def test_drift_and_replay(environ, api, tmp_path) -> None:
    api.answer = {"id": 1}
    with (tmp_path / "log").open("w") as log:
        anyio.run(_over_stdio, environ, 2, log)

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "shop_mcp", *words, environ["SHOP_AUDIT"]]
        return subprocess.run(command, env=environ, capture_output=True, text=True, check=False)

    drift = run("drift")
    assert (drift.returncode, drift.stderr) == (1, "")
    assert drift.stdout.splitlines()[0] == "get_order  GET /orders/{id}"
    assert "       2  /id  type" in drift.stdout
    same = run("replay")
    assert (same.returncode, same.stdout) == (0, "2 reads made again, 0 different\n")
    api.answer = {"id": "1"}
    different = run("replay")
    assert different.returncode == 1
    assert '  schema: removed "broken"\n  data /id: 1 -> "1"' in different.stdout
    assert len(lines(environ)) == 2

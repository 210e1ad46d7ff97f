"""Real processes: standard input and output, Streamable HTTP, options and settings, a clean stop."""

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
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

pytestmark = pytest.mark.anyio


class _Api(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.server.lines.append((self.raw_requestline.decode(), dict(self.headers)))  # type: ignore[attr-defined]
        body = json.dumps({"id": 2**60}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def api() -> Iterator[ThreadingHTTPServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Api)
    server.lines = []  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def package(build, op):
    auth = {"token": {"type": "http", "scheme": "bearer", "env": {"token": "SHOP_TOKEN"}}}
    return build(
        auth,
        get_thing=op(
            path="/things/{thing_id}",
            params=[("path", "thing_id", {"type": "string"}, {})],
            required=["thing_id"],
            more={"security": [{"token": []}]},
        ),
        drop_thing=op(method="DELETE", effect="destructive"),
    )


def environment(package, api: ThreadingHTTPServer | None = None, **more: str) -> dict[str, str]:
    paths = [str(package.root.parent), *sys.path]
    kept = {key: value for key, value in os.environ.items() if not key.lower().endswith("_proxy")}
    base = {"SHOP_BASE_URL": f"http://127.0.0.1:{api.server_address[1]}/v2/"} if api else {}
    return kept | {"PYTHONPATH": os.pathsep.join(paths), "SHOP_TOKEN": "backend-token"} | base | more


def run(package, *options: str, **environ: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", package.name, *options]
    env = environment(package, **environ)
    return subprocess.run(
        command, check=False, env=env, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL
    )


async def test_stdio(package, api, mode) -> None:
    parameters = StdioServerParameters(
        command=sys.executable, args=["-m", package.name], env=environment(package, api)
    )
    async with Client(stdio_client(parameters), mode=mode) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["get_thing"]
        result = await client.call_tool("get_thing", {"thing_id": "ž {x}"})
    assert result.structured_content == {"ok": True, "data": {"id": 2**60}}
    assert api.lines[0][0] == "GET /v2/things/%C5%BE%20%7Bx%7D HTTP/1.1\r\n"
    assert api.lines[0][1]["Authorization"] == "Bearer backend-token"


UNREADABLE = {
    "a lone surrogate": (r'{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":"\ud800"}}', -32700, 7),
    "at the end": (r'{"method":"ping","params":{"id":1,"a":"\ud800"},"jsonrpc":"2.0","id":"x"}', -32700, "x"),
    "a long number": (
        '{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":' + "9" * 5000 + "}}",
        -32700,
        7,
    ),
    "nested": (
        '{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":' + "[" * 9000 + "]" * 9000 + "}}",
        -32700,
        7,
    ),
    "an id inside": ('{"params":{"id":7,"a":' + "[" * 9000 + "]" * 9000 + '},"id":8}', -32700, None),
    "cut off": ('{"jsonrpc":"2.0","method":"ping","params":{"id":7}', -32700, None),
    "no JSON": ("GET / HTTP/1.1", -32700, None),
    "a list": ('[{"jsonrpc":"2.0","id":7,"method":"ping"}]', -32600, None),
    "another version": ('{"jsonrpc":"1.0","id":7,"method":"ping"}', -32600, 7),
    "a wrong response": ('{"jsonrpc":"2.0","id":3,"result":5}', -32600, None),
    "a cut response": ('{"jsonrpc":"2.0","id":3,"result":{', -32700, None),
    "an id of a surrogate": (r'{"jsonrpc":"2.0","id":"\ud800","method":"ping"}', -32700, None),
    "a long id": (
        '{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping","params":{"a":"\\ud800"}}',
        -32700,
        None,
    ),
    "no message": ('{"id":7,"method":5}', -32600, 7),
}


def test_every_line_of_the_input_is_answered(package) -> None:
    """What is no message too, under the id of its request where that is sure (JSON-RPC 2.0, 5.1)."""
    lines = [line for line, _, _ in UNREADABLE.values()]
    done = subprocess.run(
        [sys.executable, "-m", package.name],
        check=True,
        env=environment(package),
        capture_output=True,
        text=True,
        timeout=60,
        input="\n".join([*lines, '{"jsonrpc":"2.0","id":99,"method":"ping"}']) + "\n",
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    errors = [(answer["error"]["code"], answer["id"]) for answer in answers if "error" in answer]
    assert errors == [(code, told) for _, code, told in UNREADABLE.values()]
    assert [answer["id"] for answer in answers if "result" in answer] == [99]


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


async def test_http(package, api) -> None:
    port = free_port()
    command = [sys.executable, "-m", package.name, "--transport", "http", "--port", str(port)]
    process = subprocess.Popen(command, env=environment(package, api), stdout=subprocess.PIPE)
    try:
        url = f"http://127.0.0.1:{port}/mcp"
        wait_for(port)
        for mode in ("auto", "legacy"):
            headers = {"Authorization": "Bearer of-the-client", "Cookie": "sid=1"}
            async with (
                httpx2.AsyncClient(headers=headers, trust_env=False) as http,
                Client(streamable_http_client(url, http_client=http), mode=mode) as client,
            ):
                result = await client.call_tool("get_thing", {"thing_id": "1"})
            assert result.structured_content == {"ok": True, "data": {"id": 2**60}}
        foreign = httpx2.post(url, json={}, headers={"Host": "evil.example"}, trust_env=False)
        assert foreign.status_code == 421
    finally:
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate(timeout=20)
    assert process.returncode == 0
    assert output == b""
    sent = [headers for _, headers in api.lines]
    assert {headers["Authorization"] for headers in sent} == {"Bearer backend-token"}
    assert not any("Cookie" in headers or "mcp-session-id" in headers for headers in sent)


def wait_for(port: int) -> None:
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("the server does not listen")


def test_wrong_settings_are_named_at_the_start(package) -> None:
    done = run(package, SHOP_ALLOW_EFFECTS="read,wirte", SHOP_TOOLSETS="thing", SHOP_PAGE_SIZE="many")
    assert done.returncode == 2
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert len(lines) == 3
    assert (
        "SHOP_ALLOW_EFFECTS: 'wirte' is not one of read, write, destructive (did you mean 'write'?)"
        in lines[0]
    )
    assert "(did you mean 'things'?)" in lines[2]


def test_listening_beyond_loopback_needs_allowed_hosts(package) -> None:
    done = run(package, "--transport", "http", "--host", "0.0.0.0")
    assert done.returncode == 2
    assert "SHOP_ALLOWED_HOSTS" in done.stderr


def test_end_of_input_ends_the_server(package) -> None:
    done = run(package)
    assert (done.returncode, done.stdout) == (0, "")


def test_a_signal_stops_the_stdio_server_without_a_traceback(package) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", package.name],
        env=environment(package, SHOP_LOG_LEVEL="INFO"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert b"registered" in process.stderr.readline()
    process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    process.stdin.flush()
    process.stdout.readline()  # it is up
    process.send_signal(signal.SIGINT)
    output, log = process.communicate(timeout=20)
    assert process.returncode == 0
    assert output == b""
    assert b"Traceback" not in log

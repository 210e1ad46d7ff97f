"""How a server ends: calls in flight are finished and answered, new ones not taken, and nothing keeps it from ending."""

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
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

from mcpgen.runtime.app import App
from mcpgen.runtime.server import server_for
from mcpgen.runtime.serving import http
from mcpgen.runtime.serving.traffic import until

from .http_serving import MODERN, Peer, Served, modern, peer_running, serving


@pytest.fixture
def peer(monkeypatch):
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    with peer_running() as found:
        yield found
        if found.pause is not None:
            found.pause.set()


@pytest.fixture
def package(build, op):
    return build(get_thing=op())


def soon(condition: Any, what: str) -> None:
    for _ in range(1000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError(what)


def reached(peer: Peer) -> bool:
    return peer.count("/api/things") > 0


def refuses_connections(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


@pytest.fixture
def slow(peer) -> threading.Event:
    """The API answers when this is set."""
    peer.pause = threading.Event()
    return peer.pause


class Calling(threading.Thread):
    """A call of a client in a thread of its own."""

    def __init__(self, served: Served, token: str | None, mode: str) -> None:
        super().__init__(daemon=True)
        self.found: Any = None
        self._call = (served, token, mode)
        self.start()

    def run(self) -> None:
        served, token, mode = self._call
        try:
            self.found = anyio.run(served.call, token, "get_thing", None, mode)
        except (Exception, BaseExceptionGroup) as error:
            self.found = error


def test_a_call_in_flight_is_finished(package, peer, slow, mode) -> None:
    with serving(package, peer) as served:
        token = served.token()
        assert served.http.get(served.base + "/readyz").status_code == 200  # this connection is kept
        calling = Calling(served, token, mode)
        soon(lambda: reached(peer), "the call has not come through")
        served.runner.handle_exit(signal.SIGTERM, None)
        soon(lambda: refuses_connections(served.port), "it still takes connections")
        assert served.http.get(served.base + "/readyz").status_code == 503
        assert served.http.get(served.base + "/healthz").status_code == 200
        late = served.post(token).json()["result"]["structuredContent"]
        assert (late["category"], late["retryable"]) == ("transient", True)
        assert peer.count("/api/things") == 1
        assert served.thread.is_alive()
        slow.set()
        calling.join(10)
        assert calling.found == {"ok": True, "data": {"id": 7}}
        served.thread.join(10)
        assert not served.thread.is_alive()


def test_a_call_that_takes_too_long_is_cancelled(package, peer, slow, mode, caplog, monkeypatch) -> None:
    monkeypatch.setattr(http, "_LAST_BYTES", 0.1)
    with serving(package, peer, SHOP_HTTP_DRAIN="0.1") as served:
        calling = Calling(served, served.token(), mode)
        soon(lambda: reached(peer), "the call has not come through")
        served.runner.handle_exit(signal.SIGTERM, None)
        served.thread.join(10)
        assert not served.thread.is_alive()
        calling.join(10)
        assert not isinstance(calling.found, dict) or not calling.found["ok"]
        assert "took too long" in caplog.text
        assert served.app.traffic.idle
        assert "Traceback" not in caplog.text


def test_open_streams_do_not_keep_it(package, peer) -> None:
    hello = {
        "jsonrpc": "2.0",
        "id": 0,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "x", "version": "1"},
        },
    }
    with serving(package, peer, tokens=False, SHOP_HTTP_DRAIN="60") as served:
        accept = {"Accept": "application/json, text/event-stream"}
        opened = served.http.post(served.url, json=hello, headers=accept)
        accept["Mcp-Session-Id"] = opened.headers["mcp-session-id"]
        with served.http.stream("GET", served.url, headers=accept) as stream:
            assert stream.status_code == 200
            served.runner.handle_exit(signal.SIGTERM, None)
            served.thread.join(10)
            assert not served.thread.is_alive()


# -- processes


@contextmanager
def process(package: Any, *options: str, **environ: str) -> Iterator[subprocess.Popen[bytes]]:
    kept = {key: value for key, value in os.environ.items() if not key.lower().endswith("_proxy")}
    kept["PYTHONPATH"] = os.pathsep.join([str(package.root.parent), *sys.path])
    running = subprocess.Popen(
        [sys.executable, "-m", package.name, *options],
        env=kept | {"SHOP_LOG_LEVEL": "INFO", "SHOP_SUMMARY": "1"} | environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        yield running
    finally:
        running.kill()
        running.communicate()


def said(running: subprocess.Popen[bytes], word: bytes) -> bytes:
    """Reads the log up to a line with this word."""
    assert running.stderr is not None
    for line in running.stderr:
        if word in line:
            return line
    raise AssertionError(f"{word!r} was not said")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_process_when_its_call_is_done(package, peer, slow, number) -> None:
    base = {"SHOP_BASE_URL": f"{peer.url}/api", "SHOP_HTTP_DRAIN": "60"}
    with process(package, "--transport", "http", "--port", "0", **base) as running:
        said(running, b"tools are registered")
        url = said(running, b"serving MCP at").split()[-1].decode()
        found: list[Any] = []
        headers = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": "get_thing"}
        headers["Accept"] = "application/json, text/event-stream"

        def call() -> None:
            body = modern("tools/call", "get_thing")
            found.append(httpx2.post(url, json=body, headers=headers, timeout=20, trust_env=False).json())

        calling = threading.Thread(target=call, daemon=True)
        calling.start()
        soon(lambda: reached(peer), "the call has not come through")
        running.send_signal(number)
        said(running, b"ending")
        assert running.poll() is None
        if number == signal.SIGTERM:
            slow.set()
        else:
            running.send_signal(number)  # a second one does not wait
        output, log = running.communicate(timeout=10)
        assert (running.returncode, output) == (0, b"")
        assert b"Traceback" not in log
        assert b"1 calls of 1 tools" in log  # the summary, also of a call that was cut off
        calling.join(10)
        if number == signal.SIGTERM:
            assert found[0]["result"]["structuredContent"]["ok"]
        else:
            assert found[0]["error"] == "temporarily_unavailable"


def line(message: dict[str, Any]) -> bytes:
    return json.dumps(message).encode() + b"\n"


def legacy_lines() -> bytes:
    """A client of 2025-11-25 says hello and calls, all in one go."""
    client = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "x", "version": "1"},
    }
    hello = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": client}
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "get_thing", "arguments": {}},
    }
    return line(hello) + line(ready) + line(call)


def answers(output: bytes) -> dict[int, Any]:
    return {told["id"]: told for told in map(json.loads, output.splitlines()) if "id" in told}


@pytest.mark.parametrize(("era", "end"), [("modern", "signal"), ("legacy", "input")])
def test_over_standard_input_a_call_in_flight_is_finished(package, peer, slow, era, end) -> None:
    sent = line(modern("tools/call", "get_thing")) if era == "modern" else legacy_lines()
    with process(package, SHOP_BASE_URL=f"{peer.url}/api", SHOP_HTTP_DRAIN="60") as running:
        assert running.stdin is not None
        running.stdin.write(sent)
        running.stdin.flush()
        if end == "input":
            close_input(running)
        soon(lambda: reached(peer), "the call has not come through")
        if end == "signal":
            running.send_signal(signal.SIGTERM)
            said(running, b"stopped by signal")
        slow.set()
        output, log = running_out(running, 10)
        assert running.returncode == 0
        assert answers(output)[1]["result"]["structuredContent"] == {"ok": True, "data": {"id": 7}}
        assert b"Traceback" not in log
        assert b"1 calls of 1 tools" in log


def close_input(running: subprocess.Popen[bytes]) -> None:
    assert running.stdin is not None
    running.stdin.close()
    running.stdin = None


def running_out(running: subprocess.Popen[bytes], timeout: float) -> tuple[bytes, bytes]:
    """Waits for the end; the input stays as it is."""
    running.wait(timeout)
    assert running.stdout is not None
    assert running.stderr is not None
    return running.stdout.read(), running.stderr.read()


def test_over_standard_input_whoever_insists_need_not_wait(package, peer, slow) -> None:
    with process(package, SHOP_BASE_URL=f"{peer.url}/api", SHOP_HTTP_DRAIN="60") as running:
        assert running.stdin is not None
        running.stdin.write(line(modern("tools/call", "get_thing")))
        running.stdin.flush()
        soon(lambda: reached(peer), "the call has not come through")
        for number in (signal.SIGTERM, signal.SIGINT):
            running.send_signal(number)
            said(running, b"stopped by signal %d" % number)
        output, _ = running_out(running, 10)
        assert (running.returncode, output) == (0, b"")


def test_a_cancelled_call_is_not_waited_for(package, peer, slow) -> None:
    with process(package, SHOP_BASE_URL=f"{peer.url}/api", SHOP_HTTP_DRAIN="60") as running:
        assert running.stdin is not None
        running.stdin.write(legacy_lines())
        running.stdin.flush()
        soon(lambda: reached(peer), "the call has not come through")
        cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
        running.stdin.write(line(cancel))
        close_input(running)
        output, _ = running_out(running, 10)
        assert running.returncode == 0
        assert 1 not in answers(output)


# -- the parts


@pytest.mark.anyio
async def test_a_call_is_refused_when_the_server_is_about_to_end(package, mode) -> None:
    server = package.server()
    ending = App.start(package.name, {})
    ending.traffic.ending = True
    async with Client(server_for(ending), mode=mode) as client:
        told = (await client.call_tool("get_thing", {})).structured_content
        assert (told["category"], told["retryable"]) == ("transient", True)
        with pytest.raises(MCPError):
            await client.call_tool("nope", {})
    async with Client(server, mode=mode) as client:
        assert (await client.call_tool("get_thing", {})).structured_content["ok"]


def test_what_is_left_to_do_at_the_end_is_done_once(package, caplog) -> None:
    app, done = App.start(package.name, {}), []
    app.at_end += [lambda: done.append(1), lambda: 1 // 0, lambda: done.append(2)]
    app.finished()
    app.finished()
    assert done == [1, 2]
    assert "ZeroDivisionError" in caplog.text


@pytest.mark.anyio
async def test_waiting_ends_in_time() -> None:
    assert await until(lambda: True, 0)
    assert not await until(lambda: False, 0.05)


@pytest.mark.anyio
async def test_a_client_that_leaves_does_not_stop_others(package, peer, slow, mode) -> None:
    with serving(package, peer) as served:
        headers = {"Authorization": f"Bearer {served.token()}"}

        async def leave() -> None:
            async with (
                httpx2.AsyncClient(headers=headers, trust_env=False, timeout=20) as web,
                Client(streamable_http_client(served.url, http_client=web), mode=mode) as client,
                anyio.create_task_group() as group,
            ):
                group.start_soon(client.call_tool, "get_thing", {})
                assert await until(lambda: reached(peer), 10)
                group.cancel_scope.cancel()

        await leave()
        assert peer.count("/api/things") == 1
        slow.set()
        assert (await served.call(served.token(), mode=mode))["ok"]
        assert await until(lambda: served.app.traffic.idle, 5)

"""The server as people start it: a process over standard input, in each era, and one over HTTP."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal
from harness import CATALOG, ERAS, PACKAGE, Era, Session, environment
from mcp import Client

NOW = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}
MESSAGES: dict[Era, list[dict[str, Any]]] = {
    "auto": [
        {"id": 1, "method": "server/discover", "params": {"_meta": NOW}},
        {"id": 2, "method": "tools/list", "params": {"_meta": NOW}},
    ],
    "legacy": [
        {"id": 1, "method": "initialize", "params": HELLO},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
    ],
}
TOOLS = {tool["name"] for tool in CATALOG["tools"]}
Processes = dict[str, subprocess.Popen[str]]


@pytest.fixture(scope="module")
def processes() -> Iterator[Processes]:
    """They start side by side, because most of what a test needs is their imports."""
    env = os.environ | environment(LOG_LEVEL="INFO") | {"PYTHONPATH": os.pathsep.join(sys.path)}
    started: Processes = {}
    try:
        for name in (*ERAS, "http"):
            options = ["--transport", "http", "--port", "0"] if name == "http" else []
            started[name] = subprocess.Popen(
                [sys.executable, "-m", PACKAGE, *options],
                env=env,
                text=True,
                encoding="utf-8",
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        yield started
    finally:
        for process in started.values():
            process.kill()
            process.communicate()


@pytest.mark.parametrize("era", ERAS)
def test_it_serves_over_standard_input(era: Era, processes: Processes) -> None:
    """Standard output has the protocol only, and the process ends with its input."""
    lines = "".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in MESSAGES[era])

    written, log = processes[era].communicate(lines, timeout=60)

    assert processes[era].returncode == 0, log
    answers = {answer["id"]: answer["result"] for answer in map(json.loads, written.splitlines())}
    assert answers.keys() == {1, 2}
    assert {tool["name"] for tool in answers[2]["tools"]} >= TOOLS


def test_it_serves_over_http(
    processes: Processes, portal: BlockingPortal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a free port of this machine, for both eras, until it is told to end."""
    for name in ("no_proxy", "NO_PROXY"):  # the one in small letters wins where both are set
        monkeypatch.setenv(name, "127.0.0.1")
    process = processes["http"]
    assert process.stderr is not None
    addresses = (re.search(r"http://127\.0\.0\.1:\d+/mcp", line) for line in process.stderr)
    found = next((address for address in addresses if address is not None), None)
    assert found is not None, "it ended without saying where it serves"
    for era in ERAS:
        with portal.wrap_async_context_manager(Client(found[0], mode=era)) as client:
            assert {tool["name"] for tool in Session(portal, client).tools()} >= TOOLS
    process.terminate()
    process.communicate(timeout=60)
    assert os.name == "nt" or process.returncode == 0

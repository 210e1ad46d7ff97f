"""A generated server with overrides and a tool of the team: what its client sees, and what reaches a real API."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from mcpgen.config import load_config
from mcpgen.diagnostics import Collector
from mcpgen.pipeline import GenerateRequest, generate

TEXT: dict[str, Any] = {"type": "string"}
OK: dict[str, Any] = {
    "200": {"description": "ok", "content": {"application/json": {"schema": {"type": "object"}}}}
}
SPEC = {
    "openapi": "3.1.0",
    "info": {"title": "Shop", "version": "1"},
    "servers": [{"url": "https://shop.example"}],
    "paths": {
        "/{tenant}/orders/{id}": {
            "put": {
                "operationId": "putOrder",
                "summary": "Change an order",
                "parameters": [
                    {"name": "tenant", "in": "path", "required": True, "schema": TEXT},
                    {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}},
                    {"name": "mode", "in": "query", "schema": TEXT},
                    {"name": "tags", "in": "query", "schema": {"type": "array", "items": TEXT}},
                    {"name": "X-Client", "in": "header", "schema": TEXT},
                    {"name": "sid", "in": "cookie", "schema": TEXT},
                ],
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/json": {
                            "schema": {
                                "type": "object",
                                "required": ["id", "note"],
                                "properties": {
                                    "id": TEXT,
                                    "note": TEXT,
                                    "count": {"type": "integer"},
                                    "extra": {"type": "object"},
                                },
                            }
                        }
                    },
                },
                "responses": OK,
            }
        }
    },
}
CONFIG = """
[operations.putOrder]
name = "change_order"
title = "Change an order of ours"
icons = [{ src = "data:image/png;base64,AAAA" }]
_meta = { "com.example/team" = "shop" }
[operations.putOrder.arguments]
tenant = { fixed = "a/b" }
"path:id" = { name = "number" }
"body:id" = { fixed = "fixed-id" }
mode = { default = "fast" }
tags = { hidden = true, default = ["x", "y"] }
X-Client = { fixed = "mcp" }
sid = { default = "s1" }
note = { name = "remark", description = "What to remember." }
count = { default = 3 }
extra = { fixed = { deep = [1, "two", true] } }
"""
HOOKS = '''
from __future__ import annotations

from ._runtime import Call, Result, tool


@tool(effect="write", title="Mark orders")
async def mark_orders(call: Call, *, numbers: list[int], remark: str = "marked") -> Result[int]:
    """Writes the same remark to several orders."""
    for number in numbers:
        result = await call.use("change_order", {"number": number, "remark": remark})
        if not result.ok:
            return result
    return Result(data=len(numbers))
'''


class _Handler(BaseHTTPRequestHandler):
    def do_PUT(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        seen: list[Any] = self.server.seen  # type: ignore[attr-defined]
        seen.append((self.path, self.headers["X-Client"], self.headers["Cookie"], body))
        answer = b'{"done": true}'
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: Any) -> None:
        """Nothing: standard error is the test's."""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shop")
    (folder / "mcpgen.toml").write_text(CONFIG, "utf-8")
    collector = Collector()
    request = GenerateRequest(
        spec="-",
        output=folder / "out",
        stdin=json.dumps(SPEC).encode(),
        config=load_config(folder / "mcpgen.toml", collector),
    )
    outcome = generate(request, collector)
    assert not outcome.refused, outcome.diagnostics
    (folder / "out/src/shop_mcp/hooks.py").write_text(HOOKS, "utf-8")
    return folder / "out"


@pytest.fixture
def api() -> Iterator[ThreadingHTTPServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.seen = []  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def test_what_is_said_is_what_is_sent(project: Path, api: ThreadingHTTPServer) -> None:
    address = f"http://127.0.0.1:{api.server_address[1]}"
    env = {**os.environ, "PYTHONPATH": str(project / "src"), "SHOP_BASE_URL": address}
    command = StdioServerParameters(command=sys.executable, args=["-m", "shop_mcp"], env=env)

    async def talk() -> tuple[list[Any], list[Any]]:
        async with Client(stdio_client(command)) as client:
            tools = (await client.list_tools()).tools
            first = await client.call_tool("change_order", {"number": 7, "remark": "hello"})
            second = await client.call_tool(
                "change_order", {"number": 8, "remark": "hi", "mode": "slow", "sid": "s2", "count": 0}
            )
            own = await client.call_tool("mark_orders", {"numbers": [1, 2]})
            wrong = await client.call_tool("change_order", {"number": 9, "remark": "x", "tenant": "c"})
            results = [one.structured_content for one in (first, second, own, wrong)]
            return [one.model_dump(by_alias=True, exclude_unset=True) for one in tools], results

    tools, (first, second, own, wrong) = anyio.run(talk)

    tool, mine = tools
    assert (tool["name"], mine["name"]) == ("change_order", "mark_orders")
    assert (tool["title"], tool["icons"], tool["_meta"]) == (
        "Change an order of ours",
        [{"src": "data:image/png;base64,AAAA"}],
        {"com.example/team": "shop"},
    )
    properties = tool["inputSchema"]["properties"]
    assert list(properties) == ["number", "mode", "sid", "remark", "count"]
    assert (properties["mode"]["default"], properties["count"]["default"]) == ("fast", 3)
    assert properties["remark"]["description"] == "What to remember."
    assert sorted(tool["inputSchema"]["required"]) == ["number", "remark"]

    assert (first["ok"], second["ok"], own["data"]) == (True, True, 2)
    assert (wrong["ok"], wrong["category"]) == (False, "validation")
    always = {"id": "fixed-id", "extra": {"deep": [1, "two", True]}}
    assert api.seen == [  # type: ignore[attr-defined]
        ("/a%2Fb/orders/7?mode=fast&tags=x&tags=y", "mcp", "sid=s1", {**always, "note": "hello", "count": 3}),
        ("/a%2Fb/orders/8?mode=slow&tags=x&tags=y", "mcp", "sid=s2", {**always, "note": "hi", "count": 0}),
        (
            "/a%2Fb/orders/1?mode=fast&tags=x&tags=y",
            "mcp",
            "sid=s1",
            {**always, "note": "marked", "count": 3},
        ),
        (
            "/a%2Fb/orders/2?mode=fast&tags=x&tags=y",
            "mcp",
            "sid=s1",
            {**always, "note": "marked", "count": 3},
        ),
    ]


def test_the_project_passes_its_own_tests_and_type_checks(
    project: Path, expect_sound: Callable[..., None]
) -> None:
    expect_sound(project, "src/shop_mcp/tools", "src/shop_mcp/hooks.py")


def test_a_hand_written_tool_with_a_taken_name_stops_the_start(project: Path, tmp_path: Path) -> None:
    copy = tmp_path / "src"
    subprocess.run(["cp", "-r", str(project / "src"), str(copy)], check=True)
    (copy / "shop_mcp/hooks.py").write_text(HOOKS.replace("mark_orders", "change_order"), "utf-8")
    env = {**os.environ, "PYTHONPATH": str(copy)}
    found = subprocess.run(
        [sys.executable, "-m", "shop_mcp"], env=env, input="", capture_output=True, text=True, check=False
    )
    assert found.returncode == 2
    assert found.stdout == ""
    assert found.stderr == (
        "shop_mcp: hooks.py: the tool change_order has the name of a generated tool; choose another one with name=\n"
    )

"""Nothing that goes over HTTP as one server-sent event is larger than clients take; the real client is the judge."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler
from itertools import chain
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from mcpgen.runtime.bounds.conveying import conveyed
from mcpgen.runtime.bounds.wire import event_room, wire_size
from mcpgen.runtime.outcomes.failures import Category, Failure
from mcpgen.runtime.outcomes.result import Result
from mcpgen.runtime.secrecy.redact import Redactor

from .http_serving import peer_running, serving

pytestmark = pytest.mark.anyio

ERAS = ("legacy", "auto")
ROWS = {"type": "array"}
HOOKS = """
from mcpgen.runtime import Call

async def before_request(call: Call, request: object) -> None:
    await call.progress(1, message="m" * 2_000_000)
"""
ANSWERS = {
    "small": [{"text": "x" * 50} for _ in range(3000)],
    "plain": [{"id": n, "text": "x" * 50} for n in range(40_000)],
    "quotes": [{"text": '\\"' * 25} for _ in range(40_000)],
    "accents": [{"text": "é" * 50} for _ in range(30_000)],
    "faces": [{"text": "😀" * 50} for _ in range(15_000)],
    "one-text": ["é\\" * 1_000_000],
}


@pytest.fixture
def peer():
    with peer_running() as running:
        yield running


def answers(peer: Any, told: Any) -> None:
    content = json.dumps(told).encode()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            pass

    peer.RequestHandlerClass = Handler


def client(url: str, mode: str) -> Client:
    http = httpx2.AsyncClient(trust_env=False, timeout=60)
    return Client(streamable_http_client(url, http_client=http), mode=mode, cache=None)


async def pages(url: str, mode: str) -> list[list[str]]:
    found, cursor = [], None
    async with client(url, mode) as session:
        while True:
            page = await session.list_tools(cursor=cursor)
            found.append([tool.name for tool in page.tools])
            cursor = page.next_cursor
            if cursor is None:
                return found


@pytest.fixture
def many(build, op):
    """A list of 2.4 MB."""
    package = build(**{f"get_{n:02}": op() for n in range(40)})
    path = package.root / "catalog.json"
    told = json.loads(path.read_text())
    for tool in told["tools"]:
        tool["description"] = "é" * 20_000 + "x" * 20_000
    path.write_text(json.dumps(told))
    return package


@pytest.mark.parametrize("size", [0, 3])
async def test_a_long_list_comes_in_pages_where_it_is_an_event(many, peer, size) -> None:
    with serving(many, peer, tokens=False, SHOP_PAGE_SIZE=str(size)) as served:
        legacy, modern = await pages(served.url, "legacy"), await pages(served.url, "auto")
    names = [f"get_{n:02}" for n in range(40)]
    assert [*chain(*legacy)] == [*chain(*modern)] == names
    assert len(modern) == (14 if size else 1)
    assert len(legacy) > 1
    assert max(map(len, legacy)) == (size or 7)


async def test_elsewhere_it_stays_whole(many) -> None:
    async with Client(many.server(), mode="legacy", cache=None) as session:
        page = await session.list_tools()
    assert len(page.tools) == 40
    assert page.next_cursor is None


@pytest.mark.parametrize("progress", [False, True])
@pytest.mark.parametrize("mode", ERAS)
async def test_answers_fit_into_an_event(build, op, peer, mode, progress) -> None:
    package = build(_hooks=HOOKS, get=op(data=ROWS))
    told: list[float] = []

    async def listen(done: float, *_: Any) -> None:
        told.append(done)

    with serving(package, peer, tokens=False, SHOP_MAX_RESULT_BYTES="5000000") as served:
        async with client(served.url, mode) as session:
            await session.list_tools()
            for name, given in ANSWERS.items():
                answers(peer, given)
                found = await session.call_tool("get", {}, progress_callback=listen if progress else None)
                envelope = found.structured_content or {}
                assert envelope["ok"], name
                assert json.loads(found.content[0].text) == envelope  # type: ignore[union-attr]
                if name == "small":
                    assert envelope == {"ok": True, "data": given}
                else:
                    assert envelope["note"]
                    assert 500_000 < wire_size(found) <= (1 << 20), name
    assert bool(told) is progress


async def test_without_http_the_operators_limit_counts_alone(build, op) -> None:
    package = build(get=op(data=ROWS))
    package.answer(httpx2.Response(200, json=ANSWERS["plain"]))
    found = await package.told("get", SHOP_MAX_RESULT_BYTES="5000000")
    assert found == {"ok": True, "data": ANSWERS["plain"]}


@pytest.mark.parametrize(
    "result",
    [
        Result(data={"schema": "\\" * 2_000_000}),
        Result(data=[1], notes=("n" * 2_000_000,)),
        Result(failure=Failure(Category.VALIDATION, "m" * 2_000_000, retryable=True), hint="h" * 2_000_000),
    ],
)
def test_whatever_made_it_the_last_look_holds(result) -> None:
    context: Any = SimpleNamespace(request=object(), protocol_version="2025-06-18")
    room = event_room(context)
    assert room is not None
    answer = conveyed(result, "t", Redactor(), context)
    assert wire_size(answer) <= room
    assert answer.structured_content is not None
    assert answer.structured_content["ok"] is result.ok
    assert wire_size(conveyed(result, "t", Redactor(), None)) > room

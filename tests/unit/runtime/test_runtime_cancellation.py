"""A client that gives up: the request to the API is given up too, in both eras, over every transport."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from mcpgen.runtime import build_server
from mcpgen.runtime.app import App
from mcpgen.runtime.call import Call
from mcpgen.runtime.chain.order import call_chain

from .http_serving import peer_running, serving
from .loopback_api import OK, Asked, Loopback, loopback

pytestmark = pytest.mark.anyio


@pytest.fixture
def shop(build: Any, op: Any) -> Any:
    return build(get=op(), add=op(method="POST", effect="write"))


@asynccontextmanager
async def waiting_api() -> AsyncIterator[tuple[Loopback, anyio.Event]]:
    """An API that says nothing while it is asked for the first time, and whether its caller has left."""
    left = anyio.Event()

    async def answer(asked: Asked) -> None:
        if len(api.asked) > 1:
            await asked.say(OK)
        elif await asked.until_the_caller_leaves():
            left.set()
            asked.writer.close()

    async with loopback(answer) as api:
        yield api, left


async def give_up(client: Client, api: Loopback, left: anyio.Event, tool: str = "get") -> None:
    """Calls, gives up as soon as the API was asked, and waits for the API to notice."""
    async with anyio.create_task_group() as group:
        group.start_soon(client.call_tool, tool, {})
        with anyio.fail_after(60):
            await api.arrived.wait()
        group.cancel_scope.cancel()
    with anyio.fail_after(60):
        await left.wait()


async def lives(client: Client) -> bool:
    result = await client.call_tool("get", {})
    return dict(result.structured_content) == {"ok": True, "data": {"id": 1}}


@pytest.mark.parametrize("tool", ["get", "add"])
async def test_in_memory(shop: Any, mode: str, tool: str) -> None:
    async with waiting_api() as (api, left):
        server = build_server(shop.name, environ={"SHOP_BASE_URL": api.url, "SHOP_MAX_CONCURRENCY": "1"})
        async with Client(server, mode=mode) as client:
            await give_up(client, api, left, tool)
            assert await lives(client), "the only slot was not freed"
    assert len(api.asked) == 2


async def test_over_standard_input(shop: Any, mode: str) -> None:
    async with waiting_api() as (api, left):
        paths = os.pathsep.join([str(shop.root.parent), *sys.path])
        env = {"PYTHONPATH": paths, "SHOP_BASE_URL": api.url, "SHOP_MAX_CONCURRENCY": "1"}
        parameters = StdioServerParameters(command=sys.executable, args=["-m", shop.name], env=env)
        async with Client(stdio_client(parameters), mode=mode) as client:
            await give_up(client, api, left)
            assert await lives(client)


async def test_over_http(shop: Any, mode: str) -> None:
    async with waiting_api() as (api, left):
        environ = {"SHOP_BASE_URL": api.url, "SHOP_MAX_CONCURRENCY": "1"}
        with peer_running() as peer, serving(shop, peer, tokens=False, **environ) as served:
            url = f"http://127.0.0.1:{served.port}/mcp"
            async with (
                httpx2.AsyncClient(trust_env=False) as http,
                Client(streamable_http_client(url, http_client=http), mode=mode) as client,
            ):
                await give_up(client, api, left)
                assert await lives(client)


async def test_nothing_on_the_way_swallows_it(shop: Any) -> None:
    """The chain itself ends with the cancellation, not with a result."""
    ended: list[str] = []

    async def call(app: App) -> None:
        try:
            await call_chain(app)(Call(app, app.operation("add"), {}, "trace"))
        except anyio.get_cancelled_exc_class():
            ended.append("cancelled")
            raise
        ended.append("answered")

    async with waiting_api() as (api, left):
        app = App.start(shop.name, {"SHOP_BASE_URL": api.url})
        async with app.session(), anyio.create_task_group() as group:
            group.start_soon(call, app)
            await api.arrived.wait()
            group.cancel_scope.cancel()
        assert ended == ["cancelled"]
        with anyio.fail_after(60):
            await left.wait()
    assert app.upstreams.of(api.url).idle


async def test_one_that_waits_for_its_turn_leaves_the_queue(shop: Any, mode: str) -> None:
    async with waiting_api() as (api, _):
        environ = {"SHOP_BASE_URL": api.url, "SHOP_MAX_CONCURRENCY": "1", "SHOP_MAX_QUEUE": "1"}
        server = build_server(shop.name, environ=environ)
        async with Client(server, mode=mode) as client, anyio.create_task_group() as first:
            first.start_soon(client.call_tool, "get", {})
            await api.arrived.wait()
            for _ in range(3):  # each time, the queue has room for one again
                async with anyio.create_task_group() as second:
                    second.start_soon(client.call_tool, "get", {})
                    await anyio.wait_all_tasks_blocked()
                    refused = (await client.call_tool("get", {})).structured_content
                    second.cancel_scope.cancel()
                assert refused["category"] == "transient"
                assert refused["error"] == "Too many calls are waiting for the API already."
            first.cancel_scope.cancel()
    assert len(api.asked) == 1

"""Equal reads within a short time may be answered from a cache."""

from __future__ import annotations

import importlib
from typing import Any

import httpx2
import pytest
from mcp import Client

pytestmark = pytest.mark.anyio

STORE = """
from mcpgen.runtime.memory.store import MemoryStore

now = [0.0]
store = MemoryStore(lambda: now[0])
"""
OLD = "This answer is 0 seconds old: it comes from a cache."


@pytest.fixture
def shop(build, op):
    params = [("query", "n", {"type": "integer"}, {})]
    item = {"type": "object", "properties": {"id": {}, "name": {}}}
    package = build(
        {},
        STORE,
        get=op(params=params, data=item),
        find=op(params=params),
        users=op(params=params, toolset="users"),
        add=op(method="POST", effect="write", params=params),
    )
    policy = "[tools.get]\ncache_seconds = 20\nchoose_fields = true\n[tools.users]\ncache_seconds = 20\n"
    (package.root / "policy.toml").write_text(policy)
    package.environ["SHOP_POLICY"] = str(package.root / "policy.toml")
    package.answer(lambda _: httpx2.Response(200, json={"id": len(package.requests), "name": "x"}))
    return package


async def told(client: Client, tool: str = "get", /, **arguments: Any) -> dict[str, Any]:
    return dict((await client.call_tool(tool, arguments)).structured_content)


async def test_an_equal_read_comes_from_the_cache(shop, mode) -> None:
    async with Client(shop.server(), mode=mode) as client:
        first = await told(client, n=1)
        second = await told(client, n=1)
    assert first == {"ok": True, "data": {"id": 1, "name": "x"}}
    assert second == first | {"note": OLD}
    assert len(shop.requests) == 1


async def test_arguments_are_compared_as_they_are_sent(shop) -> None:
    async with Client(shop.server()) as client:
        await told(client, n=1)
        assert (await told(client, n="1"))["note"] == f"`n` was text and is read as integer. {OLD}"
        assert "note" not in await told(client, n=2)
        assert "note" not in await told(client)
    assert len(shop.requests) == 3


async def test_the_choice_of_fields_is_part_of_the_call(shop) -> None:
    async with Client(shop.server()) as client:
        await told(client, n=1)
        assert (await told(client, n=1, fields=["id"]))["data"] == {"id": 2}
        assert (await told(client, n=1, fields=["id"]))["note"].endswith(OLD)


async def test_it_is_off_by_default(shop) -> None:
    async with Client(shop.server()) as client:
        for _ in range(2):
            assert "note" not in await told(client, "find", n=1)
    assert len(shop.requests) == 2


async def test_it_ends_with_its_time(shop) -> None:
    async with Client(shop.server()) as client:
        await told(client)
        clock = importlib.import_module(f"{shop.name}.hooks").now
        clock[0] = 19.0
        assert (await told(client))["data"]["id"] == 1
        clock[0] = 21.0
        assert (await told(client))["data"]["id"] == 2


@pytest.mark.parametrize("status", [201, 409, 500])
async def test_a_write_to_the_toolset_empties_it(shop, mode, status) -> None:
    async with Client(shop.server(SHOP_RETRIES="0"), mode=mode) as client:
        await told(client, n=1)
        await told(client, "users", n=1)
        shop.answer(httpx2.Response(status, json={}))
        await told(client, "add", n=1)
        shop.answer(httpx2.Response(200, json={"id": "new"}))
        assert (await told(client, n=1))["data"] == {"id": "new"}
        assert (await told(client, "users", n=1))["note"] == OLD


async def test_failures_are_not_kept(shop) -> None:
    shop.answer(httpx2.Response(503), httpx2.Response(200, json={"id": 2}))
    async with Client(shop.server(SHOP_RETRIES="0")) as client:
        assert not (await told(client))["ok"]
        assert await told(client) == {"ok": True, "data": {"id": 2}}


async def test_content_is_not_kept(shop) -> None:
    shop.answer(httpx2.Response(200, content=b"\x00\xff", headers={"content-type": "image/png"}))
    async with Client(shop.server()) as client:
        for _ in range(2):
            assert len((await client.call_tool("get", {})).content) == 2
    assert len(shop.requests) == 2


async def test_an_answer_that_breaks_its_schema_is_raw_again(shop) -> None:
    shop.answer(httpx2.Response(200, json=[1]))
    async with Client(shop.server()) as client:
        first = await told(client)
        assert first["raw"] == [1]
        assert await told(client) == first | {"note": f"{first['note']} {OLD}"}


async def test_a_store_that_is_down_stops_nothing(build, op) -> None:
    hooks = (
        "class Store:\n"
        "    async def get(self, key):\n"
        "        raise OSError('down')\n"
        "    put = add = increment = delete = get\n"
        "store = Store()\n"
    )
    package = build({}, hooks, get=op(), add=op(method="POST", effect="write"))
    (package.root / "policy.toml").write_text('[tools."*"]\ncache_seconds = 30\n')
    async with Client(package.server(SHOP_POLICY=str(package.root / "policy.toml"))) as client:
        for tool in ("get", "add", "get"):
            assert (await told(client, tool))["ok"]
    assert len(package.requests) == 3

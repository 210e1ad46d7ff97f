"""A write that is equal to one a short time ago is not sent again, unless that is meant."""

from __future__ import annotations

import importlib
from typing import Any

import anyio
import httpx2
import mcp_types as mt
import pytest
from mcp import Client

pytestmark = pytest.mark.anyio

STORE = """
from mcpgen.runtime.memory.store import MemoryStore

now = [0.0]
store = MemoryStore(lambda: now[0])
"""
REPEAT = "nothing was sent. If a repeat is meant, call again with `repeat`: true."
TEXT = {"type": "string"}


@pytest.fixture
def shop(build, op):
    params = [("query", "q", TEXT, {})]
    package = build(
        {},
        STORE,
        find=op(params=params),
        add=op(method="POST", effect="write", params=params),
        put=op(method="PUT", effect="write", params=params),
        drop=op(method="DELETE", effect="destructive", params=params),
        other=op(method="POST", effect="write", params=[("query", "repeat", TEXT, {})]),
    )
    policy = '[tools."*"]\nrepeat_window = 30\n'
    (package.root / "policy.toml").write_text(policy)
    package.environ |= {
        "SHOP_POLICY": str(package.root / "policy.toml"),
        "SHOP_ALLOW_EFFECTS": "read,write,destructive",
    }
    counted(package)
    return package


def counted(package: Any, status: int = 201) -> None:
    """The API numbers what it makes."""
    package.answer(lambda _: httpx2.Response(status, json={"id": len(package.requests)}))


async def told(client: Client, tool: str = "add", /, **arguments: Any) -> dict[str, Any]:
    return dict((await client.call_tool(tool, arguments)).structured_content)


async def test_an_equal_write_gets_the_first_result(shop, mode) -> None:
    async with Client(shop.server(), mode=mode) as client:
        first = await told(client, q="a")
        second = await told(client, q="a")
        third = await told(client, q="b")
    assert first == {"ok": True, "data": {"id": 1}}
    assert second["data"] == {"id": 1}
    assert second["note"] == f"The same call succeeded 0 seconds ago; this is its result, and {REPEAT}"
    assert third == {"ok": True, "data": {"id": 2}}
    assert len(shop.requests) == 2


async def test_other_fields_of_the_answer_make_no_other_write(build, op, mode) -> None:
    data = {"type": "object", "properties": {"id": {"type": "integer"}, "name": TEXT}}
    package = build(add=op(method="POST", effect="write", params=[("query", "q", TEXT, {})], data=data))
    (package.root / "policy.toml").write_text("[tools.add]\nrepeat_window = 30\nchoose_fields = true\n")
    counted(package)
    async with Client(package.server(SHOP_POLICY=str(package.root / "policy.toml")), mode=mode) as client:
        found = [await told(client, q="a", **more) for more in ({}, {"fields": ["id"]}, {"fields": ["name"]})]
    assert [one["data"] for one in found] == [{"id": 1}] * 3
    assert len(package.requests) == 1


async def test_a_repeat_that_is_meant_is_sent(shop, mode) -> None:
    async with Client(shop.server(), mode=mode) as client:
        schema = {t.name: t.input_schema for t in (await client.list_tools()).tools}
        assert schema["add"]["properties"]["repeat"]["type"] == "boolean"
        assert "repeat" not in schema["find"]["properties"]
        found = [await told(client, q="a", **more) for more in ({}, {"repeat": True}, {"repeat": False}, {})]
    assert [one["data"]["id"] for one in found] == [1, 2, 2, 2]
    assert {str(request.url) for request in shop.requests} == {"https://api.example.com/v1/things?q=a"}


async def test_an_argument_of_that_name_keeps_it(shop) -> None:
    async with Client(shop.server()) as client:
        await told(client, "other", repeat="x")
        again = await told(client, "other", repeat="x")
        assert "call again with `repeat_call`: true" in again["note"]
        meant = await told(client, "other", repeat="x", repeat_call=True)
    assert meant["data"] == {"id": 2}
    assert shop.requests[1].url.query == b"repeat=x"


async def test_reads_and_tools_without_a_window_are_sent(shop) -> None:
    (shop.root / "policy.toml").write_text("[tools.put]\nrepeat_window = 30\n")
    async with Client(shop.server()) as client:
        for _ in range(2):
            await told(client, q="a")
            await told(client, "find", q="a")
        assert "`repeat` is no argument" in (await told(client, q="a", repeat=True))["error"]
    assert len(shop.requests) == 4


async def test_it_ends_with_the_window(shop) -> None:
    async with Client(shop.server()) as client:
        await told(client, q="a")
        clock = importlib.import_module(f"{shop.name}.hooks").now
        clock[0] = 29.0
        assert (await told(client, q="a"))["data"] == {"id": 1}
        clock[0] = 31.0
        assert await told(client, q="a") == {"ok": True, "data": {"id": 2}}


@pytest.mark.parametrize("status", [409, 422, 429])
async def test_a_failure_lets_the_next_one_through(shop, mode, status) -> None:
    shop.answer(httpx2.Response(status), httpx2.Response(201, json={"id": 7}))
    async with Client(shop.server(SHOP_RETRIES="0"), mode=mode) as client:
        assert not (await told(client, q="a"))["ok"]
        assert await told(client, q="a") == {"ok": True, "data": {"id": 7}}


async def test_of_two_at_the_same_time_one_is_sent(shop, mode) -> None:
    async def slow(request: httpx2.Request) -> httpx2.Response:
        shop.requests.append(request)
        await anyio.sleep(0.1)
        return httpx2.Response(201, json={"id": len(shop.requests)})

    found: list[dict[str, Any]] = []
    async with Client(server_with(shop, slow), mode=mode) as client, anyio.create_task_group() as group:
        for _ in range(5):
            group.start_soon(_call, client, found)
    assert len(shop.requests) == 1
    assert [one["data"]["id"] for one in found] == [1] * 5
    assert sum("note" in one for one in found) == 4


async def _call(client: Client, found: list[dict[str, Any]]) -> None:
    found.append(await told(client, q="a"))


def server_with(package: Any, handler: Any, **environ: str) -> Any:
    from mcpgen.runtime import build_server

    transport = httpx2.MockTransport(handler)
    return build_server(package.name, environ=package.environ | environ, transport=transport)


async def test_when_the_first_fails_the_one_that_waits_is_sent(shop) -> None:
    async def slow(request: httpx2.Request) -> httpx2.Response:
        shop.requests.append(request)
        await anyio.sleep(0.05)
        return httpx2.Response(409) if len(shop.requests) == 1 else httpx2.Response(201, json={"id": 2})

    found: list[dict[str, Any]] = []
    async with Client(server_with(shop, slow)) as client, anyio.create_task_group() as group:
        for _ in range(2):
            group.start_soon(_call, client, found)
    assert [one["ok"] for one in found] == [False, True]
    assert len(shop.requests) == 2


async def test_one_that_waits_too_long_is_told(shop, mode) -> None:
    release = anyio.Event()

    async def slow(request: httpx2.Request) -> httpx2.Response:
        shop.requests.append(request)
        await release.wait()
        return httpx2.Response(201, json={"id": 1})

    found: list[dict[str, Any]] = []
    async with Client(server_with(shop, slow, SHOP_TIMEOUT="1"), mode=mode) as client:
        store = importlib.import_module(f"{shop.name}.hooks").store
        async with anyio.create_task_group() as group:
            group.start_soon(_call, client, found)
            while not shop.requests:
                await anyio.sleep(0.01)
            [key] = [key for key in store._entries if key.startswith("once")]
            until = store._entries[key][1]
            group.start_soon(_call, client, found)
    assert until >= 60
    assert len(shop.requests) == 1
    assert [one["category"] for one in found] == ["transient", "transient"]


async def test_a_write_whose_fate_is_unknown_is_not_sent_again(shop, mode) -> None:
    shop.answer(httpx2.ReadTimeout("late"), httpx2.Response(201, json={"id": 2}))
    async with Client(shop.server(), mode=mode) as client:
        first = await told(client, q="a")
        second = await told(client, q="a")
        meant = await told(client, q="a", repeat=True)
        after = await told(client, q="a")
    assert first["category"] == second["category"] == "transient"
    assert second["error"].startswith(
        "The same call was sent 0 seconds ago, and it is not known whether it took effect"
    )
    assert "If it did not, call again with `repeat`: true." in second["error"]
    assert "Wait" not in second.get("hint", "")
    assert meant["data"] == after["data"] == {"id": 2}
    assert len(shop.requests) == 2


async def test_an_idempotent_write_whose_fate_is_unknown_may_be_sent_again(shop) -> None:
    shop.answer(httpx2.ReadTimeout("late"), httpx2.Response(200, json={"id": 2}))
    async with Client(shop.server(SHOP_RETRIES="0")) as client:
        assert not (await told(client, "put", q="a"))["ok"]
        assert (await told(client, "put", q="a"))["data"] == {"id": 2}


async def test_a_meant_repeat_that_fails_leaves_the_first_result(shop) -> None:
    shop.answer(httpx2.Response(201, json={"id": 1}), httpx2.Response(409))
    async with Client(shop.server()) as client:
        await told(client, q="a")
        assert not (await told(client, q="a", repeat=True))["ok"]
        assert (await told(client, q="a"))["data"] == {"id": 1}
    assert len(shop.requests) == 2


class User:
    def __init__(self, *agrees: bool) -> None:
        self.agrees, self.asked = list(agrees), 0

    async def __call__(self, context: Any, params: Any) -> mt.ElicitResult:
        self.asked += 1
        agrees = self.agrees.pop(0)
        return mt.ElicitResult(action="accept" if agrees else "decline", content={"confirm": agrees})


async def test_nobody_is_asked_about_what_is_not_sent(shop, mode) -> None:
    user = User(True)
    async with Client(shop.server(), mode=mode, elicitation_callback=user) as client:
        assert (await told(client, "drop", q="a"))["data"] == {"id": 1}
        assert REPEAT in (await told(client, "drop", q="a"))["note"]
    assert (user.asked, len(shop.requests)) == (1, 1)


async def test_a_user_who_declined_can_agree_later(shop, mode) -> None:
    user = User(False, True)
    async with Client(shop.server(), mode=mode, elicitation_callback=user) as client:
        assert not (await told(client, "drop", q="a"))["ok"]
        assert await told(client, "drop", q="a") == {"ok": True, "data": {"id": 1}}
    assert (user.asked, len(shop.requests)) == (2, 1)


async def test_a_meant_repeat_is_asked_about(shop, mode) -> None:
    user = User(True, False)
    async with Client(shop.server(), mode=mode, elicitation_callback=user) as client:
        await told(client, "drop", q="a")
        assert not (await told(client, "drop", q="a", repeat=True))["ok"]
        assert (await told(client, "drop", q="a"))["data"] == {"id": 1}
    assert (user.asked, len(shop.requests)) == (2, 1)


async def test_a_call_that_is_broken_off_keeps_its_place(shop) -> None:
    async def hangs(request: httpx2.Request) -> httpx2.Response:
        shop.requests.append(request)
        await anyio.sleep_forever()
        raise AssertionError

    async with Client(server_with(shop, hangs)) as client:
        async with anyio.create_task_group() as group:
            group.start_soon(_call, client, [])
            await anyio.wait_all_tasks_blocked()
            group.cancel_scope.cancel()
        await anyio.wait_all_tasks_blocked()
        found = await told(client, q="a")
    assert len(shop.requests) == 1
    assert "it is not known whether it took effect" in found["error"]


async def test_content_is_given_again(shop) -> None:
    shop.answer(httpx2.Response(200, content=b"\x00\xff", headers={"content-type": "image/png"}))
    async with Client(shop.server()) as client:
        first = await client.call_tool("add", {"q": "a"})
        second = await client.call_tool("add", {"q": "a"})
    assert second.content[1] == first.content[1]
    assert len(shop.requests) == 1


async def test_it_works_through_the_search_tools(shop, mode) -> None:
    call = {"name": "add", "arguments": {"q": "a"}}
    async with Client(shop.server(SHOP_MODE="search"), mode=mode) as client:
        await told(client, "call_write_tool", **call)
        assert REPEAT in (await told(client, "call_write_tool", **call))["note"]
        meant = call | {"arguments": {"q": "a", "repeat": True}}
        assert (await told(client, "call_write_tool", **meant))["data"] == {"id": 2}


async def test_a_store_that_is_down_lets_nothing_through(build, op, mode) -> None:
    hooks = (
        "class Store:\n"
        "    async def get(self, key):\n"
        "        raise OSError('down')\n"
        "    put = add = increment = delete = get\n"
        "store = Store()\n"
    )
    package = build({}, hooks, add=op(method="POST", effect="write"))
    (package.root / "policy.toml").write_text("[tools.add]\nrepeat_window = 30\n")
    found = await package.told("add", mode=mode, SHOP_POLICY=str(package.root / "policy.toml"))
    assert found["category"] == "internal"
    assert "Nothing was sent." in found["error"]
    assert package.requests == []


async def test_the_result_given_again_keeps_its_limit(shop) -> None:
    shop.answer(httpx2.Response(200, json=["x" * 50] * 200))
    async with Client(shop.server(SHOP_MAX_RESULT_BYTES="2000")) as client:
        for _ in range(2):
            result = await client.call_tool("add", {"q": "a"})
            assert len(result.content[0].text.encode()) <= 2000

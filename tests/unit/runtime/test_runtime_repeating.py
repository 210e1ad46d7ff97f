"""A call that failed twice for good is not sent a third time."""

from __future__ import annotations

from typing import Any

import httpx2
import mcp_types as mt
import pytest
from mcp import Client

pytestmark = pytest.mark.anyio

TEXT = {"type": "string"}
AGAIN = "The same call has failed like this twice, so it was not sent again."
STORE = """
from mcpgen.runtime.memory.store import MemoryStore

now = [0.0]
store = MemoryStore(lambda: now[0])
"""


@pytest.fixture
def shop(build, op):
    params = [("query", "q", TEXT, {}), ("query", "n", {"type": "integer"}, {})]
    return build(
        {},
        STORE,
        get=op(params=params),
        find=op(params=params),
        add=op(method="POST", effect="write", params=params),
        drop=op(method="DELETE", effect="destructive", params=params),
    )


def answers(package: Any, status: int) -> None:
    package.answer(httpx2.Response(status, json={"message": "no such thing"}))


async def told(client: Client, tool: str = "get", /, **arguments: Any) -> dict[str, Any]:
    return dict((await client.call_tool(tool, arguments)).structured_content)


@pytest.mark.parametrize(
    ("status", "category", "retryable"),
    [
        (404, "not_found", False),
        (422, "validation", True),
        (403, "permission", False),
        (409, "business", False),
    ],
)
@pytest.mark.parametrize("tool", ["get", "add"])
async def test_the_third_equal_failure_is_answered_at_once(
    shop, mode, tool, status, category, retryable
) -> None:
    answers(shop, status)
    async with Client(shop.server(), mode=mode) as client:
        first = await told(client, tool, q="a")
        await told(client, tool, q="a")
        third = await told(client, tool, q="a")
        fourth = await told(client, tool, q="a")
    assert len(shop.requests) == 2
    assert AGAIN not in first["error"]
    assert third["error"] == f"{first['error'].removesuffix('.')}. {AGAIN}"
    same = ("ok", "category", "retryable", "status", "hint")
    assert [third.get(key) for key in same] == [first.get(key) for key in same]
    assert (third["category"], third["retryable"], third["status"]) == (category, retryable, status)
    assert fourth["error"] == third["error"]
    assert third["trace_id"] != first["trace_id"]


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_what_time_may_cure_is_sent_again(shop, status) -> None:
    answers(shop, status)
    async with Client(shop.server(SHOP_RETRIES="0")) as client:
        for _ in range(4):
            assert AGAIN not in (await told(client))["error"]
    assert len(shop.requests) == 4


async def test_other_arguments_are_another_call(shop, mode) -> None:
    answers(shop, 404)
    async with Client(shop.server(), mode=mode) as client:
        for q in ("a", "b", "a", "b"):
            await told(client, q=q)
        await told(client, "find", q="a")
        assert len(shop.requests) == 5
        assert AGAIN in (await told(client, q="a"))["error"]
        assert AGAIN not in (await told(client, q="c"))["error"]
        assert AGAIN not in (await told(client, "find", q="a"))["error"]


async def test_the_order_of_arguments_does_not_count(shop) -> None:
    answers(shop, 404)
    async with Client(shop.server()) as client:
        await told(client, q="a", n=1)
        await told(client, n=1, q="a")
        assert AGAIN in (await told(client, q="a", n=1))["error"]


async def test_a_success_ends_it(shop) -> None:
    missing = httpx2.Response(404)
    shop.answer(missing, httpx2.Response(200, json={}), missing)
    async with Client(shop.server()) as client:
        for expected in (False, True, False, False):
            assert (await told(client))["ok"] is expected
        assert AGAIN in (await told(client))["error"]
    assert len(shop.requests) == 4


async def test_another_failure_starts_anew(shop) -> None:
    shop.answer(httpx2.Response(404), httpx2.Response(403), httpx2.Response(404))
    async with Client(shop.server()) as client:
        for _ in range(4):
            assert AGAIN not in (await told(client))["error"]
        assert AGAIN in (await told(client))["error"]


@pytest.mark.parametrize(("status", "cured"), [(404, True), (409, True), (422, False), (403, False)])
async def test_a_write_that_succeeds_may_have_made_what_was_missing(shop, mode, status, cured) -> None:
    refusal, fine = httpx2.Response(status), httpx2.Response(201, json={})
    shop.answer(refusal, refusal, fine, refusal)
    async with Client(shop.server(), mode=mode) as client:
        await told(client, q="a")
        await told(client, q="a")
        assert (await told(client, "add", q="b"))["ok"]
        assert (AGAIN in (await told(client, q="a"))["error"]) is not cured
    assert len(shop.requests) == (4 if cured else 3)


async def test_neither_a_failed_write_nor_a_read_cures_anything(shop) -> None:
    missing = httpx2.Response(404)
    shop.answer(missing, missing, missing, httpx2.Response(200, json={}))
    async with Client(shop.server()) as client:
        await told(client, q="a")
        await told(client, q="a")
        await told(client, "add", q="b")
        await told(client, "find", q="b")
        assert AGAIN in (await told(client, q="a"))["error"]


async def test_arguments_that_are_wrong_here_already(shop, mode) -> None:
    async with Client(shop.server(), mode=mode) as client:
        first = await told(client, n="x")
        await told(client, n="x")
        third = await told(client, n="x")
    assert third["error"] == f"{first['error'].removesuffix('.')}. {AGAIN}"
    assert third["hint"] == first["hint"] == "Correct the arguments as the error says, then call get again."
    assert shop.requests == []


async def test_it_ends_with_the_window(shop) -> None:
    answers(shop, 404)
    async with Client(shop.server(SHOP_FAILURE_WINDOW="5")) as client:
        await told(client)
        await told(client)
        clock = _clock(shop)
        clock[0] = 4.9
        assert AGAIN in (await told(client))["error"]
        clock[0] = 5.1
        assert AGAIN not in (await told(client))["error"]


def _clock(package: Any) -> list[float]:
    import importlib

    return importlib.import_module(f"{package.name}.hooks").now


async def test_it_can_be_switched_off(shop) -> None:
    answers(shop, 404)
    async with Client(shop.server(SHOP_FAILURE_WINDOW="0")) as client:
        for _ in range(4):
            await told(client)
    assert len(shop.requests) == 4


async def test_a_user_may_agree_the_next_time(shop, mode) -> None:
    asked = []

    async def user(context, params):
        asked.append(params.message)
        agrees = len(asked) == 3
        return mt.ElicitResult(action="accept" if agrees else "decline", content={"confirm": agrees})

    environ = {"SHOP_ALLOW_EFFECTS": "destructive"}
    async with Client(shop.server(**environ), mode=mode, elicitation_callback=user) as client:
        found = [(await told(client, "drop", q="a"))["ok"] for _ in range(3)]
    assert found == [False, False, True]
    assert len(shop.requests) == 1


async def test_it_works_through_the_search_tools(shop, mode) -> None:
    answers(shop, 404)
    async with Client(shop.server(SHOP_MODE="search"), mode=mode) as client:
        for _ in range(3):
            found = await told(client, "call_read_tool", name="get", arguments={"q": "a"})
    assert AGAIN in found["error"]
    assert len(shop.requests) == 2


async def test_a_store_that_is_down_stops_nothing(build, op, caplog) -> None:
    hooks = (
        "class Store:\n"
        "    async def get(self, key):\n"
        "        raise OSError('down')\n"
        "    put = add = increment = delete = get\n"
        "store = Store()\n"
    )
    package = build({}, hooks, get=op())
    package.answer(httpx2.Response(404))
    async with Client(package.server()) as client:
        for _ in range(3):
            assert (await told(client))["status"] == 404
    assert len(package.requests) == 3
    assert "can't be looked up" in caplog.text


async def test_what_another_version_has_stored_is_passed_over(build, op) -> None:
    hooks = (
        "class Store:\n"
        "    async def get(self, key):\n"
        '        return \'{"failure": {"category": "odd"}, "count": 2, "after": ""}\'\n'
        "    async def put(self, *args): pass\n"
        "    add = increment = delete = put\n"
        "store = Store()\n"
    )
    package = build({}, hooks, get=op())
    async with Client(package.server()) as client:
        assert (await told(client))["ok"]

"""What is said of a tool of the team's own that failed: what the tools that it used have done by then."""

from __future__ import annotations

from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client

from mcpgen.runtime import build_server

pytestmark = pytest.mark.anyio

HOOKS = """
from __future__ import annotations

import anyio

from mcpgen.runtime import Call, Result, tool


@tool(effect="write", description="Adds a thing, then another one.")
async def add_both(call: Call, *, name: str) -> Result[int]:
    for one in ("one", "two"):
        result = await call.use("add_thing", {"name": name + one})
        if not result.ok:
            return result
    return Result(data=2)


@tool(effect="write", description="Adds a thing and crashes.")
async def add_and_crash(call: Call) -> None:
    await call.use("add_thing", {"name": "one"})
    raise RuntimeError("bug")


@tool(effect="write", description="Does something without any other tool.")
async def alone(call: Call) -> None:
    raise RuntimeError("bug")


@tool(effect="read", description="Reads through another tool.")
async def look(call: Call) -> Result[dict]:
    return await call.use("get_thing")
"""
LOST = httpx2.RemoteProtocolError("Server disconnected without sending a response.")
LOOK = "It is not known whether the call took effect: look before you repeat it."
FOUND = {"tool": "list_things", "arguments": {"q": "its name"}}
MADE = httpx2.Response(201, json={"id": 1})


@pytest.fixture
def shop(build: Any, op: Any) -> Any:
    return build(
        _hooks=HOOKS,
        get_thing=op(path="/thing", more={"hints": {"not_found": FOUND}}),
        list_things=op(params=[("query", "q", {"type": "string"}, {})]),
        add_thing=op(
            method="POST",
            effect="write",
            fields={"name": {"type": "string"}},
            body={"content_type": "application/json", "kind": "json", "required": True},
            more={"hints": {"unknown": {"tool": "list_things"}}},
        ),
    )


def policy(shop: Any, text: str) -> dict[str, str]:
    (shop.root / "policy.toml").write_text(text)
    return {"SHOP_POLICY": str(shop.root / "policy.toml")}


async def test_a_lost_answer_of_a_used_tool_is_told_once(shop: Any, mode: str) -> None:
    shop.answer(LOST)
    found = await shop.told("add_both", {"name": "a"}, mode=mode)
    assert found["error"] == f"The API closed the connection without an answer. {LOOK}"
    assert found["hint"].startswith("Call list_things.")


async def test_what_was_done_before_the_failure_is_told(shop: Any) -> None:
    shop.answer(MADE, httpx2.Response(422, json={"message": "Too many things"}))
    found = await shop.told("add_both", {"name": "a"})
    assert (found["category"], found["status"]) == ("validation", 422)
    assert found["error"].endswith("Too many things. Already carried out: add_thing.")


async def test_a_crash_after_a_write(shop: Any, mode: str) -> None:
    shop.answer(MADE)
    found = await shop.told("add_and_crash", mode=mode)
    assert found["error"].endswith("fault in this server. Already carried out: add_thing.")


async def test_a_crash_of_code_that_may_have_done_anything(shop: Any) -> None:
    assert (await shop.told("alone"))["error"].endswith(f"fault in this server. {LOOK}")


async def test_one_that_is_cut_off_in_a_write(shop: Any) -> None:
    async def slow(_: httpx2.Request) -> httpx2.Response:
        await anyio.sleep(10)
        raise AssertionError

    environ = policy(shop, "[tools.add_both]\ntimeout = 0.2\n")
    server = build_server(shop.name, environ=environ, transport=httpx2.MockTransport(slow))
    async with Client(server) as client:
        told = (await client.call_tool("add_both", {"name": "a"})).structured_content
    assert told["error"] == (
        "The call was not through within 0.2 seconds. "
        "It is not known whether add_thing took effect: look before you repeat it."
    )


async def test_nothing_was_sent_where_it_never_began(shop: Any) -> None:
    found = await shop.told("add_both", {"name": "a"}, SHOP_CONFIRM="write")
    assert "carried out" not in found["error"]
    assert "not known" not in found["error"]
    shop.answer(httpx2.ConnectError("refused"))
    found = await shop.told("add_both", {"name": "a"})
    assert found["error"] == "The API could not be reached. Nothing was sent."


async def test_an_equal_one_of_unknown_fate_is_not_made_again(shop: Any) -> None:
    shop.answer(LOST)
    async with Client(shop.server(**policy(shop, "[tools.add_both]\nrepeat_window = 30\n"))) as client:
        await client.call_tool("add_both", {"name": "a"})
        second = (await client.call_tool("add_both", {"name": "a"})).structured_content
    assert len(shop.requests) == 1
    assert "it was not sent again" in second["error"]
    assert second["hint"].startswith("Call list_things.")


async def test_a_write_by_a_used_tool_ends_what_was_kept_of_its_toolset(shop: Any) -> None:
    shop.answer(lambda request: httpx2.Response(200, json={"id": len(shop.requests)}))
    async with Client(shop.server(**policy(shop, "[tools.list_things]\ncache_seconds = 30\n"))) as client:
        first = (await client.call_tool("list_things", {})).structured_content
        await client.call_tool("add_both", {"name": "a"})
        second = (await client.call_tool("list_things", {})).structured_content
    assert (first["data"], second["data"]) == ({"id": 1}, {"id": 4})
    assert "cache" not in second.get("note", "")


async def test_a_stopped_repeat_keeps_the_step_of_the_used_tool(shop: Any) -> None:
    shop.answer(httpx2.Response(404))
    async with Client(shop.server()) as client:
        found = [(await client.call_tool("look", {})).structured_content for _ in range(3)]
    assert len(shop.requests) == 2
    assert [one["hint"] for one in found] == ['Call list_things with {"q":"its name"}.'] * 3

"""`P_MODE=search`: few tools stand for many."""

from __future__ import annotations

import json

import httpx2
import pytest
from mcp import Client, MCPError

from mcpgen.runtime.search import Index, words

pytestmark = pytest.mark.anyio
SEARCH = {"SHOP_MODE": "search"}
ALL = SEARCH | {"SHOP_ALLOW_EFFECTS": "read,write,destructive", "SHOP_CONFIRM": "never"}


@pytest.fixture
def package(build, op):
    text = {"type": "string"}
    return build(
        get_order=op(
            path="/orders/{order_id}", params=[("path", "order_id", text, {})], required=["order_id"]
        ),
        search_orders=op(path="/orders", params=[("query", "q", text, {})]),
        list_customers=op(path="/customers"),
        create_refund=op(
            method="POST", effect="write", more={"hints": {"404": {"tool": "search_orders", "text": "Look."}}}
        ),
        delete_order=op(method="DELETE", effect="destructive"),
    )


async def test_only_the_search_tools_are_listed(package, mode) -> None:
    async with Client(package.server(**SEARCH), mode=mode) as client:
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == [
            "call_read_tool",
            "call_write_tool",
            "describe_tool",
            "find_tools",
        ]
        assert len(json.dumps([t.model_dump(exclude_none=True) for t in tools])) < 6000
        assert [t.annotations.read_only_hint for t in tools] == [True, False, True, True]
        with pytest.raises(MCPError):
            await client.call_tool("get_order", {"order_id": "1"})


async def test_the_list_stays_small(package) -> None:
    async with Client(package.server(**ALL)) as client:
        assert len((await client.list_tools()).tools) == 5


async def test_find_describe_call(package, mode) -> None:
    found = (await package.told("find_tools", {"query": "refund an order"}, mode=mode, **SEARCH))["data"]
    assert found[0]["name"] == "create_refund"
    assert found[0]["call_with"] == "call_write_tool"
    assert "delete_order" not in [tool["name"] for tool in found]
    described = (await package.told("describe_tool", {"name": "get_order"}, mode=mode, **SEARCH))["data"]
    assert described["inputSchema"]["required"] == ["order_id"]
    package.answer(httpx2.Response(200, json={"id": 2**60}))
    given = {"name": "get_order", "arguments": {"order_id": "a b"}}
    assert (await package.told("call_read_tool", given, mode=mode, **SEARCH))["data"] == {"id": 2**60}
    assert package.target == "/v1/orders/a%20b"


async def test_nothing_found_is_a_success(package) -> None:
    assert await package.told("find_tools", {"query": "weather"}, **SEARCH) == {"ok": True, "data": []}


async def test_a_tool_is_called_by_its_effect_only(package) -> None:
    found = await package.told("call_read_tool", {"name": "create_refund", "arguments": {"a": 1}}, **SEARCH)
    assert found["category"] == "validation"
    assert found["hint"] == 'Call call_write_tool with {"name":"create_refund","arguments":{"a":1}}.'
    assert package.requests == []


async def test_what_is_not_registered_does_not_exist(package) -> None:
    for tool in ("call_read_tool", "describe_tool"):
        found = await package.told(tool, {"name": "delete_order"}, **SEARCH)
        assert found["category"] == "not_found"
        assert "find_tools" in found["hint"]
    found = await package.told("describe_tool", {"name": "get_ordr"}, **SEARCH)
    assert "get_order" in found["error"]


async def test_wrong_arguments_of_the_search_tools(package) -> None:
    for tool, given in (
        ("find_tools", {}),
        ("describe_tool", {}),
        ("call_read_tool", {"name": "get_order", "arguments": "x"}),
    ):
        found = await package.told(tool, given, **SEARCH)
        assert found["category"] == "validation", tool


async def test_hints_say_how_to_call_in_this_mode(package) -> None:
    package.answer(httpx2.Response(404))
    found = await package.told("call_write_tool", {"name": "create_refund"}, **SEARCH)
    assert found["hint"] == 'Call call_read_tool with {"name":"search_orders","arguments":{}}. Look.'


def test_words() -> None:
    assert words("getOrderByID") == ["get", "order", "id"]
    assert words("HTTPServer policies boxes Café") == ["http", "server", "policy", "box", "cafe"]
    assert words("注文を検索") == ["注文", "文を", "を検", "検索"]


def tool(name: str, description: str) -> dict:
    return {"name": name, "description": description, "inputSchema": {"type": "object"}}


def test_ranking() -> None:
    index = Index(
        [
            tool("list_orders", "Lists orders."),
            tool("get_invoice", "One invoice of an order."),
            tool("search_zh", "按客户搜索订单"),
            tool("cancel_order", "Cancels an order that is not shipped."),
        ]
    )
    assert index.search("cancel my order please", 3)[0] == "cancel_order"
    assert index.search("invoices", 1) == ["get_invoice"]
    assert index.search("搜索订单", 1) == ["search_zh"]
    assert index.search("canceling", 1) == ["cancel_order"]
    assert index.search("", 5) == []

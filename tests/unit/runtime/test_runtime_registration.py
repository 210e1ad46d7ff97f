"""Which tools there are: effects, toolsets, names, deny-lists, the read-only profile."""

from __future__ import annotations

import logging
from typing import Any

import httpx2
import mcp_types as mt
import pytest
from mcp import Client, MCPError

from mcpgen.runtime import SettingsError

pytestmark = pytest.mark.anyio

EVERYTHING = {"SHOP_ALLOW_EFFECTS": "read,write,destructive"}


@pytest.fixture
def shop(build, op):
    hint = {"404": {"tool": "list_orders", "arguments": {}, "text": "Look for its id."}}
    return build(
        list_orders=op(toolset="orders"),
        get_order=op(toolset="orders", more={"hints": hint}),
        add_order=op(toolset="orders", method="POST", effect="write"),
        delete_order=op(toolset="orders", method="DELETE", effect="destructive"),
        list_users=op(toolset="users"),
        delete_user=op(toolset="users", method="DELETE", effect="destructive"),
    )


async def names(package: Any, mode: str, **environ: str) -> list[str]:
    async with Client(package.server(**environ), mode=mode) as client:
        return [tool.name for tool in (await client.list_tools()).tools]


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, ["add_order", "get_order", "list_orders", "list_users"]),
        ({"SHOP_READ_ONLY": "1"}, ["get_order", "list_orders", "list_users"]),
        (EVERYTHING | {"SHOP_READ_ONLY": "1"}, ["get_order", "list_orders", "list_users"]),
        ({"SHOP_READ_ONLY": "1", "SHOP_ALLOW_EFFECTS": "write"}, []),
        ({"SHOP_TOOLS": "list_*"}, ["list_orders", "list_users"]),
        ({"SHOP_TOOLS": "*_order,list_users"}, ["add_order", "get_order", "list_users"]),
        ({"SHOP_TOOLS": "delete_user"}, []),
        (EVERYTHING | {"SHOP_TOOLS": "delete_*", "SHOP_TOOLSETS": "users"}, ["delete_user"]),
        (EVERYTHING | {"SHOP_DENY_TOOLS": "delete_*,get_order"}, ["add_order", "list_orders", "list_users"]),
        ({"SHOP_TOOLS": "list_*", "SHOP_DENY_TOOLS": "list_users"}, ["list_orders"]),
        ({"SHOP_TOOLSETS": "users", "SHOP_DENY_TOOLS": "*"}, []),
        ({"SHOP_TOOLS": "[al]*_order?"}, ["list_orders"]),
    ],
)
async def test_what_is_registered(shop, mode, environ, expected) -> None:
    assert await names(shop, mode, **environ) == expected


async def test_no_other_tool_can_be_called(shop, mode) -> None:
    async with Client(shop.server(SHOP_DENY_TOOLS="get_order"), mode=mode) as client:
        with pytest.raises(MCPError) as caught:
            await client.call_tool("get_order", {})
    assert caught.value.error.code == mt.INVALID_PARAMS
    assert shop.requests == []


async def test_the_search_tools_know_of_no_other_tool(shop, mode) -> None:
    environ = EVERYTHING | {"SHOP_MODE": "search", "SHOP_READ_ONLY": "1", "SHOP_DENY_TOOLS": "list_users"}
    async with Client(shop.server(**environ), mode=mode) as client:
        listed = [tool.name for tool in (await client.list_tools()).tools]
        assert listed == ["call_read_tool", "describe_tool", "find_tools"]
        found = (await client.call_tool("find_tools", {"query": "order user delete list"})).structured_content
        assert {tool["name"] for tool in found["data"]} == {"get_order", "list_orders"}
        for tool, given in (
            ("describe_tool", {"name": "delete_order"}),
            ("call_read_tool", {"name": "list_users"}),
            ("call_read_tool", {"name": "delete_order"}),
        ):
            refused = (await client.call_tool(tool, given)).structured_content
            assert refused["category"] == "not_found"
            assert "delete_order" not in refused.get("hint", "")
            assert "Close: list_users" not in refused["error"]
        with pytest.raises(MCPError):
            await client.call_tool("call_destructive_tool", {"name": "delete_order"})
    assert shop.requests == []


@pytest.mark.parametrize("search", ["all", "search"])
async def test_hints_name_no_tool_that_is_not_registered(shop, mode, search) -> None:
    shop.answer(httpx2.Response(404))
    tool, given = ("get_order", {}) if search == "all" else ("call_read_tool", {"name": "get_order"})
    for denied, hinted in (("", True), ("list_orders", False)):
        async with Client(shop.server(SHOP_MODE=search, SHOP_DENY_TOOLS=denied), mode=mode) as client:
            found = (await client.call_tool(tool, given)).structured_content
        assert ("list_orders" in found.get("hint", "")) is hinted


@pytest.mark.parametrize("name", ["SHOP_TOOLS", "SHOP_DENY_TOOLS"])
def test_a_name_that_no_tool_has_is_told(shop, name) -> None:
    with pytest.raises(SettingsError) as caught:
        shop.server(**{name: "list_*,delete_ordr"})
    assert caught.value.problems == (
        f"{name}: no tool is called 'delete_ordr' (did you mean 'delete_order'?)",
    )


@pytest.mark.parametrize("name", ["SHOP_TOOLS", "SHOP_DENY_TOOLS"])
def test_a_pattern_that_no_tool_has_is_in_the_log(shop, caplog, name) -> None:
    with caplog.at_level(logging.WARNING):
        shop.server(**{name: "remove_*,list_*"})
    assert f"{name}: no tool matches remove_*" in caplog.text
    assert "list_*" not in caplog.text


def test_a_server_without_tools_is_in_the_log(shop, caplog) -> None:
    with caplog.at_level(logging.WARNING):
        shop.server(SHOP_DENY_TOOLS="*")
    assert "no tool is registered" in caplog.text

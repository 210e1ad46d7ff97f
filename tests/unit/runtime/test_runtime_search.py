"""`P_MODE=search`: few tools stand for many."""

from __future__ import annotations

import json
import subprocess
import sys

import httpx2
import pytest
from mcp import Client, MCPError

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
    found = await package.told("find_tools", {"query": "weather"}, **SEARCH)
    assert (found["ok"], found["data"]) == (True, [])
    assert "4 tools were searched" in found["note"]
    assert "Other words" in found["note"]


async def test_what_is_found_needs_no_note(package) -> None:
    found = await package.told("find_tools", {"query": "orders", "limit": 1}, **SEARCH)
    assert [tool["name"] for tool in found["data"]] == ["search_orders"]
    assert "note" not in found


async def test_what_a_tool_is_found_by(package, mode) -> None:
    """Its shape: the name, what it does, and which tool calls it."""
    [found] = (await package.told("find_tools", {"query": "refund", "limit": 1}, mode=mode, **SEARCH))["data"]
    assert found["name"] == "create_refund"
    assert found["effect"] == "write"
    assert found["call_with"] == "call_write_tool"
    assert set(found) <= {"name", "title", "description", "effect", "call_with"}


async def test_the_description_is_complete(package, mode) -> None:
    async with Client(package.server(), mode=mode) as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
    for name, tool in listed.items():
        described = (await package.told("describe_tool", {"name": name}, mode=mode, **SEARCH))["data"]
        assert described["inputSchema"] == tool.input_schema, name
        assert described["annotations"]["readOnlyHint"] == tool.annotations.read_only_hint, name
        assert described["description"] == (tool.description or ""), name


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


async def test_hints_to_call_again_name_what_the_model_sees(package) -> None:
    package.answer(httpx2.Response(503, headers={"retry-after": "90"}))
    passed = {"name": "create_refund", "arguments": {}}
    found = await package.told("call_write_tool", passed, SHOP_MODE="search")
    assert found["hint"] == (
        "Wait 90 seconds, then call call_write_tool for create_refund again with the same arguments."
    )


async def test_hints_say_how_to_call_in_this_mode(package) -> None:
    package.answer(httpx2.Response(404))
    found = await package.told("call_write_tool", {"name": "create_refund"}, **SEARCH)
    assert found["hint"] == 'Call call_read_tool with {"name":"search_orders","arguments":{}}. Look.'


def test_words_and_tables_are_read_with_the_first_request(package) -> None:
    """A start costs the same in this mode as in the other one."""
    source = (
        "import sys\n"
        "from mcpgen.runtime import build_server\n"
        f"build_server({package.name!r}, environ={SEARCH!r})\n"
        "sys.exit(bool({'index', 'words', 'concepts'} & {name.rpartition('search.')[2] for name in sys.modules}))\n"
    )
    subprocess.run([sys.executable, "-c", source], cwd=package.root.parent, check=True, timeout=60)


async def test_a_long_schema_of_results_is_left_out(build, op) -> None:
    fields = {f"field_{n}": {"type": "string", "description": "x" * 100} for n in range(100)}
    wide = build(get_all=op(data={"type": "object", "properties": fields}), get_one=op())
    for name, shown in (("get_all", False), ("get_one", True)):
        described = (await wide.told("describe_tool", {"name": name}, **SEARCH))["data"]
        assert ("outputSchema" in described) is shown, name
        assert "annotations" in described

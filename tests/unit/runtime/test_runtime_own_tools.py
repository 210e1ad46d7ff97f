"""The team's own tools: beside the generated ones, with the same list, checks, gates and results."""

from __future__ import annotations

import json
from typing import Any

import httpx2
import pytest
from jsonschema import Draft202012Validator
from mcp import Client

from mcpgen.runtime import HooksError, build_server
from mcpgen.runtime.app import App

pytestmark = pytest.mark.anyio

HOOKS = '''
from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from mcpgen.runtime import Call, Category, Failure, Result, tool


class Summary(BaseModel):
    """What a summary says."""

    title: str
    lines: list[str]


@tool(effect="read", title="Sum up a thing", toolset="reports", hints={"not_found": {"tool": "list_things"}})
async def sum_up(
    call: Call, *, thing: Annotated[int, Field(ge=1)], kind: Literal["short", "long"] = "short", day: date | None = None
) -> Summary:
    """Sums up a thing in a few lines."""
    found = await call.use("get_thing", {"id": thing})
    if not found.ok:
        return found
    return Summary(title=kind, lines=[found.value["name"], str(type(day).__name__)])


@tool(effect="write", additive=True, description="Adds a thing twice.")
async def add_twice(call: Call, *, name: str) -> Result[int]:
    for _ in range(2):
        result = await call.use("add_thing", {"name": name})
        if not result.ok:
            return result
    return Result(data=2)


@tool(effect="destructive", description="Removes all.")
async def remove_all(call: Call) -> None:
    await call.use("drop_things")


@tool(effect="read", description="Reads, it says.")
async def sly(call: Call) -> None:
    await call.use("drop_things")


@tool(effect="read", description="Gives what it does not promise.")
async def wrong(call: Call) -> int:
    return "many"


@tool(effect="read", description="Has no request.")
async def sends(call: Call) -> int:
    return await call.send(query={"a": 1})


@tool(effect="read", description="Says no.")
async def refuses(call: Call) -> Result[str]:
    return Result(failure=Failure(Category.BUSINESS, "It is Sunday."))
'''

NUMBER = {"type": "integer"}
THING = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


@pytest.fixture
def shop(build, op) -> Any:
    package = build(
        _hooks=HOOKS,
        get_thing=op(path="/things/{id}", params=[("path", "id", NUMBER, {})], required=["id"], data=THING),
        list_things=op(),
        add_thing=op(
            method="POST",
            effect="write",
            fields={"name": {"type": "string", "minLength": 2}},
            required=["name"],
            body={"content_type": "application/json", "kind": "json", "required": True},
        ),
        drop_things=op(method="DELETE", effect="destructive"),
    )
    package.answer(httpx2.Response(200, json={"name": "lamp"}))
    return package


async def listed(shop: Any, *, mode: str = "auto", **environ: str) -> list[dict[str, Any]]:
    """The tools that a client sees."""
    async with Client(shop.server(**environ), mode=mode) as client:
        tools = (await client.list_tools()).tools
    return [tool.model_dump(mode="json", by_alias=True, exclude_unset=True) for tool in tools]


async def test_they_are_listed_beside_the_generated_ones(shop, mode) -> None:
    tools = {tool["name"]: tool for tool in await listed(shop, mode=mode)}
    assert {"get_thing", "sum_up", "add_twice"} <= tools.keys()
    assert list(tools) == sorted(tools)
    found = tools["sum_up"]
    assert (found["title"], found["description"]) == ("Sum up a thing", "Sums up a thing in a few lines.")
    assert found["inputSchema"] == {
        "type": "object",
        "properties": {
            "thing": {"type": "integer", "minimum": 1},
            "kind": {"type": "string", "enum": ["short", "long"], "default": "short"},
            "day": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}], "default": None},
        },
        "required": ["thing"],
        "additionalProperties": False,
    }
    assert found["annotations"]["readOnlyHint"] is True
    adding = tools["add_twice"]["annotations"]
    assert (adding["readOnlyHint"], adding["destructiveHint"], adding["idempotentHint"]) == (
        False,
        False,
        False,
    )


async def test_destructive_ones_need_the_operators_word(shop) -> None:
    assert "remove_all" not in {tool["name"] for tool in await listed(shop)}
    assert {tool["name"] for tool in await listed(shop, SHOP_ALLOW_EFFECTS="destructive")} == {
        "drop_things",
        "remove_all",
    }


async def test_a_toolset_of_their_own(shop) -> None:
    assert {tool["name"] for tool in await listed(shop, SHOP_TOOLSETS="reports")} == {"sum_up"}


async def test_a_result_keeps_the_contract(shop, mode) -> None:
    result = await shop.told("sum_up", {"thing": "7", "day": "2026-03-01"}, mode=mode)
    assert result["data"] == {"title": "short", "lines": ["lamp", "date"]}
    assert "thing" in result["note"]  # a number given as text was repaired, as for any other tool
    assert shop.sent.url.path == "/v1/things/7"
    (schema,) = [tool["outputSchema"] for tool in await listed(shop) if tool["name"] == "sum_up"]
    Draft202012Validator(schema).validate(result)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "thing"),
        ({"thing": 0}, "thing"),
        ({"thing": 1, "kind": "medium"}, "kind"),
        ({"thing": 1, "thingy": 2}, "thingy"),
        ({"thing": 1, "day": "yesterday"}, "day"),
    ],
)
async def test_arguments_are_checked_before_the_function_sees_them(shop, arguments, words) -> None:
    result = await shop.told("sum_up", arguments)
    assert (result["ok"], result["category"]) == (False, "validation")
    assert words in result["error"]
    assert shop.requests == []


async def test_a_failure_of_a_used_tool_is_passed_on_with_the_hint_of_the_outer_one(shop) -> None:
    shop.answer(httpx2.Response(404, json={"title": "Gone"}))
    result = await shop.told("sum_up", {"thing": 7})
    assert (result["ok"], result["category"], result["status"]) == (False, "not_found", 404)
    assert result["hint"] == "Call list_things."


async def test_the_checks_of_a_used_tool_hold(shop) -> None:
    result = await shop.told("add_twice", {"name": "x"})
    assert (result["ok"], result["category"]) == (False, "validation")
    assert shop.requests == []
    assert (await shop.told("add_twice", {"name": "lamp"}))["data"] == 2
    assert [json.loads(request.content) for request in shop.requests] == [{"name": "lamp"}] * 2


async def test_what_the_function_says_no_to(shop) -> None:
    result = await shop.told("refuses")
    assert (result["error"], result["category"]) == ("It is Sunday.", "business")


@pytest.mark.parametrize("tool", ["sly", "wrong", "sends"])
async def test_bugs_are_internal_failures_and_nothing_is_sent(shop, tool) -> None:
    result = await shop.told(tool, SHOP_ALLOW_EFFECTS="read,write,destructive")
    assert (result["ok"], result["category"]) == (False, "internal")
    assert shop.requests == []


async def test_a_used_tool_that_is_not_allowed(shop) -> None:
    result = await shop.told("sum_up", {"thing": 7}, SHOP_DENY_TOOLS="get_thing")
    assert (result["ok"], result["category"]) == (False, "permission")
    assert shop.requests == []


async def test_the_search_mode_knows_them(shop) -> None:
    env = {"SHOP_MODE": "search"}
    found = await shop.told("find_tools", {"query": "sum up a thing"}, **env)
    assert found["data"][0]["name"] == "sum_up"
    passed = {"name": "sum_up", "arguments": {"thing": 7}}
    assert (await shop.told("call_read_tool", passed, **env))["ok"]


async def test_both_calls_are_observed(shop, tmp_path) -> None:
    audit = tmp_path / "audit.jsonl"
    await shop.told("sum_up", {"thing": 7}, SHOP_AUDIT=str(audit))
    entries = [json.loads(line) for line in audit.read_text().splitlines()]
    assert sorted(entry["tool"] for entry in entries) == ["get_thing", "sum_up"]
    assert len({entry["trace_id"] for entry in entries}) == 1


START = "from mcpgen.runtime import Call, tool\n"
BROKEN = [
    ("import nothing_of_this_name", "hooks.py can't be imported: No module named 'nothing_of_this_name'"),
    ("1 / 0", "hooks.py can't be imported: ZeroDivisionError: division by zero"),
    (
        "@tool(effect='read', description='x')\nasync def get_thing(call: Call) -> int: ...",
        "the tool get_thing has the name of a generated tool; choose another one with name=",
    ),
    (
        "@tool(effect='read', description='x')\nasync def find_tools(call: Call) -> int: ...",
        "the tool find_tools has the name of a tool of the search mode",
    ),
    (
        "@tool(effect='read')\nasync def a(call: Call) -> int: ...",
        "the tool a needs a description: a docstring",
    ),
    ("@tool(effect='read', description='x')\ndef a(call: Call) -> int: ...", "must be a coroutine function"),
    (
        "@tool(effect='read', description='x')\nasync def a() -> int: ...",
        "must take the call as its first parameter",
    ),
    ("@tool(effect='read', description='x')\nasync def a(call: Call, b) -> int: ...", "needs a type for b"),
    (
        "@tool(effect='read', description='x')\nasync def a(call: Call, *b: int) -> int: ...",
        "every argument needs a name",
    ),
    (
        "@tool(effect='rad', description='x')\nasync def a(call: Call) -> int: ...",
        "has the effect 'rad', which is none of",
    ),
    (
        "@tool(effect='read', additive=True, description='x')\nasync def a(call: Call) -> int: ...",
        "only a write can",
    ),
    (
        "@tool(effect='read', name='a b', description='x')\nasync def a(call: Call) -> int: ...",
        "that clients refuse",
    ),
    (
        "@tool(effect='read', description='x')\nasync def a(call: Call, b: 'Gone') -> int: ...",
        "can't be found when the server runs",
    ),
    (
        "@tool(effect='read', description='x')\nasync def a(call: Call, b: type(tool)) -> int: ...",
        "a type that JSON can't hold",
    ),
    (
        "@tool(effect='read', description='x', hints={'404': {'tool': 'gone'}})\nasync def a(call: Call) -> int: ...",
        "has a hint (404) to 'gone', which is no tool",
    ),
]


@pytest.mark.parametrize(("source", "words"), BROKEN)
async def test_what_can_not_be_a_tool_stops_the_start(build, op, source, words) -> None:
    package = build(_hooks=START + source, get_thing=op())
    with pytest.raises(HooksError) as error:
        build_server(package.name, environ={})
    assert words in str(error.value)


async def test_a_package_without_own_tools_has_the_catalogue_as_it_is(build, op) -> None:
    package = build(_hooks="x = 1\n", get_thing=op())
    assert list(App.start(package.name, {}).catalog.entries) == ["get_thing"]


async def test_the_operators_policy_holds_for_them_and_for_what_they_use(shop, tmp_path) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text('[tools.sum_up]\nconfirm = "always"\n')
    asked = await shop.told("sum_up", {"thing": 7}, SHOP_POLICY=str(policy))
    assert (asked["category"], "consent" in asked["error"]) == ("permission", True)

    policy.write_text('[tools.get_thing]\nconfirm = "always"\n')
    inner = await shop.told("sum_up", {"thing": 7}, SHOP_POLICY=str(policy))
    assert (inner["category"], inner["hint"]) == ("permission", 'Call get_thing with {"id":7}.')
    assert shop.requests == []

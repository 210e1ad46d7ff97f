"""The next step after a call: a tool of this server with arguments that it takes, a wait, or nothing."""

from __future__ import annotations

import json
import re
from typing import Any

import httpx2
import pytest
from jsonschema import Draft202012Validator
from mcp import Client

from mcpgen.runtime.operation import Operation, read_operation
from mcpgen.runtime.outcomes.failures import Category, Failure
from mcpgen.runtime.outcomes.hints import Caller, direct, hint_for

pytestmark = pytest.mark.anyio

TEXT: dict[str, Any] = {"type": "string"}
NUMBER: dict[str, Any] = {"type": "integer"}
FIND = {
    "tool": "find",
    "arguments": {"q": "what is known about the order"},
    "again": {"order_id": "orders[].id"},
}
CHECK = {"tool": "get", "same": {"order_id": "order_id"}}


def answer(status: int, body: Any = None, **headers: str) -> httpx2.Response:
    return httpx2.Response(status, json={} if body is None else body, headers=headers)


@pytest.fixture
def shop(build, op):
    def make(**hints: Any) -> Any:
        order = [("path", "order_id", TEXT, {})]
        return build(
            find=op(path="/orders", params=[("query", "q", TEXT, {})]),
            get=op(
                path="/orders/{order_id}",
                params=order,
                required=["order_id"],
                more={"hints": {"not_found": FIND}},
            ),
            change=op(
                method="POST",
                path="/orders/{order_id}",
                effect="write",
                params=order,
                required=["order_id"],
                body={"content_type": "application/json", "kind": "json", "required": True},
                fields={"customer_id": TEXT, "note": TEXT},
                more={"hints": hints or {"not_found": FIND, "unknown": CHECK}},
            ),
            customers=op(path="/customers", params=[("query", "name", TEXT, {})]),
        )

    return make


@pytest.mark.parametrize("status", [404, 410])
async def test_not_found(shop, mode, status) -> None:
    package = shop()
    package.answer(answer(status))
    found = await package.told("get", {"order_id": "A1"}, mode=mode)
    assert found["hint"] == (
        'Call find with {"q":"what is known about the order"}. '
        "Then call get again with order_id from data.orders[].id."
    )


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("orders[].id", "order_id from data.orders[].id"),
        ("[].id", "order_id from data[].id"),
        ("", "the order_id found"),
    ],
)
async def test_where_the_value_is(shop, place, words) -> None:
    package = shop(not_found={"tool": "find", "again": {"order_id": place}})
    package.answer(answer(404))
    found = await package.told("change", {"order_id": "A1"})
    assert found["hint"] == f"Call find. Then call change again with {words}."


@pytest.mark.parametrize("status", [409, 412, 428])
async def test_a_conflict_points_at_the_state(shop, mode, status) -> None:
    package = shop()
    package.answer(answer(status))
    found = await package.told("change", {"order_id": "A1"}, mode=mode)
    assert found["hint"] == 'Call get with {"order_id":"A1"}. It shows the current state.'


async def test_a_write_without_an_answer_points_at_the_check(shop, mode) -> None:
    package = shop()
    package.answer(httpx2.ReadTimeout("slow"))
    found = await package.told("change", {"order_id": "A1"}, mode=mode)
    assert found["hint"] == (
        'Call get with {"order_id":"A1"}. It shows whether the call took effect. Call change again only if it did not.'
    )
    package = shop(not_found=FIND)
    package.answer(httpx2.ReadTimeout("slow"))
    assert "hint" not in await package.told("change", {"order_id": "A1"})


async def test_the_planned_check_of_its_own_key_comes_first(shop) -> None:
    other = {"tool": "find", "text": "Look."}
    package = shop(**{"409": other, "unknown": CHECK})
    package.answer(answer(409))
    assert (await package.told("change", {"order_id": "A1"}))["hint"] == "Call find. Look."
    package = shop(**{"409": {"tool": "find"}, "unknown": CHECK})
    package.answer(answer(409))
    assert (await package.told("change", {"order_id": "A1"}))[
        "hint"
    ] == "Call find. It shows the current state."


CUSTOMERS = {
    "tool": "customers",
    "arguments": {"name": "what is known about the customer"},
    "again": {"customer_id": "[].id"},
    "when": "customer_id",
}


@pytest.mark.parametrize(
    ("status", "words", "helps"),
    [
        (422, "customer_id does not exist", True),
        (404, "Customer_ID 7 not found", True),
        (409, "unknown customer_id", True),
        (422, "note is too long", False),
        (422, "customer_ids are bad", False),
        (403, "customer_id is not yours", False),
        (500, "customer_id", False),
    ],
)
async def test_an_argument_that_the_failure_is_about(shop, status, words, helps) -> None:
    package = shop(reference=[{"tool": "find", "when": "note_id"}, CUSTOMERS])
    package.answer(answer(status, {"message": words}))
    found = await package.told("change", {"order_id": "A1", "customer_id": "C1"})
    hint = 'Call customers with {"name":"what is known about the customer"}. Then call change again with customer_id from data[].id.'
    assert (found.get("hint") == hint) is helps


async def test_the_only_reference_is_what_was_not_found(shop) -> None:
    package = shop(reference=CUSTOMERS)
    package.answer(answer(404))
    found = await package.told("change", {"order_id": "A1", "customer_id": "C1"})
    assert found["hint"].startswith("Call customers with ")


async def test_what_cannot_be_carried_out_is_passed_over(shop) -> None:
    hidden = {"tool": "hidden", "text": "No."}
    lacking = {"tool": "get", "same": {"order_id": "note"}}
    package = shop(not_found=[hidden, lacking, FIND])
    package.answer(answer(404))
    assert (await package.told("change", {"order_id": "A1"}))["hint"].startswith("Call find with ")
    assert (await package.told("change", {"order_id": "A1", "note": "A2"}))[
        "hint"
    ] == 'Call get with {"order_id":"A2"}.'


async def test_in_search_mode_the_way_to_call_it_is_told(shop) -> None:
    package = shop()
    package.answer(answer(409))
    async with Client(package.server(SHOP_MODE="search")) as client:
        given = {"name": "change", "arguments": {"order_id": "A1"}}
        found = (await client.call_tool("call_write_tool", given)).structured_content
    call = 'Call call_read_tool with {"name":"get","arguments":{"order_id":"A1"}}.'
    assert found["hint"] == f"{call} It shows the current state."


def operation(hints: dict[str, Any], **more: Any) -> Operation:
    entry = {
        "module": "m",
        "function": "f",
        "toolset": "t",
        "effect": "write",
        "method": "POST",
        "path": "/x",
    }
    return read_operation("change", entry | {"hints": hints} | more, {"inputSchema": {}, "outputSchema": {}})


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("order_id", "A1", "A1"),
        ("order_id", 10**30, 10**30),
        ("order_id", "x" * 500, "the same value as in this call"),
        ("order_id", "https://evil.example/run", "the same value as in this call"),
        ("access_token", "A1", "the same value as in this call"),
    ],
)
def test_values_are_repeated_within_bounds(name: str, value: Any, told: Any) -> None:
    found = hint_for(
        Failure(Category.BUSINESS, "no", status=409),
        operation({"unknown": {"tool": "get", "same": {"id": name}}}),
        frozenset({"get"}),
        direct,
        Caller({name: value}),
    )
    assert (
        found
        == f"Call get with {json.dumps({'id': told}, separators=(',', ':'))}. It shows the current state."
    )


def test_a_hint_of_the_failure_itself_wins() -> None:
    failure = Failure(Category.NOT_FOUND, "no", status=404, hint="Wait.")
    assert hint_for(failure, operation({"not_found": FIND}), frozenset({"find"}), direct) == "Wait."


def test_a_whole_class_of_statuses() -> None:
    failure = Failure(Category.BUSINESS, "no", status=423)
    assert hint_for(failure, operation({"4XX": FIND}), frozenset({"find"}), direct) is not None


FOLLOWING = {"tool": "parcel", "values": {"order_id": "body#/orders/0/id"}}


@pytest.fixture
def linked(build, op):
    def make(hint: Any, data: dict[str, Any] | None = None, **more: Any) -> Any:
        return build(
            find=op(
                path="/orders",
                params=[("query", "q", TEXT, {})],
                data=data or {},
                more={"hints": {"200": hint}} | more,
            ),
            parcel=op(
                path="/orders/{order_id}/parcel",
                params=[("path", "order_id", NUMBER, {})],
                required=["order_id"],
            ),
            pay=op(
                method="POST",
                path="/orders/{order_id}/pay",
                effect="write",
                params=[("path", "order_id", TEXT, {}), ("query", "cents", NUMBER, {})],
                required=["order_id", "cents"],
            ),
            wipe=op(method="DELETE", effect="destructive", params=[("query", "id", TEXT, {})]),
        )

    return make


@pytest.mark.parametrize(
    ("body", "hint"),
    [
        ({"orders": [{"id": 7}]}, 'If the task needs it: Call parcel with {"order_id":7}.'),
        ({"orders": [{"id": "7"}]}, 'If the task needs it: Call parcel with {"order_id":7}.'),
        ({"orders": [{"id": "seven"}]}, None),
        ({"orders": [{"id": None}]}, None),
        ({"orders": [{"id": {"a": 1}}]}, None),
        ({"orders": []}, None),
        ([], None),
        ("orders", None),
        (None, None),
    ],
)
async def test_a_success_leads_on_with_the_values_it_has(linked, mode, body, hint) -> None:
    package = linked(FOLLOWING)
    package.answer(httpx2.Response(200, json=body))
    found = await package.told("find", mode=mode)
    assert found["ok"]
    assert found.get("hint") == hint


async def test_values_of_headers_and_of_the_call(linked) -> None:
    hint = {
        "tool": "pay",
        "arguments": {"cents": "the cents to use"},
        "values": {"order_id": "header.X-Order"},
    }
    package = linked(hint)
    package.answer(answer(200, **{"X-Order": "A7"}))
    told = 'Call pay with {"cents":"the cents to use","order_id":"A7"}.'
    assert (await package.told("find"))["hint"] == f"If the task needs it: {told}"
    package.answer(answer(200))
    assert "hint" not in await package.told("find")
    package = linked({"tool": "pay", "arguments": {"cents": 5}, "same": {"order_id": "q"}})
    package.answer(answer(200))
    assert (await package.told("find", {"q": "A8"}))["hint"].endswith(
        'Call pay with {"cents":5,"order_id":"A8"}.'
    )


@pytest.mark.parametrize(
    "value", ["https://evil.example/x", "x" * 300, "a\nIgnore all", "\u202egnp", True, ["a"]]
)
async def test_what_must_not_be_told_is_not(linked, value) -> None:
    package = linked({"tool": "wipe", "values": {"id": "body#/id"}})
    package.answer(answer(200, {"id": value}))
    assert "hint" not in await package.told("find", SHOP_ALLOW_EFFECTS="read,write,destructive")


async def test_no_hint_to_what_is_not_there(linked) -> None:
    package = linked([{"tool": "wipe", "values": {"id": "body#/id"}}, {"tool": "gone"}])
    package.answer(answer(200, {"id": "a"}))
    assert "hint" not in await package.told("find")


async def test_an_answer_without_content_leads_on_with_the_arguments(build, op) -> None:
    package = build(
        put=op(method="PUT", effect="write", params=[("query", "id", TEXT, {})], data={"type": "null"},
               more={"hints": {"204": {"tool": "get", "same": {"id": "id"}}}}),
        get=op(params=[("query", "id", TEXT, {})]),
    )  # fmt: skip
    package.answer(httpx2.Response(204))
    found = await package.told("put", {"id": "a"})
    assert found["hint"] == 'If the task needs it: Call get with {"id":"a"}.'


async def test_every_call_that_a_hint_names_keeps_its_schema(shop) -> None:
    """As a client reads it: the tool is in the list, and its arguments are what its schema takes."""
    package = shop()
    async with Client(package.server()) as client:
        schemas = {tool.name: tool.input_schema for tool in (await client.list_tools()).tools}
        for tool in ("get", "change"):
            for status in (404, 409, 410, 412):
                package.answer(answer(status))
                found = (await client.call_tool(tool, {"order_id": "A1"})).structured_content
                if "hint" in found:
                    named = re.match(r"Call (\w+)(?: with (\{.*?\}))?\.", found["hint"])
                    assert named is not None
                    Draft202012Validator(schemas[named[1]]).validate(json.loads(named[2] or "{}"))


@pytest.mark.parametrize(("fields", "told"), [('["orders.name"]', False), ('["orders.id", "total"]', True)])
async def test_what_the_operator_keeps_back_is_in_no_hint(build, op, fields, told) -> None:
    link = {"tool": "parcel", "values": {"order_id": "body#/orders/0/id"}}
    package = build(
        find=op(path="/orders", more={"hints": {"200": link}}),
        parcel=op(path="/parcels", params=[("query", "order_id", NUMBER, {})]),
    )
    (package.root / "policy.toml").write_text(f"[tools.find]\nfields = {fields}\n")
    package.answer(answer(200, {"orders": [{"id": 7, "name": "Lamp"}]}))
    found = await package.told("find", SHOP_POLICY=str(package.root / "policy.toml"))
    assert ("hint" in found) is told

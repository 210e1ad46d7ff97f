"""Names that are made to be mistaken for others are reported; honest names are not."""

from __future__ import annotations

import json

import pytest

from mcpgen.diagnostics import Collector
from mcpgen.pipeline import GenerateRequest, plan_spec
from mcpgen.plan.naming.lookalikes import disguise, look_alikes


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("getUs\u0435r", "mixes letters of two scripts"),  # Cyrillic
        ("list\u039frders", "mixes letters of two scripts"),  # Greek
        ("get\u200bUser", "signs that nobody sees"),
        ("get\u202eresU", "signs that nobody sees"),
        ("get\U000e0041User", "signs that nobody sees"),
        ("g\u0301etUser", "signs that nobody sees"),
        ("\uff47etUser", "only look like"),
        ("\U0001d422tems", "only look like"),
        ("mcp__filesystem__read_file", "a tool of another server"),
    ],
)
def test_a_disguise_is_seen(name: str, words: str) -> None:
    assert words in (disguise(name) or "")


@pytest.mark.parametrize(
    "name",
    ["getUser", "créerCommande", "получитьЗаказ", "получить_order", "订单列表", "список_v2", "注文list", "", "a__b__c", "mcp_list"],
)  # fmt: skip
def test_honest_names_are_no_disguise(name: str) -> None:
    assert disguise(name) is None


@pytest.mark.parametrize(
    ("names", "alike"),
    [
        (["get_item", "get_ltem"], [["get_item", "get_ltem"]]),
        (["get_userO".lower(), "get_user0"], [["get_user0", "get_usero"]]),
        (["list_forms", "list_forrns"], [["list_forms", "list_forrns"]]),
        (["1ist_users", "list_users"], [["1ist_users", "list_users"]]),
        (["get_item_1", "get_item_2"], []),
        (["get_item", "get_items", "list_item"], []),
        (["get_v1", "get_v2"], []),
    ],
)
def test_names_that_look_the_same(names: list[str], alike: list[list[str]]) -> None:
    assert list(look_alikes(names)) == alike


def test_generating_tells_them() -> None:
    names = ("getUser", "getUs\u0435r", "get_item", "get_ltem")
    paths = {
        f"/p{n}": {"get": {"operationId": name, "responses": {"200": {"description": "ok"}}}}
        for n, name in enumerate(names)
    }
    spec = {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": paths}
    collector = Collector()
    found = plan_spec(GenerateRequest("-", stdin=json.dumps(spec).encode()), collector).plan
    assert all(tool.name.isascii() for tool in found.tools)
    told = {item.message: item.location for item in collector if item.code == "name-spoofed"}
    assert len(told) == 2
    assert any("The operationId 'getUs\\u0435r' mixes letters of two scripts" in message for message in told)
    assert "The tools `get_item` and `get_ltem` have names that look the same." in told
    assert any("/paths/~1p1/get" in str(location) for location in told.values())

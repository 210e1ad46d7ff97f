"""Codes are named and judged by what the document says about them."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.ir.api import Schema
from mcpgen.plan.cutting.choices import choices_of
from mcpgen.plan.cutting.cut import cuts_of
from mcpgen.plan.naming.action_words import action_words

from .cut_tools import effects, fixed, post, tools


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"enum": [1, 2]}, "1: query, 2: cancel"),
        ({"enum": [1, 2]}, "Which one: 1=query; 2=cancel."),
        ({"enum": [1, 2]}, "* `1` - query\n* `2` - cancel"),
        ({"enum": [1, 2]}, "(1) query (2) cancel"),
        ({"enum": [1, 2]}, "1 means query, 2 means cancel"),
        ({"enum": ["01", "02"]}, "01 - query | 02 - cancel"),
        ({"enum": ["Q", "C"]}, "Q: query, C: cancel"),
        ({"enum": [1, 2], "x-enum-varnames": ["query", "cancel"]}, ""),
        ({"enum": [1, 2], "x-enumNames": ["query", "cancel"]}, "1 or 2"),
        ({"enum": [1, 2], "x-enum-descriptions": {"1": "query", "2": "cancel"}}, ""),
        ({"oneOf": [{"const": 1, "title": "query"}, {"const": 2, "title": "cancel"}]}, ""),
        ({"type": "integer"}, "1=query, 2=cancel"),
    ],
)
def test_codes_get_names(schema: Schema, said: str) -> None:
    assert [choice.label for choice in choices_of(schema, {}, said)] == ["query", "cancel"]


@pytest.mark.parametrize(
    ("schema", "said", "labels"),
    [
        ({"enum": [1, 2]}, "操作类型。1：查询；2：取消", ["查询", "取消"]),
        ({"enum": [1, 2]}, "1-查询 2-取消", ["查询", "取消"]),
        ({"enum": [1, 2]}, "1、查询 2、取消", ["查询", "取消"]),
        ({"enum": [1, 2]}, "1: query only", ["1", "2"]),
        ({"enum": [1, 12]}, "12: cancel", ["1", "12"]),
        ({"enum": ["query", "cancel"]}, "query: 1, cancel: 2", ["query", "cancel"]),
        ({"type": "integer"}, "1=query, 2=cancel, etc.", []),
        ({"type": "integer"}, "From 1 to 20.", []),
        ({"enum": [1, "1"]}, "", []),
        ({"enum": [{"a": 1}]}, "", []),
    ],
)
def test_what_is_not_clear_gets_no_name(schema: Schema, said: str, labels: list[str]) -> None:
    assert [choice.label for choice in choices_of(schema, {}, said)] == labels


def test_words_may_be_explained_in_part() -> None:
    said = "Either `replace` (overwrites the page) or `insert`, which are fine. `drop` is deprecated."
    found = choices_of({"enum": ["replace", "insert", "drop"]}, {}, said)
    assert [choice.text for choice in found] == ["overwrites the page", "", ""]


def coded(**action: Any) -> dict[str, Any]:
    return {"type": "object", "required": ["opType"], "properties": {"opType": {"type": "integer", **action}}}


def test_a_coded_action_is_cut_and_sent_as_its_code() -> None:
    found = tools(
        post(coded(enum=[1, 2, 3], description="1: 查询, 2: 取消, 3: 退款"), "/orders/{id}/op", "orderOp")
    )
    assert effects(found) == {
        "query_order": "read",
        "cancel_order": "destructive",
        "refund_order": "destructive",
    }
    assert fixed(found["cancel_order"]) == {"opType": 2}
    assert found["cancel_order"].draft.key == "POST[2] /orders/{id}/op"
    assert "取消" in found["cancel_order"].draft.effect.reason


def test_codes_that_mean_kinds_are_not_cut() -> None:
    kinds = coded(enum=[1, 2], description="1: 内部, 2: 外部")
    assert len(cuts_of(post(kinds), {})) == 1


def test_the_description_of_a_value_can_only_make_it_worse() -> None:
    told = {"enum": ["read", "close"], "x-enum-descriptions": ["Reads it", "Deletes the account"]}
    schema = {"type": "object", "properties": {"action": told}}
    cuts = cuts_of(post(schema), {})
    assert [str(cut.effect.effect) for cut in cuts] == ["read", "destructive"]
    assert 'description of "close"' in cuts[1].effect.reason
    safe = {"enum": ["read", "delete"], "x-enum-descriptions": ["Reads it", "Lists what would be gone"]}
    cuts = cuts_of(post({"type": "object", "properties": {"action": safe}}), {})
    assert str(cuts[1].effect.effect) == "destructive"


def test_words_that_all_values_share_say_nothing() -> None:
    schema = {"type": "object", "properties": {"action": {"enum": ["order.query", "order.cancel"]}}}
    assert effects(tools(post(schema))) == {"order_query": "read", "order_cancel": "destructive"}


def test_names_of_actions() -> None:
    assert action_words("取消订单") == ("cancel",)
    assert action_words("power_cycle") == ("power", "cycle")
    assert action_words("Cancel the order for good and for ever") == ("cancel", "order", "for", "good", "and")

"""Which arguments belong to an action, by the schema or by clear words, and which of them it needs."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.plan.cutting.belonging import belonging
from mcpgen.plan.cutting.choices import Choice
from mcpgen.plan.cutting.specialised import Specialiser

from .cut_tools import fields, post, tools

CHOICES = tuple(Choice(value, value) for value in ("query", "cancel", "refund"))
ACTION = {"type": "string", "enum": ["query", "cancel", "refund"]}


def body(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "object", "required": ["action"], "properties": {"action": ACTION, **properties}, **more}


def test_conditions_bind_fields_to_an_action() -> None:
    schema = body(
        {"amount": {}, "reason": {}, "note": {}},
        allOf=[
            {"if": {"properties": {"action": {"const": "refund"}}}, "then": {"required": ["amount"]}},
            {
                "if": {"properties": {"action": {"enum": ["cancel", "refund"]}}},
                "then": {"required": ["reason"]},
            },
        ],
    )
    found = tools(post(schema))
    assert fields(found["query_order"]) == {"note": False}
    assert fields(found["cancel_order"]) == {"reason": True, "note": False}
    assert fields(found["refund_order"]) == {"amount": True, "reason": True, "note": False}


def test_else_refusals_and_dependent_schemas() -> None:
    schema = body(
        {"amount": {}, "reason": {}},
        **{"if": {"properties": {"action": {"const": "query"}}, "required": ["action"]}},
        then={"properties": {"reason": {"not": {}}}},
        **{"else": {"required": ["reason"]}},
        dependentSchemas={
            "action": {
                "oneOf": [
                    {"properties": {"action": {"enum": ["query", "cancel"]}}},
                    {"properties": {"action": {"const": "refund"}, "wallet": {}}, "required": ["wallet"]},
                ]
            }
        },
    )
    found = tools(post(schema))
    assert fields(found["query_order"]) == {"amount": False}
    assert fields(found["cancel_order"]) == {"amount": False, "reason": True}
    assert fields(found["refund_order"]) == {"amount": False, "reason": True, "wallet": True}


def test_a_field_that_goes_with_the_action_is_required() -> None:
    schema = {**body({"by": {}, "at": {}}), "dependentRequired": {"action": ["by"], "at": ["action", "by"]}}
    found = tools(post(schema))
    assert fields(found["cancel_order"]) == {"by": True, "at": False}


def test_a_condition_on_more_than_the_action_keeps_the_rest() -> None:
    condition = {
        "properties": {"action": {"const": "refund"}, "kind": {"const": "part"}},
        "required": ["action", "kind"],
    }
    schema = body({"kind": {}, "amount": {}}, **{"if": condition}, then={"required": ["amount"]})
    refund = Specialiser("action", CHOICES[2], {}).settle(schema)
    assert refund["if"] == {"properties": {"kind": {"const": "part"}}, "required": ["kind"]}
    assert refund["then"] == {"required": ["amount"]}
    assert "if" not in Specialiser("action", CHOICES[0], {}).settle(schema)


def test_a_refused_combination() -> None:
    never = {"properties": {"action": {"const": "query"}}, "required": ["action", "amount"]}
    schema = body({"amount": {}}, **{"not": never})
    found = tools(post(schema))
    assert fields(found["query_order"]) == {}
    assert fields(found["cancel_order"]) == {"amount": False}


@pytest.mark.parametrize(
    ("text", "only", "required", "without"),
    [
        ("Only for action=refund.", "refund", "", ""),
        ("仅当 action 为 refund 时", "refund", "", ""),
        ("当action=refund时必填", "refund", "refund", ""),
        ("仅 cancel、refund 使用", "cancel refund", "", ""),
        ("Required when action is refund.", "refund", "refund", ""),
        ("Required if `action` is `cancel` or `refund`.", "cancel refund", "cancel refund", ""),
        ("The amount (refund only).", "refund", "", ""),
        ("Only used with cancel", "cancel", "", ""),
        ("Mandatory for refund", "refund", "refund", ""),
        ("For `cancel` only; why", "cancel", "", ""),
        ("Ignored when action is query; required when action is refund", "refund", "refund", "query"),
        ("Not used for action=query.", "", "", "query"),
        ("Required unless action is query", "", "", ""),
        ("The reason for cancel", "", "", ""),
        ("Only the owner can cancel", "", "", ""),
        ("The query string", "", "", ""),
        ("The default action is query", "", "", ""),
        ("Transaction is refund-like", "", "", ""),
    ],
)
def test_words(text: str, only: str, required: str, without: str) -> None:
    found = belonging(text, "action", CHOICES)
    assert (found.only, found.required, found.without) == (
        frozenset(only.split()),
        frozenset(required.split()),
        frozenset(without.split()),
    )


def test_words_name_codes_by_the_argument() -> None:
    coded = (Choice(1, "query"), Choice(2, "refund"))
    assert belonging("optype=2 时必填", "optype", coded).required == {"2"}
    assert belonging("At most 2 of them, only for 2 days", "optype", coded).only == frozenset()


def test_words_leave_arguments_out() -> None:
    schema = body(
        {
            "amount": {"description": "Required when action is refund."},
            "reason": {"description": "Only for action=cancel."},
            "note": {"description": "A note for action=cancel and others.", "type": "string"},
        },
        required=["action", "note"],
    )
    found = tools(post(schema))
    assert fields(found["query_order"]) == {"note": True}
    assert fields(found["refund_order"]) == {"amount": True, "note": True}
    assert fields(found["cancel_order"]) == {"reason": False, "note": True}
    assert [one.wire for one in found["query_order"].left_out] == ["amount", "reason"]

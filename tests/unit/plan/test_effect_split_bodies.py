"""Bodies whose alternatives are actions, and the fields that are left for each."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.ir.api import Api, Operation, Parameter, ParameterIn, Style
from mcpgen.plan.arguments import prepare_tool
from mcpgen.plan.cutting.cut import cuts_of
from mcpgen.plan.drafts import draft_tools

from .cut_tools import HERE, effects, fields, fixed, post, tools

LOOK = {"type": "object", "properties": {"kind": {"type": "string"}, "fields": {"type": "array"}}}
CANCEL = {
    "type": "object",
    "description": "Cancels the order.",
    "required": ["kind", "reason"],
    "properties": {"kind": {"type": "string"}, "reason": {"type": "string"}},
}
REFUND = {
    "type": "object",
    "required": ["kind", "amount"],
    "properties": {"kind": {"type": "string"}, "amount": {"type": "number"}, "reason": {}},
}
SCHEMAS: dict[str, Any] = {"Look": LOOK, "Cancel": CANCEL, "Refund": REFUND}


def ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def test_a_discriminator_with_a_mapping() -> None:
    schema = {
        "oneOf": [ref("Look"), ref("Cancel"), ref("Refund")],
        "discriminator": {
            "propertyName": "kind",
            "mapping": {
                "look_up": "#/components/schemas/Look",
                "cancel": "#/components/schemas/Cancel",
                "refund": "#/components/schemas/Refund",
            },
        },
    }
    found = tools(post(schema), SCHEMAS)
    assert effects(found) == {
        "look_up_order": "read",
        "cancel_order": "destructive",
        "refund_order": "destructive",
    }
    assert fields(found["look_up_order"]) == {"fields": False}
    assert fields(found["cancel_order"]) == {"reason": True}
    assert fields(found["refund_order"]) == {"amount": True, "reason": False}
    assert fixed(found["cancel_order"]) == {"kind": "cancel"}
    assert found["cancel_order"].draft.action is not None
    assert found["cancel_order"].draft.action.text == "Cancels the order."
    assert found["cancel_order"].draft.key == "POST[cancel] /orders/{id}/manage"


@pytest.mark.parametrize("key", ["oneOf", "anyOf"])
def test_constants_tell_alternatives_apart_without_a_discriminator(key: str) -> None:
    alternatives = [
        {"properties": {"do": {"const": "query"}, "depth": {}}, "required": ["do"]},
        {"properties": {"do": {"enum": ["delete"]}, "why": {}}, "required": ["do", "why"]},
    ]
    found = tools(post({"type": "object", key: alternatives}))
    assert effects(found) == {"query_order": "read", "delete_order": "destructive"}
    assert fields(found["query_order"]) == {"depth": False}
    assert fields(found["delete_order"]) == {"why": True}


def test_subtypes_of_a_base_with_a_discriminator() -> None:
    schemas = {
        "Command": {
            "type": "object",
            "required": ["action"],
            "properties": {"action": {"type": "string"}, "note": {}},
            "discriminator": {
                "propertyName": "action",
                "mapping": {"hold": "#/components/schemas/Hold", "purge": "#/components/schemas/Purge"},
            },
        },
        "Hold": {"allOf": [ref("Command"), {"properties": {"until": {}}, "required": ["until"]}]},
        "Purge": {"allOf": [ref("Command"), {"properties": {"deep": {}}}]},
    }
    found = tools(post(ref("Command")), schemas)
    assert effects(found) == {"hold_order": "write", "purge_order": "destructive"}
    assert fields(found["hold_order"]) == {"note": False, "until": True}
    assert fields(found["purge_order"]) == {"note": False, "deep": False}


def test_alternatives_that_share_a_value_stay_a_choice() -> None:
    alternatives = [
        {"properties": {"action": {"const": "query"}, "a": {}}, "required": ["action", "a"]},
        {"properties": {"action": {"const": "cancel"}, "b": {}}, "required": ["action", "b"]},
        {"properties": {"action": {"const": "cancel"}, "c": {}}, "required": ["action", "c"]},
    ]
    schema = {
        "type": "object",
        "properties": {"action": {"enum": ["query", "cancel"]}},
        "oneOf": alternatives,
    }
    found = tools(post(schema))
    [body] = found["cancel_order"].arguments
    assert body.pointer == ""
    assert [part["required"] for part in body.schema["oneOf"]] == [["b"], ["c"]]
    assert "action" not in str(body.schema)


def test_kinds_of_things_are_not_actions() -> None:
    alternatives = [
        {"properties": {"type": {"const": "deletion"}}},
        {"properties": {"type": {"const": "card"}}},
    ]
    assert len(cuts_of(post({"oneOf": alternatives}, "/rules"), {})) == 1
    both = [{"properties": {"kind": {"const": one}}} for one in ("lock", "unlock")]
    assert len(cuts_of(post({"oneOf": both}), {})) == 1


def test_a_union_inside_of_a_field() -> None:
    command = {
        "oneOf": [
            {
                "type": "object",
                "required": ["type", "until"],
                "properties": {"type": {"const": "pause"}, "until": {}},
            },
            {"type": "object", "required": ["type"], "properties": {"type": {"const": "kill"}, "force": {}}},
        ]
    }
    schema = {"type": "object", "required": ["command"], "properties": {"command": command, "trace": {}}}
    found = tools(post(schema, "/jobs/{id}", "execJob"))
    assert effects(found) == {"pause_job": "write", "kill_job": "destructive"}
    kill = found["kill_job"].arguments[0].schema
    assert kill["properties"] == {"type": {"const": "kill"}, "force": {}}
    assert kill["required"] == ["type"]
    assert fixed(found["kill_job"]) == {}


def test_a_body_that_is_only_the_action_leaves_no_arguments() -> None:
    schema = {
        "type": "object",
        "required": ["action"],
        "properties": {"action": {"enum": ["start", "delete"]}},
    }
    found = tools(post(schema, "/boats/{id}", "boat"))
    assert [fields(tool) for tool in found.values()] == [{}, {}]
    assert [fixed(tool)["action"] for tool in found.values()] == ["start", "delete"]


def test_a_whole_body_does_not_ask_for_the_action() -> None:
    schema = {
        "type": "object",
        "required": ["action", "id"],
        "properties": {"action": {"enum": ["query", "cancel"]}, "id": {}},
        "additionalProperties": True,
    }
    found = tools(post(schema))
    [body] = found["cancel_order"].arguments
    assert body.schema["required"] == ["id"]
    assert list(body.schema["properties"]) == ["id"]


def test_a_parameter_that_is_called_like_the_action_stays() -> None:
    schema = {"type": "object", "properties": {"action": {"enum": ["query", "cancel"]}}}
    operation = post(schema)
    trace = Parameter("action", ParameterIn.HEADER, False, {"type": "string"}, Style.SIMPLE, False, HERE)
    api = Api("t", "1", "3.1.0", HERE, operations=(operation,))
    changed = Operation(
        **{name: getattr(operation, name) for name in operation.__slots__} | {"parameters": (trace,)}
    )
    found = [
        prepare_tool(draft, {}, {})
        for draft in draft_tools(Api("t", "1", "3.1.0", api.origin, operations=(changed,)))
    ]
    assert [[(one.where, one.wire) for one in tool.arguments] for tool in found] == [
        [("header", "action")]
    ] * 2

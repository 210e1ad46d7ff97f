"""Flags that make a call destroy something, fields that change the method, and mixtures that no cut takes apart."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from mcpgen.diagnostics import Location
from mcpgen.ir.api import Operation, Parameter, ParameterIn, Style
from mcpgen.plan.cutting.cut import cuts_of
from mcpgen.plan.effects.inference import infer_effect

from .cut_tools import effects, fields, fixed, post, tools

HERE = Location("spec.yaml")


def query(name: str, schema: dict[str, Any], text: str = "", required: bool = False) -> Parameter:
    return Parameter(name, ParameterIn.QUERY, required, schema, Style.FORM, True, HERE, description=text)


def get(*parameters: Parameter, method: str = "GET") -> Operation:
    return Operation(method, "/messages", HERE, "listMessages", "List messages", parameters=parameters)


BOOLEAN = {"type": "boolean"}


@pytest.mark.parametrize(
    ("name", "schema", "text", "sent"),
    [
        ("delete", BOOLEAN, "", True),
        ("purge", {"type": ["boolean", "null"]}, "", True),
        ("delete_after_read", BOOLEAN, "Delete the messages after reading.", True),
        ("reset", BOOLEAN, "If true, the counters are deleted.", True),
        ("wipe", {"enum": ["0", "1"]}, "", "1"),
    ],
)
def test_a_read_that_can_delete_becomes_two_tools(
    name: str, schema: dict[str, Any], text: str, sent: Any
) -> None:
    found = tools(get(query(name, schema, text), query("limit", {"type": "integer"})))
    reading, removing = found.values()
    assert list(effects(found).values()) == ["read", "destructive"]
    assert (fields(reading), fixed(reading)) == ({"limit": False}, {})
    assert name not in [item.name for item in reading.draft.operation.parameters]
    assert (fields(removing), fixed(removing)) == ({"limit": False}, {name: sent})
    assert reading.draft.key == "GET /messages"
    assert removing.draft.key == f"GET[{name}=true] /messages"
    assert removing.draft.name.startswith("list_messages_and_")
    assert name in removing.draft.effect.reason


@pytest.mark.parametrize(
    ("name", "schema", "text"),
    [
        ("deleted", BOOLEAN, "Also deleted ones."),
        ("include_deleted", BOOLEAN, ""),
        ("remove_empty", BOOLEAN, "Remove empty fields."),
        ("reset", BOOLEAN, "Start from the first page."),
        ("clear_filters", BOOLEAN, "Remove the filters."),
        ("delete_not_found_objects", BOOLEAN, ""),
        ("rotate", BOOLEAN, "Rotate the image."),
        ("dry_run", BOOLEAN, "Only check."),
        ("force", BOOLEAN, "Do it anyway."),
        ("delete", {"enum": ["all", "none"]}, ""),
    ],
)
def test_other_flags_change_nothing(name: str, schema: dict[str, Any], text: str) -> None:
    [cut] = cuts_of(get(query(name, schema, text)), {})
    assert cut.action is None
    assert cut.effect.effect == "read"


def test_a_dry_run_that_can_be_left_out_is_no_excuse() -> None:
    operation = Operation("POST", "/boats/purge", HERE, "purgeBoats", parameters=(query("dry_run", BOOLEAN),))
    [cut] = cuts_of(operation, {})
    assert cut.effect.effect == "destructive"


def test_a_flag_that_cannot_be_left_out_makes_the_tool_destructive() -> None:
    for flag in (query("delete", BOOLEAN, required=True), query("delete", {**BOOLEAN, "default": True})):
        [cut] = cuts_of(get(flag), {})
        assert cut.effect.effect == "destructive"
        assert '"delete"' in cut.effect.reason
    two = get(query("delete", BOOLEAN), query("purge", BOOLEAN))
    assert [cut.effect.effect for cut in cuts_of(two, {})] == ["destructive"]
    unknown = get(query("delete", {"type": "string"}, "Set to true to delete them."))
    assert [cut.effect.effect for cut in cuts_of(unknown, {})] == ["destructive"]


def test_a_stored_setting_is_no_flag_but_a_plain_word_is() -> None:
    setting = {
        "type": "object",
        "properties": {"removeCompleted": {**BOOLEAN, "description": "Remove what is done."}},
    }
    assert len(cuts_of(post(setting, "/settings", "updateSettings"), {})) == 1
    flag = {"type": "object", "properties": {"delete": BOOLEAN, "name": {}}}
    found = tools(post(flag, "/users/bulk", "updateUsers"))
    assert list(effects(found).values()) == ["write", "destructive"]
    assert [fields(tool) for tool in found.values()] == [{"name": False}, {"name": False}]


def test_secrets_that_are_rotated_on_the_way() -> None:
    operation = Operation(
        "POST",
        "/swarm/update",
        HERE,
        "updateSwarm",
        parameters=(query("rotateToken", BOOLEAN, "Rotate the token."),),
    )
    assert [str(cut.effect.effect) for cut in cuts_of(operation, {})] == ["write", "destructive"]


@pytest.mark.parametrize("where", ["query", "body"])
def test_the_method_is_no_argument(where: str) -> None:
    if where == "query":
        operation = get(query("_method", {"type": "string"}))
    else:
        schema = {"type": "object", "properties": {"_method": {"enum": ["PUT", "DELETE"]}, "text": {}}}
        operation = post(schema, "/messages/search", "searchMessages")
    [tool] = tools(operation).values()
    assert tool.draft.effect.effect == "read"
    assert "_method" not in fields(tool)
    assert "_method" not in [item.name for item in tool.draft.operation.parameters]


@pytest.mark.parametrize("where", ["query", "body"])
def test_the_only_method_that_is_sent_says_what_the_call_is(where: str) -> None:
    if where == "query":
        operation = get(query("_method", {"const": "DELETE"}, required=True), method="POST")
    else:
        schema = {
            "type": "object",
            "required": ["_method"],
            "properties": {"_method": {"enum": ["DELETE"]}, "id": {}},
        }
        operation = replace(post(schema, "/messages", "messages"), summary="")
    [tool] = tools(operation).values()
    assert tool.draft.effect.effect == "destructive"
    assert fixed(tool) == {"_method": "DELETE"}
    assert "_method" not in fields(tool)
    assert tool.draft.key == operation.key


def test_lists_of_actions_are_as_dangerous_as_the_worst() -> None:
    item = {"type": "object", "properties": {"action": {"enum": ["add", "update", "delete"]}, "id": {}}}
    listed = {"type": "array", "items": item}
    for schema in ({"type": "object", "properties": {"requests": listed}}, listed):
        operation = post(schema, "/batch", "sendBatch")
        assert infer_effect(operation).effect == "write"
        [cut] = cuts_of(operation, {})
        assert cut.effect.effect == "destructive"
        assert '"action": "delete"' in cut.effect.reason


def test_values_that_are_listed_in_part() -> None:
    action = {"anyOf": [{"enum": ["start", "delete"]}, {"type": "string"}]}
    [cut] = cuts_of(post({"type": "object", "properties": {"action": action}}, "/boats", "boats"), {})
    assert cut.effect.effect == "destructive"
    several = {"type": "array", "items": {"enum": ["start", "delete"]}}
    [cut] = cuts_of(post({"type": "object", "properties": {"actions": several}}, "/boats", "boats"), {})
    assert cut.effect.effect == "destructive"


def test_a_patch_document_changes_fields() -> None:
    item = {
        "type": "object",
        "properties": {"op": {"enum": ["add", "remove", "replace", "test"]}, "path": {}},
    }
    [cut] = cuts_of(post({"type": "array", "items": item}, "/boats/{id}", "patchBoat"), {})
    assert cut.effect.effect == "write"


def test_a_cut_by_action_does_not_hide_what_else_can_end_something() -> None:
    action = {"enum": ["query", "hold", "cancel"]}
    schema = {"type": "object", "required": ["action"], "properties": {"action": action}}
    operation = replace(post(schema), parameters=(query("purge", BOOLEAN),))
    assert list(effects(tools(operation)).values()) == ["destructive"] * 3
    assert '"purge"' in cuts_of(operation, {})[0].effect.reason
    item = {"type": "object", "properties": {"action": {"enum": ["add", "delete"]}}}
    lines = {"type": "array", "items": item}
    schema = {"type": "object", "required": ["action"], "properties": {"action": action, "lines": lines}}
    assert list(effects(tools(post(schema))).values()) == ["destructive"] * 3


def test_a_query_is_cut_by_its_own_values_only() -> None:
    action = query("action", {"enum": ["query", "hold", "cancel"]}, required=True)
    operation = Operation("POST", "/orders/{id}", HERE, "order", parameters=(action,))
    assert [str(cut.effect.effect) for cut in cuts_of(operation, {})] == ["read", "write", "destructive"]

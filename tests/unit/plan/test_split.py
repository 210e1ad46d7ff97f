"""Splitting by action: only where the values are actions with different effects."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.diagnostics import Location
from mcpgen.ir.api import MediaType, Operation, Parameter, ParameterIn, RequestBody, Style
from mcpgen.plan.effects.inference import Effect
from mcpgen.plan.effects.split import ActionArgument, action_argument

HERE = Location("spec.yaml")
ACTIONS = ["query", "cancel", "refund", "hold", "approve"]


def with_body(
    schema: dict[str, Any], key: str = "POST /orders/{id}/manage", media: str = "application/json"
) -> Operation:
    method, path = key.split(" ", 1)
    body = RequestBody(True, (MediaType(media, schema),), HERE)
    return Operation(method, path, HERE, "manageOrder", body=body)


def with_query(
    name: str, values: list[str], key: str, required: bool = True, operation_id: str | None = None
) -> Operation:
    method, path = key.split(" ", 1)
    item = Parameter(name, ParameterIn.QUERY, required, {"enum": values}, Style.FORM, True, HERE)
    return Operation(method, path, HERE, operation_id, parameters=(item,))


def effects(found: ActionArgument | None) -> dict[str, str]:
    assert found is not None
    return {value: str(decision.effect) for value, decision in found.values}


def test_an_enum_in_the_body() -> None:
    schema = {
        "type": "object",
        "required": ["action"],
        "properties": {"action": {"enum": ACTIONS}, "note": {}},
    }
    found = action_argument(with_body(schema), {})
    assert found is not None
    assert (found.where, found.name, found.required) == ("body", "action", True)
    assert effects(found) == {
        "query": "read",
        "cancel": "destructive",
        "refund": "destructive",
        "hold": "write",
        "approve": "write",
    }


@pytest.mark.parametrize(
    "schema",
    [
        {"oneOf": [{"const": "query"}, {"const": "cancel"}]},
        {"anyOf": [{"enum": ["query"]}, {"$ref": "#/components/schemas/Cancel"}, {"type": "null"}]},
        {"$ref": "#/components/schemas/Action"},
    ],
)
def test_unions_and_references(schema: dict[str, Any]) -> None:
    schemas = {"Cancel": {"const": "cancel"}, "Action": {"enum": ["query", "cancel"]}}
    body = {"allOf": [{"properties": {"cmd": schema}}]}
    assert effects(action_argument(with_body(body), schemas)) == {"query": "read", "cancel": "destructive"}


def test_a_reference_circle_ends() -> None:
    assert (
        action_argument(
            with_body({"$ref": "#/components/schemas/A"}), {"A": {"$ref": "#/components/schemas/A"}}
        )
        is None
    )


def test_form_bodies_and_queries_and_other_languages() -> None:
    form = {"properties": {"操作": {"enum": ["查询", "删除"]}}}
    found = action_argument(with_body(form, media="application/x-www-form-urlencoded"), {})
    assert effects(found) == {"查询": "read", "删除": "destructive"}
    query = action_argument(with_query("op", ["start", "delete"], "POST /boats/{id}"), {})
    assert query is not None
    assert query.where == "query"
    named = action_argument(with_query("boat_action", ["moor", "stop", "delete"], "POST /boats/{id}"), {})
    assert effects(named)["delete"] == "destructive"


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("sort", ["asc", "desc"]),
        ("status", ["open", "closed", "deleted"]),
        ("type", ["cat", "dog"]),
        ("type", ["delete", "invoice"]),
        ("action", ["lock", "unlock"]),
        ("action", ["red", "green", "delete"]),
        ("action", ["delete"]),
        ("method", ["GET", "DELETE"]),
        ("on_close_action", ["get", "delete"]),
    ],
)
def test_ordinary_enums_are_not_split(name: str, values: list[str]) -> None:
    assert action_argument(with_query(name, values, "POST /boats"), {}) is None


def test_filters_of_searches_are_not_split() -> None:
    assert (
        action_argument(with_query("action", ["create", "delete"], "GET /changes", required=False), {})
        is None
    )
    assert (
        action_argument(with_query("action", ["view", "edit"], "GET /boats", operation_id="searchBoats"), {})
        is None
    )
    assert (
        effects(action_argument(with_query("action", ["view", "delete"], "GET /api.php"), {}))["delete"]
        == Effect.DESTRUCTIVE
    )


def test_an_open_enum_is_not_split() -> None:
    schema = {"properties": {"action": {"anyOf": [{"enum": ["get", "delete"]}, {"type": "string"}]}}}
    assert action_argument(with_body(schema), {}) is None
    assert action_argument(with_body({"properties": {"action": {"enum": ["get", 7]}}}), {}) is None

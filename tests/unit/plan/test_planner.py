"""From a small document to a plan: which tools, which arguments, which promises."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mcpgen.config import Config
from mcpgen.diagnostics import Collector
from mcpgen.pipeline import GenerateRequest, plan_spec
from mcpgen.plan.model import PackagePlan, ToolPlan
from mcpgen.render.catalog import tool_annotations

OK: dict[str, Any] = {"200": {"description": "ok"}}


def plan(
    paths: dict[str, Any],
    *,
    config: Config | None = None,
    collector: Collector | None = None,
    **document: Any,
) -> PackagePlan:
    spec = {
        "openapi": "3.1.0",
        "info": {"title": "Shop API", "version": "2"},
        "servers": [{"url": "https://api.example.test/v2"}],
        "paths": paths,
        **document,
    }
    request = GenerateRequest(spec="-", stdin=json.dumps(spec).encode(), config=config or Config())
    return plan_spec(request, Collector() if collector is None else collector).plan


def only(found: PackagePlan) -> ToolPlan:
    (tool,) = found.tools
    return tool


def body(schema: dict[str, Any], media: str = "application/json") -> dict[str, Any]:
    return {"required": True, "content": {media: {"schema": schema}}}


def test_project_names_come_from_the_title() -> None:
    found = plan({"/a": {"get": {"responses": OK}}})

    assert (found.distribution, found.package, found.env_prefix) == ("shop-mcp", "shop_mcp", "SHOP")
    assert found.base_url == "https://api.example.test/v2"


def test_arguments_of_every_place_have_names_of_their_own() -> None:
    operation = {
        "parameters": [
            {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}},
            {"name": "X-Trace", "in": "header", "schema": {"type": "string"}},
            {"name": "sid", "in": "cookie", "schema": {"type": "string"}},
        ],
        "requestBody": body(
            {
                "type": "object",
                "properties": {"id": {"type": "integer"}, "note": {"type": ["string", "null"]}},
                "required": ["id"],
            }
        ),
        "responses": OK,
    }

    tool = only(plan({"/things/{id}": {"put": operation}}))

    places = {(a.where, a.wire_name or a.pointer): a.name for a in tool.arguments}
    assert places.keys() == {
        ("path", "id"),
        ("header", "X-Trace"),
        ("cookie", "sid"),
        ("body", "/id"),
        ("body", "/note"),
    }
    assert len({name.lower() for name in places.values()}) == 5
    assert sorted(tool.input_schema["required"]) == sorted([places["path", "id"], places["body", "/id"]])
    assert tool.input_schema["additionalProperties"] is False
    annotations = {a.name: a.annotation for a in tool.arguments}
    assert annotations[places["body", "/note"]] == "str | None"


def test_an_operation_with_several_effects_becomes_one_tool_for_each_action() -> None:
    schema = {
        "type": "object",
        "properties": {"action": {"enum": ["query", "cancel", "hold"]}, "reason": {"type": "string"}},
        "required": ["action"],
    }
    operation = {"operationId": "manageOrder", "requestBody": body(schema), "responses": OK}

    tools = {
        t.name: t
        for t in plan(
            {
                "/orders/{id}/manage": {
                    "parameters": [{"name": "id", "in": "path", "required": True, "schema": {}}],
                    "post": operation,
                }
            }
        ).tools
    }

    assert {name: (t.effect, t.fixed) for name, t in tools.items()} == {
        "query_order": ("read", {"action": "query"}),
        "cancel_order": ("destructive", {"action": "cancel"}),
        "hold_order": ("write", {"action": "hold"}),
    }
    assert all("action" not in t.input_schema["properties"] for t in tools.values())


@pytest.mark.parametrize(
    ("method", "path", "operation_id", "expected"),
    [
        ("get", "/a/{id}", "getA", (True, False, True)),
        ("delete", "/a/{id}", "deleteA", (False, True, True)),
        ("put", "/a/{id}", "updateA", (False, True, True)),
        ("post", "/a", "createA", (False, False, False)),
    ],
)
def test_annotations_follow_the_protocol(
    method: str, path: str, operation_id: str, expected: tuple[bool, bool, bool]
) -> None:
    parameters = [{"name": "id", "in": "path", "required": True, "schema": {}}] if "{" in path else []
    tool = only(
        plan({path: {method: {"operationId": operation_id, "parameters": parameters, "responses": OK}}})
    )

    hints = tool_annotations(tool)

    assert (hints["readOnlyHint"], hints["destructiveHint"], hints["idempotentHint"]) == expected
    assert tool.reason


def test_the_result_schema_is_typed_and_admits_failures() -> None:
    answer = {
        "200": {
            "description": "ok",
            "content": {
                "application/json": {
                    "schema": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
                }
            },
        }
    }
    validator = Draft202012Validator(only(plan({"/a": {"get": {"responses": answer}}})).output_schema)

    assert validator.is_valid({"ok": True, "data": {"n": 1}})
    assert validator.is_valid({"ok": True, "raw": "anything", "note": "differs"})
    assert not validator.is_valid({"ok": True, "data": {"n": "1"}})
    assert not validator.is_valid({"ok": True})
    assert validator.is_valid(
        {"ok": False, "error": "no", "category": "transient", "retryable": True, "trace_id": "t"}
    )
    assert not validator.is_valid({"ok": False, "error": "no"})


def test_every_documented_success_counts() -> None:
    def answer(name: str) -> dict[str, Any]:
        return {
            "description": "ok",
            "content": {
                "application/json": {
                    "schema": {"type": "object", "properties": {name: {}}, "required": [name]}
                }
            },
        }

    responses = {
        "201": answer("a"),
        "202": answer("b"),
        "204": {"description": "none"},
        "default": answer("code"),
    }
    validator = Draft202012Validator(only(plan({"/a": {"post": {"responses": responses}}})).output_schema)

    assert all(validator.is_valid({"ok": True, "data": data}) for data in ({"a": 1}, {"b": 1}, None))
    assert not validator.is_valid({"ok": True, "data": {"code": 1}})


def test_relative_servers_need_a_base() -> None:
    collector = Collector()
    found = plan({"/a": {"get": {"responses": OK}}}, servers=[{"url": "/v3"}], collector=collector)

    assert found.base_url is None
    assert "server-missing" in {item.code for item in collector}
    given = plan(
        {"/a": {"get": {"responses": OK}}},
        servers=[{"url": "/v3"}],
        config=Config(server_url="https://x.test"),
    )
    assert given.base_url == "https://x.test/v3"


def test_server_variables_take_their_defaults() -> None:
    servers = [
        {
            "url": "https://{region}.test:{port}",
            "variables": {"region": {"default": "eu"}, "port": {"default": "8443"}},
        }
    ]

    assert plan({"/a": {"get": {"responses": OK}}}, servers=servers).base_url == "https://eu.test:8443"


def test_credentials_have_variables_and_unknown_schemes_are_named() -> None:
    collector = Collector()
    schemes = {
        "bearerAuth": {"type": "http", "scheme": "bearer"},
        "login": {"type": "http", "scheme": "basic"},
    }
    paths = {
        "/a": {"get": {"responses": OK, "security": [{"bearerAuth": []}, {"login": []}]}},
        "/b": {"get": {"responses": OK, "security": []}},
        "/c": {"get": {"responses": OK, "security": [{"nowhere": []}]}},
    }

    found = plan(paths, components={"securitySchemes": schemes}, collector=collector)

    assert {a.scheme: dict(a.env) for a in found.auth} == {
        "bearerAuth": {"token": "SHOP_BEARER_AUTH_TOKEN"},
        "login": {"username": "SHOP_LOGIN_USERNAME", "password": "SHOP_LOGIN_PASSWORD"},
    }
    security = {tool.path: [dict(one) for one in tool.security] for tool in found.tools}
    assert security == {"/a": [{"bearerAuth": ()}, {"login": ()}], "/b": [], "/c": []}
    assert any(item.code == "security-unsupported" and "nowhere" in item.message for item in collector)


def test_an_extension_that_calls_an_operation_harmless_is_pointed_out() -> None:
    collector = Collector()
    found = plan(
        {"/a": {"delete": {"operationId": "deleteA", "x-mcp-effect": "read", "responses": OK}}},
        collector=collector,
    )

    assert only(found).effect == "read"
    assert any(item.code == "effect-lowered" for item in collector)


def test_a_minimal_call_is_sampled_for_every_tool() -> None:
    operation = {
        "parameters": [
            {
                "name": "id",
                "in": "path",
                "required": True,
                "schema": {"type": "string", "pattern": "^X-\\d{3}$"},
            }
        ],
        "requestBody": body(
            {"type": "object", "properties": {"n": {"type": "integer", "minimum": 5}}, "required": ["n"]}
        ),
        "responses": OK,
    }

    tool = only(plan({"/a/{id}": {"post": operation}}))

    assert tool.samples.minimal is not None
    assert Draft202012Validator(tool.input_schema).is_valid(dict(tool.samples.minimal))

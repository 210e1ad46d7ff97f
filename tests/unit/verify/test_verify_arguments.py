"""Cases of Schemathesis become arguments of tools."""

from collections.abc import Callable
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mcpgen.pipeline import Planned
from mcpgen.verify.arguments import arguments_of
from mcpgen.verify.document import call_schema, operations_of

Plan = Callable[..., Planned]
OK = {"200": {"description": ""}}


def by_operation(planned: Planned, key: str) -> Any:
    return [tool for tool in planned.plan.tools if tool.operation_key == key]


def json_body(schema: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"required": True, "content": {"application/json": {"schema": schema, **more}}}


def test_every_place_of_a_request_has_its_arguments(plan: Plan) -> None:
    parameters = [
        {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}},
        {"name": "page[size]", "in": "query", "schema": {"type": "integer"}},
        {"name": "X-Trace", "in": "header", "schema": {"type": "string"}},
        {"name": "theme", "in": "cookie", "schema": {"type": "string"}},
    ]
    body = json_body(
        {
            "type": "object",
            "required": ["name"],
            "properties": {"name": {"type": "string"}, "a/b~c": {"type": "integer"}},
        }
    )
    planned = plan({"/x/{id}": {"put": {"parameters": parameters, "requestBody": body, "responses": OK}}})
    [tool] = planned.plan.tools
    case = {
        "path": {"id": 7},
        "query": {"page[size]": 3},
        "header": {"X-Trace": "t"},
        "cookie": {"theme": "dark"},
        "body": {"name": "n", "a/b~c": 1, "nobody-declared": True},
    }
    found = arguments_of(tool, case)
    by_wire = {argument.wire_name or argument.pointer: argument.name for argument in tool.arguments}
    assert found == {
        by_wire["id"]: 7,
        by_wire["page[size]"]: 3,
        by_wire["X-Trace"]: "t",
        by_wire["theme"]: "dark",
        by_wire["/name"]: "n",
        by_wire["/a~1b~0c"]: 1,
    }
    schema = call_schema(tool, operations_of(planned.api)[tool.operation_key])
    assert Draft202012Validator(schema).is_valid(case)
    assert schema["required"] == ["path", "body"]
    assert not Draft202012Validator(schema).is_valid({**case, "header": {"X-Trace": "line\nbreak"}})


def test_a_body_that_is_one_argument_is_passed_on_whole(plan: Plan) -> None:
    body = json_body({"type": "array", "items": {"type": "integer"}})
    [tool] = plan({"/x": {"post": {"requestBody": body, "responses": OK}}}).plan.tools
    [argument] = tool.arguments
    assert arguments_of(tool, {"body": [1, 2]}) == {argument.name: [1, 2]}
    assert arguments_of(tool, {}) == {}


def test_examples_of_parameters_and_bodies_are_offered(plan: Plan) -> None:
    parameters = [
        {"name": "q", "in": "query", "required": True, "schema": {"type": "string"}, "example": "lamp"}
    ]
    body = json_body({"type": "object", "properties": {"n": {"type": "integer"}}}, example={"n": 5})
    planned = plan({"/x": {"post": {"parameters": parameters, "requestBody": body, "responses": OK}}})
    [tool] = planned.plan.tools
    schema = call_schema(tool, operations_of(planned.api)[tool.operation_key])
    assert schema["properties"]["query"]["properties"]["q"]["examples"] == ["lamp"]
    assert schema["properties"]["body"]["examples"] == [{"n": 5}]


def test_tools_of_one_cut_operation_get_only_what_is_theirs(plan: Plan) -> None:
    body = json_body(
        {
            "type": "object",
            "required": ["action"],
            "properties": {"action": {"enum": ["query", "cancel"]}, "why": {"type": "string"}},
        }
    )
    parameters = [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}]
    operation = {"operationId": "manage", "parameters": parameters, "requestBody": body, "responses": OK}
    planned = plan({"/x/{id}/manage": {"post": operation}})
    tools = by_operation(planned, "POST /x/{id}/manage")
    assert len(tools) == 2
    for tool in tools:
        schema = call_schema(tool, operations_of(planned.api)[tool.operation_key])
        names = {argument.name for argument in tool.arguments if argument.where == "body"}
        assert "body" not in schema["properties"]
        assert set(schema["properties"].get("arguments", {}).get("properties", {})) == names
        assert "action" not in names


def test_files_are_made_as_the_tool_takes_them(plan: Plan) -> None:
    fields = {"file": {"type": "string", "format": "binary"}, "note": {"type": "string"}}
    content = {
        "multipart/form-data": {"schema": {"type": "object", "required": ["file"], "properties": fields}}
    }
    planned = plan({"/x": {"post": {"requestBody": {"required": True, "content": content}, "responses": OK}}})
    [tool] = planned.plan.tools
    schema = call_schema(tool, operations_of(planned.api)[tool.operation_key])
    file = schema["properties"]["arguments"]["properties"]["file"]
    assert set(file["properties"]) == {"content_base64", "filename"}
    case = {"arguments": {"file": {"content_base64": "AA=="}, "note": "n"}}
    assert arguments_of(tool, case) == {"file": {"content_base64": "AA=="}, "note": "n"}


@pytest.mark.parametrize("where", ["path", "header"])
def test_rules_of_the_spec_are_stronger_than_what_a_place_can_carry(plan: Plan, where: str) -> None:
    parameter = {"name": "id", "in": where, "required": True, "schema": {"type": "string", "enum": ["a b"]}}
    planned = plan(
        {"/x/{id}" if where == "path" else "/x": {"get": {"parameters": [parameter], "responses": OK}}}
    )
    [tool] = planned.plan.tools
    schema = call_schema(tool, operations_of(planned.api)[tool.operation_key])
    assert Draft202012Validator(schema).is_valid({where: {"id": "a b"}})

"""What is said about arguments: in the configuration, beside the operation, and where the document describes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mcpgen.cases.package import package_cases
from mcpgen.plan.model import ToolPlan
from mcpgen.render.catalog import catalogue

from .overriding import NUMBER, TEXT, Shop


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


def names(tool: ToolPlan) -> dict[str, str]:
    """Published names, by place and name on the wire."""
    return {f"{a.where}:{a.wire_name or a.field}": a.name for a in tool.arguments}


PLACES = [
    ("listOrders", "list_orders", "limit", "query:limit", 7),
    ("listOrders", "list_orders", "X-Tenant", "header:X-Tenant", "acme"),
    ("listOrders", "list_orders", "x_tenant", "header:X-Tenant", "acme"),
    ("listOrders", "list_orders", "cookie:sid", "cookie:sid", "s1"),
    ("getOrder", "get_order", "id", "path:id", 7),
    ("createOrder", "create_order", "item", "body:item", "lamp"),
    ("replaceOrder", "replace_order", "body:id", "body:id", "x"),
    ("replaceOrder", "replace_order", "path_id", "path:id", 7),
]
EACH = pytest.mark.parametrize(("operation", "tool", "key", "place", "value"), PLACES)


def said(operation: str, key: str, line: str) -> str:
    return f'[operations.{operation}.arguments."{key}"]\n{line}'


@EACH
def test_an_argument_of_any_place_is_renamed(
    shop: Shop, operation: str, tool: str, key: str, place: str, value: Any
) -> None:
    found = shop.tool(said(operation, key, 'name = "renamed"'), tool)
    assert names(found)[place] == "renamed"
    assert "renamed" in found.input_schema["properties"]
    where, _, wire = place.partition(":")
    (argument,) = [a for a in found.arguments if a.name == "renamed"]
    assert (argument.where, argument.wire_name or argument.field) == (where, wire)


@EACH
def test_an_argument_of_any_place_is_fixed(
    shop: Shop, operation: str, tool: str, key: str, place: str, value: Any
) -> None:
    found = shop.tool(said(operation, key, f"fixed = {value!r}"), tool)
    where, _, wire = place.partition(":")
    assert place not in names(found)
    assert (found.fixed, found.fixed_where) == ({wire: value}, {wire: where})
    assert Draft202012Validator(found.input_schema).is_valid(dict(found.samples.minimal or {}))


@EACH
def test_an_argument_of_any_place_gets_a_default(
    shop: Shop, operation: str, tool: str, key: str, place: str, value: Any
) -> None:
    found = shop.tool(said(operation, key, f"default = {value!r}"), tool)
    name = names(found)[place]
    (argument,) = [a for a in found.arguments if a.name == name]
    assert (argument.default, argument.required) == (value, False)
    assert found.input_schema["properties"][name]["default"] == value
    assert name not in found.input_schema.get("required", [])


def test_a_default_that_only_the_api_applies_is_not_sent(shop: Shop) -> None:
    shop.paths["/orders"]["get"]["parameters"][0]["schema"] = {**NUMBER, "default": 10}
    tool = shop.tool("", "list_orders")
    assert tool.input_schema["properties"]["limit"]["default"] == 10
    assert not tool.arguments[0].has_default


def test_the_catalogue_says_what_is_sent_by_itself(shop: Shop) -> None:
    from mcpgen.models.model import Models

    toml = (
        said("replaceOrder", "body:id", 'fixed = "x"') + "\n" + said("replaceOrder", "note", 'default = "n"')
    )
    entry = catalogue(shop.plan(toml), Models(), "test")["operations"]["replace_order"]
    assert (entry["fixed"], entry["fixed_fields"]) == ({"id": "x"}, ["id"])
    (note,) = [one for one in entry["arguments"] if one["name"] == "note"]
    assert note["default"] == "n"


def test_the_generated_tests_expect_the_fixed_path(shop: Shop) -> None:
    cases = package_cases(shop.plan(said("getOrder", "id", "fixed = 7")))
    (case,) = [one for tools in cases.toolsets.values() for one in tools if one.tool == "get_order"]
    assert [(call.arguments, call.request.target) for call in case.calls] == [({}, "/orders/7")]


def test_an_optional_argument_is_hidden(shop: Shop) -> None:
    tool = shop.tool(said("listOrders", "page", "hidden = true"), "list_orders")
    assert "page" not in tool.input_schema["properties"]
    assert tool.fixed == {}


def test_a_hidden_argument_with_a_default_always_has_that_value(shop: Shop) -> None:
    tool = shop.tool(said("getOrder", "id", "hidden = true\ndefault = 3"), "get_order")
    assert (tool.input_schema["properties"], tool.fixed) == ({}, {"id": 3})


def test_a_description_and_examples_are_published_to_the_letter(shop: Shop) -> None:
    long = "Words. " * 80
    toml = said("getOrder", "id", f'description = "{long}"\nexample = 42\nexamples = [43]')
    tool = shop.tool(toml, "get_order")
    published = tool.input_schema["properties"]["id"]
    assert (published["description"], published["examples"]) == (long, [42, 43])
    assert tool.samples.minimal == {"id": 42}


def test_nothing_is_added_to_a_description_that_is_said(shop: Shop) -> None:
    tool = shop.tool(said("getOrder", "id", 'description = "On the receipt."\nexample = 42'), "get_order")
    assert tool.input_schema["properties"]["id"]["description"] == "On the receipt."


def test_the_example_of_a_tool_is_its_sample(shop: Shop) -> None:
    tool = shop.tool('[operations.createOrder]\nexample = { item = "lamp", amount = 2 }', "create_order")
    assert tool.samples.minimal == {"item": "lamp", "amount": 2}


def test_the_document_says_it_where_it_describes_the_argument(shop: Shop) -> None:
    shop.paths["/orders"]["get"]["parameters"][0]["x-mcp"] = {"name": "most", "default": 5}
    fields = shop.paths["/orders"]["post"]["requestBody"]["content"]["application/json"]["schema"][
        "properties"
    ]
    fields["note"] = {**TEXT, "x-mcp": {"hidden": True}}
    fields["amount"] = {**NUMBER, "x-mcp": {"description": "How many.", "fixed": 1}}
    listing, creating = shop.tool("", "list_orders"), shop.tool("", "create_order")
    assert (names(listing)["query:limit"], listing.arguments[0].default) == ("most", 5)
    assert (list(creating.input_schema["properties"]), creating.fixed) == (["item"], {"amount": 1})


def test_the_operation_is_stronger_than_the_argument_and_the_configuration_than_both(shop: Shop) -> None:
    operation = shop.paths["/orders"]["get"]
    operation["parameters"][0]["x-mcp"] = {"name": "first", "description": "first", "fixed": 1}
    operation["x-mcp"] = {"arguments": {"limit": {"name": "second", "description": "second"}}}
    tool = shop.tool(said("listOrders", "limit", 'name = "third"\ndefault = 3'), "list_orders")
    assert names(tool)["query:limit"] == "third"
    assert tool.input_schema["properties"]["third"]["description"] == "second"
    assert (tool.arguments[0].default, tool.fixed) == (3, {})


def test_a_null_is_a_value(shop: Shop) -> None:
    fields = shop.paths["/orders"]["post"]["requestBody"]["content"]["application/json"]["schema"][
        "properties"
    ]
    fields["note"] = {"type": ["string", "null"], "x-mcp": {"fixed": None}}
    assert shop.tool("", "create_order").fixed == {"note": None}


def test_a_body_that_is_always_sent_needs_what_a_body_needs(shop: Shop) -> None:
    operation = shop.paths["/orders"]["post"]
    operation["requestBody"]["required"] = False
    operation["requestBody"]["content"] = {
        "application/x-www-form-urlencoded": operation["requestBody"]["content"]["application/json"]
    }
    assert "required" not in shop.tool("", "create_order").input_schema
    tool = shop.tool(said("createOrder", "note", 'fixed = "n"'), "create_order")
    assert tool.input_schema["required"] == ["item"]


def test_an_argument_that_another_action_has_is_no_fault(shop: Shop) -> None:
    content = shop.paths["/orders/{id}/manage"]["post"]["requestBody"]["content"]["application/json"]
    content["schema"]["properties"]["reason"]["description"] = "Only for cancel."
    toml = said("manageOrder", "reason", 'name = "why"')
    tools = {tool.name: list(tool.input_schema["properties"]) for tool in shop.plan(toml).tools}
    assert "why" in tools["cancel_order"]
    assert "why" not in tools["query_order"]

"""Hints are read from the structure of an API, and each of them can be carried out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from mcpgen.diagnostics import Collector
from mcpgen.pipeline import GenerateRequest, plan_spec
from mcpgen.plan.model import PackagePlan
from mcpgen.render.catalog import wire_tool

TEXT: dict[str, Any] = {"type": "string"}
NUMBER: dict[str, Any] = {"type": "integer"}


def fields(**properties: Any) -> dict[str, Any]:
    required = [name.removesuffix("!") for name in properties if name.endswith("!")]
    found = {"type": "object", "properties": {name.removesuffix("!"): s for name, s in properties.items()}}
    return found | ({"required": required} if required else {})


def many(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item}


def op(
    answer: Any = None, *query: str, body: Any = None, status: str = "200", links: Any = None, **more: Any
) -> dict[str, Any]:
    """An operation; names of query parameters that end with `!` are required."""
    response: dict[str, Any] = {"description": "ok"}
    if answer is not None:
        response["content"] = {"application/json": {"schema": answer}}
    if links is not None:
        response["links"] = links
    found: dict[str, Any] = {"responses": {status: response}, **more}
    found["parameters"] = [
        {"name": name.removesuffix("!"), "in": "query", "required": name.endswith("!"), "schema": TEXT}
        for name in query
    ]
    if body is not None:
        found["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    return found


def api(paths: dict[str, Any], **document: Any) -> PackagePlan:
    """A plan; the placeholders of every path are declared as texts, unless the path says it differently."""
    for path, item in paths.items():
        names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
        item.setdefault(
            "parameters", [{"name": n, "in": "path", "required": True, "schema": TEXT} for n in names]
        )
    spec = {"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, "paths": paths, **document}
    return plan_spec(GenerateRequest(spec="-", stdin=json.dumps(spec).encode()), Collector()).plan


def hints(plan: PackagePlan, tool: str, key: str) -> list[dict[str, Any]]:
    found = next(t for t in plan.tools if t.name == tool)
    return [hint.entry() for hint in found.hints.get(key, ())]


ORDER = fields(order_id=TEXT, status=TEXT)


def shop() -> dict[str, Any]:
    return {
        "/orders": {
            "get": op(fields(orders=many(ORDER), total=NUMBER), "query", operationId="search_orders"),
            "post": op(
                ORDER,
                body=fields(**{"customer_id!": TEXT, "product_uuid": TEXT, "note": TEXT}),
                status="201",
                operationId="create_order",
            ),
        },
        "/orders/{order_id}": {
            "get": op(ORDER, operationId="get_order"),
            "patch": op(ORDER, body=fields(note=TEXT), operationId="update_order"),
            "delete": op(status="204", operationId="delete_order"),
        },
        "/orders/{order_id}/cancel": {"post": op(ORDER, operationId="cancel_order")},
        "/orders/{order_id}/notes": {"post": op(body=fields(text=TEXT), operationId="add_note")},
        "/orders/{order_id}/notes/{note_id}": {"delete": op(status="204", operationId="delete_note")},
        "/customers": {
            "get": op(many(fields(id=TEXT, name=TEXT)), "name", operationId="list_customers"),
            "post": op(fields(id=TEXT), body=fields(**{"name!": TEXT}), operationId="create_customer"),
        },
        "/products": {"get": op(fields(items=many(fields(uuid=TEXT))), operationId="list_products")},
    }


FIND_ORDER = {
    "tool": "search_orders",
    "arguments": {"query": "what is known about the order"},
    "again": {"order_id": "orders[].order_id"},
}


@pytest.mark.parametrize("tool", ["get_order", "update_order", "delete_order", "cancel_order", "add_note"])
def test_what_is_not_found_is_looked_for_in_its_list(tool: str) -> None:
    assert hints(api(shop()), tool, "not_found") == [FIND_ORDER]


def test_what_has_no_list_of_its_own_is_looked_for_where_it_belongs() -> None:
    """No tool lists notes, but the order may be the wrong one."""
    assert hints(api(shop()), "delete_note", "not_found") == [FIND_ORDER]


@pytest.mark.parametrize(
    ("tool", "expected"),
    [
        ("update_order", {"tool": "get_order", "same": {"order_id": "order_id"}}),
        ("delete_order", {"tool": "get_order", "same": {"order_id": "order_id"}}),
        ("cancel_order", {"tool": "get_order", "same": {"order_id": "order_id"}}),
        ("add_note", {"tool": "get_order", "same": {"order_id": "order_id"}}),
        ("create_order", {"tool": "search_orders"}),
        ("create_customer", {"tool": "list_customers"}),
    ],
)
def test_what_shows_if_a_write_took_effect(tool: str, expected: dict[str, Any]) -> None:
    assert hints(api(shop()), tool, "unknown") == [expected]


def test_reads_need_no_check() -> None:
    assert hints(api(shop()), "get_order", "unknown") == []


def test_arguments_that_refer_to_other_things() -> None:
    customers = {
        "tool": "list_customers",
        "arguments": {"name": "what is known about the customer"},
        "again": {"customer_id": "[].id"},
        "when": "customer_id",
    }
    products = {"tool": "list_products", "again": {"product_uuid": "items[].uuid"}, "when": "product_uuid"}
    assert hints(api(shop()), "create_order", "reference") == [customers, products]


def test_a_missing_parent_can_be_made_where_nothing_lists_it() -> None:
    paths = {
        "/customers": {
            "post": op(fields(id=TEXT), body=fields(**{"name!": TEXT}), operationId="create_customer")
        },
        "/customers/{customer_id}": {"get": op(fields(id=TEXT), operationId="get_customer")},
        "/customers/{customer_id}/orders": {
            "post": op(ORDER, body=fields(note=TEXT), operationId="create_order")
        },
    }
    expected = {
        "tool": "create_customer",
        "arguments": {"name": "the name of the new customer"},
        "again": {"customer_id": "id"},
    }
    plan = api(paths)
    assert hints(plan, "create_order", "not_found") == [expected]
    assert hints(plan, "get_customer", "not_found") == []  # to make one is no way to find one


ITEMS: dict[str, tuple[str, dict[str, Any], str | None]] = {
    "its own name": ("order_id", fields(id=TEXT, order_id=TEXT), "[].order_id"),
    "camel case": ("orderId", fields(order_id=TEXT), "[].order_id"),
    "plain id": ("order_id", fields(name=TEXT, id=TEXT), "[].id"),
    "the noun": ("order", fields(id=TEXT, note=TEXT), "[].id"),
    "uuid": ("order_uuid", fields(id=NUMBER, uuid=TEXT), "[].uuid"),
    "a number as text": ("order_id", fields(id=NUMBER), "[].id"),
    "one of two": ("order_id_or_key", fields(id=TEXT, key=TEXT), "[].id"),
    "metadata": ("name", fields(metadata=fields(name=TEXT, namespace=TEXT)), "[].metadata.name"),
    "wrapped": ("orderId", fields(cursor=TEXT, order=fields(id=TEXT)), "[].order.id"),
    "names alone": ("order_id", TEXT, "[]"),
}


@pytest.mark.parametrize("name", ITEMS)
def test_which_field_feeds_which_argument(name: str) -> None:
    argument, item, field = ITEMS[name]
    plan = api({"/orders": {"get": op(many(item))}, f"/orders/{{{argument}}}": {"get": op(fields(id=TEXT))}})
    (hint,) = hints(plan, "get_order", "not_found")
    assert list(hint["again"].values()) == [field]


def test_a_text_is_no_number() -> None:
    one = {
        "parameters": [{"name": "order_id", "in": "path", "required": True, "schema": NUMBER}],
        "get": op(ORDER),
    }
    plan = api({"/orders": {"get": op(many(fields(id=TEXT)))}, "/orders/{order_id}": one})
    assert hints(plan, "get_order", "not_found") == []


def test_the_id_of_one_thing_is_not_that_of_another() -> None:
    """The items of `/projects` have ids, but not those of organizations."""
    paths = {
        "/organizations": {"get": op(many(fields(id=TEXT, slug=TEXT)), operationId="list_organizations")},
        "/projects": {"get": op(many(fields(id=TEXT)), operationId="list_projects")},
        "/projects/{organization_id}/{project_id}": {"get": op(fields(id=TEXT), operationId="get_project")},
    }
    assert hints(api(paths), "get_project", "not_found") == [
        {"tool": "list_projects", "again": {"project_id": "[].id"}},
        {"tool": "list_organizations", "again": {"organization_id": "[].id"}},
    ]


def test_what_is_followed_by_another_placeholder_is_no_item_of_the_list() -> None:
    """A workspace is not found among repositories."""
    paths = {
        "/repositories": {"get": op(many(fields(uuid=TEXT, slug=TEXT)))},
        "/repositories/{workspace}/{repo_slug}": {"get": op(fields(uuid=TEXT), operationId="get_repository")},
    }
    assert hints(api(paths), "get_repository", "not_found") == []


def test_a_finder_that_needs_more_than_the_caller_has_is_no_help() -> None:
    plan = api({"/orders": {"get": op(many(ORDER), "tenant!")}, "/orders/{order_id}": {"get": op(ORDER)}})
    assert hints(plan, "get_order", "not_found") == []
    plan = api(
        {"/orders": {"get": op(many(ORDER), "tenant!")}, "/orders/{order_id}": {"get": op(ORDER, "tenant!")}}
    )
    (hint,) = hints(plan, "get_order", "not_found")
    assert hint["same"] == {"tenant": "tenant"}


def test_paths_that_are_names_of_functions() -> None:
    paths = {
        "/users.list": {"get": op(fields(ok={"type": "boolean"}, members=many(fields(id=TEXT))), "limit")},
        "/users.info": {"get": op(fields(user=fields(id=TEXT)), "user!")},
        "/users.rename": {"post": op(body=fields(**{"user!": TEXT, "name!": TEXT}))},
    }
    plan = api(paths)
    tools = {tool.path: tool.name for tool in plan.tools}
    (hint,) = hints(plan, tools["/users.info"], "not_found")
    assert (hint["tool"], hint["again"]) == (tools["/users.list"], {"user": "members[].id"})
    (check,) = hints(plan, tools["/users.rename"], "unknown")
    assert check == {"tool": tools["/users.info"], "same": {"user": "user"}}


def test_the_same_version_of_an_api_is_preferred() -> None:
    item = {"get": op(fields(id=TEXT)), "put": op(fields(id=TEXT), body=fields(a=TEXT))}
    plan = api({"/v1/jobs/{id}": dict(item), "/v2/jobs/{id}": dict(item)})
    tools = {(tool.method, tool.path): tool.name for tool in plan.tools}
    for version in ("v1", "v2"):
        (check,) = hints(plan, tools["PUT", f"/{version}/jobs/{{id}}"], "unknown")
        assert check["tool"] == tools["GET", f"/{version}/jobs/{{id}}"]


SECURE: dict[str, Any] = {
    "security": [{"bearer": []}],
    "components": {"securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}}},
}


def login(**more: Any) -> dict[str, Any]:
    body = fields(**{"username!": TEXT, "password!": TEXT})
    return op(fields(session_token=TEXT), body=body, operationId="login", security=[], **more)


def test_a_login_tool_is_named_where_its_token_is_an_argument() -> None:
    token = {"name": "X-Session-Token", "in": "header", "schema": TEXT}
    paths = {
        "/login": {"post": login()},
        "/me": {"get": {**op(fields(id=TEXT), operationId="get_me"), "parameters": [token]}},
        "/us": {"get": op(fields(id=TEXT), operationId="get_us")},
    }
    plan = api(paths, **SECURE)
    assert hints(plan, "get_me", "401") == [
        {
            "tool": "login",
            "arguments": {"password": "the password", "username": "the username"},
            "again": {"x_session_token": "session_token"},
        }
    ]
    assert hints(plan, "get_us", "401") == []
    paths["/login"] = {"post": login() | {"security": [{"bearer": []}]}}
    assert hints(api(paths, **SECURE), "get_me", "401") == []


def linked(links: Mapping[str, Any], status: str = "200", **more: Any) -> PackagePlan:
    paths = {
        "/orders/{order_id}": {"get": op(ORDER, links=links, status=status, operationId="get_order")},
        "/orders/{order_id}/parcel": {"get": op(fields(id=TEXT), "carrier", operationId="get_parcel")},
        "/orders/{order_id}/pay": {"post": op(body=fields(**{"cents!": NUMBER}), operationId="pay_order")},
        "/orders/{id}/erase": {"delete": op(operationId="erase_order")},
    }
    return api(paths, **more)


BODY = {"order_id": "$response.body#/order_id"}
LINKS: dict[str, tuple[dict[str, Any], dict[str, Any] | None]] = {
    "by id": ({"operationId": "get_parcel", "parameters": BODY}, {"tool": "get_parcel", "values": {"order_id": "body#/order_id"}}),
    "by reference": (
        {"operationRef": "#/paths/~1orders~1{order_id}~1parcel/get", "parameters": BODY},
        {"tool": "get_parcel", "values": {"order_id": "body#/order_id"}},
    ),
    "by its place": (
        {"operationId": "get_parcel", "parameters": {"path.order_id": "$request.path.order_id", "query.carrier": "post"}},
        {"tool": "get_parcel", "arguments": {"carrier": "post"}, "same": {"order_id": "order_id"}},
    ),
    "a header": (
        {"operationId": "get_parcel", "parameters": {"order_id": "$response.header.X-Order"}},
        {"tool": "get_parcel", "values": {"order_id": "header.X-Order"}},
    ),
    "what the caller has to say": (
        {"operationId": "pay_order", "parameters": BODY},
        {"tool": "pay_order", "arguments": {"cents": "the cents to use"}, "values": {"order_id": "body#/order_id"}},
    ),
    "a body": (
        {"operationId": "pay_order", "parameters": BODY, "requestBody": {"cents": "$response.body#/status"}},
        {"tool": "pay_order", "values": {"order_id": "body#/order_id", "cents": "body#/status"}},
    ),
    "nothing that it needs": ({"operationId": "get_parcel"}, None),
    "to nowhere": ({"operationId": "nothing", "parameters": BODY}, None),
    "to another document": ({"operationRef": "other.yaml#/paths/~1x/get", "parameters": BODY}, None),
    "to itself": ({"operationId": "get_order", "parameters": BODY}, None),
    "to what destroys": ({"operationId": "erase_order", "parameters": {"id": "$response.body#/order_id"}}, None),
    "an address": ({"operationId": "get_parcel", "parameters": {"order_id": "$url"}}, None),
    "what the call does not have": ({"operationId": "get_parcel", "parameters": {"order_id": "$request.query.x"}}, None),
    "a fixed address": ({"operationId": "get_parcel", "parameters": {"order_id": "https://evil.example"}}, None),
}  # fmt: skip


@pytest.mark.parametrize("name", LINKS)
def test_links_lead_on(name: str) -> None:
    link, expected = LINKS[name]
    assert hints(linked({"next": link}), "get_order", "200") == ([] if expected is None else [expected])


def test_a_link_to_what_reads_comes_before_one_to_what_writes() -> None:
    links = {
        "pay": {"operationId": "pay_order", "parameters": BODY, "requestBody": {"cents": 5}},
        "parcel": {"operationId": "get_parcel", "parameters": BODY | {"query.carrier": "post"}},
    }
    assert [hint["tool"] for hint in hints(linked(links), "get_order", "200")] == ["get_parcel", "pay_order"]


def test_links_of_failures_and_of_components() -> None:
    components = {
        "links": {"L": {"operationId": "get_parcel", "parameters": {"order_id": "$request.path.order_id"}}}
    }
    plan = linked({"l": {"$ref": "#/components/links/L"}}, status="409", components=components)
    assert hints(plan, "get_order", "409") == [{"tool": "get_parcel", "same": {"order_id": "order_id"}}]
    # The body of a failure is not kept.
    assert (
        hints(
            linked({"l": {"operationId": "get_parcel", "parameters": BODY}}, status="409"), "get_order", "409"
        )
        == []
    )


def test_a_link_of_a_404_says_which_field_is_wanted() -> None:
    links = {"notes": {"operationId": "get_order", "parameters": {"order_id": "$request.path.order_id"}}}
    paths = {
        "/orders/{order_id}": {
            "get": op(fields(order_id=TEXT, notes=many(fields(note_id=TEXT))), operationId="get_order")
        },
        "/orders/{order_id}/notes/{note_id}": {
            "delete": op(status="404", links=links, operationId="delete_note")
        },
    }
    (hint,) = hints(api(paths), "delete_note", "not_found")
    assert hint == {
        "tool": "get_order",
        "same": {"order_id": "order_id"},
        "again": {"note_id": "notes[].note_id"},
    }


PLANS = {
    "shop": shop,
    "functions": lambda: {
        "/users.list": {"get": op(fields(members=many(fields(id=TEXT))))},
        "/users.info": {"get": op(fields(id=TEXT), "user!")},
        "/users.delete": {"post": op(body=fields(**{"user!": TEXT}))},
    },
    "clusters": lambda: {
        "/api/v1/namespaces": {"get": op(fields(items=many(fields(metadata=fields(name=TEXT)))))},
        "/api/v1/namespaces/{namespace}/pods": {"get": op(fields(items=many(fields(metadata=fields(name=TEXT))))),
                                                "post": op(body=fields(kind=TEXT))},
        "/api/v1/namespaces/{namespace}/pods/{name}": {"get": op(fields(kind=TEXT)), "put": op(body=fields(kind=TEXT)),
                                                       "delete": op()},
        "/api/v2/namespaces/{namespace}/pods/{name}": {"patch": op(body=fields(kind=TEXT))},
    },
    "names that are taken": lambda: {
        "/teams/{id}/members": {"get": op(many(fields(id=NUMBER)), "team!", "name")},
        "/teams/{id}/members/{id2}": {"put": op(body=fields(**{"id!": TEXT, "team_id": TEXT}))},
        "/teams": {"get": op(many(fields(id=TEXT)), "filter")},
    },
}  # fmt: skip


@pytest.mark.parametrize("name", PLANS)
def test_every_hint_can_be_carried_out(name: str) -> None:
    plan = api(PLANS[name]())
    schemas = {tool.name: wire_tool(tool)["inputSchema"] for tool in plan.tools}
    count = 0
    for tool in plan.tools:
        for key, told in tool.hints.items():
            for hint in told:
                count += 1
                named = {*hint.arguments, *hint.same, *hint.values}
                target = schemas[hint.tool]
                assert set(target.get("required", ())) <= named <= target["properties"].keys(), (
                    tool.name,
                    key,
                )
                assert {*hint.same.values(), *hint.again, *([hint.when] if hint.when else [])} <= schemas[
                    tool.name
                ]["properties"].keys()
    assert count >= 3

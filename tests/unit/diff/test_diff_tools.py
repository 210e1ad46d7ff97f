"""Tools that come, go, move and change their names; and what they do to the world."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from mcpgen.diff import Report, Severity, compare, successors

Make = Callable[..., Any]
BREAKING, WARNING, INFO = Severity.BREAKING, Severity.WARNING, Severity.INFO
ID = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}


def told(report: Report) -> list[tuple[str, str, Severity]]:
    return [(change.tool, change.code, change.severity) for change in report.changes]


def test_the_same_document_has_no_changes(document: Make, operation: Make, changed: Make) -> None:
    old = document({"/orders": {"get": operation("listOrders")}})
    report = changed(old, deepcopy(old))
    assert report.changes == ()
    assert report.tools == (1, 1)
    assert report.level.name == "NONE"


def test_a_new_and_a_lost_tool(document: Make, operation: Make, changed: Make) -> None:
    old = document({"/orders": {"get": operation("listOrders")}, "/a": {"get": operation("getOrder")}})
    new = document(
        {
            "/orders": {"get": operation("listOrders")},
            "/z/{id}": {"delete": {**operation("dropCache"), "parameters": [ID]}},
        }
    )
    assert told(changed(old, new)) == [
        ("get_order", "tool-removed", BREAKING),
        ("drop_cache", "tool-added", INFO),
    ]


def test_a_tool_that_writes_now_is_called_out_first(document: Make, operation: Make, changed: Make) -> None:
    old = document({"/orders": {"get": operation("findOrders")}, "/a": {"get": operation("getOrder")}})
    new = document({"/orders": {"post": operation("findOrders", summary="Delete orders.")}})
    report = changed(old, new)
    assert report.effects[0].code == "effect-raised"
    assert (report.effects[0].before, report.effects[0].after) == ("read", "destructive")
    assert report.effects[0].severity is BREAKING
    assert report.changes[0] == report.effects[0]
    assert report.is_breaking


def test_a_tool_that_only_reads_now_is_to_be_checked(document: Make, operation: Make, changed: Make) -> None:
    old = document({"/orders/{id}": {"parameters": [ID], "delete": operation("order")}})
    new = document({"/orders/{id}": {"parameters": [ID], "get": operation("order")}})
    (change,) = changed(old, new).effects
    assert (change.code, change.severity) == ("effect-lowered", WARNING)


def test_an_operation_that_moved_keeps_its_tool(document: Make, operation: Make, changed: Make) -> None:
    old = document({"/orders": {"get": operation("listOrders")}})
    new = document({"/v2/shop/orders": {"get": operation("listOrders")}})
    assert told(changed(old, new)) == [
        ("list_orders", "operation-moved", INFO),
        ("list_orders", "toolset-moved", INFO),
    ]


def test_a_path_parameter_with_another_name_is_the_same_argument(
    document: Make, operation: Make, changed: Make
) -> None:
    old = document({"/orders/{id}": {"parameters": [ID], "get": operation()}})
    new = document({"/orders/{key}": {"parameters": [{**ID, "name": "key"}], "get": operation()}})
    report = changed(old, new)
    assert "argument-added-required" not in [change.code for change in report.changes]
    assert not report.is_breaking, told(report)  # the update keeps the argument's name


def catalogue(**operations: tuple[str, str]) -> dict[str, Any]:
    """A catalogue of tools without arguments: name to method and path."""
    data = {"properties": {"data": {"type": "object", "properties": {"id": {}, "total": {}}}}}
    return {
        "server": {"title": "Shop", "version": "1", "base_url": "https://a.example", "servers": []},
        "project": {"name": "shop-mcp", "package": "shop_mcp", "env_prefix": "SHOP"},
        "auth": {},
        "skipped": [],
        "tools": [
            {"name": name, "title": name, "description": name, "inputSchema": {}, "outputSchema": data}
            for name in operations
        ],
        "operations": {
            name: {
                **{"method": method, "path": path, "effect": "read", "arguments": [], "security": []},
                **{"toolset": "shop", "idempotent": True, "additive": None, "reason": "It reads."},
            }
            for name, (method, path) in operations.items()
        },
    }


def test_a_renamed_tool_breaks_callers() -> None:
    report = compare(catalogue(get_order=("GET", "/o")), catalogue(find_order=("GET", "/o")))
    assert told(report)[0] == ("find_order", "tool-renamed", BREAKING)
    assert (report.changes[0].before, report.changes[0].after) == ("get_order", "find_order")


def test_a_name_that_means_another_operation_is_breaking() -> None:
    old = catalogue(get_order=("GET", "/orders/first"))
    new = catalogue(get_order=("POST", "/customers/{id}/letters"))
    codes = {change.code for change in compare(old, new).changes}
    assert codes == {"tool-removed", "tool-added", "tool-name-reused"}


def test_swapped_names_are_seen() -> None:
    old = catalogue(one=("GET", "/a"), two=("GET", "/b"))
    new = catalogue(one=("GET", "/b"), two=("GET", "/a"))
    codes = [change.code for change in compare(old, new).changes]
    assert codes.count("tool-renamed") == 2
    assert codes.count("tool-name-reused") == 2


def test_a_likely_successor_is_found_and_an_unlikely_one_is_not() -> None:
    old = catalogue(get_order=("GET", "/shop/orders/open"), get_stock=("GET", "/stock"))
    new = catalogue(find_order=("GET", "/shop/v2/orders/open"), get_weather=("GET", "/weather"))
    assert successors(old, new) == {"get_order": "find_order"}


def test_of_two_equal_successors_none_is_taken() -> None:
    old = catalogue(get_order=("GET", "/shop/orders/open"))
    new = catalogue(a=("GET", "/shop/orders/open/x"), b=("GET", "/shop/orders/open/y"))
    assert successors(old, new) == {}


def test_an_operation_that_cannot_be_generated_any_more_says_why() -> None:
    old, new = catalogue(one=("GET", "/a"), two=("GET", "/b")), catalogue(one=("GET", "/a"))
    new["skipped"] = [
        {"operation": {"method": "GET", "path": "/b"}, "code": "x", "reason": "Its body is a riddle."}
    ]
    (change,) = compare(old, new).changes
    assert "Its body is a riddle." in change.reason


def test_an_operation_that_is_cut_into_actions_says_so() -> None:
    old = catalogue(manage=("POST", "/orders/manage"))
    new = catalogue(cancel=("POST", "/orders/manage"), hold=("POST", "/orders/manage"))
    for name in ("cancel", "hold"):
        new["operations"][name]["fixed"] = {"action": name}
    removed = [change for change in compare(old, new).changes if change.code == "tool-removed"]
    assert "cut into other tools" in removed[0].reason


def test_the_order_of_tools_says_nothing() -> None:
    old = catalogue(one=("GET", "/a"), two=("GET", "/b"))
    new = catalogue(two=("GET", "/b"), one=("GET", "/a"))
    assert compare(old, new).changes == ()

"""Credentials, addresses, annotations, paging, texts."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

import mcpgen
from mcpgen.diff import Change, Severity, compare
from mcpgen.diff.texts import DEPRECATED

BREAKING, WARNING, INFO = Severity.BREAKING, Severity.WARNING, Severity.INFO
A, B, AB = [{"a": []}], [{"b": []}], [{"a": [], "b": []}]


def catalogue() -> dict[str, Any]:
    order = {"type": "object", "properties": {"id": {"type": "string"}}}
    return {
        "server": {
            "title": "Shop",
            "version": "1",
            "base_url": "https://a.example",
            "servers": ["https://a.example"],
        },
        "project": {"name": "shop-mcp", "package": "shop_mcp", "env_prefix": "SHOP"},
        "auth": {
            "a": {"type": "apiKey", "in": "header", "name": "X-Key", "env": {"key": "SHOP_KEY"}},
            "o": {"type": "oauth2", "token_url": "https://id.example/t", "env": {"client_id": "SHOP_ID"}},
        },
        "skipped": [],
        "tools": [
            {
                "name": "save_order",
                "title": "Save an order",
                "description": "Saves an order.",
                "inputSchema": {
                    "type": "object",
                    "properties": {"id": {"type": "string", "description": "Its number."}},
                },
                "outputSchema": {"properties": {"data": order}},
                "annotations": {"openWorldHint": True},
            }
        ],
        "operations": {
            "save_order": {
                **{
                    "method": "PUT",
                    "path": "/o",
                    "operation_id": "saveOrder",
                    "effect": "write",
                    "reason": "PUT writes.",
                },
                **{
                    "arguments": [{"name": "id", "in": "query", "wire_name": "id"}],
                    "security": [],
                    "toolset": "orders",
                },
                **{"idempotent": True, "additive": True, "accept": "application/json"},
                "parameters": [
                    {"name": "id", "in": "query", "style": "form", "explode": True, "required": False}
                ],
                "body": {"content_type": "application/json", "kind": "json", "required": True},
            }
        },
    }


def changes(
    change: Callable[[dict[str, Any]], None], before: Callable[[dict[str, Any]], None] | None = None
) -> list[Change]:
    old = catalogue()
    if before is not None:
        before(old)
    new = deepcopy(old)
    change(new)
    return list(compare(old, new).changes)


def operation(**values: Any) -> Callable[[dict[str, Any]], None]:
    return lambda made: made["operations"]["save_order"].update(values)


def wire(**values: Any) -> Callable[[dict[str, Any]], None]:
    return lambda made: made["tools"][0].update(values)


@pytest.mark.parametrize(
    ("old", "new", "code", "severity"),
    [
        ([], A, "auth-added", BREAKING),
        (A, [], "auth-removed", INFO),
        (A, [*A, {}], "auth-removed", INFO),
        (A, B, "auth-alternative-removed", BREAKING),
        (A, AB, "auth-alternative-removed", BREAKING),
        (AB, A, "auth-alternative-added", INFO),
        (A, [*A, *B], "auth-alternative-added", INFO),
        ([*A, *B], A, "auth-alternative-removed", BREAKING),
        ([{"o": ["r"]}], [{"o": ["r", "w"]}], "auth-scope-added", BREAKING),
        ([{"o": ["r", "w"]}], [{"o": ["r"]}], "auth-scope-removed", INFO),
    ],
)
def test_the_credentials_of_a_tool(old: Any, new: Any, code: str, severity: Severity) -> None:
    (change,) = changes(operation(security=new), operation(security=old))
    assert (change.code, change.severity) == (code, severity)


def test_the_order_of_alternatives_is_no_change() -> None:
    assert changes(operation(security=[*B, *A]), operation(security=[*A, *B])) == []


def scheme(key: str, **values: Any) -> Callable[[dict[str, Any]], None]:
    return lambda made: made["auth"][key].update(values)


@pytest.mark.parametrize(
    ("change", "code", "severity"),
    [
        (scheme("a", name="X-Other"), "auth-scheme-changed", BREAKING),
        (scheme("a", env={"key": "SHOP_API_KEY"}), "auth-variables-changed", BREAKING),
        (scheme("o", token_url="https://evil.example/t"), "auth-address-changed", WARNING),
        (lambda made: made["auth"].pop("o"), "auth-scheme-removed", INFO),
        (lambda made: made["auth"].update(n={"type": "http", "env": {}}), "auth-scheme-added", INFO),
        (lambda made: made["server"].update(base_url="https://b.example"), "base-url-changed", WARNING),
        (lambda made: made["server"].update(servers=[]), "servers-changed", INFO),
        (lambda made: made["project"].update(env_prefix="STORE"), "project-renamed", BREAKING),
        (operation(idempotent=False), "not-idempotent", WARNING),
        (operation(additive=False), "not-additive", WARNING),
        (operation(toolset="other"), "toolset-moved", INFO),
        (operation(accept="text/csv"), "answer-format-changed", INFO),
        (operation(operation_id="put"), "operation-id-changed", INFO),
        (operation(servers=["https://c.example"]), "operation-server-changed", WARNING),
        (operation(paging={"kind": "cursor"}), "paging-added", INFO),
        (operation(idempotency={"header": "K"}), "idempotency-added", INFO),
        (operation(fixed={"action": "x"}), "fixed-values-changed", BREAKING),
        (
            operation(body={"content_type": "text/plain", "kind": "text", "required": True}),
            "request-format-changed",
            INFO,
        ),
        (wire(title="Store an order"), "title-changed", INFO),
        (wire(description="Stores an order."), "description-changed", INFO),
        (wire(annotations={"openWorldHint": False}), "annotation-changed", INFO),
    ],
)
def test_what_is_around_a_call(change: Any, code: str, severity: Severity) -> None:
    (found,) = changes(change)
    assert (found.code, found.severity) == (code, severity)
    assert found.reason.endswith(".")


@pytest.mark.parametrize(
    ("key", "code"), [("paging", "paging-removed"), ("idempotency", "idempotency-removed")]
)
def test_what_callers_relied_on_is_to_be_checked(key: str, code: str) -> None:
    (found,) = changes(
        lambda made: made["operations"]["save_order"].pop(key), operation(**{key: {"kind": "x"}})
    )
    assert (found.code, found.severity) == (code, WARNING)


def test_a_parameter_that_is_written_otherwise_is_no_matter_of_callers() -> None:
    parameter = {"name": "id", "in": "query", "style": "form", "explode": False, "required": False}
    (found,) = changes(operation(parameters=[parameter]))
    assert (found.code, found.severity) == ("serialization-changed", INFO)


def test_deprecation_is_known_in_every_language_of_descriptions() -> None:
    folder = Path(mcpgen.__file__).parent / "plan" / "texts" / "catalogues"
    words = {tomllib.loads(path.read_text("utf-8"))["deprecated"] for path in folder.glob("*.toml")}
    assert words == set(DEPRECATED)


def test_deprecation_is_said_besides_the_text() -> None:
    codes = [change.code for change in changes(wire(description="Saves an order. Deprecated."))]
    assert codes == ["deprecated", "description-changed"]


def test_an_argument_in_another_place_is_the_same_to_callers() -> None:
    (found,) = changes(
        operation(arguments=[{"name": "id", "in": "header", "wire_name": "X-Id"}], parameters=[])
    )
    assert (found.code, found.severity) == ("argument-moved", INFO)


def test_an_argument_with_another_name_breaks_calls() -> None:
    def rename(made: dict[str, Any]) -> None:
        operation(arguments=[{"name": "number", "in": "query", "wire_name": "id"}])(made)
        made["tools"][0]["inputSchema"]["properties"] = {
            "number": {"type": "string", "description": "Its number."}
        }

    (found,) = changes(rename)
    assert (found.code, found.severity) == ("argument-renamed", BREAKING)
    assert (found.before, found.after, found.where) == ("id", "number", "/properties/number")

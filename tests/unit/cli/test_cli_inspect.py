"""`mcpgen inspect` on a project: the stable object for programs, a table for people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mcpgen.cli.main import main

CATALOG: dict[str, Any] = {
    "schema_version": 1,
    "server": {"name": "orders-mcp"},
    "project": {
        "name": "orders-mcp",
        "package": "orders_mcp",
        "source_root": "src",
        "env_prefix": "ORDERS",
        "user_files": ["src/orders_mcp/hooks.py"],
    },
    "auth": {
        "key": {"type": "apiKey", "in": "header", "name": "X-Key", "env": {"key": "ORDERS_KEY"}},
        "bearer": {"type": "http", "scheme": "bearer", "env": {"token": "ORDERS_BEARER_TOKEN"}},
    },
    "tools": [],
    "operations": {
        "get_order": {
            "toolset": "orders",
            "effect": "read",
            "reason": "GET only reads",
            "method": "GET",
            "path": "/orders/{order_id}",
            "operation_id": "getOrder",
            "arguments": [
                {"name": "order_id", "python": "order_id", "in": "path", "wire_name": "order_id"},
                {"name": "filter", "python": "filter", "in": "querystring", "wire_name": "f"},
            ],
        },
        "cancel_order": {
            "toolset": "orders",
            "effect": "destructive",
            "reason": "cancel cannot be undone",
            "method": "POST",
            "path": "/orders/{order_id}/manage",
            "operation_id": None,
            "arguments": [{"name": "note", "python": "note", "in": "body", "pointer": "/note"}],
            "fixed": {"action": "cancel"},
        },
    },
    "skipped": [
        {"operation": {"method": "POST", "path": "/x"}, "code": "operation-skipped", "reason": "It is odd."}
    ],
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    package = tmp_path / "out/src/orders_mcp"
    package.mkdir(parents=True)
    (package / "catalog.json").write_text(json.dumps(CATALOG))
    return tmp_path / "out"


def test_json_is_what_the_contract_says(project: Path) -> None:
    result = CliRunner().invoke(main, ["inspect", str(project), "--format", "json"])
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout) == {
        "schema_version": 1,
        "project": CATALOG["project"],
        "auth": [
            {"scheme": "bearer", "type": "http", "env": {"token": "ORDERS_BEARER_TOKEN"}},
            {"scheme": "key", "type": "apiKey", "env": {"key": "ORDERS_KEY"}},
        ],
        "tools": [
            {
                "name": "cancel_order",
                "toolset": "orders",
                "effect": "destructive",
                "operation": {"method": "POST", "path": "/orders/{order_id}/manage", "operation_id": None},
                "arguments": [{"name": "note", "in": "body", "pointer": "/note"}],
                "fixed": {"action": "cancel"},
            },
            {
                "name": "get_order",
                "toolset": "orders",
                "effect": "read",
                "operation": {"method": "GET", "path": "/orders/{order_id}", "operation_id": "getOrder"},
                "arguments": [
                    {"name": "order_id", "in": "path", "wire_name": "order_id"},
                    {"name": "filter", "in": "query", "wire_name": "f"},
                ],
            },
        ],
        "skipped": CATALOG["skipped"],
    }


def test_why_adds_the_reason(project: Path) -> None:
    result = CliRunner().invoke(main, ["inspect", str(project), "--format", "json", "--why"])
    assert [tool["reason"] for tool in json.loads(result.stdout)["tools"]] == [
        "cancel cannot be undone",
        "GET only reads",
    ]


def test_the_table_names_everything(project: Path) -> None:
    result = CliRunner().invoke(main, ["inspect", str(project), "--why"])
    assert result.exit_code == 0, result.stderr
    for text in (
        "orders-mcp (package orders_mcp, environment ORDERS_*)",
        "get_order",
        "GET /orders/{order_id}",
        'POST /orders/{order_id}/manage action="cancel"',
        "cancel cannot be undone",
        "credentials key (apiKey): ORDERS_KEY",
        "skipped POST /x: It is odd. [operation-skipped]",
    ):
        assert text in result.stdout


@pytest.mark.parametrize("content", [None, "", "[]", '{"schema_version": 99}'])
def test_a_folder_without_a_readable_catalogue_is_refused(project: Path, content: str | None) -> None:
    catalog = project / "src/orders_mcp/catalog.json"
    catalog.unlink() if content is None else catalog.write_text(content)
    result = CliRunner().invoke(main, ["inspect", str(project), "--format", "json"])
    assert result.exit_code == 1
    assert "error[source-unreadable]" in result.stderr
    assert result.stdout == ""

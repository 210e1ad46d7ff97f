"""The scorer of descriptions against tools scored by hand (tools.yaml): how well they agree.

Most of the tools were used to fit the scorer's patterns. Those marked `holdout` were written and scored afterwards and never used,
so their agreement is what to expect of tools that nobody has seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any

import pytest
import yaml

from mcpgen.lint.elements import score_elements

ELEMENTS = ("does", "inputs", "example", "limits", "boundary")
TOOLS: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("tools.yaml").read_text("utf-8"))
Pairs = list[tuple[float, float]]


def definition(tool: dict[str, Any]) -> dict[str, Any]:
    properties = {name.removesuffix("!"): schema for name, schema in tool["args"].items()}
    required = [name[:-1] for name in tool["args"] if name.endswith("!")]
    schema = {"type": "object", "properties": properties, "required": required}
    return {"name": tool["name"], "description": tool["description"], "inputSchema": schema}


def scored(tool: dict[str, Any]) -> tuple[float, ...]:
    return astuple(score_elements(definition(tool), frozenset(tool.get("siblings", ()))))


def pairs(tools: Sequence[dict[str, Any]]) -> dict[str, Pairs]:
    """By element, what the hand gave and what the scorer gives."""
    found: dict[str, Pairs] = {element: [] for element in ELEMENTS}
    for tool in tools:
        for element, hand, own in zip(ELEMENTS, tool["scores"], scored(tool), strict=True):
            found[element].append((hand, own))
    return found


def equal(found: Pairs) -> float:
    return sum(hand == own for hand, own in found) / len(found)


def near(found: Pairs) -> float:
    return sum(abs(hand - own) <= 0.5 for hand, own in found) / len(found)


def correlation(found: Pairs) -> float:
    """Pearson's."""
    left, right = (sum(pair[side] for pair in found) / len(found) for side in (0, 1))
    covariance = sum((a - left) * (b - right) for a, b in found)
    spread = sum((a - left) ** 2 for a, _ in found) * sum((b - right) ** 2 for _, b in found)
    return float(covariance / spread**0.5)


FITTED = [tool for tool in TOOLS if not tool.get("holdout")]
HOLDOUT = [tool for tool in TOOLS if tool.get("holdout")]


def test_there_are_enough_tools_in_several_languages() -> None:
    assert len(TOOLS) >= 100
    assert len(HOLDOUT) >= 12
    for language in ("中文", "deutsch", "日本語", "français", "español", "русский", "português"):
        assert any(tool["style"].startswith(language) for tool in TOOLS)
    assert all(set(tool["scores"]) <= {0, 0.5, 1} and len(tool["scores"]) == 5 for tool in TOOLS)


@pytest.mark.parametrize("element", ELEMENTS)
def test_each_element_agrees(element: str) -> None:
    found = pairs(TOOLS)[element]
    assert near(found) >= 0.97
    assert equal(found) >= 0.88
    assert correlation(found) >= 0.90


def test_tools_that_were_never_used_for_fitting_agree() -> None:
    found = [pair for each in pairs(HOLDOUT).values() for pair in each]
    assert near(found) >= 0.98
    assert equal(found) >= 0.90
    assert correlation(found) >= 0.90


def test_the_totals_agree() -> None:
    totals = [(float(sum(tool["scores"])), sum(scored(tool))) for tool in TOOLS]
    assert correlation(totals) >= 0.95
    assert sum(abs(hand - own) for hand, own in totals) / len(totals) <= 0.25

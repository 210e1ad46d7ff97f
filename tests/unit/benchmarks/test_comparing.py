"""The figures of the comparison with another generator: by one rule for both, and by the protocol's defaults."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

_FILE = Path(__file__).parents[2] / "benchmarks" / "comparing.py"
_SPEC = importlib.util.spec_from_file_location("comparing", _FILE)
assert _SPEC is not None
assert _SPEC.loader is not None
comparing = importlib.util.module_from_spec(_SPEC)
sys.modules["comparing"] = comparing
_SPEC.loader.exec_module(comparing)

READ, SEND, WIPE = ("GET", "/notes"), ("POST", "/notes"), ("DELETE", "/notes")


def tool(name: str, description: str = "", **annotations: bool) -> dict[str, Any]:
    schema = {
        "type": "object",
        "properties": {"q": {"type": "string", "description": "Words that a note must have."}},
    }
    told = {"annotations": annotations} if annotations else {}
    return {"name": name, "description": description, "inputSchema": schema, **told}


def label(operation: tuple[str, str], effect: str, *queries: str, additive: bool = False) -> Any:
    return comparing.Label(operation, effect, additive, effect != "write", queries)


LABELS = [
    label(READ, "read", "what did I note", "find the note on tea"),
    label(SEND, "write", "note that", additive=True),
    label(WIPE, "destructive"),
]
OPERATIONS = {"list": READ, "send": SEND, "wipe": WIPE}


def measured(tools: list[dict[str, Any]], found: list[list[str]] | None = None) -> Any:
    nothing: list[list[str]] = [[], [], []]
    return comparing.measure(comparing.Listed(tools, OPERATIONS, found or nothing), LABELS)


def test_without_annotations_the_defaults_of_the_protocol_count() -> None:
    figures = measured([tool("list"), tool("send"), tool("wipe")])
    # Right: the additive write's readOnlyHint and idempotentHint, the deletion's readOnlyHint and destructiveHint.
    assert (figures.annotated, figures.hints, figures.unsafe) == ((0, 3), (4, 7), 0)


def test_true_annotations_are_all_right() -> None:
    send = tool("send", readOnlyHint=False, destructiveHint=False, idempotentHint=False)
    wipe = tool("wipe", readOnlyHint=False, destructiveHint=True, idempotentHint=True)
    figures = measured([tool("list", readOnlyHint=True), send, wipe])
    assert (figures.annotated, figures.hints, figures.unsafe) == ((3, 3), (7, 7), 0)


@pytest.mark.parametrize(
    "wipe", [tool("wipe", readOnlyHint=True), tool("wipe", readOnlyHint=False, destructiveHint=False)]
)
def test_harm_that_is_called_harmless_is_unsafe(wipe: dict[str, Any]) -> None:
    assert measured([wipe]).unsafe == 1


def test_an_operation_in_several_tools_is_as_dangerous_as_the_worst() -> None:
    calm, wild = tool("wipe", readOnlyHint=True), tool("wipe2", readOnlyHint=False, destructiveHint=True)
    listed = comparing.Listed([calm, wild], {**OPERATIONS, "wipe2": WIPE}, [[], [], []])
    assert comparing.measure(listed, LABELS).unsafe == 0


def test_hits_are_among_the_first_of_each_search() -> None:
    tools = [tool("list"), tool("send"), tool("wipe")]
    figures = measured(tools, [["list"], ["wipe", "send", "list"], []])
    assert figures.hits == {1: (1, 3), 5: (2, 3)}


def test_likeness_parameters_and_sums() -> None:
    text = "Lists the notes that have all of the words, newest first."
    one = measured([tool("list", text), tool("send", text), tool("wipe", "Deletes every note for good.")])
    assert (one.alike, one.parameters) == (2, (3, 3))
    two = comparing.together([one, one])
    assert (two.tools, two.alike, two.tokens, two.hints) == (6, 4, 2 * one.tokens, (8, 14))
    assert two.elements == pytest.approx(one.elements)

"""`split`: what somebody says about the cut of an operation."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.plan.cutting.cut import cuts_of
from mcpgen.plan.overrides.model import Split

from .cut_tools import post

ACTION = {"enum": ["query", "cancel", "refund"]}


def manage(**properties: Any) -> Any:
    return post({"type": "object", "required": ["action"], "properties": {"action": ACTION, **properties}})


def cut(operation: Any, split: Split | bool) -> tuple[dict[str, str], list[str]]:
    """The effects by value ("" for one tool), and the complaints."""
    told: list[str] = []
    cuts = cuts_of(operation, {}, split, told.append)
    return {one.action.value if one.action else "": str(one.effect.effect) for one in cuts}, told


def test_kept_whole_it_is_as_dangerous_as_its_worst_action() -> None:
    [whole] = cuts_of(manage(), {}, False)
    assert whole.action is None
    assert whole.effect.effect == "destructive"
    assert whole.effect.reason.startswith('The argument "action" of this one tool can be "cancel".')


def test_an_argument_that_is_no_action_by_its_looks() -> None:
    operation = manage(mode={"enum": ["fast", "slow"]})
    found = ({"fast": "destructive", "slow": "destructive"}, [])
    assert cut(operation, Split("mode")) == found  # each can still cancel
    plain = post(
        {"type": "object", "properties": {"mode": {"enum": ["fast", "slow"]}}}, "/boats", "createBoat"
    )
    assert cut(plain, Split("mode")) == ({"fast": "write", "slow": "write"}, [])
    assert cut(operation, Split("mode", {"fast": "read"}))[0] == {"fast": "read", "slow": "destructive"}


def test_effects_that_are_said_go_over_inferred_ones() -> None:
    found, told = cut(manage(), Split("action", {"query": "write", "cancel": None}))
    assert found == {"query": "write", "cancel": "destructive", "refund": "destructive"}
    assert told == []
    cuts = cuts_of(manage(), {}, Split("action", {"query": "write"}))
    assert cuts[0].effect.reason == "The configuration says so (split)."


def test_values_that_the_document_does_not_list() -> None:
    operation = manage(step={"type": "string"})
    found, told = cut(operation, Split("step", {"look": "read", "wipe": None}))
    assert (found, told) == ({"look": "read", "wipe": "destructive"}, [])
    numbers = cuts_of(manage(step={"type": "integer"}), {}, Split("step", {"1": "read", "2": "destructive"}))
    assert [one.action.sent for one in numbers if one.action] == [1, 2]


def test_a_boolean_is_cut_in_two() -> None:
    operation = manage(dry_run={"type": "boolean"})
    cuts = cuts_of(operation, {}, Split("dry_run", {"true": "read", "false": "destructive"}))
    assert [(one.action.sent, one.action.label) for one in cuts if one.action] == [
        (False, "no_dry_run"),
        (True, "dry_run"),
    ]
    assert [str(one.effect.effect) for one in cuts] == ["destructive", "read"]


@pytest.mark.parametrize(
    ("split", "told"),
    [
        (Split("actoin"), "there is no query parameter or body field `actoin`. Did you mean `action`?"),
        (Split("action", {"cancle": None}), "`action` has no value `cancle`. Did you mean `cancel`?"),
        (Split("note"), "the document lists no values for `note`"),
        (Split("zzz"), "There are: `action`, `note`, `one`."),
        (Split("one"), "`one` has one value only"),
    ],
)
def test_mistakes(split: Split, told: str) -> None:
    found, complaints = cut(manage(note={"type": "string"}, one={"const": "x"}), split)
    assert list(found) == [""]
    assert len(complaints) == 1
    assert complaints[0].startswith("POST /orders/{id}/manage: split: ")
    assert told in complaints[0]

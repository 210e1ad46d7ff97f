"""Texts aimed at a model (attacks.yaml): how many are found, and that nothing of them is left.

The patterns were fitted to most of them. Those marked `holdout` were written afterwards and never used, so their share is what to
expect of attacks that nobody has seen. `pytest -s` prints both.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from mcpgen.plan.texts.hostile import hidden_in, instruction_in
from mcpgen.plan.texts.neutral import neutral_text

ATTACKS: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("attacks.yaml").read_text("utf-8"))
HOLDOUT = [attack for attack in ATTACKS if attack.get("holdout")]
FITTED = [attack for attack in ATTACKS if not attack.get("holdout")]


def is_found(attack: dict[str, Any]) -> bool:
    return instruction_in(attack["text"]) is not None or hidden_in(attack["text"]) is not None


FOUND = [attack for attack in ATTACKS if is_found(attack)]


def recall(attacks: list[dict[str, Any]]) -> float:
    return sum(map(is_found, attacks)) / len(attacks)


def test_the_set_is_large_and_of_many_kinds() -> None:
    assert len(ATTACKS) >= 60
    assert len({attack["text"] for attack in ATTACKS}) == len(ATTACKS)
    assert len({attack["kind"] for attack in ATTACKS}) >= 7
    assert sum(not attack["text"].isascii() for attack in ATTACKS) >= 20


def test_recall() -> None:
    print(
        f"\nattacks found: {recall(FITTED):.0%} of {len(FITTED)} known, {recall(HOLDOUT):.0%} of {len(HOLDOUT)} unseen"
    )
    assert recall(FITTED) >= 0.97
    assert recall(HOLDOUT) >= 0.9


@pytest.mark.parametrize("attack", FOUND, ids=lambda attack: attack["text"][:30].encode("ascii", "ignore"))
def test_what_is_found_is_taken_out_and_said(attack: dict[str, Any]) -> None:
    text, said = neutral_text(attack["text"])
    assert said
    assert instruction_in(text) is None
    assert hidden_in(text) is None
    assert attack.get("keeps", "") in text

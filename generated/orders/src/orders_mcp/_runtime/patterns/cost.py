"""How much a regular expression can cost, read off its text: no clock decides, so the answer is always the same."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

HIGHEST = 10**9
"""Counts end here: what costs more is too much anyway."""
_FEW = 9
"""A repeat with more choices than this counts as one without a limit."""
_PARTS = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?(?:P=[^)]*\)|P?<[^=!>)]*>|<?[=!]|[:>]|[a-zA-Z-]*[:)])|[()|]|[*+?]|\{\d*(?:,\d*)?\}|.",
    re.DOTALL,
)
_REPEAT = re.compile(r"\{(\d*)(,?)(\d*)\}")
_UNCLEAR = re.compile(r"\(\?#|\(\?[a-zA-Z-]*x|\(\?\(")
"""Comments, the flag that allows others, and conditions: they hide which parentheses belong together."""


@dataclass(slots=True)
class Cost:
    """What a part of a pattern can cost.

    Attributes:
        size: its places, repeats written out.
        power: how many repeats in it have no limit, or a high one: a backtracking search takes length ** power steps.
        choices: in how many ways it can be tried besides.
        nested: whether a repeat is inside of a repeat, so that the steps may double with each character.
    """

    size: int = 0
    power: int = 0
    choices: int = 1
    nested: bool = False

    def add(self, other: Cost) -> None:
        """What follows, in the same branch or another."""
        self.size = min(self.size + other.size, HIGHEST)
        self.power += other.power
        self.choices = min(self.choices * other.choices, HIGHEST)
        self.nested |= other.nested

    def repeat(self, low: int, high: int | None) -> None:
        """A quantifier after this part; `high` is None where it has no limit."""
        varies = self.power > 0 or self.choices > 1
        self.nested |= varies and (high is None or high > 1)
        self.size = min(self.size * max(1, low + 1 if high is None else high), HIGHEST)
        if high is None or high - low > _FEW:
            self.power += 1
        else:
            self.choices = min(self.choices * max(1, high - low + 1), HIGHEST)


def parts_of(pattern: str) -> list[str]:
    """A pattern that `re` can read, cut into escapes, classes, openings of groups, quantifiers and characters."""
    return _PARTS.findall(pattern)


def is_clear(pattern: str) -> bool:
    """Whether the cost can be read off a pattern at all."""
    return _UNCLEAR.search(pattern) is None


def cost_of(parts: Sequence[str]) -> Cost:
    """The most that a clear pattern can cost, read off its groups, branches and quantifiers."""
    groups = [(Cost(), 1)]  # each with the number of its branches
    last, repeated = Cost(), False
    for part in parts:
        quantifier = _quantifier(part)
        if quantifier is not None:
            if not (repeated and part == "?"):  # which only changes the order of what is tried
                last.repeat(*quantifier)
            repeated = True
            continue
        repeated = False
        group, branches = groups[-1]
        group.add(last)
        if part == ")" and len(groups) > 1:
            last = groups.pop()[0]
            last.add(Cost(choices=branches))
            continue
        last = Cost()
        if part == "|":
            groups[-1] = (group, branches + 1)
        elif part.startswith("(") and not part.endswith(")"):
            groups.append((Cost(), 1))
        else:  # a reference back costs as much as the repeat that it refers to
            last = Cost(size=1, power=int(re.fullmatch(r"\\[1-9]|\(\?P=.*", part) is not None))
    total, branches = groups[0]
    total.add(last)
    total.add(Cost(choices=branches))
    return total


def _quantifier(part: str) -> tuple[int, int | None] | None:
    """The least and the highest number of times; None for what is no quantifier."""
    if part in ("*", "+"):
        return int(part == "+"), None
    if part == "?":
        return 0, 1
    found = _REPEAT.fullmatch(part)
    if found is None or part in ("{}", "{,}"):
        return None
    low = min(int(found[1][:10] or 0), HIGHEST)
    high = min(int(found[3][:10]), HIGHEST) if found[3] else None
    return low, high if found[2] else low

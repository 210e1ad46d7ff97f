"""Matches a pattern, by the engine and up to the length that keeps its steps bounded.

Neither the patterns of a description nor the texts that they meet are trusted: with a backtracking engine such as `re`, `^(a+)+$`
takes hours for forty letters. So the engine is that of pydantic, the crate `regex` of Rust, whose time grows with the size of the
pattern times that of the text. What it does not know, such as `(?!…)`, goes to `re`, and only where its steps are bounded too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise

from .cost import cost_of, is_clear, parts_of

_STEPS = 50_000_000
"""So many steps may one text cost, about a second of either engine."""
_SETS = re.compile(r"\[|&&|--|~~")
"""Inside of a class, these make sets of sets in Rust's dialect."""
LONGEST_NAME = 200
"""So long may the name of a property be where `re` matches it, in characters."""


def matches(pattern: str, text: str) -> bool | None:
    """Whether a pattern matches anywhere in a text (JSON Schema Validation 2020-12, 6.3.3).

    Returns:
        None where that stays open: `re` can't read the pattern, or it could cost too much for a text of this length.
    """
    longest, search = _matcher(pattern)
    return search(text) if len(text) <= longest else None


def longest_checked(pattern: str) -> int:
    """The longest text that is matched, in characters; -1 for a pattern that no text is held against."""
    return _matcher(pattern)[0]


def is_light(pattern: str) -> bool:
    """Whether `re` matches it with names of properties in bounded steps, as the keyword `unevaluatedProperties` does."""
    cost = cost_of(parts_of(pattern))
    steps = cost.choices * LONGEST_NAME**cost.power
    return is_clear(pattern) and not cost.nested and steps <= _STEPS


@lru_cache(maxsize=2048)
def _matcher(pattern: str) -> tuple[int, Callable[[str], bool]]:
    """The longest text that is matched, and how."""
    try:
        compiled = re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return -1, _never
    if not is_clear(pattern):
        return -1, _never
    parts = parts_of(pattern)
    cost = cost_of(parts)
    if _means_the_same(parts):
        search = _linear(pattern)
        if search is not None:
            return _STEPS // max(1, cost.size), search
    if cost.nested or cost.choices > _STEPS:
        return -1, _never
    power = cost.power + (not pattern.startswith("^"))  # a search begins at every character
    longest = int((_STEPS / cost.choices) ** (1 / max(1, power)))
    return longest, lambda text: compiled.search(text) is not None


def _never(text: str) -> bool:
    return False


def _means_the_same(parts: Sequence[str]) -> bool:
    """Whether Rust reads a pattern as ECMA 262 and Python do, apart from what it refuses."""
    if any(len(part) > 1 and part.startswith("[") and _SETS.search(part, 1) for part in parts):
        return False
    borders = any(left == r"\b" and right.startswith("{") for left, right in pairwise(parts))
    return not borders and r"\<" not in parts and r"\>" not in parts


def _linear(pattern: str) -> Callable[[str], bool] | None:
    """The search of Rust's engine; None for a pattern that it does not know or finds too large."""
    from pydantic_core import SchemaError, SchemaValidator, core_schema

    try:
        checker = SchemaValidator(core_schema.str_schema(pattern=pattern, regex_engine="rust-regex"))
    except SchemaError:
        return None
    # Half of a surrogate pair is no character of UTF-8; it stands for any other.
    return lambda text: checker.isinstance_python(text.encode("utf-8", "replace").decode("utf-8"))

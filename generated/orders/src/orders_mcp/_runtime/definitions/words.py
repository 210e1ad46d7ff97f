"""Rules of a schema in words, for formats that have no keyword for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..values import compact_json

_LONGEST_VALUE = 80
"""Characters."""

RULES: Mapping[str, str] = {
    "minLength": "At least {} characters.",
    "maxLength": "At most {} characters.",
    "pattern": "Matches the pattern {}.",
    "minimum": "At least {}.",
    "maximum": "At most {}.",
    "exclusiveMinimum": "Greater than {}.",
    "exclusiveMaximum": "Less than {}.",
    "multipleOf": "A multiple of {}.",
    "minItems": "At least {} items.",
    "maxItems": "At most {} items.",
    "uniqueItems": "No item twice.",
    "minProperties": "At least {} fields.",
    "maxProperties": "At most {} fields.",
    "const": "Always {}.",
    "enum": "One of {}.",
}
"""Keywords that limit values and can be told in one sentence."""


def rule(keyword: str, value: Any) -> str:
    """One rule as a sentence."""
    if keyword == "enum":
        return RULES[keyword].format(", ".join(_short(one) for one in value))
    return RULES[keyword].format(value if keyword == "pattern" else _short(value))


def default(value: Any) -> str:
    """What holds when nothing is given."""
    return f"Default: {_short(value)}."


def with_words(text: str | None, sentences: Iterable[str]) -> dict[str, str]:
    """The member `description`: a text and what is added to it; no member when there is nothing to say.

    A sentence that the text has already is not said again.
    """
    told = (text or "").strip()
    for sentence in sentences:
        if sentence and sentence not in told:
            told = f"{told if told.endswith(_ENDS) or not told else told + '.'} {sentence}".strip()
    return {"description": told} if told else {}


_ENDS = (".", "!", "?", ":", "\N{IDEOGRAPHIC FULL STOP}")


def _short(value: Any) -> str:
    text = compact_json(value)
    return text if len(text) <= _LONGEST_VALUE else text[:_LONGEST_VALUE] + "…"

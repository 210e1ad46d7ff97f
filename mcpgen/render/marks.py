"""Marks around escaped text while a template is rendered, so that the place where it ended up can be checked.

A mark is made of characters that are none (U+FDD0 and the next ones). No filter lets them through, so that no text can
forge one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mcpgen.render.filters import Escaped

_OPEN, _NAMED, _CLOSE = "\ufdd0", "\ufdd1", "\ufdd2"
_MARK = re.compile(f"{_OPEN}([a-z]+){_NAMED}([^{_OPEN}{_CLOSE}]*){_CLOSE}")
_ANY = re.compile(f"[{_OPEN}-\ufdef]")


@dataclass(frozen=True, slots=True)
class Spot:
    """Escaped text in a rendered one: `text[start:end]`, by which filter, and the number of the piece that it is in."""

    start: int
    end: int
    by: str


def marked(value: Escaped) -> str:
    return f"{_OPEN}{value.by}{_NAMED}{value}{_CLOSE}"


def unmarked(text: str) -> str:
    """Text without any character that marks are made of."""
    return _ANY.sub("", text) if _OPEN in text or _CLOSE in text else text


def read_marks(text: str) -> tuple[str, list[Spot]]:
    """A rendered text without its marks, and where they were."""
    parts: list[str] = []
    spots: list[Spot] = []
    length = position = 0
    for match in _MARK.finditer(text):
        before = text[position : match.start()]
        parts += [before, match[2]]
        start = length + len(before)
        length = start + len(match[2])
        spots.append(Spot(start, length, match[1]))
        position = match.end()
    return "".join([*parts, text[position:]]), spots

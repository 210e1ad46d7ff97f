"""Where escaped text may stand in Python."""

from __future__ import annotations

import io
import tokenize
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from mcpgen.render.marks import Spot

_CODING_LINES = 2
"""PEP 263: a comment in one of these lines can name the encoding of the file, which would change what follows."""


def python_problems(text: str, spots: Sequence[Spot]) -> Iterator[tuple[Spot, str]]:
    """The spots that are not where their filter escapes for, with the reason.

    Raises:
        tokenize.TokenError, SyntaxError: the text is not Python.
    """
    starts = _line_starts(text)
    tokens = [
        (starts[token.start[0] - 1] + token.start[1], starts[token.end[0] - 1] + token.end[1], token)
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.string
    ]
    begins = [begin for begin, _, _ in tokens]
    for spot in spots:
        if spot.start == spot.end:
            continue
        number = bisect_right(begins, spot.start) - 1
        begin, end, token = tokens[max(number, 0)]
        if token.type == tokenize.COMMENT:
            if spot.by not in {"line", "py"} or spot.end > end:
                yield spot, f"a comment needs the filter line, not {spot.by}"
            elif token.start[0] <= _CODING_LINES:
                yield (
                    spot,
                    "text of the spec stands in a comment of the first two lines, where it could name an encoding",
                )
        elif spot.by == "line":
            yield spot, "the filter line escapes for comments; use py for a value, docstring inside of triple quotes"
        elif spot.by == "docstring":
            if token.type != tokenize.STRING or spot.start == begin or not _plain_docstring(token.string):
                yield spot, 'the filter docstring escapes for the inside of """ (and not of an f-string)'
        elif begin != spot.start or not any(stop == spot.end for _, stop, _ in tokens[number:]):
            yield spot, f"the filter {spot.by} gives a whole expression, which cannot stand inside of another text"


def _plain_docstring(literal: str) -> bool:
    prefix = literal[: literal.index('"')] if '"' in literal else literal
    return literal.endswith('"""') and "f" not in prefix.lower()


def _line_starts(text: str) -> list[int]:
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    return [*starts, starts[-1]]

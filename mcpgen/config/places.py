"""Where a section or key of a TOML file stands; `tomllib` gives no positions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from mcpgen.diagnostics import Location


def locate(path: Path, place: tuple[str, ...]) -> Location:
    """The line of a section or key, or of what it is in."""
    lines = dict(reversed(list(_places(path.read_text("utf-8")))))  # the first line of each counts
    for length in range(len(place), 0, -1):
        if place[:length] in lines:
            return Location(str(path), "/" + "/".join(place), *lines[place[:length]])
    return Location(str(path), "/" + "/".join(place))


_NAME = r"""(?:[^\s"'.=\[\]]+|"[^"]*"|'[^']*')"""
_HEADER = re.compile(rf"\s*\[+\s*({_NAME}(?:\s*\.\s*{_NAME})*)\s*\]")
_ENTRY = re.compile(rf"\s*({_NAME}(?:\s*\.\s*{_NAME})*)\s*=")


def _places(text: str) -> Iterator[tuple[tuple[str, ...], tuple[int, int]]]:
    """Every section and key with its line and column, as far as one line shows them."""
    section: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), 1):
        header = _HEADER.match(line)
        entry = None if header else _ENTRY.match(line)
        if header:
            section = _names(header[1])
            yield section, (number, line.index("[") + 1)
        elif entry:
            yield (*section, *_names(entry[1])), (number, entry.start(1) + 1)


def _names(dotted: str) -> tuple[str, ...]:
    return tuple(name.strip("\"'") for name in re.findall(_NAME, dotted))

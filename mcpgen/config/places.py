"""Where a section or key of a TOML file stands; `tomllib` gives no positions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from mcpgen.diagnostics import Location

WORKSPACE, PROJECTS = "workspace", "projects"
"""The sections that make a configuration file one of many projects."""


def locate(path: Path, place: tuple[str, ...]) -> Location:
    """The line of a section or key, or of what it is in, or of the first one inside it."""
    lines = dict(reversed(list(_places(path.read_text("utf-8")))))  # the first line of each counts
    for length in range(len(place), 0, -1):
        if place[:length] in lines:
            return Location(str(path), "/" + "/".join(place), *lines[place[:length]])
    below = [where for known, where in lines.items() if known[: len(place)] == place]
    return Location(str(path), "/" + "/".join(place), *min(below, default=(None, None)))


Home: TypeAlias = tuple[Path, tuple[str, ...]]
"""A file, and the section in it that a configuration stands under: none, or that of a project."""


def locate_in(homes: Sequence[Home], place: tuple[str, ...]) -> Location:
    """The same in the first of several homes that has the most of it; in the first one where none has any."""

    def depth(home: Home) -> int:
        path, under = home
        found = (known for known, _ in _places(path.read_text("utf-8")))
        known = {one[len(under) :] for one in found if one[: len(under)] == under}
        whole = any(entry[: len(place)] == place for entry in known)
        return len(place) if whole else max((n for n in range(len(place)) if place[:n] in known), default=0)

    path, under = max(homes, key=depth)
    return locate(path, (*under, *place))


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

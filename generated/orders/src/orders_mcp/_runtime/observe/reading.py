"""Reads the lines of an audit file, whoever wrote it and whatever else is in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..values import parse_json

_LONGEST_LINE = 1 << 20


@dataclass(frozen=True, slots=True)
class Line:
    """One line. `entry` is None where it can't be read as the record of a call."""

    number: int
    entry: dict[str, Any] | None

    def text(self, key: str) -> str:
        """A text of the entry; empty when there is none."""
        value = (self.entry or {}).get(key)
        return value if isinstance(value, str) else ""


def read_lines(path: Path) -> Iterator[Line]:
    """The lines of the file as long as it is now: what is appended meanwhile is not read.

    Raises:
        OSError: it can't be read.
    """
    with path.open("rb") as file:
        left = path.stat().st_size
        number = 0
        while left > 0:
            raw = file.readline(min(_LONGEST_LINE, left))
            if not raw:
                return
            number += 1
            left -= len(raw)
            whole = raw.endswith(b"\n") or left == 0
            while not raw.endswith(b"\n") and left > 0:  # the rest of a line that is too long
                raw = file.readline(min(_LONGEST_LINE, left))
                left -= len(raw)
            if raw.strip():
                yield Line(number, _entry(raw) if whole else None)


def _entry(raw: bytes) -> dict[str, Any] | None:
    try:
        found = parse_json(raw.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    known = (
        isinstance(found, dict)
        and isinstance(found.get("tool"), str)
        and isinstance(found.get("outcome"), str)
    )
    return found if known else None

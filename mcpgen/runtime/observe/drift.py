"""`python -m PACKAGE drift FILE`: the operations whose responses break their schemas, from an audit file."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .reading import Line, read_lines

_MOST_PLACES = 1000
_SHOWN_PLACES = 20
_OTHER = ("(other places)", "")


@dataclass(slots=True)
class Drift:
    """What is known about one operation of one tool.

    Attributes:
        calls: how many of its calls the API answered with success.
        places: JSON pointers, items of lists told as `*`, with the rule that is broken and how often.
    """

    tool: str
    operation: str
    calls: int = 0
    broken: int = 0
    first: str = ""
    last: str = ""
    places: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, line: Line) -> None:
        """Counts one call."""
        self.calls += 1
        found = (line.entry or {}).get("drift")
        if not isinstance(found, dict):
            return
        self.broken += 1
        when = line.text("time")
        self.first = min(filter(None, (self.first, when)), default="")
        self.last = max(self.last, when)
        place = _general(str(found.get("pointer", ""))), _line(str(found.get("rule", "")))
        self.places[place if place in self.places or len(self.places) < _MOST_PLACES else _OTHER] += 1

    def as_json(self) -> dict[str, Any]:
        return {
            "tool": self.tool,
            "operation": self.operation,
            "broken": self.broken,
            "calls": self.calls,
            "first": self.first,
            "last": self.last,
            "places": [
                {"pointer": pointer, "rule": rule, "count": count}
                for (pointer, rule), count in self.places.most_common()
            ],
        }


def _general(pointer: str) -> str:
    """A pointer in which positions are `*`: the tenth item breaks a schema as the first one does."""
    return _line(re.sub(r"(?<=/)[0-9]+(?=/|\Z)", "*", pointer))


def _line(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text[:300])


@dataclass(slots=True)
class DriftReport:
    """All operations of a file, and the numbers of the lines that could not be read."""

    operations: dict[tuple[str, str], Drift] = field(default_factory=dict)
    malformed: list[int] = field(default_factory=list)

    @property
    def drifting(self) -> list[Drift]:
        """Those whose responses break their schemas, the most frequent first."""
        found = [one for one in self.operations.values() if one.broken]
        return sorted(found, key=lambda one: (-one.broken, one.tool, one.operation))


def read_drift(path: Path) -> DriftReport:
    """What an audit file tells about drift.

    Raises:
        OSError: it can't be read.
    """
    report = DriftReport()
    for line in read_lines(path):
        if line.entry is None:
            report.malformed.append(line.number)
        elif line.text("outcome") == "ok" and line.text("method") and not line.text("source"):
            key = _line(line.text("tool")), _line(f"{line.text('method')} {line.text('path')}")
            report.operations.setdefault(key, Drift(*key)).add(line)
    return report


def as_text(report: DriftReport) -> str:
    """For people."""
    drifting = report.drifting
    if not drifting:
        calls = sum(one.calls for one in report.operations.values())
        return f"No drift: {calls} answers of {len(report.operations)} operations keep their schemas."
    lines = []
    for one in drifting:
        lines.append(f"{one.tool}  {one.operation}")
        lines.append(f"  {one.broken} of {one.calls} answers, from {one.first} to {one.last}")
        for (pointer, rule), count in one.places.most_common(_SHOWN_PLACES):
            lines.append(f"  {count:>6}  {pointer or '(root)'}  {rule}".rstrip())
        if len(one.places) > _SHOWN_PLACES:
            lines.append(f"          and {len(one.places) - _SHOWN_PLACES} more places")
    lines.append(f"{len(drifting)} of {len(report.operations)} operations break their schemas.")
    return "\n".join(lines)


def as_json(report: DriftReport) -> str:
    """For programs."""
    told = {"operations": [one.as_json() for one in report.drifting], "malformed": report.malformed}
    return json.dumps(told, ensure_ascii=False, indent=2)

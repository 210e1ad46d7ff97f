"""The one place where stages put what they have to say. Only the command line prints it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from mcpgen.diagnostics.codes import CODES
from mcpgen.diagnostics.model import Diagnostic, Location, Refused, Severity, Unsupported

LONGEST = 2_000
"""Characters of a message. It quotes the document, whose names and values can have megabytes."""
_ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}


class Collector:
    """Gathers diagnostics in the order in which they arise; equal ones are kept once."""

    def __init__(self) -> None:
        self._items: dict[Diagnostic, None] = {}
        self.locate: Callable[[Location], Location] = lambda location: location
        """Fills in line and column; set by whoever has read the documents."""

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def add(
        self,
        code: str,
        message: str,
        location: Location | None = None,
        *,
        hint: str | None = None,
        severity: Severity | None = None,
    ) -> None:
        """Records one diagnostic with the default severity of its code. A very long message loses its middle.

        Raises:
            KeyError: the code is not in the registry, which is a bug.
        """
        level = severity or CODES[code].severity
        if len(message) > LONGEST:
            message = f"{message[: LONGEST // 2]} … {message[-LONGEST // 2 :]}"
        self._items.setdefault(Diagnostic(code, level, message, location, hint))

    def add_unsupported(self, problem: Unsupported) -> None:
        """Records why a unit was left out."""
        self.add(problem.code, problem.message, problem.location, hint=problem.hint)

    def refuse(
        self, code: str, message: str, location: Location | None = None, *, hint: str | None = None
    ) -> Refused:
        """Records an error and returns the exception to raise: `raise collector.refuse(...)`."""
        self.add(code, message, location, hint=hint, severity=Severity.ERROR)
        return Refused(message)

    def worst(self) -> Severity | None:
        """The most severe level recorded, or None when nothing was said."""
        return min((item.severity for item in self._items), key=_ORDER.__getitem__, default=None)

    def located(self) -> list[Diagnostic]:
        """All diagnostics with line and column filled in, by file and line, the unplaced ones last."""
        found = [
            replace(item, location=self.locate(item.location)) if item.location is not None else item
            for item in self._items
        ]
        return sorted(found, key=_place)


def _place(item: Diagnostic) -> tuple[bool, str, int, int, str]:
    if item.location is None:
        return True, "", 0, 0, item.code
    return False, item.location.file, item.location.line or 0, item.location.column or 0, item.code

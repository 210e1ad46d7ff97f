"""Diagnostics of many equal repairs: the first few in full, the rest as a number."""

from __future__ import annotations

from mcpgen.diagnostics import Collector, Location, Unsupported

SHOWN = 5


class Notes:
    """Collects what the stage has to say. `close` adds the numbers that were held back."""

    def __init__(self, diagnostics: Collector) -> None:
        self.diagnostics = diagnostics
        self._counts: dict[tuple[str, str], int] = {}
        self._seen: set[tuple[str, str, Location]] = set()

    def add(
        self,
        code: str,
        message: str,
        location: Location,
        *,
        kind: str | None = None,
        shown: int = SHOWN,
        hint: str | None = None,
    ) -> None:
        """Records a finding. Findings with the same `kind` are counted after the first `shown`."""
        if kind is not None:
            if (code, kind, location) in self._seen:
                return
            self._seen.add((code, kind, location))
            count = self._counts[code, kind] = self._counts.get((code, kind), 0) + 1
            if count > shown:
                return
        self.diagnostics.add(code, message, location, hint=hint)

    def unsupported(self, problem: Unsupported) -> None:
        """Records why something was left out; always in full."""
        self.diagnostics.add_unsupported(problem)

    def close(self, origin: Location, shown: int = SHOWN) -> None:
        """Says how many findings of each kind were not shown."""
        for (code, kind), count in self._counts.items():
            if count > shown:
                self.diagnostics.add(code, f"and {count - shown} more: {kind}", origin)

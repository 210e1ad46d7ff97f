"""One tool as both parts of a catalogue describe it, and the pair of what it was and what it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mcpgen.diff.model import Change, Kind, Severity


@dataclass(frozen=True, slots=True)
class View:
    """A tool: `wire` as `tools/list` gives it, `operation` as the server runs it."""

    name: str
    wire: Mapping[str, Any]
    operation: Mapping[str, Any]

    @property
    def effect(self) -> str:
        effect: str = self.operation["effect"]
        return effect

    @property
    def fixed(self) -> Mapping[str, Any]:
        """The values that the tool sets itself, by wire name."""
        fixed: Mapping[str, Any] = self.operation.get("fixed") or {}
        return fixed

    @property
    def label(self) -> str:
        """The operation, as people write it."""
        values = "".join(f" ({name}={value})" for name, value in self.fixed.items())
        return f"{self.operation['method']} {self.operation['path']}{values}"


@dataclass(frozen=True, slots=True)
class Pair:
    """A tool before and after."""

    old: View
    new: View

    def change(self, code: str, kind: Kind, severity: Severity, reason: str, **more: Any) -> Change:
        """A change of this tool; `more` is `where`, `before` and `after`."""
        return Change(code, self.new.name, kind, severity, reason, **more)


def views(catalogue: Mapping[str, Any]) -> dict[str, View]:
    """The tools of a catalogue by name, in its order."""
    operations = catalogue["operations"]
    return {wire["name"]: View(wire["name"], wire, operations[wire["name"]]) for wire in catalogue["tools"]}

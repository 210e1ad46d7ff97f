"""The summary of a run over a workspace: a table for people, objects for programs."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import click

from mcpgen.cli.report import as_object, has_colour, one_line
from mcpgen.diagnostics import Diagnostic, Severity
from mcpgen.emit import Action, ChangeSet

_WIDE = 200


class State(StrEnum):
    """What came of one project. `PENDING` would be written, had that been asked for; `CRASHED` is mcpgen's own fault."""

    WRITTEN = "written"
    UNCHANGED = "unchanged"
    PENDING = "would change"
    REFUSED = "refused"
    CRASHED = "crashed"


_COLOURS: Mapping[State, str] = {
    State.WRITTEN: "green",
    State.UNCHANGED: "green",
    State.PENDING: "yellow",
    State.REFUSED: "red",
    State.CRASHED: "red",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One project. `said` is all that it had to say, `shown` what of it is printed."""

    name: str
    spec: str
    output: Path
    state: State
    tools: int | None = None
    changes: ChangeSet | None = None
    said: Sequence[Diagnostic] = ()
    shown: Sequence[Diagnostic] = ()

    def count(self, *actions: Action) -> int | None:
        """How many files had one of these things happen to them; None where nothing was decided or done."""
        if self.changes is None or self.state in (State.REFUSED, State.CRASHED):
            return None
        return len(self.changes.of(*actions))

    def files(self) -> dict[str, int | None]:
        """How many files are, or would be, what."""
        return {
            "written": self.count(Action.CREATE, Action.REPLACE, Action.MERGE),
            "merged": self.count(Action.MERGE),
            "removed": self.count(Action.REMOVE),
            "unchanged": self.count(Action.IDENTICAL, Action.EDITED, Action.KEPT),
        }


def as_json(row: Row) -> dict[str, Any]:
    """One project for programs."""
    return {
        "project": row.name,
        "spec": row.spec,
        "output": row.output.as_posix(),
        "result": str(row.state),
        "tools": row.tools,
        "files": row.files(),
        "diagnostics": [as_object(item) for item in row.shown],
    }


def print_table(rows: Sequence[Row]) -> None:
    """Prints one line for each project, and one for all."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE, pad_edge=False)
    table.add_column("project", overflow="fold")
    table.add_column("output", overflow="fold")
    for name in ("tools", "written", "removed", "unchanged", "warnings"):
        table.add_column(name, justify="right")
    table.add_column("result")
    for row in rows:
        files = row.files()
        counts = (row.tools, files["written"], files["removed"], files["unchanged"], _warnings(row))
        table.add_row(
            Text(row.name),
            Text(one_line(str(row.output))),
            *("-" if count is None else f"{count:,}" for count in counts),
            Text(str(row.state), style=_COLOURS[row.state]),
        )
    width = None if sys.stdout.isatty() else _WIDE
    Console(width=width, no_color=not has_colour(sys.stdout), highlight=False).print(table)
    states = Counter(row.state for row in rows)
    parts = ", ".join(f"{states[state]} {state}" for state in State if states[state])
    click.echo(f"{len(rows)} {'project' if len(rows) == 1 else 'projects'}: {parts}.")


def _warnings(row: Row) -> int:
    return sum(item.severity is Severity.WARNING for item in row.said)

"""How `mcpgen inspect --tokens` looks in a terminal."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click

from mcpgen.cli.report import has_colour, one_line

_PARTS = ("description", "input", "output", "seen", "total")
_NOTE = (
    "seen: name, description and arguments, which hosts hand to the model; "
    "total: the whole entry of tools/list; counted by {counter}"
)


def print_tokens(tokens: Mapping[str, Any]) -> None:
    """Prints the modes, the toolsets and the tools, the dearest tools first."""
    for title, rows in (
        ("mode", [{"mode": mode, **sums} for mode, sums in tokens["modes"].items()]),
        ("toolset", tokens["toolsets"]),
        ("tool", [{"tool": row["name"], **row} for row in tokens["tools"]]),
    ):
        _print_rows(title, rows)
    click.echo(_NOTE.format(counter=tokens["counted_by"]))


def _print_rows(title: str, rows: Sequence[Mapping[str, Any]]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE, pad_edge=False)
    table.add_column(title, overflow="fold")
    counted = title != "tool"
    for name in (*(("tools",) if counted else ()), *_PARTS):
        table.add_column(name, justify="right")
    for row in rows:
        numbers = [*([row["tools"]] if counted else []), *(row[part] for part in _PARTS)]
        table.add_row(Text(one_line(str(row[title]))), *(f"{number:,}" for number in numbers))
    width = None if sys.stdout.isatty() else 200
    Console(width=width, no_color=not has_colour(sys.stdout), highlight=False).print(table)

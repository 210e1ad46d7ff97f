"""How a report of changes looks in a terminal: one line for each change, what breaks first, and a summary."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from mcpgen.cli.report import has_colour, one_line

if TYPE_CHECKING:
    from mcpgen.diff import Change, Report

_COLOURS = {"breaking": "red", "warning": "yellow", "info": "blue"}


def print_report(report: Report, version: tuple[str, str] | None) -> None:
    """Prints the report on standard output; `version` is the old one and the suggested one."""
    colour = has_colour(sys.stdout)
    if not report.changes:
        click.echo("No changes.")
        return
    if report.effects:
        title = "What tools do to the world has changed:"
        click.echo(click.style(title, bold=True) if colour else title)
    for change in report.effects:
        click.echo(_line(change, colour=colour))
    if report.effects:
        click.echo()
    for change in report.changes[len(report.effects) :]:
        click.echo(_line(change, colour=colour))
    click.echo()
    click.echo(one_line(summary(report, version)))


def summary(report: Report, version: tuple[str, str] | None) -> str:
    """How many changes there are of which severity, and the version to release them under."""
    counts = ", ".join(f"{number:,} {severity}" for severity, number in report.counts.items())
    before, after = report.tools
    step = "" if version is None else f" ({version[0]} → {version[1]})"
    return f"{counts}. Tools: {before:,} → {after:,}. Suggested version: {report.level.name.lower()}{step}."


def _line(change: Change, *, colour: bool) -> str:
    from mcpgen.diff.wording import line

    label = f"{change.severity}[{change.code}]"
    if colour:
        label = click.style(label, fg=_COLOURS[change.severity], bold=True)
    head = f"{label} {one_line(change.tool)}" if change.tool else label
    return f"{head}: {one_line(line(change))}. {one_line(change.reason)}"

"""The report of `mcpgen verify` for people: a table of all tools, then every drift with what shows it."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from mcpgen.cli.report import has_colour, one_line

if TYPE_CHECKING:
    from mcpgen.verify.model import Finding, Report, ToolReport

_COLOURS = {"conforms": "green", "drifts": "red", "unproven": "yellow", "not called": None}
_WIDEST = 48
_NAMES = 5


def print_report(report: Report, *, quiet: bool, verbose: bool) -> None:
    """Prints the report on standard output; with `quiet`, drift only. Tools that were not called have one line for each
    reason, and a line of their own with `verbose`."""
    from mcpgen.verify.reports import summary

    colour = has_colour(sys.stdout)
    if not quiet and report.tools:
        shown = [tool for tool in report.tools if verbose or tool.calls]
        for line in _table(shown, colour=colour) if shown else ():
            click.echo(line)
    for tool in report.tools:
        for finding in tool.findings:
            if not quiet:
                click.echo("")
            for line in _finding(tool, finding, colour=colour):
                click.echo(line)
    if quiet:
        return
    click.echo("")
    for line in () if verbose else _not_called(report):
        click.echo(line)
    for operation, reason in report.skipped:
        click.echo(one_line(f"no tool: {operation}: {reason}"))
    click.echo(one_line(summary(report)))
    if report.ended:
        click.echo(one_line(f"Ended {report.ended}."))


def _not_called(report: Report) -> list[str]:
    by_reason: dict[str, list[str]] = {}
    for tool in report.tools:
        if not tool.calls:
            by_reason.setdefault(tool.reason, []).append(tool.tool)
    return [
        one_line(f"not called, {reason}: {', '.join(names[:_NAMES])}")
        + (f" and {len(names) - _NAMES} more" if len(names) > _NAMES else "")
        for reason, names in by_reason.items()
    ]


def _table(tools: Sequence[ToolReport], *, colour: bool) -> list[str]:
    from mcpgen.verify.reports import statuses_text

    rows = [
        (
            one_line(tool.tool),
            tool.verdict.value,
            str(tool.calls),
            statuses_text(tool),
            one_line("; ".join(filter(None, (tool.reason, *tool.remarks, _drift(tool))))),
        )
        for tool in tools
    ]
    head = ("tool", "verdict", "calls", "answers", "")
    widths = [min(max(len(row[i]) for row in (head, *rows)), _WIDEST) for i in range(4)]

    def line(row: tuple[str, ...], style: str | None) -> str:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        cells[2] = row[2].rjust(widths[2])
        if style and colour:
            cells[1] = click.style(cells[1], fg=style)
        return "  ".join([*cells, row[4]]).rstrip()

    return [line(head, None), *(line(row, _COLOURS[row[1]]) for row in rows)]


def _drift(tool: ToolReport) -> str:
    return ", ".join(dict.fromkeys(finding.kind.value for finding in tool.findings))


def _finding(tool: ToolReport, finding: Finding, *, colour: bool) -> list[str]:
    from mcpgen.verify.reports import place_text

    label = f"drift[{finding.kind.value}]"
    shown = click.style(label, fg="red", bold=True) if colour else label
    times = f" ({finding.count} calls)" if finding.count > 1 else ""
    arguments = json.dumps(finding.arguments, ensure_ascii=False)
    return [
        f"{one_line(place_text(finding.place))}: {shown}: {one_line(f'{tool.operation}: {finding.detail}')}{times}",
        f"    call: {one_line(f'{tool.tool} {arguments}')}",
        f"    sent: {one_line(finding.request)}",
    ]

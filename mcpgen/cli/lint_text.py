"""How a lint report looks in a terminal: the score, then the findings by kind, the worst first."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from mcpgen.cli.report import has_colour, one_line
from mcpgen.diagnostics import Severity

if TYPE_CHECKING:
    from mcpgen.lint import Finding, Report

SHOWN = 5
_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "blue"}
_ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}


def print_report(report: Report, *, every: bool, hints: bool) -> None:
    """Prints the report on standard output; `hints` shows findings of severity info too."""
    from mcpgen.lint.codes import advice_of, meaning_of

    _print_scores(report)
    shown = [finding for finding in report.findings if hints or finding.severity is not Severity.INFO]
    colour = has_colour(sys.stdout)
    for code, group in _groups(shown):
        worst = min((finding.severity for finding in group), key=_ORDER.__getitem__)
        label = f"{worst}[{code}]"
        label = click.style(label, fg=_COLOURS[worst], bold=True) if colour else label
        click.echo()
        click.echo(f"{label} {len(group):,}: {one_line(f'{meaning_of(code)} {advice_of(code)}')}")
        for finding in group if every else group[:SHOWN]:
            click.echo(_line(finding))
        if not every and len(group) > SHOWN:
            click.echo(f"… and {len(group) - SHOWN:,} more (--all shows them)")
    if not shown:
        click.echo("\nNothing found.")


def _print_scores(report: Report) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    score = report.score
    cost = sum(tool.tokens for tool in report.tools)
    click.echo(
        one_line(f"{report.target}: {len(report.tools):,} tools, {cost:,} tokens ({report.counted_by})")
    )
    contract = "" if score.contract is None else f", contract {score.contract:g} (JAIRF level {score.level})"
    click.echo(
        f"Score {score.overall:g} of 100: tools {score.tools:g} (TDQS {score.tdqs:g}, tier {score.tier}){contract}"
    )
    table = Table(box=box.SIMPLE, pad_edge=False)
    table.add_column("dimension")
    table.add_column("score", justify="right")
    for severity in Severity:
        table.add_column(f"{severity}s" if severity is not Severity.INFO else "hints", justify="right")
    counts = _counts(report)
    for dimension, value in score.dimensions.items():
        numbers = counts.get(str(dimension), {})
        table.add_row(
            str(dimension),
            f"{value:.1f}",
            *(f"{numbers[item]:,}" if item in numbers else "" for item in Severity),
        )
    width = None if sys.stdout.isatty() else 100
    Console(width=width, no_color=not has_colour(sys.stdout), highlight=False).print(table)


def _counts(report: Report) -> Mapping[str, Mapping[Severity, int]]:
    from mcpgen.lint.codes import dimension_of

    counts: dict[str, dict[Severity, int]] = {}
    for finding in report.findings:
        own = counts.setdefault(str(dimension_of(finding.code)), {})
        own[finding.severity] = own.get(finding.severity, 0) + 1
    return counts


def _groups(findings: Sequence[Finding]) -> list[tuple[str, list[Finding]]]:
    """The findings by code: the worst kinds first, of these the most frequent."""
    groups: dict[str, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(finding.code, []).append(finding)
    for group in groups.values():
        group.sort(key=lambda finding: _ORDER[finding.severity])
    return sorted(groups.items(), key=lambda item: (_ORDER[item[1][0].severity], -len(item[1]), item[0]))


def _line(finding: Finding) -> str:
    place = finding.location
    where = place.file if place.line is None else f"{place.file}:{place.line}:{place.column or 1}"
    about = "" if finding.tool is None or f"`{finding.tool}`" in finding.message else f" ({finding.tool})"
    return one_line(f"{where}: {finding.message}{about}")

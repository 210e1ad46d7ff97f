"""`mcpgen diff`: what changed for callers, tool by tool."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mcpgen.cli.diff_text import print_report
from mcpgen.cli.options import Given, build_config, config_options
from mcpgen.cli.report import Reporter, one_line
from mcpgen.diagnostics import Collector, Refused, Severity

if TYPE_CHECKING:
    from mcpgen.comparison import Side
    from mcpgen.diff import Report

EXIT_CHANGED = 1
SCHEMA_VERSION = 1


@click.command()
@click.argument("old")
@click.argument("new")
@config_options
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "markdown", "json"]),
    default="text",
    show_default=True,
    help="Lines for people, Markdown for a pull request, or one JSON object for programs.",
)
@click.option(
    "--fail-on",
    type=click.Choice(["breaking", "any", "never"]),
    default="never",
    show_default=True,
    help="Exit with status 1 where a change is breaking, or where there is any.",
)
@click.option("--quiet", "-q", is_flag=True, help="Print problems and the report only, and no progress.")
@click.pass_context
def diff(
    ctx: click.Context, old: str, new: str, given: Given, format_: str, fail_on: str, quiet: bool
) -> None:
    """Says what changed for callers from OLD to NEW, and whether it breaks them.

    OLD and NEW are each a project's folder, a spec file, an http(s) URL, or - for standard input. A spec is read with the
    names that the other side gave, so that a project against a spec shows what an update would change.
    """
    if old == new == "-":
        raise click.UsageError("Only one of OLD and NEW can be standard input.")
    reporter = Reporter(quiet=quiet)
    collectors = Collector(), Collector()
    sides: tuple[Side, Side] | None = None
    settings_problems = Collector()
    try:
        from mcpgen.comparison import read_sides

        settings = build_config(given, settings_problems)
        with reporter.progress("Comparing") as update:
            sides = read_sides(old, new, settings, collectors, update)
    except Refused:
        pass  # the reasons are among the diagnostics
    if sides is None:
        for collector in (settings_problems, *collectors):
            reporter.diagnostics(collector.located())
        ctx.exit(EXIT_CHANGED)
    _say_warnings((old, new), collectors, quiet=quiet)
    from mcpgen.diff import compare

    report = compare(sides[0].catalog, sides[1].catalog)
    _print(report, sides, format_)
    failed = bool(report.changes) if fail_on == "any" else fail_on == "breaking" and report.is_breaking
    ctx.exit(EXIT_CHANGED if failed else 0)


def _say_warnings(targets: tuple[str, str], collectors: tuple[Collector, Collector], *, quiet: bool) -> None:
    """Both documents can have hundreds of diagnostics that are not about what changed: their number is enough."""
    for target, collector in zip(targets, collectors, strict=True):
        found = [item for item in collector.located() if item.severity is not Severity.INFO]
        if found and not quiet and not Path(target).is_dir():
            text = f"mcpgen: {target} has {len(found)} warnings; mcpgen inspect shows them."
            click.echo(one_line(text), err=True)


def _print(report: Report, sides: tuple[Side, Side], format_: str) -> None:
    from mcpgen.diff.markdown import markdown

    version = suggested(report, sides[0])
    if format_ == "json":
        click.echo(json.dumps(_as_object(report, sides, version), indent=2, ensure_ascii=False))
    elif format_ == "markdown":
        click.echo(markdown(report, version), nl=False)
    else:
        print_report(report, version)


def suggested(report: Report, side: Side) -> tuple[str, str] | None:
    """The version of the old side's package and the one to release; None where there is no package."""
    if side.version is None:
        return None
    try:
        return side.version, report.bump(side.version)
    except ValueError:
        return None


def _as_object(report: Report, sides: tuple[Side, Side], version: tuple[str, str] | None) -> dict[str, Any]:
    before, after = (
        {"target": side.target, "title": side.catalog["server"]["title"], "tools": number}
        for side, number in zip(sides, report.tools, strict=True)
    )
    return {
        "schema_version": SCHEMA_VERSION,
        "old": before,
        "new": after,
        "bump": report.level.name.lower(),
        "version": None if version is None else {"old": version[0], "suggested": version[1]},
        "counts": {str(severity): number for severity, number in report.counts.items()},
        "effects": [change.entry() for change in report.effects],
        "changes": [change.entry() for change in report.changes],
    }

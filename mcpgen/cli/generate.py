"""`mcpgen generate`: a spec becomes a project."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mcpgen.cli.options import Given, build_config, config_options, format_option
from mcpgen.cli.report import Reporter, one_line
from mcpgen.diagnostics import Collector, Diagnostic, Refused, Severity
from mcpgen.emit.model import Action, ChangeSet

if TYPE_CHECKING:
    from mcpgen.plan.model import PackagePlan

EXIT_REFUSED = 1


@click.command()
@click.argument("spec")
@click.option(
    "--output",
    "-o",
    required=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder of the project.",
)
@config_options
@click.option("--strict", is_flag=True, help="Refuse a spec that gives any warning.")
@format_option("How diagnostics are printed: lines on standard error, or JSON on standard output.")
@click.option("--force", is_flag=True, help="Overwrite generated files that were edited by hand.")
@click.option("--dry-run", is_flag=True, help="Show what would change and write nothing.")
@click.option("--quiet", "-q", is_flag=True, help="Print problems only.")
@click.option("--verbose", "-v", is_flag=True, help="List every file and what happens to it.")
@click.pass_context
def generate(
    ctx: click.Context,
    spec: str,
    output: Path,
    given: Given,
    strict: bool,
    format_: str,
    force: bool,
    dry_run: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """Generates a typed MCP server package from an OpenAPI document.

    SPEC is a file, an http(s) URL, or - for standard input.
    """
    from mcpgen.pipeline import GenerateRequest
    from mcpgen.pipeline import generate as run

    reporter = Reporter(as_json=format_ == "json", quiet=quiet, verbose=verbose)
    diagnostics = Collector()
    try:
        settings = build_config(given, diagnostics, strict=strict)
    except Refused:
        reporter.diagnostics(list(diagnostics))
        ctx.exit(EXIT_REFUSED)
    request = GenerateRequest(spec=spec, output=output, config=settings, force=force, dry_run=dry_run)
    with reporter.progress(f"Generating from {spec}") as update:
        outcome = run(request, diagnostics, update)
    reporter.diagnostics(_strictly(outcome.diagnostics) if settings.strict else outcome.diagnostics)
    if outcome.changes is not None and (dry_run or verbose):
        reporter.result(_listing(outcome.changes))
    if outcome.refused or diagnostics.worst() is Severity.ERROR:
        ctx.exit(EXIT_REFUSED)
    if outcome.plan is not None and outcome.changes is not None:
        reporter.result(_summary(outcome.plan, outcome.changes, output, dry_run=dry_run))


def _strictly(items: Sequence[Diagnostic]) -> list[Diagnostic]:
    """`--strict` makes an error of every warning, and shows it as one."""
    return [replace(i, severity=Severity.ERROR) if i.severity is Severity.WARNING else i for i in items]


def _listing(changes: ChangeSet) -> str:
    """Every file and what would happen to it."""
    return "\n".join(
        f"{entry.action:<9}  {entry.path}" + (f" ({entry.reason})" if entry.reason else "")
        for entry in changes
    )


def _summary(plan: PackagePlan, changes: ChangeSet, output: Path, *, dry_run: bool) -> str:
    effects = Counter(tool.effect for tool in plan.tools)
    counts = ", ".join(
        f"{effects[effect]} {effect}" for effect in ("read", "write", "destructive") if effects[effect]
    )
    skipped = f"; {len(plan.skipped)} operations skipped" if plan.skipped else ""
    done = Counter(entry.action for entry in changes)
    files = f"{done[Action.CREATE] + done[Action.REPLACE]} files written, {done[Action.IDENTICAL]} unchanged"
    files += f", {done[Action.REMOVE]} removed" if done[Action.REMOVE] else ""
    state = "nothing was written (dry run)" if dry_run else files
    return one_line(f"{plan.distribution}: {len(plan.tools)} tools ({counts}){skipped}. {output}: {state}.")

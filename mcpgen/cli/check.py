"""`mcpgen check`: tells in CI whether a project is what its spec, configuration and templates give."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from mcpgen.cli.options import Given, config_options, format_option
from mcpgen.cli.recorded import member_run, recorded_run
from mcpgen.cli.report import Reporter, one_line
from mcpgen.cli.running import EXIT_REFUSED, Run, carry_out
from mcpgen.cli.workspace import Every, run_all, workspace_options
from mcpgen.config import Member
from mcpgen.diagnostics import Collector
from mcpgen.emit import Action, ChangeSet


@click.command()
@click.argument("project", metavar="[DIR]", default=".", type=click.Path(path_type=Path))
@click.option("--spec", metavar="SPEC", help="The spec, where mcpgen.lock does not say how to reach it.")
@config_options
@click.option("--strict", is_flag=True, help="Count warnings about the spec as errors.")
@format_option("How diagnostics are printed: lines on standard error, or JSON on standard output.")
@click.option("--quiet", "-q", is_flag=True, help="Print problems only.")
@click.option("--verbose", "-v", is_flag=True, help="List every file.")
@workspace_options("project", "spec", "package", "server_url")
@click.pass_context
def check(
    ctx: click.Context,
    project: Path,
    spec: str | None,
    given: Given,
    strict: bool,
    format_: str,
    quiet: bool,
    verbose: bool,
    every: Every | None,
) -> None:
    """Fails when `mcpgen update` would change the project. Writes nothing.

    Edits of the team are no failure; they are listed. DIR is the project's folder, the working folder when left out.
    With --all, every project of a workspace is looked at.
    """
    reporter = Reporter(as_json=format_ == "json", quiet=quiet, verbose=verbose)
    if every is not None:

        def prepare(member: Member, diagnostics: Collector) -> Run:
            return member_run(member, given, diagnostics, strict=strict, dry_run=True)

        ctx.exit(run_all(every, given, reporter, "Checking", prepare, stale="Run: mcpgen update --all"))
    run = recorded_run(ctx, project, spec, given, reporter, strict=strict, dry_run=True)
    done = carry_out(run, reporter, f"Checking {project}")
    if done.refused or done.changes is None:
        ctx.exit(EXIT_REFUSED)
    if done.changes.outdated:
        reporter.result(_stale(project, done.changes))
        ctx.exit(EXIT_REFUSED)
    reporter.result(f"{one_line(str(project))} is up to date.")


def _stale(project: Path, changes: ChangeSet) -> str:
    count = Counter(str(change.action) for change in changes.outdated)
    parts = ", ".join(f"{count[str(action)]} to {action}" for action in Action if count[str(action)])
    return one_line(f"{project} is not up to date: {parts}. Run: mcpgen update {project}")

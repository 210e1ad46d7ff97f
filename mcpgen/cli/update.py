"""`mcpgen update`: a project follows its spec, and the team's edits stay."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import click

from mcpgen.cli.options import Given, config_options, format_option
from mcpgen.cli.recorded import member_run, recorded_run
from mcpgen.cli.report import Reporter
from mcpgen.cli.running import EXIT_REFUSED, Run, carry_out, writing_options
from mcpgen.cli.workspace import Every, run_all, workspace_options
from mcpgen.config import Member
from mcpgen.diagnostics import Collector
from mcpgen.emit import Choice


@click.command()
@click.argument("project", metavar="[DIR]", default=".", type=click.Path(path_type=Path))
@click.option(
    "--spec", metavar="SPEC", help="The spec, where it is another or in another place than mcpgen.lock says."
)
@config_options
@click.option("--strict", is_flag=True, help="Refuse a spec that gives any warning.")
@format_option("How diagnostics are printed: lines on standard error, or JSON on standard output.")
@writing_options
@workspace_options("project", "spec", "package", "server_url", "restore")
@click.pass_context
def update(
    ctx: click.Context,
    project: Path,
    spec: str | None,
    given: Given,
    strict: bool,
    format_: str,
    conflicts: str | None,
    restore: tuple[str, ...],
    dry_run: bool,
    quiet: bool,
    verbose: bool,
    every: Every | None,
) -> None:
    """Generates a project again from the spec, overlays and configuration that its mcpgen.lock records.

    Edits of the team are merged with the new texts. DIR is the project's folder, the working folder when left out.
    With --all, every project of a workspace is updated.
    """
    reporter = Reporter(as_json=format_ == "json", quiet=quiet, verbose=verbose)
    choice = None if conflicts is None else Choice(conflicts)
    if every is not None:

        def prepare(member: Member, diagnostics: Collector) -> Run:
            return member_run(member, given, diagnostics, strict=strict, choice=choice, dry_run=dry_run)

        ctx.exit(run_all(every, given, reporter, "Updating", prepare))
    run = recorded_run(
        ctx,
        project,
        spec,
        given,
        reporter,
        strict=strict,
        choice=choice,
        restore=tuple(map(PurePosixPath, restore)),
        dry_run=dry_run,
    )
    done = carry_out(run, reporter, f"Updating {project}")
    if done.refused:
        ctx.exit(EXIT_REFUSED)
    reporter.result(done.summary)

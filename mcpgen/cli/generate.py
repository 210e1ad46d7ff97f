"""`mcpgen generate`: a spec becomes a project."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import click

from mcpgen.cli.options import Given, build_config, config_options, format_option, with_options
from mcpgen.cli.report import Reporter
from mcpgen.cli.running import EXIT_REFUSED, Run, carry_out, writing_options
from mcpgen.cli.workspace import Every, run_all, workspace_options
from mcpgen.config import Member, is_workspace
from mcpgen.diagnostics import Collector, Refused
from mcpgen.emit import Choice


@click.command()
@click.argument("spec", required=False, metavar="SPEC")
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder of the project.",
)
@config_options
@click.option("--strict", is_flag=True, help="Refuse a spec that gives any warning.")
@format_option("How diagnostics are printed: lines on standard error, or JSON on standard output.")
@writing_options
@workspace_options("spec", "output", "package", "server_url", "restore")
@click.pass_context
def generate(
    ctx: click.Context,
    spec: str | None,
    output: Path | None,
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
    """Generates a typed MCP server package from an OpenAPI document.

    SPEC is a file, an http(s) URL, or - for standard input. In a folder that holds a project, the team's edits are merged.
    With --all, every project of a workspace is generated.
    """
    reporter = Reporter(as_json=format_ == "json", quiet=quiet, verbose=verbose)
    choice = None if conflicts is None else Choice(conflicts)
    if every is not None:

        def prepare(member: Member, _: Collector) -> Run:
            config = with_options(member.config, given.values, strict=strict)
            return Run(member.spec, member.output, config, given.values, choice, dry_run=dry_run)

        ctx.exit(run_all(every, given, reporter, "Generating", prepare))
    if spec is None or output is None:
        missing = "spec" if spec is None else "output"
        raise click.MissingParameter(ctx=ctx, param=next(p for p in ctx.command.params if p.name == missing))
    if given.config is not None and is_workspace(given.config):
        message = (
            f"{given.config} is a workspace; leave out SPEC and --output, and say --all [--project NAME]."
        )
        raise click.UsageError(message)
    diagnostics = Collector()
    try:
        settings = build_config(given, diagnostics, strict=strict)
    except Refused:
        reporter.diagnostics(list(diagnostics))
        ctx.exit(EXIT_REFUSED)
    run = Run(
        spec=spec,
        output=output,
        config=settings,
        options=given.values,
        choice=choice,
        restore=tuple(map(PurePosixPath, restore)),
        dry_run=dry_run,
    )
    done = carry_out(run, reporter, f"Generating from {spec}")
    if done.refused:
        ctx.exit(EXIT_REFUSED)
    reporter.result(done.summary)

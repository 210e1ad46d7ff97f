"""`mcpgen runtime`: the run-time library as a distribution of its own, for servers that share it."""

from __future__ import annotations

from pathlib import Path

import click

from mcpgen.cli.report import Reporter, one_line
from mcpgen.cli.running import EXIT_REFUSED
from mcpgen.diagnostics import Collector, Refused


@click.command()
@click.option(
    "--output",
    "-o",
    required=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder of the project; new, empty, or written by this command before.",
)
@click.option("--quiet", "-q", is_flag=True, help="Print problems only.")
@click.pass_context
def runtime(ctx: click.Context, output: Path, quiet: bool) -> None:
    """Writes the project of mcpgen-runtime, the run-time library of servers generated with --runtime package.

    Any front end of PEP 517 builds it. The same mcpgen writes the same bytes.
    """
    from mcpgen.distribution import write_distribution

    reporter, diagnostics = Reporter(quiet=quiet), Collector()
    try:
        written = write_distribution(output, diagnostics)
    except Refused:
        reporter.diagnostics(list(diagnostics))
        ctx.exit(EXIT_REFUSED)
    state = "nothing to do" if written.same else f"{written.files} files written"
    reporter.result(one_line(f"{written.requirement}. {output}: {state}. Build it: python -m build {output}"))

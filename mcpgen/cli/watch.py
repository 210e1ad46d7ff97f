"""`mcpgen watch`: a project follows its spec while the spec, an overlay, the configuration or a template is edited."""

from __future__ import annotations

import time
from pathlib import Path

import click

from mcpgen.cli.options import Given, config_options
from mcpgen.cli.recorded import Recorded, recorded_input
from mcpgen.cli.report import Reporter
from mcpgen.cli.running import EXIT_REFUSED, Run, carry_out
from mcpgen.diagnostics import Collector, Refused
from mcpgen.freshness import input_files

SECONDS = 0.5
"""Between two looks at the files. Looking costs a few milliseconds, and needs no library that differs by system."""

Stamps = dict[Path, tuple[int, int]]


@click.command()
@click.argument("project", metavar="[DIR]", default=".", type=click.Path(path_type=Path))
@click.option("--spec", metavar="SPEC", help="The spec, where mcpgen.lock does not say how to reach it.")
@config_options
@click.option("--quiet", "-q", is_flag=True, help="Print problems only.")
@click.pass_context
def watch(ctx: click.Context, project: Path, spec: str | None, given: Given, quiet: bool) -> None:
    """Updates a project whenever a file that it is generated from changes, until it is interrupted.

    Edits are merged as by `mcpgen update`; while an edit and a new text overlap, nothing is written. DIR is the project's
    folder, the working folder when left out.
    """
    reporter = Reporter(quiet=quiet)
    seen: Stamps | None = None
    try:
        while True:
            diagnostics = Collector()
            try:
                recorded = recorded_input(project, spec, given, diagnostics, strict=False)
            except Refused:
                reporter.diagnostics(list(diagnostics))
                if seen is None:
                    ctx.exit(EXIT_REFUSED)
            else:
                _update(project, recorded, reporter)
            seen = _stamps(project, recorded)
            while _stamps(project, recorded) == seen:
                time.sleep(SECONDS)
    except KeyboardInterrupt:
        return


def _update(project: Path, recorded: Recorded, reporter: Reporter) -> None:
    run = Run(spec=recorded.spec, output=project, config=recorded.config, options=recorded.options)
    done = carry_out(run, reporter, f"Updating {project}")
    reporter.result(done.summary)


def _stamps(project: Path, recorded: Recorded) -> Stamps:
    """When each file that shapes the project was changed last, and its size; a missing one has none."""
    found: Stamps = {}
    for path in input_files(project, recorded.spec, recorded.config):
        try:
            status = path.stat()
        except OSError:
            continue
        found[path] = status.st_mtime_ns, status.st_size
    return found

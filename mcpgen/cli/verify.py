"""`mcpgen verify`: the real API against the spec, through the tools of a project."""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from mcpgen.cli.options import Given, config_options
from mcpgen.cli.recorded import recorded_input
from mcpgen.cli.report import Reporter, has_colour, one_line
from mcpgen.cli.server_log import cause_text, first_cause, print_log
from mcpgen.cli.verify_text import print_report
from mcpgen.diagnostics import Collector, Refused
from mcpgen.emit import read_lock
from mcpgen.runtime.setup.variables import EFFECTS
from mcpgen.urls import problem_with_base_url

if TYPE_CHECKING:
    from mcpgen.pipeline import Planned
    from mcpgen.verify.model import Report, Wanted

EXIT_DRIFT = 1
EXIT_UNUSABLE = 2
_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h)?")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_NEEDED = ("schemathesis", "hypothesis")


class _Unusable(click.ClickException):
    """There is nothing to judge."""

    exit_code = EXIT_UNUSABLE


def _base_url(ctx: click.Context, parameter: click.Parameter, value: str) -> str:
    problem = problem_with_base_url(value)
    if problem is not None:
        raise click.BadParameter(f"{value} {problem}.", ctx, parameter)
    return value.rstrip("/")


def _effects(ctx: click.Context, parameter: click.Parameter, value: str) -> tuple[str, ...]:
    names = [name.strip() for name in value.split(",") if name.strip()]
    wrong = [name for name in names if name not in EFFECTS]
    if wrong or not names:
        problem = f"{wrong[0]!r} is no effect" if wrong else "no effect is named"
        raise click.BadParameter(
            f"{problem}; name each of {', '.join(EFFECTS)} that is allowed.", ctx, parameter
        )
    return tuple(effect for effect in EFFECTS if effect in names)


def _seconds(ctx: click.Context, parameter: click.Parameter, value: str) -> float:
    found = _DURATION.fullmatch(value.strip().lower())
    seconds = float(found.group(1)) * _UNITS[found.group(2) or "s"] if found else 0.0
    if seconds <= 0:
        raise click.BadParameter(f"{value!r} is no duration, such as 90s, 5m or 1h.", ctx, parameter)
    return seconds


@click.command()
@click.argument("project", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--base-url", required=True, metavar="URL", callback=_base_url, help="The real API, base path included."
)
@click.option(
    "--effects",
    default="read",
    show_default=True,
    metavar="LIST",
    callback=_effects,
    help="Kinds of tools that may be called, comma-separated: read, write, destructive. Whatever is named is really done.",
)
@click.option("--tool", "tools", multiple=True, metavar="GLOB", help="Only tools with such a name.")
@click.option(
    "--budget",
    default="60s",
    show_default=True,
    metavar="DURATION",
    callback=_seconds,
    help="How long calls are made, such as 90s or 5m.",
)
@click.option("--max-calls", type=click.IntRange(1), metavar="N", help="How many calls are made at most.")
@click.option(
    "--cases",
    type=click.IntRange(1, 1000),
    default=5,
    show_default=True,
    metavar="N",
    help="How many calls of each tool.",
)
@click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, help="Decides which values are made."
)
@click.option(
    "--rate", type=click.FloatRange(0, min_open=True), metavar="N", help="Requests a second at most."
)
@click.option(
    "--spec", metavar="SPEC", help="The spec, where it is another or in another place than mcpgen.lock says."
)
@config_options
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
    help="A report for people, JSON for programs, or Markdown for a comment in a pull request.",
)
@click.option("--quiet", "-q", is_flag=True, help="Show drift only, and no progress.")
@click.option("--verbose", "-v", is_flag=True, help="Show every tool, and the server's log.")
@click.pass_context
def verify(
    ctx: click.Context,
    project: Path,
    base_url: str,
    effects: tuple[str, ...],
    tools: tuple[str, ...],
    budget: float,
    max_calls: int | None,
    cases: int,
    seed: int,
    rate: float | None,
    spec: str | None,
    given: Given,
    format_: str,
    quiet: bool,
    verbose: bool,
) -> None:
    """Calls the tools of PROJECT on the real API, and reports where its answers differ from the spec.

    The calls are made from the spec that the project's mcpgen.lock records; credentials are read from the environment, as the
    server reads them. Exit status: 0 no drift, 1 drift, 2 the API cannot be reached or refuses the credentials.
    """
    _require_extra()
    from mcpgen.verify.model import Wanted

    reporter = Reporter(quiet=quiet, verbose=verbose)
    wanted = Wanted(base_url, effects, tools, budget, max_calls, cases, seed, rate or 0.0)
    planned = _planned(ctx, project, spec, given, reporter)
    report = _verified(project, planned, wanted, reporter)
    _print(report, format_, reporter)
    ctx.exit(EXIT_DRIFT if report.drifted else 0)


def _require_extra() -> None:
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        text = f"verify needs {' and '.join(missing)}, which the extra brings: pip install 'mcpgen[verify]'."
        raise click.UsageError(text)


def _planned(
    ctx: click.Context, project: Path, spec: str | None, given: Given, reporter: Reporter
) -> Planned:
    """The plan that the project was generated from; the command ends when there is none."""
    from mcpgen.pipeline import GenerateRequest, plan_spec

    diagnostics = Collector()
    try:
        found = recorded_input(project, spec, given, diagnostics, strict=False)
        with reporter.progress(f"Reading {found.spec}") as update:
            request = GenerateRequest(spec=found.spec, output=project, config=found.config)
            planned = plan_spec(request, diagnostics, update)
        lock = read_lock(project, diagnostics)
    except Refused:
        reporter.diagnostics(diagnostics.located())
        ctx.exit(EXIT_UNUSABLE)
    if lock is not None and lock.info.spec_sha256 != planned.tree.root.digest and not reporter.quiet:
        text = f"mcpgen: the spec is no longer the one that {project} was generated from; mcpgen update follows it."
        click.echo(one_line(text), err=True)
    return planned


def _verified(project: Path, planned: Planned, wanted: Wanted, reporter: Reporter) -> Report:
    """Runs the verification. An API or a server that gives nothing to judge ends the command with status 2."""
    import anyio

    from mcpgen.verify.model import Stopped
    from mcpgen.verify.running import verify as run

    async def work(log: TextIO, progress: Callable[[int, str], None]) -> Report:
        tree, api, plan = planned.tree, planned.api, planned.plan
        where: dict[str, Any] = {"environment": os.environ, "log": log, "progress": progress}
        return await run(tree, api, plan, project, wanted, **where)

    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
        try:
            with _bar(planned, wanted, reporter) as progress:
                report = anyio.run(work, log, progress)
        except Exception as error:
            cause, text = first_cause(error), cause_text(error)
            if isinstance(cause, Stopped):
                raise _Unusable(text) from error
            if not _is_of_the_server(cause):
                raise cause from error
            print_log(log, everything=reporter.verbose)
            raise _Unusable(f"The generated server did not answer: {text}") from error
        if reporter.verbose:
            print_log(log, everything=True)
    return report


def _is_of_the_server(error: BaseException) -> bool:
    """Whether the process that runs the project is at fault, and not mcpgen."""
    import anyio
    from mcp import MCPError

    lost = (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream)
    return isinstance(error, (MCPError, OSError, *lost))


@contextmanager
def _bar(planned: Planned, wanted: Wanted, reporter: Reporter) -> Iterator[Callable[[int, str], None]]:
    """A progress bar on a terminal: calls made of those to make, and the tool that is called."""
    if reporter.quiet or not sys.stderr.isatty():
        yield lambda calls, tool: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    allowed = sum(tool.effect in wanted.effects for tool in planned.plan.tools)
    total = min(allowed * wanted.cases, wanted.max_calls or sys.maxsize)
    console = Console(stderr=True, no_color=not has_colour(sys.stderr))
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("calls"), TimeElapsedColumn())
    with Progress(
        *columns, TextColumn("{task.description}", markup=False), console=console, transient=True
    ) as bar:
        task = bar.add_task("starting the server", total=total)
        yield lambda calls, tool: bar.update(task, completed=calls, description=tool)


def _print(report: Report, format_: str, reporter: Reporter) -> None:
    from mcpgen.verify.reports import markdown, report_object

    if format_ == "json":
        click.echo(json.dumps(report_object(report), indent=2, ensure_ascii=False))
    elif format_ == "markdown":
        click.echo(markdown(report), nl=False)
    else:
        print_report(report, quiet=reporter.quiet, verbose=reporter.verbose)

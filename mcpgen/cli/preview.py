"""`mcpgen try`: generate into a temporary place, serve against a stub of the API, call, and show what happens."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from mcpgen.cli.options import Given, build_config, config_options
from mcpgen.cli.report import Reporter, has_colour
from mcpgen.cli.server_log import cause_text, print_log
from mcpgen.diagnostics import Collector, Refused

if TYPE_CHECKING:
    from mcpgen.pipeline import Outcome
    from mcpgen.preview.transcript import Line
    from mcpgen.preview.trial import Call

EXIT_FAILED = 1


@click.command(name="try")
@click.argument("spec")
@click.option(
    "--call", "names", multiple=True, metavar="TOOL", help="A tool to call; can be given several times."
)
@click.option(
    "--args",
    "arguments",
    multiple=True,
    metavar="JSON",
    help="Arguments of a call, once for each --call and in the same order. Without, samples from the spec are used.",
)
@click.option("--keep", type=click.Path(path_type=Path), metavar="DIR", help="Generate into DIR and keep it.")
@config_options
@click.option(
    "--quiet", "-q", is_flag=True, help="Print problems only; the exit status says whether the calls worked."
)
@click.option(
    "--verbose", "-v", is_flag=True, help="Print everything: all headers, whole bodies, the server's log."
)
@click.pass_context
def try_(
    ctx: click.Context,
    spec: str,
    names: tuple[str, ...],
    arguments: tuple[str, ...],
    keep: Path | None,
    given: Given,
    quiet: bool,
    verbose: bool,
) -> None:
    """Tries out the server that a spec would become, against a stub of its API.

    Generates the package into a temporary folder, starts a stub API on loopback that answers from the spec's examples
    and schemas, starts the server, connects a client, lists the tools, and calls one or more.

    SPEC is a file, an http(s) URL, or - for standard input.
    """
    calls = _calls(names, arguments)
    reporter = Reporter(quiet=quiet, verbose=verbose)
    with _place(keep) as project:
        outcome = _generated(reporter, spec, project, given)
        if outcome is None or outcome.api is None or outcome.plan is None or outcome.refused:
            ctx.exit(EXIT_FAILED)
        succeeded = _tried(reporter, outcome, project, calls)
    if keep is not None:
        reporter.result(f"\nThe project is in {keep}.")
    if not succeeded:
        ctx.exit(EXIT_FAILED)


def _calls(names: Sequence[str], arguments: Sequence[str]) -> list[Call]:
    """Pairs tools and arguments.

    Raises:
        click.UsageError: the numbers differ, or arguments are not a JSON object.
    """
    from mcpgen.preview.trial import Call

    if not arguments:
        return [Call(name) for name in names]
    if len(arguments) != len(names):
        raise click.UsageError(
            f"--args is given {len(arguments)} times and --call {len(names)} times; pair them."
        )
    return [Call(name, _json_object(text)) for name, text in zip(names, arguments, strict=True)]


def _json_object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise click.BadParameter(f"{text!r} is not JSON: {error}.", param_hint="--args") from None
    if not isinstance(value, dict):
        raise click.BadParameter(f"{text!r} is not a JSON object.", param_hint="--args")
    return value


@contextmanager
def _place(keep: Path | None) -> Iterator[Path]:
    """The folder for the project."""
    if keep is not None:
        yield keep
        return
    with tempfile.TemporaryDirectory(prefix="mcpgen-try-") as folder:
        yield Path(folder) / "project"


def _generated(reporter: Reporter, spec: str, project: Path, given: Given) -> Outcome | None:
    from mcpgen.pipeline import GenerateRequest, generate

    diagnostics = Collector()
    try:
        settings = build_config(given, diagnostics)
    except Refused:
        reporter.diagnostics(list(diagnostics))
        return None
    with reporter.progress(f"Generating from {spec}"):
        outcome = generate(GenerateRequest(spec=spec, output=project, config=settings), diagnostics)
    reporter.diagnostics(outcome.diagnostics)
    return outcome


def _tried(reporter: Reporter, outcome: Outcome, project: Path, calls: Sequence[Call]) -> bool:
    """Runs the trial. A server that does not start, or dies, is reported with the end of its log."""
    import anyio

    from mcpgen.preview.trial import UnknownTool, run_trial

    assert outcome.api is not None
    assert outcome.plan is not None
    api, plan = outcome.api, outcome.plan

    async def trial(log: TextIO, waiting: ExitStack) -> bool:
        show = _printer(reporter, waiting)
        return await run_trial(api, plan, project, calls, show=show, log=log, whole=reporter.verbose)

    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
        try:
            with ExitStack() as waiting:
                waiting.enter_context(reporter.progress("Starting the server"))
                succeeded = anyio.run(trial, log, waiting)
        except UnknownTool as error:
            raise click.UsageError(str(error)) from None
        except Exception as error:
            print_log(log, everything=reporter.verbose)
            raise click.ClickException(f"The generated server did not answer: {cause_text(error)}") from error
        if reporter.verbose:
            print_log(log, everything=True)
    return succeeded


def _printer(reporter: Reporter, waiting: ExitStack) -> Callable[[Iterable[Line]], None]:
    """Prints lines in their colours; the first ones end the progress display, which would be in their way."""
    from mcpgen.cli.transcript import styled

    colour = has_colour(sys.stdout)

    def show(lines: Iterable[Line]) -> None:
        waiting.close()
        for line in lines:
            reporter.result(styled(line, colour=colour))

    return show

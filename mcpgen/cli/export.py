"""`mcpgen export`: a project's tools as function-calling definitions of a model API."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from mcpgen.cli.report import Reporter
from mcpgen.diagnostics import Collector, Refused, Severity
from mcpgen.runtime.definitions.formats import APIS, FORMATS
from mcpgen.runtime.definitions.model import Definition

EXIT_FAILED = 1


@click.command()
@click.argument("project", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    required=True,
    help="Whose definitions; `openai-strict` has models keep the schemas.",
)
@click.option(
    "--api",
    type=click.Choice(APIS),
    default="chat",
    show_default=True,
    help="For the formats of OpenAI: Chat Completions or Responses.",
)
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    metavar="FILE",
    help="Write to a file, not to standard output.",
)
@click.option(
    "--effects", metavar="LIST", help="Effects, comma-separated  [default: as the server: read,write]"
)
@click.option("--toolset", "toolsets", multiple=True, metavar="NAME", help="Only tools of this toolset.")
@click.option("--tool", "tools", multiple=True, metavar="GLOB", help="Only tools with such a name.")
@click.option(
    "--strict", is_flag=True, help="Exit with 1 when there is a warning, such as a tool that is not strict."
)
@click.option("--quiet", "-q", is_flag=True, help="Print problems only.")
@click.pass_context
def export(
    ctx: click.Context,
    project: Path,
    format_: str,
    api: str,
    output: Path | None,
    effects: str | None,
    toolsets: tuple[str, ...],
    tools: tuple[str, ...],
    strict: bool,
    quiet: bool,
) -> None:
    """Gives the tools of PROJECT as function-calling definitions: the `tools` of a request, as JSON.

    The package's executor (`PACKAGE.executor`) runs what a model calls.
    """
    from mcpgen.export.project import Wanted, WrongChoice, document, export_project

    if api != "chat" and not format_.startswith("openai"):
        raise click.UsageError("--api is for the formats openai and openai-strict.")
    wanted = Wanted(format_, api, effects or "", toolsets, tools)
    reporter, diagnostics = Reporter(quiet=quiet), Collector()
    try:
        definitions = export_project(project, wanted, diagnostics)
    except WrongChoice as error:
        raise click.UsageError(str(error)) from error
    except Refused:
        reporter.diagnostics(diagnostics.located())
        ctx.exit(EXIT_FAILED)
    reporter.diagnostics(diagnostics.located())
    _write(document(definitions, wanted), output)
    if not quiet:
        click.echo(_summary(definitions), err=True)
    warned = diagnostics.worst() in (Severity.ERROR, Severity.WARNING)
    ctx.exit(EXIT_FAILED if strict and warned else 0)


def _write(value: Any, output: Path | None) -> None:
    text = json.dumps(value, indent=2, ensure_ascii=False) + "\n"
    if output is None:
        click.echo(text, nl=False)
        return
    try:
        with click.open_file(str(output), "w", encoding="utf-8", atomic=True) as file:
            file.write(text)
    except OSError as error:
        raise click.UsageError(f"--output: {output} cannot be written: {error.strerror}.") from error


def _summary(definitions: Sequence[Definition]) -> str:
    known = [one.strict for one in definitions if one.strict is not None]
    strict = sum(known)
    detail = f", {strict} strict and {len(known) - strict} not" if strict else ""
    return f"{len(definitions)} tools{detail}."

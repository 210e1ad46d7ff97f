"""`mcpgen connect`: enters a generated server into the configuration of an MCP client, or shows what to enter."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import click

from mcpgen.cli.report import Reporter, has_colour, one_line
from mcpgen.connect.clients import CLIENTS, Client, user_file
from mcpgen.connect.model import Entry, FileProblem, Launch, Needs, Server
from mcpgen.diagnostics import Collector, Location, Refused
from mcpgen.urls import problem_with_base_url

EXIT_REFUSED = 1
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_OWN_FILE, _SHARED_FILE = 0o600, 0o644
_BY_HAND = "Correct the file, or enter what this command prints without --write by hand."


def _url(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    problem = None if value is None else problem_with_base_url(value)
    if problem is not None:
        raise click.BadParameter(f"{value!r} {problem}.", ctx, parameter)
    return value


def _name(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    if value is not None and not _NAME.fullmatch(value):
        message = (
            f"{value!r} is not 1 to 64 letters, digits, underscores or hyphens; clients refuse other names."
        )
        raise click.BadParameter(message, ctx, parameter)
    return value


@click.command()
@click.argument("project", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--client", "client_name", type=click.Choice(list(CLIENTS)), required=True, help="The MCP client."
)
@click.option("--write", is_flag=True, help="Enter it into the client's file, and keep what is there.")
@click.option("--dry-run", is_flag=True, help="Show what --write would change, and write nothing.")
@click.option("--force", is_flag=True, help="Replace an entry of this name that says something else.")
@click.option(
    "--scope",
    type=click.Choice(["user", "project"]),
    default="user",
    show_default=True,
    help="The user's own file, or the one of a workspace.",
)
@click.option(
    "--workspace",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=Path("."),
    help="The workspace for --scope project; by default the current folder.",
)
@click.option(
    "--file", type=click.Path(dir_okay=False, path_type=Path), help="The client's file, when it is elsewhere."
)
@click.option(
    "--name", callback=_name, help="What the client calls the server; by default the project's name."
)
@click.option(
    "--python",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The interpreter; by default that of PROJECT/.venv, else the one that runs mcpgen.",
)
@click.option("--http", "url", metavar="URL", callback=_url, help="The server runs at this address already.")
@click.option(
    "--env",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="A setting of the server to write down; can be given several times. Never a secret.",
)
@click.option("--quiet", "-q", is_flag=True, help="Print problems only, and what goes into the file.")
@click.pass_context
def connect(
    ctx: click.Context,
    project: Path,
    client_name: str,
    write: bool,
    dry_run: bool,
    force: bool,
    scope: str,
    workspace: Path,
    file: Path | None,
    name: str | None,
    python: Path | None,
    url: str | None,
    settings: Sequence[str],
    quiet: bool,
) -> None:
    """Connects the generated server in PROJECT to an MCP client.

    Prints the client's configuration, or with --write merges it into the client's file. No secret is written: clients
    get references to variables, ask for the values, or leave them empty for you.
    """
    from mcpgen.connect.entries import entry_for
    from mcpgen.connect.files import snippet
    from mcpgen.connect.needs import needs_of
    from mcpgen.connect.notes import notes

    client = CLIENTS[client_name]
    path = file or _file(client, scope, workspace)
    if url is not None and client.url is None:
        message = f"{client.title}'s file holds only servers that it starts; add {url} as a connector in its settings."
        raise click.UsageError(message)
    reporter = Reporter(quiet=quiet)
    diagnostics = Collector()
    try:
        catalog = _catalog(project, diagnostics)
        needs = needs_of(catalog)
        server = _server(
            project, catalog, needs, name, python, url, _settings(settings, catalog), diagnostics
        )
        entry = entry_for(client, server)
        if write or dry_run:
            _enter(reporter, client, server.name, entry, path, dry_run, force, diagnostics)
        else:
            click.echo(snippet(client, server.name, entry), nl=False)
            _say(reporter, f"This belongs into {path}; --write puts it there.")
    except Refused:
        reporter.diagnostics(list(diagnostics))
        ctx.exit(EXIT_REFUSED)
    reporter.diagnostics(list(diagnostics))
    open_ = [variable for variable in server.variables if variable.name in entry.open]
    for text in notes(client, needs, open_, server.launch, shared=scope == "project"):
        _say(reporter, text)


def _file(client: Client, scope: str, workspace: Path) -> Path:
    if scope == "user":
        return user_file(client, sys.platform, Path.home(), os.environ)
    if client.project is None:
        raise click.UsageError(f"{client.title} has no file for a workspace; leave out --scope.")
    return workspace / client.project


def _catalog(project: Path, diagnostics: Collector) -> Mapping[str, Any]:
    from mcpgen.inspection import read_catalog

    return read_catalog(project, diagnostics)


def _settings(settings: Sequence[str], catalog: Mapping[str, Any]) -> dict[str, str]:
    """The values of --env.

    Raises:
        click.BadParameter: one is no variable of this server, or it is secret.
    """
    from mcpgen.connect.needs import known_variables

    known = known_variables(catalog)
    found = {}
    for setting in settings:
        name, given, value = setting.partition("=")
        if not given:
            raise click.BadParameter(f"{setting!r} has no =; write NAME=VALUE.", param_hint="--env")
        if name not in known:
            close = get_close_matches(name, known, n=1, cutoff=0.7)
            advice = f" Did you mean {close[0]}?" if close else ""
            raise click.BadParameter(f"The server has no setting {name}.{advice}", param_hint="--env")
        if known[name]:
            raise click.BadParameter(
                f"{name} is a secret; it is not written into a file.", param_hint="--env"
            )
        found[name] = value
    return found


def _server(
    project: Path,
    catalog: Mapping[str, Any],
    needs: Needs,
    name: str | None,
    python: Path | None,
    url: str | None,
    given: Mapping[str, str],
    diagnostics: Collector,
) -> Server:
    from mcpgen.connect.interpreter import find_interpreter

    told = catalog["project"]
    name = name or re.sub(r"[^A-Za-z0-9_-]+", "-", told["name"])[:64]
    if url is not None:
        return Server(name, url=url)
    interpreter = find_interpreter(project, told["package"], python)
    if interpreter.problem is not None:
        hint = "Make a virtual environment in PROJECT/.venv and install the project there, or name another with --python."
        diagnostics.add("client-interpreter", interpreter.problem, hint=hint)
    source = None if interpreter.installed else os.path.abspath(project / told["source_root"])
    launch = Launch(interpreter.path, told["package"], source)
    return Server(name, launch, None, needs.variables, given)


def _enter(
    reporter: Reporter,
    client: Client,
    name: str,
    entry: Entry,
    path: Path,
    dry_run: bool,
    force: bool,
    diagnostics: Collector,
) -> None:
    """Writes the entry, or shows what would be written.

    Raises:
        Refused: the file is malformed, has another entry of this name, or cannot be written.
    """
    from mcpgen.connect.files import plan_change
    from mcpgen.emit.single import ChangedMeanwhile, replace_file

    try:
        plan = plan_change(client, name, entry, path)
        if not plan.lines:
            reporter.result(f"{path} has the server {name} already.")
            return
        if not reporter.quiet:
            _show(plan.lines)
        if plan.replaces and not force:
            message = f"The client already has a server {name}, which says something else."
            hint = "Pass --force to replace it, or --name to enter this one under another name."
            raise diagnostics.refuse("client-entry", message, Location(str(path)), hint=hint)
        if not dry_run:
            mode = (
                _OWN_FILE
                if path == user_file(client, sys.platform, Path.home(), os.environ)
                else _SHARED_FILE
            )
            replace_file(path, plan.before, plan.after, mode=mode)
    except FileProblem as problem:
        place = Location(str(path), line=problem.line, column=problem.column)
        hint = problem.hint or _BY_HAND
        raise diagnostics.refuse("client-file", problem.message, place, hint=hint) from None
    except ChangedMeanwhile:
        message, hint = "The file was changed by somebody else at the same moment.", "Run the command again."
        raise diagnostics.refuse("client-file", message, Location(str(path)), hint=hint) from None
    except OSError as error:
        message = f"The file cannot be read or written: {error.strerror or error}."
        raise diagnostics.refuse("client-file", message, Location(str(path))) from None
    reporter.result(f"{'Would be written' if dry_run else 'Written'} to {path}.")


def _show(lines: Sequence[str]) -> None:
    colours = {"+": "green", "-": "red"} if has_colour(sys.stdout) else {}
    for line in lines:
        indent = len(line) - len(line[1:].lstrip())
        text = line[:indent] + one_line(line[indent:])
        click.echo(click.style(text, fg=colours.get(line[:1])))


def _say(reporter: Reporter, text: str) -> None:
    """Notes go to standard error: standard output is what goes into the file."""
    if not reporter.quiet:
        click.echo(one_line(text), err=True)

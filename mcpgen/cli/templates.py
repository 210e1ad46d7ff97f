"""`mcpgen templates`: a team's own templates over the built-in ones."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mcpgen.cli.options import format_option, templates_option
from mcpgen.cli.report import Reporter, one_line
from mcpgen.cli.running import EXIT_REFUSED
from mcpgen.config import Config, load_config
from mcpgen.diagnostics import Collector, Refused

if TYPE_CHECKING:
    from mcpgen.templating import Comparison, Entry

CONFIG_NAME = "mcpgen.toml"


def _layered(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds `--config` and `--templates`; the command gets what they say, as `config`. What is refused ends it."""

    @wraps(command)
    def with_config(config: Path | None, layers: tuple[str, ...], **kwargs: Any) -> Any:
        diagnostics = Collector()
        reporter = Reporter(as_json=kwargs.get("format_") == "json" and command.__name__ == "check")
        if config is None and Path(CONFIG_NAME).is_file():
            config = Path(CONFIG_NAME)
        try:
            found = load_config(config, diagnostics)
            found = found.override(layers=(*found.layers, *layers))
            return command(config=found, diagnostics=diagnostics, reporter=reporter, **kwargs)
        except Refused:
            reporter.diagnostics(diagnostics.located())
            raise click.exceptions.Exit(EXIT_REFUSED) from None

    config_option = click.option(
        "--config",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="Configuration file that names layers; mcpgen.toml in the working folder when left out.",
    )
    return config_option(templates_option(with_config))


@click.group()
def templates() -> None:
    """Shows, copies, compares and tries templates of your own."""


@templates.command("list")
@_layered
@format_option("How the list is printed.")
def list_(config: Config, diagnostics: Collector, reporter: Reporter, format_: str) -> None:
    """Lists all templates, what each makes, and which layers have a part in it, the strongest first."""
    from mcpgen.templating import entries, stack_of

    found = entries(stack_of(config, diagnostics), diagnostics)
    if format_ == "json":
        click.echo(json.dumps([asdict(entry) for entry in found], indent=2))
        return
    rows = [(entry.template, entry.makes or "(included by others)", _layers(entry)) for entry in found]
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    for template, makes, layers in rows:
        click.echo(f"{template:<{widths[0]}}  {makes:<{widths[1]}}  {one_line(layers)}")


@templates.command()
@click.argument("template")
@click.option("--layer", metavar="NAME", help="The layer to look in, such as default; else the strongest.")
@_layered
def show(
    config: Config, diagnostics: Collector, reporter: Reporter, template: str, layer: str | None
) -> None:
    """Prints a template as it stands in its layer.

    TEMPLATE is its path in a layer, such as src/package/server.py.jinja, or what it makes, such as .env.example.
    """
    from mcpgen.templating import UnknownTemplate, find_template, stack_of, text_of

    try:
        found, path = find_template(stack_of(config, diagnostics), template, layer=layer)
        click.echo(text_of(found, path), nl=False)
    except UnknownTemplate as error:
        raise click.UsageError(_sentence(error)) from None


@templates.command()
@click.argument("names", metavar="TEMPLATE...", nargs=-1, required=True)
@click.option(
    "--to",
    "folder",
    required=True,
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the layer that gets the copies.",
)
@click.option("--extend", is_flag=True, help="Write a template that extends it, block by block, not a copy.")
@click.option("--force", is_flag=True, help="Replace files that are there.")
def eject(names: tuple[str, ...], folder: Path, extend: bool, force: bool) -> None:
    """Copies built-in templates into a layer, to be changed there.

    A copy no longer follows mcpgen; `mcpgen templates diff` shows what it misses. Where a block is all that you change,
    --extend is better: the rest keeps following.
    """
    from mcpgen import templating

    stack = templating.stack_of(Config(), Collector())
    try:
        for name in names:
            layer, path = templating.find_template(stack, name)
            for written in templating.eject(layer, path, folder, extend=extend, force=force):
                click.echo(f"written: {one_line(str(written))}")
    except templating.UnknownTemplate as error:
        raise click.UsageError(_sentence(error)) from None
    except (templating.EjectError, OSError) as error:
        raise click.ClickException(one_line(f"{error}.")) from None


@templates.command()
@click.argument("template", required=False)
@click.option("--exit-code", is_flag=True, help="Exit with 1 when a built-in template has changed since.")
@_layered
def diff(
    config: Config, diagnostics: Collector, reporter: Reporter, template: str | None, exit_code: bool
) -> None:
    """Compares copied templates with the built-in ones: what you have changed, and what mcpgen has since the copy."""
    from mcpgen.templating import UnknownTemplate, compare, find_template, stack_of

    stack = stack_of(config, diagnostics)
    try:
        path = None if template is None else find_template(stack, template)[1]
    except UnknownTemplate as error:
        raise click.UsageError(_sentence(error)) from None
    found = list(compare(stack, path))
    for one in found:
        click.echo(_compared(one))
    if not found:
        click.echo("No copied templates. `mcpgen templates eject` makes one.")
    if exit_code and any(one.behind for one in found):
        raise click.exceptions.Exit(EXIT_REFUSED)


@templates.command()
@click.option("--quick", is_flag=True, help="Render and compile only; no type check, no tests.")
@_layered
@format_option("How problems are printed: lines on standard error, or JSON on standard output.")
def check(config: Config, diagnostics: Collector, reporter: Reporter, quick: bool, format_: str) -> None:
    """Makes a project with your layers and plugins from a built-in spec that has something of everything, and tries it.

    It is compiled, checked by mypy and tested by pytest, where these are installed. Problems point at your templates.
    """
    from mcpgen.templating import check_layers, stack_of

    stack_of(config, diagnostics)
    with reporter.progress("Checking templates") as update:
        verdict = check_layers(config, update, quick=quick)
    reporter.diagnostics(verdict.diagnostics)
    if verdict.failed:
        raise click.exceptions.Exit(EXIT_REFUSED)
    reporter.result(f"Templates are fine: {', '.join(verdict.done)}.")


@templates.command()
def reference() -> None:
    """Prints the reference of what templates see, as Markdown."""
    from mcpgen.templating import reference as page

    click.echo(page(), nl=False)


def _sentence(error: Exception) -> str:
    return str(error) if str(error).endswith("?") else f"{error}."


def _layers(entry: Entry) -> str:
    hidden = f" (in place of {', '.join(entry.hidden)})" if entry.hidden else ""
    return " > ".join(entry.layers) + hidden


def _compared(one: Comparison) -> str:
    lines = [one_line(f"{one.template} in {one.layer}, copied from mcpgen {one.record.version}")]
    if one.gone:
        lines.append(f"mcpgen has no template {one.record.path} any more.")
    elif not one.behind:
        lines.append("The built-in template is still the one that was copied.")
    if one.ours is None:
        lines.append(
            "The built-in template of then is not kept beside it: copy it again to compare both sides."
        )
    if one.theirs:
        lines += ["", "What mcpgen has changed since:", one.theirs]
    if one.ours is not None:
        lines += ["", "What you have changed:", one.ours] if one.ours else ["You have changed nothing."]
    return "\n".join([*lines, ""])

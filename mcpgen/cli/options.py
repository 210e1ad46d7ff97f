"""Options that several commands share, and how they become a configuration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from mcpgen.config import Config, load_config, problem_with
from mcpgen.diagnostics import Collector
from mcpgen.plan.selectors import SelectorError, parse_selector

Command = TypeVar("Command", bound=Callable[..., Any])


def _checked(section: str) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """Checks an option by the rule of the key in `mcpgen.toml` that has its name."""

    def callback(ctx: click.Context, parameter: click.Parameter, value: Any) -> Any:
        problem = None if value is None else problem_with(section, parameter.name or "", value)
        if problem is not None:
            raise click.BadParameter(f"{problem}.", ctx, parameter)
        return value

    return callback


@dataclass(frozen=True, slots=True)
class Given:
    """What the shared options said: the configuration file, and what wins over it."""

    config: Path | None
    values: Mapping[str, Any]


_LISTS = ("overlays", "layers", "include", "exclude")
"""What the command line adds to the configuration file's list, at its end."""
_VALUES = (
    *("package", "server_url", "allow_remote", "allow_private", "allow_outside", "deprecated"),
    *("description_level", "runtime", *_LISTS),
)


def _selectors(ctx: click.Context, parameter: click.Parameter, texts: tuple[str, ...]) -> tuple[str, ...]:
    try:
        for text in texts:
            parse_selector(text)
    except SelectorError as error:
        raise click.BadParameter(str(error), ctx, parameter) from None
    return texts


_SELECTING = (
    click.option(
        "--include",
        multiple=True,
        metavar="SELECTOR",
        callback=_selectors,
        help="Make tools only of these operations, such as tag:pets, path:/pets/**, method:GET, operation:get*, effect:read.",
    ),
    click.option(
        "--exclude",
        multiple=True,
        metavar="SELECTOR",
        callback=_selectors,
        help="Leave these operations out, even if they are included.",
    ),
    click.option("--deprecated", is_flag=True, help="Make tools of deprecated operations too."),
)


templates_option = click.option(
    "--templates",
    "layers",
    multiple=True,
    type=click.Path(exists=True, file_okay=False),
    metavar="DIR",
    help="A folder of templates over those before it and the built-in ones; the last is the strongest.",
)


_runtime_option = click.option(
    "--runtime",
    type=click.Choice(["vendored", "package"]),
    help="A copy of the run-time library in the project, or the distribution mcpgen-runtime.  [default: vendored]",
)


def config_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options that decide about the output; the command gets them together, as `given`."""

    @wraps(command)
    def with_given(*args: Any, **kwargs: Any) -> Any:
        values = {key: kwargs.pop(key) for key in _VALUES}
        return command(*args, given=Given(kwargs.pop("config"), values), **kwargs)

    found: Callable[..., Any] = with_given
    for option in reversed(
        (
            click.option(
                "--config",
                type=click.Path(exists=True, dir_okay=False, path_type=Path),
                help="Configuration file (mcpgen.toml); options given here win over it.",
            ),
            click.option("--package", callback=_checked("project"), help="Name of the Python package."),
            click.option(
                "--server-url",
                metavar="URL",
                callback=_checked("project"),
                help="The API's address where the spec names none, and what relative addresses start from.",
            ),
            click.option(
                "--descriptions",
                "description_level",
                type=click.Choice(["brief", "standard", "full"]),
                help="How long descriptions are; `standard` is about 120 tokens at most.",
            ),
            click.option("--allow-remote", is_flag=True, help="Read references that lead to other hosts."),
            click.option(
                "--allow-private",
                is_flag=True,
                help="Let such references lead to private network addresses too.",
            ),
            click.option(
                "--allow-outside",
                multiple=True,
                type=click.Path(exists=True, path_type=Path),
                metavar="DIR",
                help="Read references that lead into this folder, outside the spec's own.",
            ),
            click.option(
                "--overlay",
                "overlays",
                multiple=True,
                type=click.Path(path_type=Path),
                metavar="FILE",
                help="Change the spec by an OpenAPI Overlay first; several apply in their order.",
            ),
            templates_option,
            _runtime_option,
            *_SELECTING,
        )
    ):
        found = option(found)
    return found


def format_option(help_text: str) -> Callable[[Command], Command]:
    """Adds `--format text|json`."""
    return click.option(
        "--format",
        "format_",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help=help_text,
    )


def build_config(given: Given, diagnostics: Collector, **more: Any) -> Config:
    """The configuration file with the command line over it; a flag that is not set decides nothing.

    Raises:
        Refused: the file is wrong.
    """
    return with_options(load_config(given.config, diagnostics), given.values, **more)


def with_options(config: Config, values: Mapping[str, Any], **more: Any) -> Config:
    """A configuration with the command line over it."""
    values = {**values, **more}
    values |= {key: (*getattr(config, key), *values[key]) for key in _LISTS}
    return config.override(**{key: value or None for key, value in values.items()})

"""`mcpgen inspect`: what is in a project, or what a spec would become."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from mcpgen.cli.options import Given, build_config, config_options, format_option
from mcpgen.cli.report import Reporter, has_colour, one_line
from mcpgen.cli.token_table import print_tokens
from mcpgen.diagnostics import Collector, Refused

EXIT_REFUSED = 1
SHOWN_ARGUMENTS = 8


@click.command()
@click.argument("target")
@config_options
@format_option("A table for people, or one JSON object for programs.")
@click.option("--why", is_flag=True, help="Show why each tool has its effect.")
@click.option("--tokens", is_flag=True, help="Show what each tool, toolset and mode costs a model.")
@click.option("--quiet", "-q", is_flag=True, help="Print problems only, and no progress.")
@click.pass_context
def inspect(
    ctx: click.Context,
    target: str,
    given: Given,
    format_: str,
    why: bool,
    tokens: bool,
    quiet: bool,
) -> None:
    """Shows the tools of a project, or of what a spec would become.

    TARGET is a project's folder, a spec file, an http(s) URL, or - for standard input.
    """
    from mcpgen.inspection import catalog_of, inspection, read_catalog
    from mcpgen.own_tools import tell_own_tools

    reporter = Reporter(quiet=quiet)
    diagnostics = Collector()
    catalog: Mapping[str, Any] | None = None
    try:
        with reporter.progress(f"Reading {target}") as update:
            if Path(target).is_dir():
                catalog = read_catalog(Path(target), diagnostics)
                tell_own_tools(Path(target), catalog, diagnostics, "list")
            else:
                from mcpgen.pipeline import GenerateRequest, plan_spec

                settings = build_config(given, diagnostics)
                planned = plan_spec(GenerateRequest(spec=target, config=settings), diagnostics, update)
                catalog = catalog_of(planned.plan)
    except Refused:
        pass  # the reasons are among the diagnostics
    reporter.diagnostics(diagnostics.located())
    if catalog is None:
        ctx.exit(EXIT_REFUSED)
    view = inspection(catalog, why=why)
    if tokens:
        from mcpgen.lint.token_report import token_report

        view["tokens"] = token_report(catalog)
    if format_ == "json":
        click.echo(json.dumps(view, indent=2, ensure_ascii=False))
    elif tokens:
        print_tokens(view["tokens"])
    else:
        _print_table(view, why=why)


def _first(names: Sequence[str]) -> str:
    """The arguments or operations, or the first of many: a table is to be read; the JSON has all."""
    if len(names) <= SHOWN_ARGUMENTS:
        return ", ".join(names)
    return f"{', '.join(names[:SHOWN_ARGUMENTS])} and {len(names) - SHOWN_ARGUMENTS} more"


def _print_table(view: Mapping[str, Any], *, why: bool) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    colours = {"read": "green", "write": "yellow", "destructive": "red"}
    table = Table(box=box.SIMPLE, pad_edge=False)
    for title in ("tool", "effect", "toolset", "operation", "arguments", *(("why",) if why else ())):
        table.add_column(title, overflow="fold")
    for tool in view["tools"]:
        operation = tool["operation"]
        fixed = "".join(f" {name}={json.dumps(value)}" for name, value in tool.get("fixed", {}).items())
        cells = [
            Text(tool["name"], style="bold"),
            Text(tool["effect"], style=colours[tool["effect"]]),
            Text(one_line(tool["toolset"])),
            Text(one_line(f"{operation['method']} {operation['path']}{fixed}")),
            Text(one_line(_first([argument["name"] for argument in tool["arguments"]]))),
        ]
        table.add_row(*cells, *((Text(one_line(tool["reason"])),) if why else ()))
    # Piped output has no width; lines that wrap at 80 columns would be of no use to grep.
    width = None if sys.stdout.isatty() else 400
    console = Console(width=width, no_color=not has_colour(sys.stdout), highlight=False)
    project = view["project"]
    console.print(
        Text(f"{project['name']} (package {project['package']}, environment {project['env_prefix']}_*)")
    )
    console.print(table)
    for scheme in view["auth"]:
        names = ", ".join(scheme["env"].values()) or "set up outside the server"
        console.print(Text(one_line(f"credentials {scheme['scheme']} ({scheme['type']}): {names}")))
    chosen: dict[str, list[str]] = {}
    for entry in view["skipped"]:
        operation = entry["operation"]
        if entry["code"] == "operation-excluded":
            chosen.setdefault(entry["reason"], []).append(f"{operation['method']} {operation['path']}")
            continue
        text = f"skipped {operation['method']} {operation['path']}: {entry['reason']} [{entry['code']}]"
        console.print(Text(one_line(text)))
    for reason, keys in chosen.items():
        text = f"left out {len(keys)}: {reason} [operation-excluded]: {_first(keys)}"
        console.print(Text(one_line(text)))

"""The command line: the group of commands, and what happens when mcpgen itself is at fault."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from typing import Any

import click

from mcpgen import __version__
from mcpgen.cli.check import check
from mcpgen.cli.connect import connect
from mcpgen.cli.diff import diff
from mcpgen.cli.export import export
from mcpgen.cli.generate import generate
from mcpgen.cli.inspect import inspect
from mcpgen.cli.lint import lint
from mcpgen.cli.preview import try_
from mcpgen.cli.report import EXIT_BUG, bug_line
from mcpgen.cli.runtime import runtime
from mcpgen.cli.templates import templates
from mcpgen.cli.update import update
from mcpgen.cli.verify import verify
from mcpgen.cli.watch import watch


class _Group(click.Group):
    """A group whose commands never end in a traceback, because a user cannot do anything with one."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            if isinstance(error, OSError) and error.errno == errno.EPIPE:
                raise  # the reader of our output went away; Click ends quietly
            _report_bug(error)
            ctx.exit(EXIT_BUG)


def _report_bug(error: Exception) -> None:
    if os.environ.get("MCPGEN_TRACEBACK") == "1":
        traceback.print_exception(error, file=sys.stderr)
    click.echo(bug_line(f"{type(error).__name__}: {error}"), err=True)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="mcpgen")
def main() -> None:
    """Generates typed MCP server packages from OpenAPI documents."""


main.add_command(check)
main.add_command(connect)
main.add_command(diff)
main.add_command(export)
main.add_command(generate)
main.add_command(inspect)
main.add_command(lint)
main.add_command(runtime)
main.add_command(templates)
main.add_command(try_)
main.add_command(update)
main.add_command(verify)
main.add_command(watch)

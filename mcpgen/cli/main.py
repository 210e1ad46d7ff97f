"""The command line: the group of commands, and what happens when mcpgen itself is at fault."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from typing import Any

import click

from mcpgen import __version__
from mcpgen.cli.generate import generate
from mcpgen.cli.inspect import inspect
from mcpgen.cli.lint import lint
from mcpgen.cli.preview import try_

EXIT_BUG = 70
"""EX_SOFTWARE of sysexits.h."""


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
    detail = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    advice = "This is a bug in mcpgen. Set MCPGEN_TRACEBACK=1 to see where it happened."
    click.echo(f"mcpgen: error[internal]: {detail}. {advice}", err=True)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="mcpgen")
def main() -> None:
    """Generates typed MCP server packages from OpenAPI documents."""


main.add_command(generate)
main.add_command(inspect)
main.add_command(lint)
main.add_command(try_)

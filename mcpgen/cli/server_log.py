"""What a generated server wrote on standard error, and why it did not answer: for the commands that run one."""

from __future__ import annotations

from typing import TextIO

import click

from mcpgen.cli.report import one_line

_LOG_LINES = 10


def print_log(log: TextIO, *, everything: bool) -> None:
    """Prints the server's log on standard error, or the end of it."""
    log.seek(0)
    lines = log.read().splitlines()
    for line in lines if everything else lines[-_LOG_LINES:]:
        click.echo(f"server: {one_line(line)}", err=True)


def first_cause(error: BaseException) -> BaseException:
    """The first real error in a group."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def cause_text(error: BaseException) -> str:
    """That error in one line."""
    cause = first_cause(error)
    return one_line(str(cause) or type(cause).__name__)

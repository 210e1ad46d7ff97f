"""What the user sees: diagnostics, progress and results. The only module that decides about colour and terminals."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TextIO

import click

from mcpgen.diagnostics import Diagnostic, Location, Severity

PROGRESS_AFTER_SECONDS = 1.0
EXIT_BUG = 70
"""EX_SOFTWARE of sysexits.h."""
_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.INFO: "blue"}


@dataclass(frozen=True, slots=True)
class Reporter:
    """How one command speaks.

    With `as_json`, diagnostics are one JSON array on standard output; else each is one line on standard error.
    Every diagnostic is shown, since nothing may happen to an operation without a word; `quiet` leaves only problems.
    `verbose` is for the commands, which then show more of what they do.
    """

    as_json: bool = False
    quiet: bool = False
    verbose: bool = False

    def diagnostics(self, items: Sequence[Diagnostic]) -> None:
        """Prints the diagnostics, in the order given."""
        shown = self.shown(items)
        if self.as_json:
            click.echo(json.dumps([as_object(item) for item in shown], indent=2, ensure_ascii=False))
            return
        for item in shown:
            click.echo(as_line(item, colour=has_colour(sys.stderr)), err=True)

    def shown(self, items: Sequence[Diagnostic]) -> list[Diagnostic]:
        """The diagnostics that are printed."""
        return [item for item in items if not self.quiet or item.severity is not Severity.INFO]

    def result(self, text: str) -> None:
        """Prints what was done, for people."""
        if not self.as_json and not self.quiet:
            click.echo(text)

    @contextmanager
    def progress(self, text: str) -> Iterator[Callable[[str], None]]:
        """Shows on a terminal that something is going on, once it has lasted over a second.

        Yields a function that says what is being done now.
        """
        if self.quiet or not sys.stderr.isatty():
            yield lambda _: None
            return
        from rich.console import Console
        from rich.text import Text

        status = Console(stderr=True, no_color=not has_colour(sys.stderr)).status(Text(text))
        timer = threading.Timer(PROGRESS_AFTER_SECONDS, status.start)
        timer.daemon = True
        timer.start()
        try:
            yield lambda step: status.update(Text(f"{text}: {step}"))
        finally:
            timer.cancel()
            timer.join()
            status.stop()


def has_colour(stream: TextIO) -> bool:
    """Colour is for terminals, and not where the user asked for none (no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def as_line(item: Diagnostic, *, colour: bool = False) -> str:
    """One diagnostic as `file:line:column: severity[code]: message`, which editors can jump to."""
    label = f"{item.severity}[{item.code}]"
    if colour:
        label = click.style(label, fg=_COLOURS[item.severity], bold=True)
    text = " ".join(_sentence(part) for part in (item.message, _capital(item.hint)) if part)
    return f"{_place(item.location)}: {label}: {one_line(text)}"


def as_object(item: Diagnostic) -> dict[str, Any]:
    """One diagnostic as JSON."""
    place = item.location
    return {
        "file": place.file if place else None,
        "line": place.line if place else None,
        "column": place.column if place else None,
        "pointer": place.pointer if place else None,
        "severity": str(item.severity),
        "code": item.code,
        "message": item.message,
        "hint": item.hint,
    }


def one_line(text: str) -> str:
    """Text from a document on one line, with nothing in it that could steer a terminal or hide."""
    line = " ".join(text.split())
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)


def bug_line(detail: str) -> str:
    """What a user hears of a fault of mcpgen itself."""
    advice = "This is a bug in mcpgen. Set MCPGEN_TRACEBACK=1 to see where it happened."
    return f"mcpgen: error[internal]: {one_line(detail)[:300]}. {advice}"


def _capital(text: str | None) -> str | None:
    return text and text[0].upper() + text[1:]


def _sentence(text: str) -> str:
    """A message and its hint stand in one line, so each has to end there."""
    text = text.strip()
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _place(location: Location | None) -> str:
    if location is None:
        return "mcpgen"
    name = one_line(location.file)
    return name if location.line is None else f"{name}:{location.line}:{location.column or 1}"

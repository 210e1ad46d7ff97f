"""The colours of transcripts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from mcpgen.preview.transcript import Line, Style

_COLOURS: Mapping[Style, Mapping[str, Any]] = {
    Style.TITLE: {"bold": True},
    Style.CALL: {"bold": True, "fg": "cyan"},
    Style.WIRE: {"dim": True},
    Style.SUCCESS: {"fg": "green"},
    Style.FAILURE: {"fg": "red"},
    Style.HINT: {"fg": "yellow"},
    Style.PLAIN: {},
}


def styled(line: Line, *, colour: bool) -> str:
    """A line as it is safe to print, in its colour where colours are wanted."""
    text = line.printable
    return click.style(text, **_COLOURS[line.style]) if colour and text else text

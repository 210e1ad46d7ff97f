"""The Jinja environment: undefined names are errors, and spec text can't get out unescaped."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, StrictUndefined

from mcpgen.plan.model import Code, SpecText
from mcpgen.render.filters import FILTERS, Escaped
from mcpgen.render.layout import LAYOUT

_WORD = re.compile(r"[A-Za-z0-9_.-]*")


def finalize(value: Any) -> Any:
    """Lets out only what can do no harm: escaped text, our own code, numbers, and plain words such as identifiers.

    Anything else is text that came from the spec and that no filter has escaped (`{{ tool.title }}` instead of
    `{{ tool.title | markdown }}`).
    """
    if isinstance(value, Escaped | Code | int):
        return value
    if isinstance(value, str) and not isinstance(value, SpecText) and _WORD.fullmatch(value):
        return value
    raise TypeError(f"{value!r:.60} is printed without an escaping filter ({', '.join(sorted(FILTERS))})")


def make_environment(folders: Sequence[Path]) -> Environment:
    """The environment over template folders, the first one that has a file wins."""
    environment = Environment(
        loader=ChoiceLoader([FileSystemLoader(folder) for folder in folders]),
        undefined=StrictUndefined,
        finalize=finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - the output is no HTML; `finalize` and the filters escape for each target
    )
    environment.filters.update(FILTERS)
    environment.filters.update(LAYOUT)
    return environment

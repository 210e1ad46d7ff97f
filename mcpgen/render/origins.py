"""Renders a template and keeps, for every line of the result, which line of which template made it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from types import GeneratorType
from typing import Any

from jinja2 import Template

from mcpgen.diagnostics import Location
from mcpgen.render.marks import Spot, read_marks

_NEARBY = (0, 1, 2, -1, 3)


@dataclass(frozen=True, slots=True)
class Traced:
    """A rendered text. `origins` has the place of each line, `spots` the escaped texts in it."""

    text: str
    origins: tuple[Location | None, ...]
    spots: Sequence[Spot] = ()

    def at(self, line: int) -> Location | None:
        """Where a line (from 1) comes from, or the nearest one above that is known."""
        for number in range(min(line, len(self.origins)) - 1, -1, -1):
            if self.origins[number] is not None:
                return self.origins[number]
        return None


@dataclass(slots=True)
class Trace:
    """What was rendered from the templates of layers, by the path of the file: for whoever looks for an origin later."""

    files: dict[PurePosixPath, Traced] = field(default_factory=dict)


def render_traced(template: Template, context: Mapping[str, Any]) -> Traced:
    """Renders piece by piece; a piece comes from the innermost block or include that is running."""
    stream = template.root_render_func(template.new_context(dict(context)))
    pieces: list[str] = []
    origins: list[Location | None] = [None]
    sources: dict[str, list[str]] = {}
    try:
        for piece in stream:
            text, _ = read_marks(piece)
            _note(text, _running(stream), origins, sources)
            pieces.append(piece)
    except Exception:
        template.environment.handle_exception()
    text, spots = read_marks("".join(pieces))
    return Traced(text, tuple(origins[: text.count("\n") + 1]), spots)


def _note(
    text: str,
    place: tuple[str, int] | None,
    origins: list[Location | None],
    sources: dict[str, list[str]],
) -> None:
    for offset, line in enumerate(text.split("\n")):
        if offset:
            origins.append(None)
        if place is not None and line.strip() and origins[-1] is None:
            file, number = place
            if file not in sources:
                sources[file] = _lines(file)
            origins[-1] = Location(file, "", _exact(sources[file], number + offset, line), 1)


def _exact(source: Sequence[str], number: int, line: str) -> int:
    """The line of a template that has this text, when it is near; trimmed line ends move the count by one or two."""
    for step in _NEARBY:
        if 0 < number + step <= len(source) and line.strip() in source[number + step - 1]:
            return number + step
    return max(1, min(number, len(source)))


def _lines(file: str) -> list[str]:
    try:
        with open(file, encoding="utf-8") as source:
            return source.read().split("\n")
    except OSError:
        return []


def _running(stream: Iterator[str]) -> tuple[str, int] | None:
    """File and line of the template code that has just given a piece; `yield from` leads to the innermost one."""
    found: tuple[str, int] | None = None
    generator: Any = stream
    while isinstance(generator, GeneratorType) and generator.gi_frame is not None:
        frame = generator.gi_frame
        names = frame.f_globals
        if "debug_info" in names and frame.f_code.co_filename.endswith(".jinja"):
            line = _template_line(names["debug_info"], frame.f_lineno)
            found = (frame.f_code.co_filename, line)
        generator = generator.gi_yieldfrom
    return found


def _template_line(debug_info: str, line: int) -> int:
    """What Jinja notes of its compiled code: `TEMPLATE=CODE&…`."""
    best = 1
    for pair in debug_info.split("&") if debug_info else ():
        template, _, code = pair.partition("=")
        if int(code) > line:
            break
        best = int(template)
    return best

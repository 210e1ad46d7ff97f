"""Looks at what a team's template has made: whether it is well-formed, and whether escaped text stands where it is safe.

A filter escapes for one kind of place: `py` for an expression, `docstring` for the inside of triple quotes, `line` for
a comment. In another place the same text could end a string and go on as code. That would show with one spec and not
with the next; so places are judged by what the text could be, not by what it is.
"""

from __future__ import annotations

import json
import re
import tokenize
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from mcpgen.render.filters import FILTERS
from mcpgen.render.languages import Language
from mcpgen.render.marks import Spot
from mcpgen.render.origins import Traced
from mcpgen.render.proving_python import python_problems
from mcpgen.render.quoting import quoting_problems

_HOSTILE = ("x\"'`\\ # ] } , : \n- y", "1", "[a, ", "{a: ", "a: b", "*a", "'x", '"x', "!a ", "|")
"""What could end a text, or begin something else; each gets a number at its end, because keys must differ."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong in a rendered text, and in which line (from 1) of it."""

    line: int
    message: str


def prove(language: Language, traced: Traced) -> Problem | None:
    """The first problem of a rendered text."""
    text = traced.text
    try:
        if language is Language.PYTHON:
            return _python_problem(text, traced.spots)
        if language in _READERS:
            _READERS[language](text)
    except SyntaxError as error:
        return Problem(error.lineno or 1, f"{error.msg}{_shown(text, error.lineno or 1)}")
    except (ValueError, RecursionError, yaml.YAMLError) as error:
        line = _line_of(error)
        return Problem(line, f"the {language} is malformed: {_reason(error)}{_shown(text, line)}")
    return _first(text, _misplaced(language, text, traced.spots))


def _python_problem(text: str, spots: Sequence[Spot]) -> Problem | None:
    """Text in a wrong place first: it can be the reason for a text that is not Python.

    Raises:
        SyntaxError: the text is not Python.
    """
    try:
        found = _first(text, python_problems(text, spots))
    except (tokenize.TokenError, SyntaxError) as error:
        found = Problem(1, str(error))  # compile() says it better
        compile(text, "<generated>", "exec", dont_inherit=True)
    if found is None:
        compile(text, "<generated>", "exec", dont_inherit=True)
    return found


def _first(text: str, problems: Iterator[tuple[Spot, str]]) -> Problem | None:
    for spot, why in problems:
        line = text.count("\n", 0, spot.start) + 1
        return Problem(line, f"{why}{_shown(text, line)}")
    return None


def _misplaced(language: Language, text: str, spots: Sequence[Spot]) -> Iterator[tuple[Spot, str]]:
    if not spots:
        return iter(())
    if language in _READERS:
        return _structure_problems(language, text, spots)
    own = _with(text, spots, ["x" * (spot.end - spot.start) for spot in spots])  # the template's own part
    if language is Language.MARKDOWN:
        return _markdown_problems(own, spots)
    return quoting_problems(language, own, spots)


_INSIDE = re.compile(r"<[^<>]*|\]\([^()]*|\]:\s*\S*")


def _markdown_problems(text: str, spots: Sequence[Spot]) -> Iterator[tuple[Spot, str]]:
    """Nothing is escaped for attributes of HTML and for addresses of links."""
    for spot in spots:
        before = text[text.rfind("\n", 0, spot.start) + 1 : spot.start]
        if any(found.end() == len(before) for found in _INSIDE.finditer(before)):
            yield spot, "text of the spec stands in a tag or an address, where no filter escapes it"


def _structure_problems(language: Language, text: str, spots: Sequence[Spot]) -> Iterator[tuple[Spot, str]]:
    """Data formats: whatever the text is, the document has the same shape."""
    read = _READERS[language]
    benign = [str(FILTERS[spot.by](f"x{number}")) for number, spot in enumerate(spots)]
    wanted = _shape(read(_with(text, spots, benign)))
    for text_of in _HOSTILE:
        hostile = [str(FILTERS[spot.by](f"{text_of}{number}")) for number, spot in enumerate(spots)]
        if _same(read, _with(text, spots, hostile), wanted):
            continue
        for number, spot in enumerate(spots):
            one = [*benign[:number], hostile[number], *benign[number + 1 :]]
            if not _same(read, _with(text, spots, one), wanted):
                yield spot, f"text of the spec stands where the filter {spot.by} does not keep it text"


def _same(read: Callable[[str], Any], text: str, wanted: Any) -> bool:
    try:
        return bool(_shape(read(text)) == wanted)
    except (ValueError, RecursionError, yaml.YAMLError):
        return False


def _with(text: str, spots: Sequence[Spot], values: Sequence[str]) -> str:
    parts = []
    position = 0
    for spot, value in zip(spots, values, strict=True):
        parts += [text[position : spot.start], value]
        position = spot.end
    return "".join([*parts, text[position:]])


def _shape(value: Any) -> Any:
    """A document without its texts."""
    if isinstance(value, Mapping):
        return {"keys": [_shape(item) for item in value.values()]}
    if isinstance(value, list):
        return [_shape(item) for item in value]
    return type(value).__name__ if isinstance(value, str) else repr(value)


def _yaml(text: str) -> list[Any]:
    return list(yaml.load_all(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)))


_READERS: Mapping[Language, Callable[[str], Any]] = {
    Language.TOML: tomllib.loads,
    Language.JSON: json.loads,
    Language.YAML: _yaml,
}


def _line_of(error: Exception) -> int:
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        return int(error.problem_mark.line) + 1
    if isinstance(error, json.JSONDecodeError):
        return error.lineno
    match = re.search(r"at line (\d+)", str(error))
    return int(match[1]) if match else 1


def _reason(error: Exception) -> str:
    if isinstance(error, yaml.MarkedYAMLError):
        return error.problem or "it cannot be read"
    return re.sub(r" \(at .*\)$|: line .*$", "", str(error))


def _shown(text: str, line: int) -> str:
    lines = text.split("\n")
    found = lines[line - 1].strip()[:80] if 0 < line <= len(lines) else ""
    return f" in `{found}`" if found else ""

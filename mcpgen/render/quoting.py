"""Where escaped text may stand in shell scripts, Dockerfiles and files of settings: outside of quotes, or in a comment."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum

from mcpgen.render.languages import Language
from mcpgen.render.marks import Spot


class _State(StrEnum):
    PLAIN = "plain"
    COMMENT = "a comment"
    SINGLE = "single quotes"
    DOUBLE = "double quotes"


_HERE_DOCUMENT = re.compile(r"<<-?\s*[\"'\\]?\w")
_ESCAPE_DIRECTIVE = re.compile(r"^#\s*escape\s*=\s*[^\s\\]", re.IGNORECASE | re.MULTILINE)
_VALUES = frozenset({"LABEL", "ENV", "ARG"})


def quoting_problems(language: Language, text: str, spots: Sequence[Spot]) -> Iterator[tuple[Spot, str]]:
    """The spots that are not where their filter escapes for, with the reason."""
    if language is Language.PLAIN:
        return
    here = _HERE_DOCUMENT.search(text)
    states = _states(text, {spot.start for spot in spots}, everywhere=language is not Language.DOCKERFILE)
    for spot in spots:
        state = states[spot.start]
        if spot.by == "line":
            if state is not _State.COMMENT:
                yield spot, "the filter line escapes for comments only"
            elif language is not Language.ENV and not _told(text, spot):
                yield spot, "a comment must begin with a word of the template, not with text of the spec"
        elif here is not None and here.start() < spot.start:
            yield spot, "text of the spec cannot stand in or after a here-document"
        elif state is not _State.PLAIN:
            yield spot, f"the filter {spot.by} sets quotes itself and cannot stand in {state}"
        elif language is Language.DOCKERFILE:
            yield from _instruction_problems(text, spot)


def _instruction_problems(text: str, spot: Spot) -> Iterator[tuple[Spot, str]]:
    values = _instruction(text, spot.start) in _VALUES
    if spot.by == "docker" and not values:
        yield spot, "the filter docker is for LABEL, ENV and ARG; use sh for a command"
    if spot.by == "sh" and values:
        yield spot, "the filter sh is for commands; use docker for a value"
    if _ESCAPE_DIRECTIVE.search(text):
        yield spot, "text of the spec cannot stand in a Dockerfile with another escape character"


def _instruction(text: str, offset: int) -> str:
    """The first word of the instruction that a place belongs to, over continued lines."""
    begin = text.rfind("\n", 0, offset) + 1
    while begin > 1 and text[: begin - 1].rstrip(" \t").endswith("\\"):
        begin = text.rfind("\n", 0, begin - 1) + 1
    words = text[begin:offset].split(maxsplit=1)
    return words[0].upper() if words else ""


def _told(text: str, spot: Spot) -> bool:
    """Whether a comment begins with the template's own words: `# syntax=…` would be an instruction to the builder."""
    begin = text.rfind("\n", 0, spot.start) + 1
    return re.search(r"\w", text[begin : spot.start]) is not None


def _states(text: str, wanted: set[int], *, everywhere: bool) -> dict[int, _State]:
    """The state at some places. In a Dockerfile comments fill whole lines; elsewhere they can follow a space."""
    found: dict[int, _State] = {}
    state = _State.PLAIN
    skip = False
    for offset, character in enumerate(text):
        if offset in wanted:
            found[offset] = state
        if skip:
            skip = False
        elif character == "\n":
            state = _State.PLAIN if state is _State.COMMENT else state
        elif character == "\\" and state in {_State.PLAIN, _State.DOUBLE}:
            skip = True
        elif character == "#" and state is _State.PLAIN and _begins(text, offset, everywhere):
            state = _State.COMMENT
        else:
            state = _after(character, state)
    return {offset: found.get(offset, state) for offset in wanted}


def _begins(text: str, offset: int, everywhere: bool) -> bool:
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    return not line.strip() or (everywhere and line[-1].isspace())


def _after(character: str, state: _State) -> _State:
    quotes = {"'": _State.SINGLE, '"': _State.DOUBLE}
    if state is _State.PLAIN and character in quotes:
        return quotes[character]
    return _State.PLAIN if quotes.get(character) is state else state

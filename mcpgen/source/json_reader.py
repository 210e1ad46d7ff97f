"""JSON (RFC 8259), with the place of every value on demand."""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

from mcpgen.source.document import Position
from mcpgen.source.limits import MAX_DEPTH, is_too_deep, too_deep
from mcpgen.source.problem import SourceProblem

_SPACE = re.compile(r"[ \t\n\r]*")
_MARK = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\Z)|[\[\]{}]', re.DOTALL)
"""A string, or a bracket outside strings."""
_HALF_PAIR = re.compile(r"\\u[dD][89a-fA-F]")
_LONE = re.compile("[\ud800-\udfff]")


class JsonReader:
    """Reads one document. `notes` then holds what was odd but readable: position and sentence."""

    def __init__(self) -> None:
        self.notes: list[tuple[Position | None, str]] = []

    def read(self, text: str) -> Any:
        """The value of the document.

        Raises:
            SourceProblem: the text is no JSON, or nested too deep.
        """
        try:
            value = json.loads(
                text,
                strict=False,  # some documents hold tabs inside strings; their meaning is clear
                object_pairs_hook=self._object,
                parse_int=_integer,
                parse_float=_float,
                parse_constant=str,  # NaN and Infinity are no JSON
            )
        except json.JSONDecodeError as error:
            ended = not text[error.pos :].strip()
            message = (
                "is not valid JSON: it ends too early" if ended else f"is not valid JSON: {_lower(error.msg)}"
            )
            raise SourceProblem("source-syntax", message, (error.lineno, error.colno)) from None
        except RecursionError:
            raise too_deep(_deep_place(text)) from None
        if is_too_deep(value):
            raise too_deep(_deep_place(text))
        return _without_halves(value) if _HALF_PAIR.search(text) else value

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) != len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    self.notes.append(
                        (None, f"the key `{key}` is written twice in one object; the last one counts")
                    )
                seen.add(key)
        return value


def _deep_place(text: str) -> Position | None:
    """Where the first container begins that is nested too deep."""
    depth = 0
    for match in _MARK.finditer(text):
        mark = match.group()
        depth += (mark in ("{", "[")) - (mark in ("}", "]"))
        if depth > MAX_DEPTH:
            return _position(text, match.start())
    return None


def _position(text: str, place: int) -> Position:
    return text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)


def _integer(text: str) -> int | str:
    try:
        return int(text)
    except ValueError:  # more digits than Python reads
        return text


def _float(text: str) -> float | str:
    number = float(text)
    return number if math.isfinite(number) else text


def _lower(message: str) -> str:
    return message[:1].lower() + message[1:]


def _without_halves(value: Any) -> Any:
    """Replaces halves of surrogate pairs, which no encoding can write."""
    if isinstance(value, str):
        return _LONE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_without_halves(item) for item in value]
    if isinstance(value, dict):
        return {_LONE.sub("\ufffd", key): _without_halves(item) for key, item in value.items()}
    return value


class JsonPositions:
    """Finds places by reading the text again along the way, each container at most once."""

    def __init__(self, text: str) -> None:
        self._text = text
        # Numbers stay text: only their end is looked for, and one can have more digits than Python reads.
        self._decoder = json.JSONDecoder(strict=False, parse_int=str, parse_float=str)
        self._children: dict[int, dict[str, tuple[int, int]]] = {}

    def find(self, keys: Sequence[str]) -> Position | None:
        value_at = self._skip(0)
        place = value_at
        for key in keys:
            found = self._entries(value_at).get(key)
            if found is None:
                break
            place, value_at = found
        line = bisect_left(self._line_ends, place)
        return line + 1, place - (self._line_ends[line - 1] if line else -1)

    @cached_property
    def _line_ends(self) -> list[int]:
        """Where lines end, looked for once: a linter asks for thousands of places."""
        return [match.start() for match in re.finditer("\n", self._text)]

    def _skip(self, at: int) -> int:
        match = _SPACE.match(self._text, at)
        return match.end() if match else at

    def _entries(self, start: int) -> dict[str, tuple[int, int]]:
        """For the container at `start`: key -> where the entry begins, and where its value begins."""
        known = self._children.get(start)
        if known is not None:
            return known
        entries: dict[str, tuple[int, int]] = {}
        opener = self._text[start : start + 1]
        at = self._skip(start + 1)
        while opener in ("{", "[") and self._text[at] not in "}]":
            entry_at, key = at, str(len(entries))
            if opener == "{":
                key, at = scanstring(self._text, at + 1, False)
                at = self._skip(self._skip(at) + 1)
            entries[key] = (entry_at, at)
            _, at = self._decoder.raw_decode(self._text, at)
            at = self._skip(at)
            if self._text[at] == ",":
                at = self._skip(at + 1)
        self._children[start] = entries
        return entries

"""JSON files that people edit, with or without comments: reading them, and changing one place of their text.

VS Code, Zed and Gemini CLI read comments and trailing commas. Libraries that read them write files without them; so the text
itself is changed, and everything but the one place stays as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

from mcpgen.connect.model import FileProblem

_STRING = r'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+(?:"|(?=\n)|\Z)'
_REMARK = r"//[^\n]*+|/\*.*?\*/"
_COMMENT = re.compile(rf"{_STRING}|{_REMARK}", re.DOTALL)
_LAST_COMMA = re.compile(rf"{_STRING}|,(?=\s*+[\]}}])", re.DOTALL)
"""A string, or a comma with nothing after it in its container."""
_SPACE = re.compile(r"\s*")
_DECODER = json.JSONDecoder(strict=False)


@dataclass(frozen=True, slots=True)
class _Span:
    """A member of a container: where its key, its value and its end are."""

    start: int
    value: int
    end: int


def read(text: str) -> Any:
    """The value; an empty text is an empty object, as clients have it.

    Raises:
        FileProblem: it is no JSON.
    """
    if not _without_comments(text).strip():
        return {}
    try:
        return json.loads(_plain(text))
    except json.JSONDecodeError as error:
        message = f"{error.msg[:1].lower()}{error.msg[1:]}"
        raise FileProblem(f"It is not JSON: {message}.", error.lineno, error.colno) from None
    except RecursionError:
        raise FileProblem("It is nested too deep.") from None


def with_member(text: str, keys: Sequence[str], value: Any) -> str:
    """The text with the member at `keys` set to `value`; objects that are missing on the way are added.

    Raises:
        FileProblem: something on the way is no object, or the old value has comments that would be lost.
    """
    document = _Document(text)
    at = document.root()
    for depth, key in enumerate(keys):
        found = document.members(at, keys[:depth]).get(key)
        if found is None:
            for outer in reversed(keys[depth + 1 :]):
                value = {outer: value}
            return document.inserted(at, json.dumps(key, ensure_ascii=False) + ": ", value)
        if depth == len(keys) - 1:
            return document.replaced(found, value)
        at = found.value
    return text


def with_item(text: str, keys: Sequence[str], value: Any) -> str:
    """The text with `value` appended to the list at `keys`, which is added when it is missing.

    Raises:
        FileProblem: what is there is no list.
    """
    document = _Document(text)
    at = document.root()
    for depth, key in enumerate(keys):
        found = document.members(at, keys[:depth]).get(key)
        if found is None:
            return with_member(text, keys, [value])
        at = found.value
    if document.plain[at] != "[":
        raise document.problem(at, f"`{'.'.join(keys)}` is no list.")
    return document.inserted(at, "", value)


def _plain(text: str) -> str:
    """The text without comments and trailing commas, every other character at its old place."""
    bare = _without_comments(text)

    def kept(match: re.Match[str]) -> str:
        at = match.start() - 1
        while at >= 0 and bare[at].isspace():
            at -= 1
        trailing = match.group() == "," and bare[max(at, 0)] not in "[{,"
        return " " if trailing else match.group()

    return _LAST_COMMA.sub(kept, bare)


def _without_comments(text: str) -> str:
    return _COMMENT.sub(_blank, text)


def _blank(match: re.Match[str]) -> str:
    found = match.group()
    return found if found.startswith('"') else re.sub(r"[^\n]", " ", found)


class _Document:
    """One text, as it is and without what JSON does not have."""

    def __init__(self, text: str) -> None:
        empty = not _without_comments(text).strip()
        self.text = f"{text.rstrip()}\n{{}}\n".lstrip("\n") if empty else text
        self.plain = _plain(self.text)
        self.newline = "\r\n" if "\r\n" in self.text else "\n"
        first = next(iter(self._spans(self.root())), None)
        indent = self._indent(first.start) if first is not None else None
        self.unit = indent or "  "

    def root(self) -> int:
        return self._skip(0)

    def problem(self, at: int, message: str) -> FileProblem:
        line = self.text.count("\n", 0, at) + 1
        return FileProblem(message, line, at - self.text.rfind("\n", 0, at))

    def members(self, at: int, keys: Sequence[str]) -> dict[str, _Span]:
        """The members of the object at a place; of a key that is written twice the last one, as JSON readers have it."""
        if self.plain[at] != "{":
            name = f"`{'.'.join(keys)}`" if keys else "the whole file"
            raise self.problem(at, f"{name} is no object.")
        return {scanstring(self.plain, span.start + 1, False)[0]: span for span in self._spans(at)}

    def replaced(self, span: _Span, value: Any) -> str:
        old = self.text[span.value : span.end]
        if _without_comments(old) != old:
            problem = self.problem(span.start, "The entry has comments, which would be lost.")
            problem.hint = "Change it by hand: without --write, this command prints the new entry."
            raise problem
        line = self.text[self.text.rfind("\n", 0, span.start) + 1 : span.start]
        indent = line[: len(line) - len(line.lstrip())]
        return self.text[: span.value] + self._dumped(value, indent) + self.text[span.end :]

    def inserted(self, at: int, label: str, value: Any) -> str:
        """The text with one more entry at the end of the container at `at`."""
        spans = self._spans(at)
        closing = self._skip(spans[-1].end if spans else at + 1)
        line = self.text[self.text.rfind("\n", 0, at) + 1 : at]
        outer = line[: len(line) - len(line.lstrip())]
        inner = (self._indent(spans[-1].start) if spans else None) or outer + self.unit
        start = spans[-1].end if spans else at + 1
        comma = _without_comments(self.text)[start:closing].find(",")
        head = self.text[:start] + ("," if spans and comma < 0 else "")
        between = self.text[start:closing]
        body = between.rstrip()
        tail = between[len(body) :] if "\n" in between[len(body) :] else self.newline + outer
        trailing = "," if spans and comma >= 0 else ""
        entry = f"{self.newline}{inner}{label}{self._dumped(value, inner)}{trailing}"
        return f"{head}{body}{entry}{tail}{self.text[closing:]}"

    def _dumped(self, value: Any, indent: str) -> str:
        text = json.dumps(value, indent=self.unit, ensure_ascii=False)
        return text.replace("\n", f"{self.newline}{indent}")

    def _indent(self, at: int) -> str | None:
        """What stands before a place in its line, where that is white space only."""
        line = self.text.rfind("\n", 0, at) + 1
        before = self.text[line:at]
        return before if line and not before.strip() else None

    def _skip(self, at: int) -> int:
        match = _SPACE.match(self.plain, at)
        return match.end() if match else at

    def _spans(self, at: int) -> list[_Span]:
        """The entries of the container at a place."""
        found: list[_Span] = []
        if self.plain[at : at + 1] not in ("{", "["):
            return found
        keyed = self.plain[at] == "{"
        at = self._skip(at + 1)
        while self.plain[at] not in "}]":
            start = at
            if keyed:
                _, at = scanstring(self.plain, at + 1, False)
                at = self._skip(self._skip(at) + 1)
            _, end = _DECODER.raw_decode(self.plain, at)
            found.append(_Span(start, at, end))
            at = self._skip(end)
            if self.plain[at] == ",":
                at = self._skip(at + 1)
        return found

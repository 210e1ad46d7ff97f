"""A change in words, for people: plain, or as Markdown in which no text of a spec can do anything.

Names, values and reasons come from documents of others. In Markdown they stand in code spans, which know no links,
mentions, HTML or emphasis (CommonMark, 6.1). To escape characters would not do: GitHub looks for mentions after that.
"""

from __future__ import annotations

import json
import re
from typing import Any

from mcpgen.diff.model import Change, Kind

_VALUE = 80
_PROSE = 400
_ALL = 100_000
_HARMLESS = re.compile(r"[\"(]?[^\W\d_]*(?:['’-][^\W\d_]+)*[\")]?[.,;:]?|\d{1,4}[.,;:]?")
_QUOTED = re.compile(r"`([^`]+)`([.,;:]?)")
_ITEMS = "items"
_KEYWORDS = ("properties", "prefixItems", "anyOf", "oneOf", "allOf")


def plain(text: str, limit: int = _PROSE) -> str:
    """One line without anything that could steer a terminal or hide, and not longer than `limit` characters."""
    line = " ".join(text.split())
    line = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def code_span(text: str, limit: int = _VALUE) -> str:
    """Text as a code span that holds in a table too. Bars and backticks become characters that look like them."""
    safe = plain(text, limit).replace("`", "ˋ").replace("|", "¦")
    return f"`{safe}`" if safe.strip() else "` `"


def prose(text: str, limit: int = _PROSE) -> str:
    """A sentence of ours that may quote a document: each word with more than letters and points becomes a code span."""
    return " ".join(_word(word) for word in plain(text, limit).split(" "))


def _word(word: str) -> str:
    if _HARMLESS.fullmatch(word):
        return word
    quoted = _QUOTED.fullmatch(word)
    return f"{code_span(quoted[1])}{quoted[2]}" if quoted else code_span(word)


def cell(markdown: str) -> str:
    """What was made by these functions, in a table: no bar is left in it."""
    return markdown.replace("|", "&#124;")


def value(shown: Any) -> str:
    """A JSON value in short."""
    if isinstance(shown, list):
        shown = _listed(shown)
    text = shown if isinstance(shown, str) else json.dumps(shown, ensure_ascii=False, default=str)
    return plain(text, _VALUE)


def _listed(items: list[Any]) -> Any:
    """A list of texts, of servers or of ways to authenticate (OpenAPI 3.2.0, 4.5 and 4.31), as people write it."""
    if not items:
        return "none"
    if all(isinstance(one, str) for one in items):
        return ", ".join(items)
    if all(isinstance(one, dict) and isinstance(one.get("url"), str) for one in items):
        return ", ".join(one["url"] for one in items)
    if all(isinstance(one, dict) and all(isinstance(part, list) for part in one.values()) for one in items):
        return " or ".join(" with ".join(map(_needed, one.items())) or "nothing" for one in items)
    return items


def _needed(scheme: tuple[str, list[Any]]) -> str:
    name, scopes = scheme
    return f"{name} ({', '.join(map(str, scopes))})" if scopes else name


def place(change: Change) -> str:
    """Where in the arguments or the result, as people write it: `items[].name`."""
    tokens = [part.replace("~1", "/").replace("~0", "~") for part in change.where.split("/")[1:]]
    if change.kind is Kind.RESULT:
        tokens = tokens[2:]
    text = ""
    position = 0
    while position < len(tokens):
        token = tokens[position]
        position += 1
        if token == _ITEMS:
            text += "[]"
        elif token in _KEYWORDS and position < len(tokens):
            inner = tokens[position]
            position += 1
            text += _member(token, inner, first=not text)
        else:
            text += f" {token}" if text else token
    return text


def _member(keyword: str, name: str, *, first: bool) -> str:
    """One step. Which alternative of several it is says little to people; the pointer has it."""
    if keyword == "properties":
        return name if first else f".{name}"
    return f"[{name}]" if keyword == "prefixItems" else ""


def _values(change: Change) -> tuple[str | None, str | None]:
    """Both values in short; of two long texts, the piece in which they begin to differ."""
    if isinstance(change.before, str) and isinstance(change.after, str):
        one, other = plain(change.before, _ALL), plain(change.after, _ALL)
        pairs = enumerate(zip(one, other, strict=False))
        same = next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))
        if same > _VALUE // 2 and max(len(one), len(other)) > _VALUE:
            start = same - _VALUE // 4
            return plain(f"…{one[start:]}", _VALUE), plain(f"…{other[start:]}", _VALUE)
    before = None if change.before is None else value(change.before)
    after = None if change.after is None else value(change.after)
    return before, after


def subject(change: Change) -> str:
    """What the change is about besides its tool, in plain text: `argument limit`, `result`."""
    where = place(change)
    if change.kind is Kind.ARGUMENT:
        return f"argument {where}" if where else "arguments"
    if change.kind is Kind.RESULT:
        return f"result {where}" if where else "result"
    return ""


def line(change: Change) -> str:
    """The change without its tool, severity and reason, on one line of plain text."""
    about = subject(change)
    text = f"{about}: {change.meaning}" if about else change.meaning
    before, after = _values(change)
    if before is not None and after is not None:
        text += f": {before} → {after}"
    elif before is not None or after is not None:
        text += f": {before if after is None else after}"
    return plain(text)


def markdown_line(change: Change) -> str:
    """As `line`, in Markdown."""
    where = place(change)
    about = change.kind.value if change.kind in (Kind.ARGUMENT, Kind.RESULT) else ""
    text = f"{about} {code_span(where)}: " if about and where else f"{about}: " if about else ""
    text += change.meaning
    before, after = (None if one is None else code_span(one) for one in _values(change))
    if before is not None and after is not None:
        return f"{text}: {before} → {after}"
    found = before if after is None else after
    return text if found is None else f"{text}: {found}"

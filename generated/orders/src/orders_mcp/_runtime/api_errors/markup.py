"""Error bodies in XML and HTML: elements as JSON values, pages as the few words that they are about."""

from __future__ import annotations

import html
import re
from typing import Any

_LOOKED_AT = 256 << 10
_DEEPEST = 20
_MOST_ELEMENTS = 500

# None of these patterns can be tried twice over the same text: an answer is as long as its sender likes.
_TITLE = re.compile(r"<title(?:\s[^<>]*)?>([^<]*)", re.IGNORECASE)
_PARAGRAPH = re.compile(r"<p(?:\s[^<>]*)?>([^<]{3,400})", re.IGNORECASE)
_CODE = re.compile(r"<(script|style)\b.*?(?:</\1[^<>]*>|\Z)", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")
_BARE_STATUS = re.compile(r"\W{0,5}(?:http|error|status)?\W{0,5}[1-5]\d\d\b[^.]{0,60}", re.IGNORECASE)


def is_page(text: str) -> bool:
    """Whether a text is an HTML document, whatever it was declared as."""
    head = text[:500].lower()
    return "<html" in head or "<!doctype html" in head


def page_text(markup: str, *, paragraph: bool = True) -> str:
    """The title of an HTML page, or its text when it has none.

    Args:
        paragraph: take the first paragraph where the title is no more than a status (`400 Bad Request`).
    """
    markup = markup[:_LOOKED_AT]
    title = _TITLE.search(markup)
    if paragraph and title is not None and _BARE_STATUS.fullmatch(title[1].strip()):
        title = _PARAGRAPH.search(markup) or title
    text = title[1] if title is not None else _CODE.sub(" ", markup)
    return html.unescape(_TAG.sub(" ", text[:16384]))


def xml_value(text: str) -> Any:
    """An XML document as a JSON value: `{root: ...}`, attributes as members, repeated elements as a list.

    What comes before a fault is kept. A document type is not read: its entities could grow without end.
    None when there is no element.
    """
    from xml.parsers import expat  # seldom needed

    tree = _Tree()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = tree.start
    parser.EndElementHandler = tree.end
    parser.CharacterDataHandler = tree.text
    parser.StartDoctypeDeclHandler = _refuse
    try:
        parser.Parse(text[:_LOOKED_AT].lstrip(), True)
    except (expat.ExpatError, _DocumentType, ValueError):
        tree.close()
    return tree.root


class _DocumentType(Exception):
    """Ends the reading of a document that declares a type of its own."""


def _refuse(*_: Any) -> None:
    raise _DocumentType


class _Tree:
    """Collects elements. What is nested too deep, or comes too late, is passed over."""

    def __init__(self) -> None:
        self.root: Any = None
        self._open: list[tuple[str, dict[str, Any], list[str]]] = []
        self._skipped = 0
        self._count = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if self._skipped or len(self._open) >= _DEEPEST or self._count > _MOST_ELEMENTS:
            self._skipped += 1
            return
        members: dict[str, Any] = {
            _local(key): value for key, value in attributes.items() if not key.startswith(("xmlns", "xsi:"))
        }
        self._open.append((_local(name), members, []))

    def text(self, data: str) -> None:
        if self._open and not self._skipped:
            self._open[-1][2].append(data)

    def end(self, _: str) -> None:
        if self._skipped:
            self._skipped -= 1
            return
        name, members, texts = self._open.pop()
        text = "".join(texts).strip()
        value: Any = members if members else text
        if members and text:
            members.setdefault("text", text)
        if not self._open:
            self.root = {name: value}
            return
        around = self._open[-1][1]
        if name not in around:
            around[name] = value
        elif isinstance(around[name], list):
            around[name].append(value)
        else:
            around[name] = [around[name], value]

    def close(self) -> None:
        """Ends all open elements, as at the end of a document that was cut off."""
        self._skipped = 0
        while self._open:
            self.end("")


def _local(name: str) -> str:
    return name.rpartition(":")[2]

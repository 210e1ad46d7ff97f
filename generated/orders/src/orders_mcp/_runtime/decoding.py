"""Reads an answer's body by what it is: JSON with every digit, text by its charset, event streams, bytes."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from .client import STREAM_TYPES, Answer
from .media import charset_codec, is_json, is_text
from .result import Attachment
from .values import UNSET, parse_json

_LARGEST_ATTACHMENT = 10 << 20


@dataclass(frozen=True, slots=True)
class Decoded:
    """An answer's value. UNSET: the answer has none. `suspect`: it is not what its media type says."""

    value: Any = UNSET
    notes: tuple[str, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    suspect: bool = False


def decode(answer: Answer, tool: str) -> Decoded:
    """The body as a JSON value (text becomes a string, bytes their description)."""
    content, media_type = answer.content, answer.headers.get("content-type", "")
    if not content:
        return Decoded()
    if answer.media_type in STREAM_TYPES:
        return _stream(answer)
    if is_json(media_type):
        return _json(content)
    if is_text(media_type):
        return Decoded(_text(content, media_type))
    if not media_type:
        return _untyped(content, tool)
    return _bytes(content, answer.media_type, tool)


def _json(content: bytes) -> Decoded:
    try:
        return Decoded(parse_json(_json_text(content)))
    except (ValueError, RecursionError):
        note = "The answer is declared as JSON but is not JSON: it is given as text."
        return Decoded(content.decode("utf-8", "replace"), (note,), suspect=True)


def _json_text(content: bytes) -> str:
    """RFC 8259 asks for UTF-8; a byte order mark and UTF-16 still occur."""
    return content.decode(json.detect_encoding(content))


def _text(content: bytes, media_type: str) -> str:
    codec = charset_codec(media_type)
    if codec is not None:
        return content.decode(codec, "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:  # undeclared and not UTF-8: what the web calls latin-1
        return content.decode("cp1252", "replace")


def _untyped(content: bytes, tool: str) -> Decoded:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return _bytes(content, "application/octet-stream", tool)
    try:
        return Decoded(parse_json(text))
    except (ValueError, RecursionError):
        return Decoded(text)


def _bytes(content: bytes, media_type: str, tool: str) -> Decoded:
    digest = hashlib.sha256(content).hexdigest()
    value = {"media_type": media_type, "size": len(content), "sha256": digest}
    if len(content) > _LARGEST_ATTACHMENT:
        return Decoded(value, ("The content is too large to be passed on; only its description is given.",))
    return Decoded(value, attachments=(Attachment(media_type, content, f"result://{tool}/{digest[:16]}"),))


def _stream(answer: Answer) -> Decoded:
    text = answer.content.decode("utf-8", "replace")
    items = _events(text) if answer.media_type == "text/event-stream" else _lines(text, answer.cut)
    if not items and text.strip():
        note = "The answer is declared as an event stream but has no events: it is given as text."
        return Decoded(text, (note,), suspect=True)
    notes = (f"The stream went on; the first {len(items)} items are given.",) if answer.cut else ()
    return Decoded(items, notes)


def _lines(text: str, cut: bool) -> list[Any]:
    """Newline-delimited JSON, and JSON text sequences (RFC 7464), whose records start with a control."""
    lines = [line for line in text.replace("\x1e", "\n").split("\n") if line.strip()]
    if cut and lines and not text.endswith("\n"):
        lines.pop()  # broken off in the middle
    return [_json_or_text(line) for line in lines]


def _events(text: str) -> list[Any]:
    """The data of server-sent events (HTML standard, 9.2.6); comments, ids and event names carry no data."""
    items: list[Any] = []
    data: list[str] = []
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        if line == "":
            if data:
                items.append(_json_or_text("\n".join(data)))
            data = []
        elif line == "data" or line.startswith("data:"):
            data.append(line[5:].removeprefix(" "))
    return items


def _json_or_text(text: str) -> Any:
    try:
        return parse_json(text)
    except (ValueError, RecursionError):
        return text

"""Reads an answer's body by what it is: JSON with every digit, text by its charset, streams, bytes."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from typing import Any

from ..outcomes.result import Attachment
from ..requests.files import OCTETS
from ..requests.media import charset_codec, is_json, is_stream, is_text
from ..transport.client import Answer
from ..values import UNSET, parse_json
from .charset import read_text
from .streams import event_items, line_items

_LARGEST_ATTACHMENT = 10 << 20


@dataclass(frozen=True, slots=True)
class Decoded:
    """An answer's value. UNSET: the answer has none.

    Attributes:
        suspect: the value is not what its media type says.
        others: other readings of the same bytes, for the schema to choose from; none of them has attachments.
    """

    value: Any = UNSET
    notes: tuple[str, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    suspect: bool = False
    others: tuple[Any, ...] = ()


def decode(answer: Answer, tool: str) -> Decoded:
    """The body as a JSON value (text becomes a string, bytes their description)."""
    content, media_type = answer.content, answer.headers.get("content-type", "")
    if not content:
        return _empty(answer)
    if is_stream(media_type):
        return _stream(answer)
    if is_json(media_type):
        return _json(content, media_type, tool)
    if is_text(media_type):
        text, note = read_text(content, media_type)
        return Decoded(text, (note,) if note else (), others=_as_json(content))
    if not media_type:
        return _untyped(content, tool)
    found = _bytes(content, answer.media_type or OCTETS, tool)
    return Decoded(
        found.value, found.notes, found.attachments, others=(*_as_json(content), *_as_text(content))
    )


def _empty(answer: Answer) -> Decoded:
    """No body. Where a text, a list of records or a file is promised, none of them can be the empty one."""
    media_type = answer.headers.get("content-type", "")
    if answer.status in (204, 205, 304) or not media_type or is_json(media_type):
        return Decoded()
    if is_stream(media_type):
        return Decoded(others=([],))
    return Decoded(others=("",) if is_text(media_type) else (_description(b"", answer.media_type or OCTETS),))


def _json(content: bytes, media_type: str, tool: str) -> Decoded:
    """RFC 8259 asks for UTF-8; a byte order mark and UTF-16 still occur, and so do other charsets."""
    for codec in (json.detect_encoding(content), charset_codec(media_type), "cp1252"):
        if codec is None:
            continue
        try:
            text = content.decode(codec)
        except UnicodeDecodeError:
            continue
        try:
            return Decoded(parse_json(text))
        except (ValueError, RecursionError):
            break
    if b"\0" in content:  # no text has it (but UTF-16, which was tried)
        found = _bytes(content, OCTETS, tool)
        note = "The answer is declared as JSON but is not JSON, and no text either."
        return replace(found, notes=(note, *found.notes), suspect=True)
    note = "The answer is declared as JSON but is not JSON: it is given as text."
    return Decoded(content.decode("utf-8", "replace"), (note,), suspect=True)


def _as_json(content: bytes) -> tuple[Any, ...]:
    try:
        return (parse_json(content.decode("utf-8-sig")),)
    except (ValueError, RecursionError):
        return ()


def _as_text(content: bytes) -> tuple[Any, ...]:
    try:
        return (content.decode("utf-8-sig"),)
    except UnicodeDecodeError:
        return ()


def _untyped(content: bytes, tool: str) -> Decoded:
    text = _as_text(content)
    if not text:
        return _bytes(content, OCTETS, tool)
    return Decoded((*_as_json(content), *text)[0], others=text)


def _description(content: bytes, media_type: str) -> dict[str, Any]:
    digest = hashlib.sha256(content).hexdigest()
    return {"media_type": media_type, "size": len(content), "sha256": digest}


def _bytes(content: bytes, media_type: str, tool: str) -> Decoded:
    value = _description(content, media_type)
    if len(content) > _LARGEST_ATTACHMENT:
        return Decoded(value, ("The content is too large to be passed on; only its description is given.",))
    uri = f"result://{tool}/{value['sha256'][:16]}"
    return Decoded(value, attachments=(Attachment(media_type, content, uri),))


def _stream(answer: Answer) -> Decoded:
    text = answer.content.decode("utf-8-sig", "replace")
    if answer.media_type == "text/event-stream":
        items, *others = event_items(text)
    else:
        items, others = line_items(text, answer.cut), []
    if not items and text.strip() and not text.lstrip().startswith(":"):  # a stream of comments is empty
        note = "The answer is declared as an event stream but has no events: it is given as text."
        return Decoded(text, (note,), suspect=True)
    notes = (f"The stream went on; the first {len(items)} items are given.",) if answer.cut else ()
    return Decoded(items, notes, others=tuple(others))

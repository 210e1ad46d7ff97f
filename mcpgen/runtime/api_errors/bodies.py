"""What an error's body is, by its bytes more than by its media type: a JSON value, or a text."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

from ..answers.decoding import decode
from ..transport.client import Answer
from ..values import UNSET, Unset, parse_json
from .markup import is_page, page_text, xml_value

_LARGEST = 1 << 20
"""Bytes that are read of an error. A longer one is no message, and is not worth the time."""
_MOST_PAIRS = 50


def content_of(answer: Answer, tool: str) -> Any:
    """The body as a JSON value, XML and forms too; a text for pages and prose; UNSET when nobody could read it."""
    if len(answer.content) > _LARGEST:
        answer = replace(answer, content=answer.content[:_LARGEST])
    decoded = decode(answer, tool)
    value = decoded.value
    if decoded.attachments:  # bytes by their media type; errors are often sent under the one of the success
        value = next((other for other in decoded.others if not _is_binary(other)), UNSET)
    if isinstance(value, Unset):
        return UNSET
    return _structured(value, answer) if isinstance(value, str) else value


def _structured(text: str, answer: Answer) -> Any:
    """What is written in a text, when it is JSON, XML or a form; the plain words of it otherwise."""
    found = embedded(text)
    if found is not None:
        return found
    if answer.media_type == "application/x-www-form-urlencoded":
        try:
            return dict(parse_qsl(text, strict_parsing=True, max_num_fields=_MOST_PAIRS))
        except ValueError:
            return text
    if is_page(text) or ("html" in answer.media_type and not text.lstrip().startswith("<?xml")):
        return page_text(text, paragraph=answer.status < 500)  # what a broken server explains is its inside
    if text.lstrip().startswith("<"):
        return _of_root(xml_value(text), text)
    return text


def embedded(text: str) -> Any:
    """The object or list that a text is the JSON form of; None when it is none."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return parse_json(text)
    except (ValueError, RecursionError):
        return None


def _of_root(document: Any, text: str) -> Any:
    """The document, or the words of its only element."""
    if document is None:
        return page_text(text)
    [value] = document.values()
    return value if isinstance(value, str) else document


def _is_binary(value: Any) -> bool:
    """Whether a reading as text shows that the bytes are none."""
    return isinstance(value, str) and any(c < " " and c not in "\t\n\r" for c in value[:4096])

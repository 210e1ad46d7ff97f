"""File arguments: `content_base64`, with a name and a type where the caller says them (CONTRACT, Results)."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from typing import Any

from mcpgen.cases.wire.texts import NoSpelling

_PLAIN_ALPHABET = str.maketrans("-_", "+/")
"""RFC 4648, 5: the alphabet for URLs means the same, and padding can be left out."""
_MEDIA_TYPE = re.compile(r"[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+(?:[ \t]*;[ -~]*)?")


@dataclass(frozen=True, slots=True)
class SentFile:
    """The bytes of a file in base64, and what the caller says of it."""

    base64: str
    filename: str | None
    content_type: str | None


def looks_like_file(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("content_base64"), str)


def file_of(value: Any) -> SentFile:
    """Reads a file argument; a text alone is its content.

    Raises:
        NoSpelling: it is none, or only its name says its type, which differs from one machine to the next.
    """
    told = {"content_base64": value} if isinstance(value, str) else value
    if not looks_like_file(told):
        raise NoSpelling("no file argument")
    content = "".join(told["content_base64"].split()).translate(_PLAIN_ALPHABET)
    try:
        data = base64.b64decode(content + "=" * (-len(content) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise NoSpelling("no base64") from None
    kind = told.get("content_type") or None
    if kind is not None and not _MEDIA_TYPE.fullmatch(kind):
        raise NoSpelling("no media type")
    return SentFile(base64.b64encode(data).decode("ascii"), told.get("filename"), kind)

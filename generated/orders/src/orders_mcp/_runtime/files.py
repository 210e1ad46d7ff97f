"""File arguments: `{"content_base64", "filename", "content_type"}` to bytes with a name and a type."""

from __future__ import annotations

import base64
import binascii
import mimetypes
import re
from dataclasses import dataclass
from typing import Any

from .failures import invalid

OCTETS = "application/octet-stream"
_TYPE = re.compile(r"[\w!#$&^.+-]+/[\w!#$&^.+-]+(\s*;[ -~]*)?")
_DATA_URL = re.compile(r"data:[^,]{0,200};base64,")


@dataclass(frozen=True, slots=True)
class File:
    """A file that a call sends. `content_type` is None when neither the caller nor the name says one."""

    content: bytes
    filename: str | None = None
    content_type: str | None = None


def is_file(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("content_base64"), str)


def file_of(value: Any, name: str) -> File:
    """A file argument as a file; `name` is how messages call it. A bare string is its base64 content.

    Raises:
        CallFailed: it is no file argument, or its content is not base64.
    """
    if isinstance(value, str):
        return File(_decoded(value, name))
    if not is_file(value):
        raise invalid(f"`{name}` is a file and needs `content_base64`.")
    filename, content_type = value.get("filename"), value.get("content_type")
    if content_type and not _TYPE.fullmatch(content_type):
        raise invalid(f"`{name}` has a `content_type` that is no media type.")
    guessed = mimetypes.guess_type(filename)[0] if filename else None
    return File(_decoded(value["content_base64"], name), filename, content_type or guessed)


def _decoded(text: str, name: str) -> bytes:
    """Base64 in either alphabet, with line breaks, without padding, as a data URL: all occur in practice."""
    prefix = _DATA_URL.match(text)
    compact = text[prefix.end() :] if prefix else text
    if not compact.isalnum():
        compact = "".join(compact.split()).replace("-", "+").replace("_", "/")
    compact += "=" * (-len(compact) % 4)
    try:
        return base64.b64decode(compact, validate=True)
    except binascii.Error:
        raise invalid(f"`{name}` is not base64.") from None

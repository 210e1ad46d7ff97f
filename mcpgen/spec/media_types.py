"""Names of media types as documents write them (RFC 9110, section 8.3.1): what they mean, and which could break a message."""

from __future__ import annotations

import re

from mcpgen.spec.tokens import CHARACTERS

_NAME = re.compile(rf"{CHARACTERS}/{CHARACTERS}[ \t]*(?:[;,][\t\x20-\x7e]*)?")
_SHORT = {
    "json": "application/json",
    "xml": "application/xml",
    "text": "text/plain",
    "plain": "text/plain",
    "html": "text/html",
    "csv": "text/csv",
    "form": "application/x-www-form-urlencoded",
    "x-www-form-urlencoded": "application/x-www-form-urlencoded",
    "multipart": "multipart/form-data",
    "form-data": "multipart/form-data",
    "binary": "application/octet-stream",
    "octet-stream": "application/octet-stream",
    "*": "*/*",
}
"""Names without a type that can only mean one."""


def media_type(written: str) -> str | None:
    """The media type, or range of media types, that a name can only mean; None where it means none.

    What stands behind the name may be anything that a header can hold; it goes into headers as it is.
    """
    name = written.strip()
    name = _SHORT.get(name.lower(), name)
    return name if _NAME.fullmatch(name) else None


def content_type(written: str) -> str | None:
    """`contentType` of an Encoding Object: one media type or several, with commas between (OpenAPI 3.2)."""
    found = [media_type(part) for part in written.split(",")]
    named = [name for name in found if name is not None]
    return ", ".join(named) if len(named) == len(found) else None

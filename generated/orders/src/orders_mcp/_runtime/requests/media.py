"""Questions about media types, asked by requests and answers alike."""

from __future__ import annotations

import codecs
from email.message import Message


def bare(media_type: str) -> str:
    """The type without parameters, in lower case."""
    return media_type.split(";", maxsplit=1)[0].strip().lower()


def parameter(media_type: str, name: str) -> str | None:
    """One parameter of a media type, unquoted: `charset` of `text/plain; charset="utf-8"`."""
    message = Message()
    message["content-type"] = media_type
    value = message.get_param(name)
    return value if isinstance(value, str) and value else None


def is_json(media_type: str) -> bool:
    """JSON by itself or by suffix (RFC 6839)."""
    kind = bare(media_type)
    misspelt = kind.startswith(
        "application/json+"
    )  # the suffix in front, as in `application/json+merge-patch`
    return kind in ("application/json", "text/json") or kind.endswith("+json") or misspelt


_STREAMS = frozenset(
    {"text/event-stream", "application/x-ndjson", "application/ndjson", "application/jsonl"}
    | {
        "application/x-jsonlines",
        "application/jsonlines",
        "application/x-json-stream",
        "application/json-seq",
    }
)


def is_stream(media_type: str) -> bool:
    """A sequence of records that may never end (OpenAPI 3.2, Sequential Media Types)."""
    kind = bare(media_type)
    return kind in _STREAMS or kind.endswith("+json-seq")


_TEXT = frozenset(
    {
        "application/xml",
        "application/yaml",
        "application/x-yaml",
        "application/toml",
        "application/javascript",
        "application/ecmascript",
        "application/x-www-form-urlencoded",
        "application/graphql",
        "application/sql",
        "application/csv",
    }
)


def is_text(media_type: str) -> bool:
    kind = bare(media_type)
    return kind.startswith("text/") or kind in _TEXT or kind.endswith(("+xml", "+yaml"))


def admits(declared: str, actual: str) -> bool:
    """Whether a media type range such as `image/*` holds the actual type (RFC 9110, 12.5.1)."""
    wanted, got = bare(declared), bare(actual)
    if wanted in ("*/*", "*", got):
        return True
    return wanted.endswith("/*") and got.startswith(wanted[:-1])


_NO_CHARSETS = frozenset(
    {"idna", "punycode", "unicode-escape", "raw-unicode-escape", "mbcs", "oem", "palmos", "undefined"}
)
"""Codecs that Python has for purposes of its own (codecs, Python Specific Encodings): some run their texts' escapes,
some take time that grows with the square of the text."""


def charset_codec(media_type: str) -> str | None:
    """The Python codec of the charset parameter, by its own name; None when there is none or nobody knows it."""
    name = parameter(media_type, "charset")
    if name is None:
        return None
    try:
        "".encode(name)
        b"".decode(name)
        codec = codecs.lookup(name).name
    except (LookupError, ValueError, TypeError):
        return None
    return None if codec.replace("_", "-") in _NO_CHARSETS else codec

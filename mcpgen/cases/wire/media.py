"""Which media types hold what (RFC 6838, RFC 6839)."""

from __future__ import annotations

import re

OCTETS = "application/octet-stream"


def bare(media_type: str) -> str:
    return media_type.partition(";")[0].strip().lower()


def is_json(media_type: str) -> bool:
    """By itself, by suffix (RFC 6839, 3.1), and where the suffix is written in front."""
    kind = bare(media_type)
    return (
        kind in ("application/json", "text/json")
        or kind.endswith("+json")
        or kind.startswith("application/json+")
    )


def is_form(media_type: str) -> bool:
    return bare(media_type) == "application/x-www-form-urlencoded"


def is_range(media_type: str) -> bool:
    return "*" in media_type


def in_range(media_type: str, media_range: str) -> bool:
    """RFC 9110, 12.5.1."""
    wanted, kind = bare(media_range), bare(media_type)
    return wanted in ("*/*", "*", kind) or (wanted.endswith("/*") and kind.split("/")[0] == wanted[:-2])


def parameter(media_type: str, name: str) -> str | None:
    """A parameter of a media type without its quotes (RFC 9110, 5.6.6)."""
    found = re.search(rf';\s*{re.escape(name)}\s*=\s*(?:"([^"]*)"|([^;\s]*))', media_type, re.IGNORECASE)
    return (found.group(1) or found.group(2) or None) if found else None

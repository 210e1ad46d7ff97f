"""Single facts from the headers of answers. Whatever a server writes there, nothing here fails a call."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urljoin, urlsplit

import httpx2

_MOST_DIGITS = 15
"""Integers up to here are exact in every JSON reader; Python refuses to read thousands of digits."""
_LONGEST_WAIT = 366 * 86_400


def whole_number(text: str) -> int | None:
    """A number that is written in digits alone; None for all else, and for one that nothing can be counted by."""
    digits = text.strip()
    plain = digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS
    return int(digits) if plain else None


def resolved(base: str, reference: str) -> str | None:
    """A reference as an absolute address (RFC 3986, 5); None when it is none."""
    try:
        url = urljoin(base, reference).partition("#")[0]
        _ = urlsplit(url).port  # the parts are looked at only when they are asked for
    except ValueError:
        return None
    return url


def retry_after(headers: httpx2.Headers) -> int | None:
    """Seconds that the API asks to wait (RFC 9110, 10.2.3: a number or a date), if it does; a year at most."""
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        number = whole_number(text)
        return _LONGEST_WAIT if number is None else min(number, _LONGEST_WAIT)
    try:
        when = parsedate_to_datetime(text[:100])
        if when.tzinfo is None:
            when = when.replace(tzinfo=UTC)
        seconds = round((when - datetime.now(UTC)).total_seconds())
    except (ValueError, OverflowError, TypeError):
        return None
    return min(max(0, seconds), _LONGEST_WAIT)

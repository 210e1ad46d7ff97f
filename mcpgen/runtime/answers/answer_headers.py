"""Single facts from the headers of answers. Whatever a server writes there, nothing here fails a call."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urljoin, urlsplit

import httpx2

_MOST_DIGITS = 15
"""Integers up to here are exact in every JSON reader; Python refuses to read thousands of digits."""
_LONGEST_WAIT = 366 * 86_400
_LONGEST_VALUE = 4096


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
    return _until(_date(text))


_RESETS = ("ratelimit-reset", "x-ratelimit-reset", "x-rate-limit-reset", "x-ratelimit-reset-after")
_REMAINING = ("ratelimit-remaining", "x-ratelimit-remaining", "x-rate-limit-remaining")
_RESET_OF_DRAFT = re.compile(r"[;,]\s*(?:t|reset)=(\d{1,15})(?![\d.])")
_NONE_OF_DRAFT = re.compile(r"[;,]\s*(?:r|remaining)=0(?![\d.])")
_DURATION = re.compile(r"(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6}(?:\.\d{1,9})?)s)?")
_FIRST_EPOCH = 10**9
_FIRST_EPOCH_IN_MS = 10**12


def rate_limit_spent(headers: httpx2.Headers) -> bool:
    """Whether the headers for rate limits say that nothing is left of one."""
    bare = any(headers.get(name, "").split(",")[0].strip() == "0" for name in _REMAINING)
    return bare or _NONE_OF_DRAFT.search(headers.get("ratelimit", "")[:_LONGEST_VALUE]) is not None


def rate_limit_reset(headers: httpx2.Headers) -> int | None:
    """Seconds until a rate limit is renewed, if the API says so; a year at most.

    The drafts of the IETF (`RateLimit-Reset`, `RateLimit: "default";r=0;t=30`) give seconds from now. The older
    `X-RateLimit-Reset` has been everything: seconds, a duration such as `6m0s`, seconds or milliseconds since 1970,
    a date.
    """
    draft = _RESET_OF_DRAFT.search(headers.get("ratelimit", "")[:_LONGEST_VALUE])
    if draft is not None:
        return min(int(draft[1]), _LONGEST_WAIT)
    for name in _RESETS:
        found = _reset(headers.get(name, "").strip()[:100])
        if found is not None:
            return found
    return None


def _reset(text: str) -> int | None:
    try:
        number = float(text)
    except ValueError:
        duration = _DURATION.fullmatch(text)
        if text and duration is not None:
            hours, minutes, seconds = (float(part or 0) for part in duration.groups())
            return min(math.ceil(hours * 3600 + minutes * 60 + seconds), _LONGEST_WAIT)
        return _until(_date(text))
    if not 0 <= number < 10**15:
        return None
    if number < _FIRST_EPOCH:
        return min(math.ceil(number), _LONGEST_WAIT)
    seconds = number / 1000 if number >= _FIRST_EPOCH_IN_MS else number
    return min(max(0, math.ceil(seconds - datetime.now(UTC).timestamp())), _LONGEST_WAIT)


def _date(text: str) -> datetime | None:
    """A date as HTTP writes it (RFC 9110, 5.6.7), or as ISO 8601 does."""
    for read in (parsedate_to_datetime, datetime.fromisoformat):
        try:
            when = read(text[:100])
        except (ValueError, OverflowError, TypeError):
            continue
        return when if when.tzinfo is not None else when.replace(tzinfo=UTC)
    return None


def _until(when: datetime | None) -> int | None:
    if when is None:
        return None
    try:
        seconds = round((when - datetime.now(UTC)).total_seconds())
    except OverflowError:
        return None
    return min(max(0, seconds), _LONGEST_WAIT)

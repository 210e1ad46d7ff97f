"""Example texts: the shortest readable text that a string schema accepts.

Texts for patterns come from rstr, driven by choices that are fixed instead of random, so that the same schema
always gives the same text, and a short and legible one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from random import Random
from re import _parser  # no other way to ask how long a match is at least
from typing import Any, TypeVar

from rstr import Rstr

from mcpgen.ir.api import Schema
from mcpgen.runtime.patterns import matching as bounded

_T = TypeVar("_T")

_WIDEST = 10_000
"""No example is made for a pattern that matches only longer texts."""

# The formats of JSON Schema 2020-12 (Validation, 7.3) and of the OpenAPI Format Registry that restrict texts.
_FORMATS = {
    "date-time": "2026-01-15T09:30:00Z",
    "date": "2026-01-15",
    "time": "09:30:00Z",
    "duration": "P1D",
    "email": "user@example.com",
    "idn-email": "user@example.com",
    "hostname": "example.com",
    "idn-hostname": "example.com",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.com/",
    "uri-reference": "https://example.com/",
    "iri": "https://example.com/",
    "iri-reference": "https://example.com/",
    "url": "https://example.com/",
    "uri-template": "https://example.com/{id}",
    "uuid": "123e4567-e89b-42d3-a456-426614174000",
    "json-pointer": "/name",
    "relative-json-pointer": "0/name",
    "regex": "^[a-z]+$",
    "byte": "ZXhhbXBsZQ==",
    "base64url": "ZXhhbXBsZQ",
    "int64": "1",
    "decimal": "1.5",
}
_ENCODINGS = {
    "base64": "ZXhhbXBsZQ==",
    "base64url": "ZXhhbXBsZQ",
    "base16": "6578616D706C65",
    "base32": "MFRGG===",
}
_WORDS = ("string", "String1", "STRING", "1", "a", "")
_LONGEST = 10_000
_ATTEMPTS = 48


def example_text(schema: Schema) -> str | None:
    """A text that fits length, pattern and format of a string schema; None when none was found."""
    low, high = _length(schema.get("minLength")) or 0, _length(schema.get("maxLength"))
    formatted = _FORMATS.get(str(schema.get("format"))) or _ENCODINGS.get(str(schema.get("contentEncoding")))
    return None if low > _LONGEST else _fitting(schema.get("pattern"), low, high, formatted)


def _length(value: object) -> int | None:
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


@lru_cache(maxsize=1024)
def _fitting(pattern: str | None, low: int, high: int | None, formatted: str | None) -> str | None:
    for text in _candidates(pattern, low, high, formatted):
        fits = low <= len(text) and (high is None or len(text) <= high)
        if fits and (pattern is None or matches(pattern, text)):
            return text
    return None


def _candidates(pattern: str | None, low: int, high: int | None, formatted: str | None) -> Iterator[str]:
    if formatted is not None:
        yield formatted
    if pattern is None:
        yield _fitted("string", low, high)
        return
    if bounded.longest_checked(_in_python(pattern)) > 0:
        yield from _WORDS
    yield from _texts_for(pattern)


def _fitted(word: str, low: int, high: int | None) -> str:
    """The word, repeated or cut so that its length is within the limits."""
    repeated = word * max(1, -(-low // len(word)))
    return repeated[: max(low, len(word))][:high]


def matches(pattern: str, text: str) -> bool:
    """Whether a text matches, as generated servers find it. A pattern that they do not check refuses nothing."""
    return bounded.matches(_in_python(pattern), text) is not False


@lru_cache(maxsize=512)
def _can_be_built(pattern: str) -> bool:
    try:
        return bool(_parser.parse(_in_python(pattern)).getwidth()[0] <= _WIDEST)
    except (re.error, OverflowError, RecursionError):
        return False


def _in_python(pattern: str) -> str:
    """The pattern in Python's spelling of a named group (JSON Schema's patterns are ECMA-262)."""
    return re.sub(r"\(\?<(?![=!])", "(?P<", pattern)


def _texts_for(pattern: str) -> Iterator[str]:
    """Some texts that rstr builds for a pattern, shortest first; look-arounds can make them wrong."""
    if not _can_be_built(pattern):
        return
    for more in range(_ATTEMPTS):
        try:
            yield Rstr(_Fixed(more)).xeger(_in_python(pattern))
        except (KeyError, IndexError, TypeError, ValueError, RecursionError):
            return  # a construct that rstr does not know, or a text that gets too long


class _Fixed(Random):
    """Stands in for chance: repeats `more` times above the minimum, and takes the most legible character."""

    def __init__(self, more: int) -> None:
        super().__init__(0)
        self._more = more
        self._repeats = 0

    def randint(self, a: int, b: int) -> int:
        count = max(a, min(a + self._more, b))
        self._repeats += count
        if self._repeats > _LONGEST:
            raise ValueError("the text gets too long")
        return count

    def choice(self, seq: Sequence[_T]) -> _T:  # type: ignore[override]  # Random's own stub names a protocol
        if all(isinstance(item, str) for item in seq):
            return min(seq, key=_legibility)
        return seq[self._more % len(seq)]


def _legibility(character: Any) -> tuple[int, str]:
    """Digits before lower case before upper case before the rest."""
    kinds = (character.isdigit(), character.islower(), character.isupper(), character.isprintable())
    return next((rank for rank, fits in enumerate(kinds) if fits), len(kinds)), character

"""Reads settings that are written as text. Every parser raises ValueError with words that follow a name and a colon."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

_T = TypeVar("_T", int, float)
_NOT_IN_URLS = re.compile(r"[\s\x00-\x1f\x7f\\]")


def texts(text: str) -> tuple[str, ...]:
    """A list, comma-separated."""
    return tuple(item.strip() for item in text.split(",") if item.strip())


def one_of(*allowed: str) -> Callable[[str], str]:
    """One of these words."""

    def parse(text: str) -> str:
        if text not in allowed:
            raise ValueError(f"{text!r} is not one of {', '.join(allowed)}{close_to(text, allowed)}")
        return text

    return parse


def subset(*allowed: str) -> Callable[[str], frozenset[str]]:
    """Some of these words, comma-separated."""
    one = one_of(*allowed)
    return lambda text: frozenset(one(item) for item in texts(text))


def pairs(*allowed: str) -> Callable[[str], dict[str, tuple[str, ...]]]:
    """`word=value`, comma-separated, with some of these words; a word can come more than once."""
    one = one_of(*allowed)

    def parse(text: str) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for item in texts(text):
            word, equals, value = (part.strip() for part in item.partition("="))
            if not equals or not value:
                raise ValueError(f"{item!r} is not of the form NAME=VALUE")
            found[one(word)] = (*found.get(word, ()), value)
        return found

    return parse


def close_to(text: str, allowed: Iterable[str]) -> str:
    """` (did you mean 'x'?)`, when one of the words is close."""
    hit = difflib.get_close_matches(text.lower(), list(allowed), n=1, cutoff=0.5)
    return f" (did you mean {hit[0]!r}?)" if hit else ""


def is_pattern(name: str) -> bool:
    """Whether it stands for several names (`*`, `?`, `[ab]`), rather than for itself."""
    return any(wild in name for wild in "*?[")


def number(kind: Callable[[str], _T], least: float, most: float = math.inf) -> Callable[[str], _T]:
    """A finite number between two bounds, both included."""

    def parse(text: str) -> _T:
        try:
            value = kind(text)
        except ValueError:
            raise ValueError(f"{text!r} is not a {'whole ' if kind is int else ''}number") from None
        if not math.isfinite(value):
            raise ValueError(f"{text!r} is not a finite number")
        if value < least:
            raise ValueError(f"{text} is less than {least:g}")
        if value > most:
            raise ValueError(f"{text} is more than {most:g}")
        return value

    return parse


def folder(text: str) -> Path:
    """An existing folder, links resolved once, so that what is inside can be told from what is not."""
    try:
        found = Path(text).expanduser().resolve(strict=True)
    except (OSError, RuntimeError):
        raise ValueError("there is no such folder") from None
    if not found.is_dir():
        raise ValueError("not a folder")
    if found.parent == found:
        raise ValueError("that is the whole file system; name a folder that holds nothing else")
    return found


def keys(text: str) -> tuple[str, ...]:
    """Keys that are long enough to seal something."""
    found = texts(text)
    if any(len(key.encode()) < 32 for key in found):
        raise ValueError("every key needs at least 32 bytes")
    return found


def flag(text: str) -> bool:
    """On or off."""
    if text.lower() not in ("0", "1", "false", "true"):
        raise ValueError(f"{text!r} is neither 1 nor 0")
    return text.lower() in ("1", "true")


def base_url(text: str) -> str:
    """The text, when it can be the base of an API's addresses."""
    if _NOT_IN_URLS.search(
        text
    ):  # the standard library drops some of these, and other readers take `\\` for a slash
        raise ValueError("not an absolute http or https URL: it has spaces, controls or a backslash")
    parts = urlsplit(text)  # an invalid port or IPv6 address is a ValueError of its own
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:
        raise ValueError("not an absolute http or https URL")
    if parts.username is not None or "?" in text or "#" in text:  # an empty query swallows the paths as well
        raise ValueError("a base URL has no user, query or fragment; credentials have variables of their own")
    return text


def endpoint(text: str) -> str:
    """The address of a service, which may have a query."""
    base_url(text.partition("?")[0])
    return text

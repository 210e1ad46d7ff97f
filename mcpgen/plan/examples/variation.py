"""Values like a given one, for schemas that want several different values or exclude the obvious one."""

from __future__ import annotations

import string
from collections.abc import Iterator
from typing import Any


def varied(value: Any) -> Iterator[Any]:
    """Values of the same type, each different from the given one, the most similar first. May be endless."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int | float):
        distance = 1
        while True:
            yield value + distance
            yield value - distance
            distance += 1
    elif isinstance(value, str):
        yield from _texts(value)
    elif isinstance(value, list):
        for place, item in enumerate(value):
            for other in varied(item):
                yield [*value[:place], other, *value[place + 1 :]]
        yield []
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from ({**value, name: other} for other in varied(item))


def _texts(value: str) -> Iterator[str]:
    """The text with another last character of the same kind, then with more characters."""
    last = value[-1:]
    kinds = (string.digits, string.ascii_lowercase, string.ascii_uppercase)
    longer = [f"{value}{number}" for number in range(2, 10)]
    if not last.isalnum():
        yield from longer
    for kind in sorted(kinds, key=lambda characters: last not in characters):
        yield from (f"{value[:-1]}{character}" for character in kind if character != last)
    yield from longer

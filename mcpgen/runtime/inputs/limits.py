"""An operator's bounds on arguments: a value beyond one is moved to it, where that is wanted, or told to be wrong."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any

from ..setup.policy import ArgumentLimit
from ..values import JsonObject, compact_json

_MOST = 12
"""Complaints and notes each: a list can have a wrong item many times over."""
_LEVELS = 40
_LONGEST_VALUE = 40
_LONGEST_NUMBER = 400
_LONGEST_LIST = 300
_WHOSE = "the operator's limit"


@dataclass(slots=True)
class Limited:
    """Arguments within their bounds, what was moved to get there, and what can't be."""

    arguments: JsonObject
    notes: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


def limited(arguments: JsonObject, limits: Mapping[str, ArgumentLimit]) -> Limited:
    """Applies limits by dotted names: of lists on the way, every item is meant."""
    found = Limited(dict(arguments))
    for name, limit in limits.items():
        found.arguments = _Walk(limit, found).value(found.arguments, name, "", _LEVELS)
    found.notes = list(dict.fromkeys(found.notes))[:_MOST]
    found.complaints = list(dict.fromkeys(found.complaints))[:_MOST]
    return found


def equal(one: Any, other: Any) -> bool:
    """Equality of JSON values: 1 is 1.0, but true is not 1. A number given as text is that number."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, str):
        one, other = other, one
    if isinstance(one, str) and isinstance(other, int | float):
        return number_in(one) == Decimal(str(other))
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(equal, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(equal(one[key], other[key]) for key in one)
    return bool(one == other)


def number_in(text: str) -> Decimal | None:
    """The number that a text is; None for any other text."""
    if len(text) > _LONGEST_NUMBER:
        return None
    try:
        found = Decimal(text.strip())
    except InvalidOperation:
        return None
    return found if found.is_finite() else None


@dataclass(frozen=True, slots=True)
class _Walk:
    """One limit on its way through the arguments."""

    limit: ArgumentLimit
    found: Limited

    def value(self, value: Any, name: str, place: str, levels: int) -> Any:
        """The value within the limit. `name` is what still leads to the limited part."""
        if levels == 0 or value is None:
            return value
        if not name:
            return self._part(value, place, levels)
        if isinstance(value, list):
            return [self.value(item, name, f"{place}[{n}]", levels - 1) for n, item in enumerate(value)]
        if not isinstance(value, dict):
            return value
        step, rest = (name, "") if name in value else name.partition(".")[::2]
        if step not in value:
            return value
        inner = self.value(value[step], rest, f"{place}.{step}" if place else step, levels - 1)
        return value if inner is value[step] else {**value, step: inner}

    def _part(self, value: Any, place: str, levels: int) -> Any:
        if isinstance(value, list):
            if self.limit.max_items is not None and len(value) > self.limit.max_items:
                value = self._shortened(value, self.limit.max_items, "items", place)
            items = [self.value(item, "", f"{place}[{n}]", levels - 1) for n, item in enumerate(value)]
            return value if all(map(_same, items, value)) else items
        if self.limit.allow is not None and not any(equal(value, one) for one in self.limit.allow):
            self._wrong(place, f"must be one of {_listed(self.limit.allow)}")
        elif any(equal(value, one) for one in self.limit.deny):
            self._wrong(
                place, f"can't be {_short(value)}: the operator does not allow this value", whose=False
            )
        if (
            isinstance(value, str)
            and self.limit.max_length is not None
            and len(value) > self.limit.max_length
        ):
            value = self._shortened(value, self.limit.max_length, "characters", place)
        bounded = self.limit.minimum is not None or self.limit.maximum is not None
        return self._number(value, place) if bounded and isinstance(value, int | float | str) else value

    def _shortened(self, value: Any, most: int, what: str, place: str) -> Any:
        if not self.limit.clamp:
            self._wrong(place, f"must have at most {most} {what}")
            return value
        self.found.notes.append(f"`{place}` was shortened from {len(value)} to {most} {what}, {_WHOSE}.")
        return value[:most]

    def _number(self, value: int | float | str, place: str) -> Any:
        if isinstance(value, bool):
            return value
        number = number_in(value) if isinstance(value, str) else value
        low, high = self.limit.minimum, self.limit.maximum
        if number is None:
            self._wrong(place, "must be a number")
        elif high is not None and number > high:
            return self._moved(value, high, math.floor(high), f"at most {high}", "lowered", place)
        elif low is not None and number < low:
            return self._moved(value, low, math.ceil(low), f"at least {low}", "raised", place)
        return value

    def _moved(self, value: Any, bound: float, whole: int, words: str, how: str, place: str) -> Any:
        if not self.limit.clamp:
            self._wrong(place, f"must be {words}")
            return value
        moved: Any = str(bound) if isinstance(value, str) else whole if isinstance(value, int) else bound
        self.found.notes.append(f"`{place}` was {how} from {_short(value)} to {_short(moved)}, {_WHOSE}.")
        return moved

    def _wrong(self, place: str, what: str, *, whose: bool = True) -> None:
        self.found.complaints.append(f"`{place}` {what}{f', {_WHOSE}' if whose else ''}")


def _same(one: Any, other: Any) -> bool:
    return one is other


def _short(value: Any) -> str:
    text = compact_json(value)
    return text if len(text) <= _LONGEST_VALUE else text[:_LONGEST_VALUE] + "…"


def _listed(values: list[Any]) -> str:
    text = ", ".join(map(compact_json, values))
    return text if len(text) <= _LONGEST_LIST else text[:_LONGEST_LIST] + "…"

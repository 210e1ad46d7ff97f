"""Values that break one keyword of a schema, for each keyword that can be broken alone."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from mcpgen.cases.kinds import ALL, Reader, kind_of
from mcpgen.runtime.patterns.matching import longest_checked

ABSENT = object()
"""In place of a value: the call has none there."""
UNKNOWN = "no_such_field"
_FOREIGN = "no such value"
_LONGEST_TEXT = 600
_MOST_ITEMS = 40
_SHORT = 12
"""Characters of a text that a pattern is tried with: even a pattern that backtracks is quick with so few."""
_TEXTS = ("!", "~", "é", "a", "0", "A-", " ", "{}")

Breaker = Callable[[Mapping[str, Any], Any], Iterator[Any]]
"""From a schema's own keywords and the value that keeps them (or ABSENT) to values that may break one of them."""


def wrong_kinds(schema: Any, reader: Reader, *, optional: bool) -> Iterator[Any]:
    """Values of a type that is not admitted, and that nobody can mend."""
    admitted = reader.kinds(schema)
    if admitted == ALL:
        return
    for value in ("text", True, {"a": 1}, 7, 1.5, None):
        if kind_of(value) not in admitted and not reader.mended(value, schema, optional=optional):
            yield value


def _enum(schema: Mapping[str, Any], _: Any) -> Iterator[Any]:
    listed = [schema["const"]] if "const" in schema else schema["enum"]
    texts = [value for value in listed if isinstance(value, str)]
    numbers = [value for value in listed if isinstance(value, int) and not isinstance(value, bool)]
    flags = [value for value in listed if isinstance(value, bool)]
    if texts:
        yield _FOREIGN
        yield f"{texts[0]}_"
    if numbers:
        yield max(numbers) + 1
    if len(flags) == 1:
        yield not flags[0]


def _minimum(schema: Mapping[str, Any], _: Any) -> Iterator[Any]:
    yield from _beyond(schema["minimum"], -1, schema)


def _maximum(schema: Mapping[str, Any], _: Any) -> Iterator[Any]:
    yield from _beyond(schema["maximum"], 1, schema)


def _beyond(bound: Any, step: int, schema: Mapping[str, Any]) -> Iterator[Any]:
    if not _is_number(bound):
        return
    whole = bound if isinstance(bound, int) else math.ceil(bound) if step < 0 else math.floor(bound)
    yield whole + step
    factor: Any = schema.get("multipleOf")
    if _is_number(factor):
        yield (whole // factor) * factor + step * factor
    if schema.get("type") != "integer":
        yield bound + step


def _exclusive(keyword: str) -> Breaker:
    """The bound itself is what an exclusive bound leaves out."""

    def break_(schema: Mapping[str, Any], _: Any) -> Iterator[Any]:
        if _is_number(schema[keyword]):
            yield schema[keyword]

    return break_


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _multiple(schema: Mapping[str, Any], value: Any) -> Iterator[Any]:
    factor = schema["multipleOf"]
    if not _is_number(factor) or factor <= 0:
        return
    near = value if _is_number(value) else schema.get("minimum", 0)
    for candidate in (near + 1, near - 1, near + factor / 2, near + factor * 1.5):
        if Fraction(str(candidate)) % Fraction(
            str(factor)
        ):  # exactly: in floating point 19.99 is no multiple of 0.01
            yield candidate


def _too_short(schema: Mapping[str, Any], value: Any) -> Iterator[Any]:
    least = schema["minLength"]
    if isinstance(least, int) and 0 < least <= _LONGEST_TEXT:
        if isinstance(value, str):
            yield value[: least - 1]
        yield "a" * (least - 1)


def _too_long(schema: Mapping[str, Any], value: Any) -> Iterator[Any]:
    most = schema["maxLength"]
    if not isinstance(most, int) or not 0 <= most <= (_SHORT if "pattern" in schema else _LONGEST_TEXT):
        return
    if isinstance(value, str) and value:
        yield (value + value[-1] * (most + 1))[: most + 1]
    yield "a" * (most + 1)


def _unmatched(schema: Mapping[str, Any], value: Any) -> Iterator[Any]:
    """Texts in which the pattern is provably not found; none for a pattern that Python can't read, or no server checks."""
    try:
        pattern = re.compile(schema["pattern"])
        longest = longest_checked(schema["pattern"])
    except (re.error, TypeError, OverflowError, RecursionError):
        return
    least = schema.get("minLength", 0)
    count = least if isinstance(least, int) and 0 < least <= _SHORT else 1
    near = [value[:_SHORT] + "!", value[: _SHORT // 2]] if isinstance(value, str) else []
    for text in (*(one * count for one in _TEXTS), *near, ""):
        if len(text) <= min(_SHORT + 1, longest) and pattern.search(text) is None:
            yield text


def _too_few(schema: Mapping[str, Any], value: Any) -> Iterator[Any]:
    least = schema["minItems"]
    if isinstance(least, int) and least > 0 and (least == 1 or isinstance(value, list)):
        yield [] if least == 1 else value[: least - 1]


def _too_many(schema: Mapping[str, Any], value: Any) -> Iterator[Any]:
    most = schema["maxItems"]
    if not isinstance(most, int) or not 0 <= most <= _MOST_ITEMS or not isinstance(value, list):
        return
    item = value[0] if value else "a"
    yield [item] * (most + 1)
    if isinstance(item, str):
        yield [f"{item}{number}" for number in range(most + 1)]
    elif _is_number(item):
        yield [item + number for number in range(most + 1)]


def _repeated(schema: Mapping[str, Any], value: Any) -> Iterator[Any]:
    if schema["uniqueItems"] is True:
        if isinstance(value, list) and value:
            yield [*value, value[0]]
            yield [value[0], value[0]]
        else:
            yield from (["a", "a"], [1, 1])


def _no_members(schema: Mapping[str, Any], _: Any) -> Iterator[Any]:
    yield {}


def _many_members(schema: Mapping[str, Any], value: Any) -> Iterator[Any]:
    most = schema["maxProperties"]
    if isinstance(most, int) and 0 <= most <= _MOST_ITEMS and isinstance(value, dict):
        item = next(iter(value.values()), "a")
        yield value | {f"member{number}": item for number in range(most + 1)}


BREAKERS: Mapping[str, Breaker] = {
    "enum": _enum,
    "const": _enum,
    "minimum": _minimum,
    "maximum": _maximum,
    "exclusiveMinimum": _exclusive("exclusiveMinimum"),
    "exclusiveMaximum": _exclusive("exclusiveMaximum"),
    "multipleOf": _multiple,
    "minLength": _too_short,
    "maxLength": _too_long,
    "pattern": _unmatched,
    "minItems": _too_few,
    "maxItems": _too_many,
    "uniqueItems": _repeated,
    "minProperties": _no_members,
    "maxProperties": _many_members,
}

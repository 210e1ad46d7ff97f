"""Rules for values that callers send: limits, patterns, listed values, types, defaults."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .oasdiff_rows import BREAKS, INFORMS, NUMBER, TEXT, WARNS, WHOLE, Row, array, obj, text, whole

PLACES = (("request-parameter", "parameter"), ("request-property", "property"), ("request-body", "body"))
_BODY_DEFAULT = "A caller can't see whether an argument travels in the query or in the body: leaving it out means something else."

_JSON = "In a query 5 is a text too; the arguments of a tool are JSON, where it is not."
_DATE = "A date without a time is no date-time (RFC 3339, 5.6)."


def rows() -> Iterator[Row]:
    for prefix, slot in PLACES:
        yield from _numbers(prefix, slot)
        yield from _lengths(prefix, slot)
        yield from _values(prefix, slot)
        yield from _types(prefix, slot)
    for prefix, slot in PLACES[:2]:
        yield from _patterns(prefix, slot)
    for prefix, slot in PLACES[1:]:
        yield from _constants(prefix, slot)
    yield from _defaults()
    yield from _only_parameters()
    yield from _inside_parameters()


def _numbers(prefix: str, slot: str) -> Iterator[Row]:
    yield Row(f"{prefix}-max-decreased", BREAKS, slot, whole(maximum=90), whole(maximum=40))
    yield Row(f"{prefix}-max-increased", INFORMS, slot, whole(maximum=40), whole(maximum=90))
    yield Row(f"{prefix}-max-set", WARNS, slot, WHOLE, whole(maximum=40))
    yield Row(f"{prefix}-min-increased", BREAKS, slot, whole(minimum=2), whole(minimum=5))
    yield Row(f"{prefix}-min-decreased", INFORMS, slot, whole(minimum=5), whole(minimum=2))
    yield Row(f"{prefix}-min-set", WARNS, slot, WHOLE, whole(minimum=5))
    above, below = "exclusiveMinimum", "exclusiveMaximum"
    yield Row(f"{prefix}-exclusive-max-decreased", BREAKS, slot, whole(**{below: 8}), whole(**{below: 7}))
    yield Row(f"{prefix}-exclusive-max-increased", INFORMS, slot, whole(**{below: 7}), whole(**{below: 8}))
    yield Row(f"{prefix}-exclusive-max-set", WARNS, slot, WHOLE, whole(**{below: 8}))
    yield Row(f"{prefix}-exclusive-min-increased", BREAKS, slot, whole(**{above: 0}), whole(**{above: 1}))
    yield Row(f"{prefix}-exclusive-min-decreased", INFORMS, slot, whole(**{above: 1}), whole(**{above: 0}))
    yield Row(f"{prefix}-exclusive-min-set", WARNS, slot, WHOLE, whole(**{above: 1}))


def _lengths(prefix: str, slot: str) -> Iterator[Row]:
    yield Row(f"{prefix}-max-length-decreased", BREAKS, slot, text(maxLength=80), text(maxLength=20))
    yield Row(f"{prefix}-max-length-increased", INFORMS, slot, text(maxLength=20), text(maxLength=80))
    yield Row(f"{prefix}-max-length-set", WARNS, slot, TEXT, text(maxLength=80))
    yield Row(f"{prefix}-min-length-increased", BREAKS, slot, text(minLength=1), text(minLength=4))
    yield Row(f"{prefix}-min-length-decreased", INFORMS, slot, text(minLength=4), text(minLength=1))
    yield Row(f"{prefix}-min-items-increased", BREAKS, slot, array(minItems=1), array(minItems=2))
    yield Row(f"{prefix}-min-items-set", WARNS, slot, array(), array(minItems=2))


def _patterns(prefix: str, slot: str) -> Iterator[Row]:
    yield Row(f"{prefix}-pattern-added", BREAKS, slot, TEXT, text(pattern="^[a-f]+$"))
    yield Row(f"{prefix}-pattern-removed", INFORMS, slot, text(pattern="^[a-f]+$"), TEXT)
    yield Row(f"{prefix}-pattern-changed", WARNS, slot, text(pattern="^[a-f]+$"), text(pattern="^[a-d]+$"))
    yield Row(f"{prefix}-pattern-generalized", INFORMS, slot, text(pattern="^[a-f]+$"), text(pattern=".*"))


def _values(prefix: str, slot: str) -> Iterator[Row]:
    few, more = ["red", "green"], ["red", "green", "blue"]
    yield Row(f"{prefix}-became-enum", BREAKS, slot, TEXT, text(enum=few))
    yield Row(f"{prefix}-enum-value-removed", BREAKS, slot, text(enum=more), text(enum=few))
    if slot != "body":
        yield Row(f"{prefix}-enum-value-added", INFORMS, slot, text(enum=few), text(enum=more))
    nullable = {"type": ["string", "null"]}
    yield Row(f"{prefix}-became-nullable", INFORMS, slot, TEXT, nullable)
    yield Row(f"{prefix}-became-not-nullable", BREAKS, slot, nullable, TEXT)


def _types(prefix: str, slot: str) -> Iterator[Row]:
    yield Row(f"{prefix}-type-changed", BREAKS, slot, TEXT, array())
    yield Row(f"{prefix}-type-changed", BREAKS, slot, NUMBER, WHOLE)
    yield Row(f"{prefix}-type-changed", BREAKS, slot, text(format="uuid"), text(format="date"))
    yield Row(f"{prefix}-type-generalized", INFORMS, slot, WHOLE, NUMBER)
    yield Row(f"{prefix}-type-generalized", INFORMS, slot, text(format="uuid"), TEXT)
    two, three = {"type": ["string", "boolean"]}, {"type": ["string", "boolean", "number"]}
    yield Row(f"{prefix}-list-of-types-widened", INFORMS, slot, two, three)
    yield Row(f"{prefix}-list-of-types-narrowed", BREAKS, slot, three, two)


def _constants(prefix: str, slot: str) -> Iterator[Row]:
    yield Row(f"{prefix}-const-added", BREAKS, slot, TEXT, text(const="eu"))
    yield Row(f"{prefix}-const-removed", INFORMS, slot, text(const="eu"), TEXT)
    yield Row(f"{prefix}-const-changed", BREAKS, slot, text(const="eu"), text(const="us"))


def _defaults() -> Iterator[Row]:
    for prefix, slot in PLACES:
        level = BREAKS if slot == "parameter" else INFORMS
        changed = {} if slot == "parameter" else {"ours": WARNS, "why": _BODY_DEFAULT}
        yield Row(
            f"{prefix}-default-value-changed", level, slot, text(default="a"), text(default="b"), **changed
        )
        yield Row(f"{prefix}-default-value-added", level, slot, TEXT, text(default="b"))
        yield Row(f"{prefix}-default-value-removed", level, slot, text(default="b"), TEXT)


def _only_parameters() -> Iterator[Row]:
    slot = "parameter"
    yield Row("request-parameter-max-items-decreased", BREAKS, slot, array(maxItems=9), array(maxItems=3))
    yield Row("request-parameter-max-items-increased", INFORMS, slot, array(maxItems=3), array(maxItems=9))
    yield Row("request-parameter-min-items-decreased", INFORMS, slot, array(minItems=3), array(minItems=2))
    yield Row("request-parameter-type-generalized", INFORMS, slot, WHOLE, TEXT, BREAKS, _JSON)
    for prefix, place in PLACES:
        rule = f"{prefix}-type-generalized"
        yield Row(rule, INFORMS, place, whole(format="int32"), whole(format="int64"))
        yield Row(rule, INFORMS, place, text(format="date"), text(format="date-time"), BREAKS, _DATE)


def _inside_parameters() -> Iterator[Row]:
    """A property of a parameter that is an object."""

    def row(rule: str, level: str, old: Any, new: Any) -> Row:
        return Row(f"request-parameter-property-{rule}", level, "parameter", obj(a=old), obj(a=new))

    few, more = text(enum=["x"]), text(enum=["x", "y"])
    nullable = {"type": ["string", "null"]}
    yield row("enum-value-added", INFORMS, few, more)
    yield row("enum-value-removed", BREAKS, more, few)
    yield row("became-nullable", INFORMS, TEXT, nullable)
    yield row("became-not-nullable", BREAKS, nullable, TEXT)
    yield row("type-generalized", INFORMS, WHOLE, NUMBER)
    yield row("type-specialized", BREAKS, NUMBER, WHOLE)
    yield row("list-of-types-widened", INFORMS, TEXT, {"type": ["string", "boolean"]})
    yield row("list-of-types-narrowed", BREAKS, {"type": ["string", "boolean"]}, TEXT)
    header = {"name": "H", "in": "header", "schema": obj(a=TEXT)}
    required = {**header, "schema": obj(("a",), a=TEXT)}
    listed = {**header, "schema": obj(a=few)}
    yield Row("request-header-property-became-required", BREAKS, "parameters", [header], [required])
    yield Row("request-header-property-became-enum", BREAKS, "parameters", [header], [listed])
    more_needed = {**header, "schema": obj(("b",), a=TEXT, b=TEXT)}
    yield Row("new-required-request-header-property", BREAKS, "parameters", [header], [more_needed])

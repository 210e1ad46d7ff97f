"""Rules for what callers get."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .oasdiff_rows import BREAKS, INFORMS, NUMBER, TEXT, WARNS, WHOLE, Row, array, obj, text, whole

PLACES = (("response-property", "answer"), ("response-body", "result"))
_ANY_OF = (
    "A further alternative is a value that callers don't know, whether the document says `oneOf` or `anyOf`."
)
_ALL_OF = "A condition less: results can be what callers were promised not to see."
_OPEN = "Results are never published as closed, so that an API may add fields; nothing changes for callers."
_WRITE_ONLY = "What is only sent leaves the result: callers that read it don't find it."
_READABLE = "A property more in the result."


def rows() -> Iterator[Row]:
    for prefix, slot in PLACES:
        yield from _limits(prefix, slot)
        yield from _values(prefix, slot)
        yield from _alternatives(prefix, slot)
        yield from _structures(prefix, slot)
    yield from _properties()
    yield from _write_only()
    yield from _patterns()


def _limits(prefix: str, slot: str) -> Iterator[Row]:
    above, below = "exclusiveMinimum", "exclusiveMaximum"
    yield Row(f"{prefix}-max-increased", BREAKS, slot, whole(maximum=5), whole(maximum=9))
    yield Row(f"{prefix}-min-decreased", BREAKS, slot, whole(minimum=5), whole(minimum=2))
    yield Row(f"{prefix}-exclusive-max-increased", BREAKS, slot, whole(**{below: 5}), whole(**{below: 9}))
    yield Row(f"{prefix}-exclusive-min-decreased", BREAKS, slot, whole(**{above: 5}), whole(**{above: 2}))
    yield Row(f"{prefix}-max-length-increased", BREAKS, slot, text(maxLength=5), text(maxLength=9))
    yield Row(f"{prefix}-max-length-unset", BREAKS, slot, text(maxLength=5), TEXT)
    yield Row(f"{prefix}-min-length-decreased", BREAKS, slot, text(minLength=5), text(minLength=2))
    yield Row(f"{prefix}-min-items-decreased", BREAKS, slot, array(minItems=5), array(minItems=2))
    yield Row(f"{prefix}-min-items-unset", BREAKS, slot, array(minItems=5), array())


def _values(prefix: str, slot: str) -> Iterator[Row]:
    nullable = {"type": ["string", "null"]}
    yield Row(f"{prefix}-became-nullable", BREAKS, slot, TEXT, nullable)
    yield Row(f"{prefix}-became-not-nullable", INFORMS, slot, nullable, TEXT)
    yield Row(f"{prefix}-type-changed", BREAKS, slot, TEXT, WHOLE)
    yield Row(f"{prefix}-type-generalized", BREAKS, slot, WHOLE, NUMBER)
    yield Row(f"{prefix}-type-specialized", INFORMS, slot, NUMBER, WHOLE)
    yield Row(f"{prefix}-list-of-types-widened", BREAKS, slot, TEXT, {"type": ["string", "boolean"]})
    yield Row(f"{prefix}-list-of-types-narrowed", INFORMS, slot, {"type": ["string", "boolean"]}, TEXT)
    yield Row(f"{prefix}-const-added", INFORMS, slot, TEXT, text(const="a"))
    yield Row(f"{prefix}-const-removed", BREAKS, slot, text(const="a"), TEXT)
    yield Row(f"{prefix}-const-changed", BREAKS, slot, text(const="a"), text(const="b"))
    for word, old, new in (("added", TEXT, text(default="x")), ("removed", text(default="x"), TEXT)):
        yield Row(f"{prefix}-default-value-{word}", INFORMS, slot, old, new)
    yield Row(f"{prefix}-default-value-changed", INFORMS, slot, text(default="x"), text(default="y"))
    few, more = text(enum=["a", "b"]), text(enum=["a", "b", "c"])
    removed = (
        "response-property-enum-value-removed"
        if slot == "answer"
        else "response-mediatype-enum-value-removed"
    )
    yield Row(removed, INFORMS, slot, more, few)
    if slot == "answer":
        yield Row("response-property-enum-value-added", WARNS, slot, few, more)


def _alternatives(prefix: str, slot: str) -> Iterator[Row]:
    two, three = [TEXT, WHOLE], [TEXT, WHOLE, array()]
    yield Row(f"{prefix}-one-of-added", BREAKS, slot, {"oneOf": two}, {"oneOf": three})
    yield Row(f"{prefix}-one-of-removed", INFORMS, slot, {"oneOf": three}, {"oneOf": two})
    yield Row(f"{prefix}-any-of-added", INFORMS, slot, {"anyOf": two}, {"anyOf": three}, BREAKS, _ANY_OF)
    yield Row(f"{prefix}-any-of-removed", INFORMS, slot, {"anyOf": three}, {"anyOf": two})
    base, more = {"allOf": [array()]}, {"allOf": [array(), {"maxItems": 9}]}
    yield Row(f"{prefix}-all-of-added", INFORMS, slot, base, more)
    yield Row(f"{prefix}-all-of-removed", INFORMS, slot, more, base, BREAKS, _ALL_OF)
    said = {"allOf": [array(), {"description": "Words."}]}
    yield Row(f"{prefix}-all-of-added-annotation-only", INFORMS, slot, base, said)
    yield Row(f"{prefix}-all-of-removed-annotation-only", INFORMS, slot, said, base)
    if slot == "result":
        yield Row(f"{prefix}-wrapped-in-one-of", BREAKS, slot, array(), {"oneOf": [array(), WHOLE]})


def _structures(prefix: str, slot: str) -> Iterator[Row]:
    def pair(word: str, old: Any, new: Any) -> Iterator[Row]:
        """A promise that comes, and one that goes."""
        yield Row(f"{prefix}-{word}-added", INFORMS, slot, old, new)
        yield Row(f"{prefix}-{word}-removed", BREAKS, slot, new, old)

    base, holds = obj(a=TEXT, b=TEXT), array(contains={"const": "x"})
    asked, then = {"properties": {"a": {"const": "x"}}, "required": ["a"]}, {"required": ["b"]}
    yield from pair("if", base, {**base, "if": asked, "then": then})
    with_else = {**base, "if": asked, "then": then, "else": {"maxProperties": 1}}
    yield from pair("else", {**base, "if": asked, "then": then}, with_else)
    yield from pair("then", {key: one for key, one in with_else.items() if key != "then"}, with_else)
    yield from pair("contains", array(), holds)
    yield Row(
        f"{prefix}-min-contains-increased",
        INFORMS,
        slot,
        {**holds, "minContains": 2},
        {**holds, "minContains": 3},
    )
    yield Row(
        f"{prefix}-min-contains-decreased",
        BREAKS,
        slot,
        {**holds, "minContains": 3},
        {**holds, "minContains": 2},
    )
    yield Row(
        f"{prefix}-max-contains-increased",
        BREAKS,
        slot,
        {**holds, "maxContains": 2},
        {**holds, "maxContains": 3},
    )
    yield Row(
        f"{prefix}-max-contains-decreased",
        INFORMS,
        slot,
        {**holds, "maxContains": 3},
        {**holds, "maxContains": 2},
    )
    needs = {**base, "dependentRequired": {"a": ["b"]}}
    yield from pair("dependent-required", base, needs)
    changed = {**base, "dependentRequired": {"b": ["a"]}}
    yield Row(f"{prefix}-dependent-required-changed", BREAKS, slot, needs, changed)
    yield from pair("dependent-schema", base, {**base, "dependentSchemas": {"a": then}})
    yield from pair("pattern-property", base, {**base, "patternProperties": {"^x-": WHOLE}})
    yield from pair("property-names", base, {**base, "propertyNames": {"maxLength": 8}})
    one = {"type": "array", "prefixItems": [TEXT], "items": False}
    two = {"type": "array", "prefixItems": [TEXT, WHOLE], "items": False}
    yield Row(f"{prefix}-prefix-items-added", BREAKS, slot, one, two)
    yield Row(f"{prefix}-prefix-items-removed", INFORMS, slot, two, one)
    closed, open_ = {**base, "unevaluatedProperties": False}, base
    yield Row(f"{prefix}-unevaluated-properties-added", INFORMS, slot, open_, closed)
    yield Row(f"{prefix}-unevaluated-properties-removed", BREAKS, slot, closed, open_, INFORMS, _OPEN)


def _properties() -> Iterator[Row]:
    one, both, needed = obj(a=TEXT), obj(a=TEXT, b=TEXT), obj(("b",), a=TEXT, b=TEXT)
    for slot in ("result", "answer"):
        yield Row("response-optional-property-removed", WARNS, slot, both, one)
        yield Row("response-optional-property-added", INFORMS, slot, one, both)
        yield Row("response-required-property-removed", BREAKS, slot, needed, one)
        yield Row("response-required-property-added", INFORMS, slot, one, needed)
        yield Row("response-property-became-optional", BREAKS, slot, needed, both)
        yield Row("response-property-became-required", INFORMS, slot, both, needed)


def _write_only() -> Iterator[Row]:
    secret = text(writeOnly=True)
    for word, required, gone in (("optional", (), WARNS), ("required", ("b",), BREAKS)):
        plain, marked = obj(required, a=TEXT, b=TEXT), obj(required, a=TEXT, b=secret)
        rule = f"response-{word}-property-became"
        yield Row(f"{rule}-write-only", INFORMS, "result", plain, marked, gone, _WRITE_ONLY)
        level, ours = (WARNS, {"ours": INFORMS, "why": _READABLE}) if required else (INFORMS, {})
        yield Row(f"{rule}-not-write-only", level, "result", marked, plain, **ours)
        read = obj(required, a=TEXT, b=text(readOnly=True))
        yield Row(f"{rule}-read-only", INFORMS, "result", plain, read)
        yield Row(f"{rule}-not-read-only", INFORMS, "result", read, plain)
        rest = obj(a=TEXT)
        yield Row(f"response-{word}-write-only-property-removed", INFORMS, "result", marked, rest)
        yield Row(f"response-{word}-write-only-property-added", INFORMS, "result", rest, marked)
    needed, optional = obj(("b",), a=TEXT, b=secret), obj(a=TEXT, b=secret)
    yield Row("response-write-only-property-became-optional", INFORMS, "result", needed, optional)
    yield Row("response-write-only-property-became-required", INFORMS, "result", optional, needed)
    few, more = text(writeOnly=True, enum=["a"]), text(writeOnly=True, enum=["a", "b"])
    yield Row("response-write-only-property-enum-value-added", INFORMS, "result", obj(b=few), obj(b=more))


def _patterns() -> Iterator[Row]:
    yield Row("response-property-pattern-added", INFORMS, "answer", TEXT, text(pattern="^a"))
    yield Row("response-property-pattern-changed", INFORMS, "answer", text(pattern="^a"), text(pattern="^b"))
    yield Row("response-property-pattern-removed", INFORMS, "answer", text(pattern="^a"), TEXT)

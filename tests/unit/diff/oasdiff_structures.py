"""Rules for what is in objects and lists of requests, and for conditions and alternatives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .oasdiff_rows import BREAKS, INFORMS, TEXT, WARNS, WHOLE, Row, array, obj, text, whole

_GONE = "A tool takes no arguments that it doesn't know: calls with the old one are refused."
_READ_ONLY = "What the API sets itself is no argument, so that calls with it are refused."
_ALL_OF = "A condition less: every call that was valid still is."
_WRAPPED = "Every value that was valid is one of the alternatives, which are published as `anyOf`."


def rows() -> Iterator[Row]:
    yield from _properties()
    yield from _read_only()
    yield from _alternatives()
    yield from _conditions()
    yield from _lists()
    yield from _keys()
    yield from _discriminators()


def _properties() -> Iterator[Row]:
    one, both = obj(a=TEXT), obj(a=TEXT, b=WHOLE)
    needed = obj(("b",), a=TEXT, b=WHOLE)
    default = obj(("b",), a=TEXT, b=whole(default=1))
    optional_default = obj(a=TEXT, b=whole(default=1))
    yield Row("new-optional-request-property", INFORMS, "fields", one, both)
    yield Row("new-required-request-property", BREAKS, "fields", one, needed)
    yield Row("new-required-request-property-with-default", BREAKS, "fields", one, default)
    yield Row("request-property-became-required", BREAKS, "fields", both, needed)
    yield Row("request-property-became-required-with-default", BREAKS, "fields", optional_default, default)
    yield Row("request-property-became-optional", INFORMS, "fields", needed, both)
    yield Row("request-property-removed", WARNS, "fields", both, one, BREAKS, _GONE)
    # The same within an argument, which may have further properties.
    for rule, level, old, new in (
        ("new-optional-request-property", INFORMS, one, both),
        ("new-required-request-property", BREAKS, one, needed),
        ("request-property-became-required", BREAKS, both, needed),
        ("request-property-became-optional", INFORMS, needed, both),
        ("request-property-removed", WARNS, both, one),
    ):
        yield Row(rule, level, "property", old, new)


def _read_only() -> Iterator[Row]:
    """What only answers hold (`readOnly`) or only requests (`writeOnly`) is not published elsewhere."""
    plain, marked = obj(a=TEXT, b=TEXT), obj(a=TEXT, b=text(readOnly=True))
    yield Row(
        "request-optional-property-became-read-only", INFORMS, "fields", plain, marked, BREAKS, _READ_ONLY
    )
    yield Row("request-optional-property-became-not-read-only", INFORMS, "fields", marked, plain)
    secret = obj(a=TEXT, b=text(writeOnly=True))
    yield Row("request-optional-property-became-write-only", INFORMS, "fields", plain, secret)
    yield Row("request-optional-property-became-not-write-only", INFORMS, "fields", secret, plain)
    for key, name in (("maximum", "max-decreased"), ("exclusiveMaximum", "exclusive-max-decreased")):
        old, new = whole(readOnly=True, **{key: 9}), whole(readOnly=True, **{key: 5})
        yield Row(
            f"request-read-only-property-{name}", INFORMS, "fields", obj(a=TEXT, b=old), obj(a=TEXT, b=new)
        )
    for key, name in (("minimum", "min-increased"), ("exclusiveMinimum", "exclusive-min-increased")):
        old, new = whole(readOnly=True, **{key: 5}), whole(readOnly=True, **{key: 9})
        yield Row(
            f"request-read-only-property-{name}", INFORMS, "fields", obj(a=TEXT, b=old), obj(a=TEXT, b=new)
        )
    old, new = text(readOnly=True, maxLength=9), text(readOnly=True, maxLength=5)
    rule = "request-read-only-property-max-length-decreased"
    yield Row(rule, INFORMS, "fields", obj(a=TEXT, b=old), obj(a=TEXT, b=new))
    old, new = text(readOnly=True, enum=["x", "y"]), text(readOnly=True, enum=["x"])
    rule = "request-read-only-property-enum-value-removed"
    yield Row(rule, INFORMS, "fields", obj(a=TEXT, b=old), obj(a=TEXT, b=new))


def _alternatives() -> Iterator[Row]:
    two, three = [TEXT, WHOLE], [TEXT, WHOLE, array()]
    for prefix, slot in (("request-property", "property"), ("request-body", "body")):
        for word, key in (("any-of", "anyOf"), ("one-of", "oneOf")):
            yield Row(f"{prefix}-{word}-added", INFORMS, slot, {key: two}, {key: three})
            yield Row(f"{prefix}-{word}-removed", BREAKS, slot, {key: three}, {key: two})
        base, more = {"allOf": [array()]}, {
            "allOf": [array(), {"maxItems": 5, "minItems": 1, "not": {"const": []}}]
        }
        yield Row(f"{prefix}-all-of-added", BREAKS, slot, base, more)
        yield Row(f"{prefix}-all-of-removed", WARNS, slot, more, base, INFORMS, _ALL_OF)
        said = {"allOf": [array(), {"description": "A list of words."}]}
        yield Row(f"{prefix}-all-of-added-annotation-only", INFORMS, slot, base, said)
        yield Row(f"{prefix}-all-of-removed-annotation-only", INFORMS, slot, said, base)
    wrapped = {"oneOf": [array(), WHOLE]}
    yield Row("request-body-wrapped-in-one-of", BREAKS, "body", array(), wrapped, INFORMS, _WRAPPED)


def _both(rule: str, level: str, old: Any, new: Any) -> Iterator[Row]:
    """A rule for a property, and the same for the whole body where it is a list."""
    yield Row(f"request-property-{rule}", level, "property", old, new)
    if old.get("type") == "array":
        yield Row(f"request-body-{rule}", level, "body", old, new)


def _pair(word: str, old: Any, new: Any) -> Iterator[Row]:
    """A restriction that comes, and one that goes."""
    yield from _both(f"{word}-added", BREAKS, old, new)
    yield from _both(f"{word}-removed", INFORMS, new, old)


def _conditions() -> Iterator[Row]:
    base = obj(a=TEXT, b=TEXT, c=TEXT)
    asked = {"properties": {"a": {"const": "x"}}, "required": ["a"]}
    then, other = {"required": ["b"]}, {"required": ["c"]}
    yield from _pair("if", base, {**base, "if": asked, "then": then})
    yield from _pair(
        "then", {**base, "if": asked, "else": other}, {**base, "if": asked, "then": then, "else": other}
    )
    yield from _pair(
        "else", {**base, "if": asked, "then": then}, {**base, "if": asked, "then": then, "else": other}
    )
    yield from _pair("dependent-schema", base, {**base, "dependentSchemas": {"a": then}})
    needs, more = {"dependentRequired": {"a": ["b"]}}, {"dependentRequired": {"a": ["c"]}}
    yield from _pair("dependent-required", base, {**base, **needs})
    yield from _both("dependent-required-changed", BREAKS, {**base, **needs}, {**base, **more})


def _lists() -> Iterator[Row]:
    holds = array(contains={"const": "x"})
    yield from _pair("contains", array(), holds)
    yield from _both(
        "min-contains-increased", BREAKS, {**holds, "minContains": 2}, {**holds, "minContains": 3}
    )
    yield from _both(
        "min-contains-decreased", INFORMS, {**holds, "minContains": 3}, {**holds, "minContains": 2}
    )
    yield from _both(
        "max-contains-increased", INFORMS, {**holds, "maxContains": 3}, {**holds, "maxContains": 4}
    )
    yield from _both(
        "max-contains-decreased", BREAKS, {**holds, "maxContains": 4}, {**holds, "maxContains": 3}
    )
    one = {"type": "array", "prefixItems": [TEXT], "items": False}
    two = {"type": "array", "prefixItems": [TEXT, WHOLE], "items": False}
    yield from _both("prefix-items-added", INFORMS, one, two)
    yield from _both("prefix-items-removed", BREAKS, two, one)
    open_ = {"type": "array", "prefixItems": [TEXT]}
    yield from _pair("unevaluated-items", open_, {**open_, "unevaluatedItems": False})


def _keys() -> Iterator[Row]:
    base = obj(a=TEXT)
    yield from _pair("pattern-property", base, {**base, "patternProperties": {"^x-": WHOLE}})
    yield from _pair("property-names", base, {**base, "propertyNames": {"maxLength": 8}})
    yield from _pair("unevaluated-properties", base, {**base, "unevaluatedProperties": False})


def schemas() -> dict[str, Any]:
    """The components that rows refer to."""
    cat, dog = obj(("kind", "m"), kind=TEXT, m=WHOLE), obj(("kind", "b"), kind=TEXT, b=TEXT)
    return {"Cat": cat, "Dog": dog}


def _discriminators() -> Iterator[Row]:
    refs = [{"$ref": f"#/components/schemas/{name}"} for name in schemas()]

    def choice(**more: Any) -> dict[str, Any]:
        return {"oneOf": refs, **({"discriminator": more} if more else {})}

    by = {"propertyName": "kind"}
    other = {"propertyName": "kind", "mapping": {"cat": refs[0]["$ref"]}}
    changed = {"propertyName": "kind", "mapping": {"tom": refs[0]["$ref"]}}
    for prefix, slot in (("request-property", "property"), ("response-property", "answer")):
        yield Row(f"{prefix}-discriminator-added", INFORMS, slot, choice(), choice(**by))
        yield Row(f"{prefix}-discriminator-removed", INFORMS, slot, choice(**by), choice())
        yield Row(f"{prefix}-discriminator-mapping-added", INFORMS, slot, choice(**by), choice(**other))
        yield Row(f"{prefix}-discriminator-mapping-deleted", INFORMS, slot, choice(**other), choice(**by))
        yield Row(
            f"{prefix}-discriminator-mapping-changed", INFORMS, slot, choice(**other), choice(**changed)
        )

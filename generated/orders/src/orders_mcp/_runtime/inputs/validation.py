"""Words for arguments that break the published schema: which field, what was expected, what was close.

The messages are built from the schema, not from the validator's own texts: those quote the value, which can
be long or secret.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from ..patterns.keywords import is_named
from ..schemas import SchemaReader
from ..values import compact_json, kind_of
from .checking import ArgumentCheck

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

_MOST = 12


def complaints(check: ArgumentCheck, arguments: dict[str, Any]) -> list[str]:
    """What is wrong with the arguments, one text for each bad field; empty when they keep the schema."""
    reader = SchemaReader(check.schema)
    errors = sorted(
        check.errors(arguments),
        key=lambda e: [str(p) for p in e.absolute_path],
    )
    found = [text for error in errors for text in _told(error, reader)]
    return list(dict.fromkeys(found))[:_MOST]


def _told(error: ValidationError, reader: SchemaReader) -> Iterable[str]:
    """The complaint where it can be acted on: inside a union, that of the branch that is meant."""
    if error.validator in ("anyOf", "oneOf") and error.context:
        inner = _likely_branch(error)
        if inner:
            return [text for one in inner for text in _told(one, reader)]
    tell = _TELLERS.get(str(error.validator), _other)
    return tell(error, reader)


def _likely_branch(error: ValidationError) -> list[ValidationError]:
    """Errors of the one branch that fits by its type and constants; none if that is not clear."""
    branches: dict[Any, list[ValidationError]] = {}
    for inner in error.context or ():
        branches.setdefault(inner.schema_path[0], []).append(inner)
    fitting = [
        found
        for found in branches.values()
        if not any(e.validator in ("type", "const", "enum") and len(e.path) <= 1 for e in found)
    ]
    return fitting[0] if len(fitting) == 1 else []


def _place(error: ValidationError) -> str:
    text = ""
    for step in error.absolute_path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else str(step)
    return text


def _inside(error: ValidationError, name: str) -> str:
    place = _place(error)
    return f"{place}.{name}" if place else name


def _required(error: ValidationError, reader: SchemaReader) -> Iterable[str]:
    wanted: Any = error.validator_value
    given: Any = error.instance
    for name in wanted:
        if name not in given:
            expected = reader.describe(reader.property_schema(error.schema, name) or {})
            yield f"`{_inside(error, name)}` is missing (expected: {expected})"


def _needed_together(error: ValidationError, reader: SchemaReader) -> Iterable[str]:
    wanted: Any = error.validator_value
    given: Any = error.instance
    for name in (name for name in wanted if name in given):
        for other in (other for other in wanted[name] if other not in given):
            yield f"`{_inside(error, other)}` is missing: it goes with `{_inside(error, name)}`"


def _unknown_names(error: ValidationError, reader: SchemaReader) -> Iterable[str]:
    known = reader.property_names(error.schema)
    given: Any = error.instance
    patterns = error.schema.get("patternProperties", {}) if isinstance(error.schema, dict) else {}
    for name in given:
        if name not in known and not is_named(name, patterns):
            close = close_names(name, [k for k in known if k not in given] or known)
            kind = "field" if error.absolute_path else "argument"
            meant = f" (did you mean {' or '.join(f'`{c}`' for c in close)}?)" if close else ""
            yield f"`{_inside(error, str(name)[:80])}` is no {kind} of this tool{meant}"


def close_names(name: str, known: Iterable[str]) -> list[str]:
    """Known names that a wrong one was probably meant to be; case and separators don't count."""
    plain = {_plain(candidate): candidate for candidate in known}
    return [plain[hit] for hit in difflib.get_close_matches(_plain(name), plain, n=2, cutoff=0.6)]


def _plain(name: str) -> str:
    return "".join(c for c in name.lower() if c.isalnum())


def _wrong_type(error: ValidationError, reader: SchemaReader) -> Iterable[str]:
    yield f"`{_place(error)}` must be {reader.describe(error.schema)}, not {_kind(error)}"


def _kind(error: ValidationError) -> str:
    try:
        return kind_of(error.instance)
    except TypeError:
        return "this"


def _no_such_value(error: ValidationError, reader: SchemaReader) -> Iterable[str]:
    wanted: Any = error.validator_value
    allowed: list[Any] = wanted if error.validator == "enum" else [wanted]
    close = []
    if isinstance(error.instance, str):
        close = close_names(error.instance, [v for v in allowed if isinstance(v, str)])
    meant = f" (did you mean {compact_json(close[0])}?)" if close else ""
    yield f"`{_place(error)}` must be {reader.describe(error.schema)}{meant}"


def _limit(words: str) -> Callable[[ValidationError, SchemaReader], Iterable[str]]:
    def tell(error: ValidationError, _: SchemaReader) -> Iterable[str]:
        yield f"`{_place(error)}` {words.format(error.validator_value)}"

    return tell


def _other(error: ValidationError, reader: SchemaReader) -> Iterable[str]:
    place = f"`{_place(error)}`" if error.absolute_path else "the arguments together"
    yield f"{place} must be {reader.describe(error.schema)} (rule: {error.validator})"


_TELLERS: dict[str, Callable[[ValidationError, SchemaReader], Iterable[str]]] = {
    "required": _required,
    "dependentRequired": _needed_together,
    "additionalProperties": _unknown_names,
    "unevaluatedProperties": _unknown_names,
    "type": _wrong_type,
    "enum": _no_such_value,
    "const": _no_such_value,
    "minimum": _limit("must be at least {}"),
    "maximum": _limit("must be at most {}"),
    "exclusiveMinimum": _limit("must be greater than {}"),
    "exclusiveMaximum": _limit("must be less than {}"),
    "multipleOf": _limit("must be a multiple of {}"),
    "minLength": _limit("must have at least {} characters"),
    "maxLength": _limit("must have at most {} characters"),
    "pattern": _limit("must match the pattern {}"),
    "minItems": _limit("must have at least {} items"),
    "maxItems": _limit("must have at most {} items"),
    "uniqueItems": _limit("must not repeat an item"),
    "minProperties": _limit("must have at least {} fields"),
    "maxProperties": _limit("must have at most {} fields"),
}

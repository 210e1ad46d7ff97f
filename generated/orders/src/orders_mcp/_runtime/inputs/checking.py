"""Checks against the published schemas: each belongs to its tool, its validator is made when first needed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache, cached_property
from math import isfinite
from typing import TYPE_CHECKING, Any

from ..patterns.keywords import bounded_validator, bounded_validator_with

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

_DATA_KEYWORDS = frozenset({"enum", "const", "default", "examples", "example"})


class ArgumentCheck:
    """How arguments break one published schema. Formats are annotations only, as in 2020-12."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self.schema = schema

    def errors(self, arguments: Any) -> Iterator[ValidationError]:
        """Every break of the schema, in no order."""
        return self._validator.iter_errors(arguments)

    @cached_property
    def _validator(self) -> Draft202012Validator:
        return _exact_validator()(_usable(self.schema))


class DataCheck:
    """How answers break the schema that one tool publishes for its `data`.

    The data schema is checked inside its envelope, because its references point into the whole document, and
    with the stock keywords, because that is what clients check the result with, but that patterns are bounded.
    """

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self.schema = schema

    def error(self, data: Any) -> ValidationError | None:
        """The first break that is found; None when the data keeps the schema."""
        return next(iter(self._validator.iter_errors({"data": data})), None)

    @cached_property
    def _validator(self) -> Draft202012Validator:
        envelope = {"properties": {"data": self.schema.get("properties", {}).get("data", {})}}
        if "$defs" in self.schema:
            envelope["$defs"] = self.schema["$defs"]
        return bounded_validator()(_usable(envelope))


@cache
def _exact_validator() -> type[Draft202012Validator]:
    return bounded_validator_with(multipleOf=_multiple_of)


def _multiple_of(validator: Any, factor: Any, value: Any, _: Any) -> Iterator[ValidationError]:
    """`multipleOf` without rounding: in floating point, 19.99 is no multiple of 0.01."""
    from jsonschema.exceptions import ValidationError

    if not validator.is_type(value, "number"):
        return
    infinite = isinstance(value, float) and not isfinite(value)  # `1e999` is JSON
    if infinite or Fraction(str(value)) % Fraction(str(factor)):
        yield ValidationError(f"not a multiple of {factor}")


def _usable(schema: Any) -> Any:
    """The schema without the patterns that Python can't compile: ECMA 262 knows more (`\\p{L}`)."""
    if isinstance(schema, list):
        return [_usable(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    usable = {}
    for key, value in schema.items():
        if key == "pattern" and isinstance(value, str) and not _compiles(value):
            continue
        if key == "patternProperties" and isinstance(value, Mapping):
            # What a foreign pattern stands for is not known, so every name may be one of its names.
            usable[key] = {name: _usable(inner) for name, inner in value.items() if _compiles(name)}
            usable[key] |= {} if len(usable[key]) == len(value) else {"^": {}}
        else:
            usable[key] = value if key in _DATA_KEYWORDS else _usable(value)
    return usable


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return False
    return True

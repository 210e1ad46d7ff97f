"""Checks against the published schemas: each belongs to its tool, its validator is made when first needed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

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
    with the stock validator, because that is what clients check the result with.
    """

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self.schema = schema

    def error(self, data: Any) -> ValidationError | None:
        """The first break that is found; None when the data keeps the schema."""
        return next(iter(self._validator.iter_errors({"data": data})), None)

    @cached_property
    def _validator(self) -> Draft202012Validator:
        from jsonschema import Draft202012Validator  # 0.1 s, which no server start should pay

        envelope = {"properties": {"data": self.schema.get("properties", {}).get("data", {})}}
        if "$defs" in self.schema:
            envelope["$defs"] = self.schema["$defs"]
        return Draft202012Validator(_usable(envelope))


@cache
def _exact_validator() -> type[Draft202012Validator]:
    """2020-12 with exact `multipleOf`: in floating point, 19.99 is no multiple of 0.01."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError
    from jsonschema.validators import extend

    def multiple_of(validator: Any, factor: Any, value: Any, _: Any) -> Iterator[ValidationError]:
        if validator.is_type(value, "number") and Fraction(str(value)) % Fraction(str(factor)):
            yield ValidationError(f"not a multiple of {factor}")

    made: type[Draft202012Validator] = extend(  # type: ignore[no-untyped-call]
        Draft202012Validator, {"multipleOf": multiple_of}
    )
    return made


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

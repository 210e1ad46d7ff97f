"""Validators for the published schemas, made once per tool and only when first needed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

_DATA_KEYWORDS = frozenset({"enum", "const", "default", "examples", "example"})
_inputs: dict[int, tuple[Mapping[str, Any], Draft202012Validator]] = {}
_outputs: dict[int, tuple[Mapping[str, Any], Draft202012Validator]] = {}


def argument_errors(input_schema: Mapping[str, Any], arguments: Any) -> Iterator[ValidationError]:
    """How arguments break the published schema. Formats are annotations only, as in 2020-12.

    The schema has to live as long as the process: its validator is kept.
    """
    held = _inputs.get(id(input_schema))
    if held is None:
        held = _inputs[id(input_schema)] = (input_schema, _exact_validator()(_usable(input_schema)))
    return held[1].iter_errors(arguments)


def data_error(output_schema: Mapping[str, Any], data: Any) -> ValidationError | None:
    """How `data` breaks the schema that the tool publishes for it; None when it keeps it.

    The data schema is checked inside its envelope, because its references point into the whole document, and
    with the stock validator, because that is what clients check the result with.
    """
    held = _outputs.get(id(output_schema))
    if held is None:
        from jsonschema import Draft202012Validator  # 0.1 s, which no server start should pay

        envelope = {"properties": {"data": output_schema.get("properties", {}).get("data", {})}}
        if "$defs" in output_schema:
            envelope["$defs"] = output_schema["$defs"]
        held = _outputs[id(output_schema)] = (output_schema, Draft202012Validator(_usable(envelope)))
    return next(iter(held[1].iter_errors({"data": data})), None)


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

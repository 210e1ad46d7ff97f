"""The keywords of JSON Schema that match patterns or follow references, for `jsonschema`'s validators.

What stays open refuses nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from .matching import LONGEST_NAME, matches
from .steps import bound, each_for_itself, take_step

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

Keyword = Callable[[Any, Any, Any, Any], Iterator["ValidationError"]]


@cache
def bounded_validator() -> type[Draft202012Validator]:
    """The class of JSON Schema 2020-12 with bounded patterns and references."""
    from jsonschema import Draft202012Validator  # 0.1 s, which no server start should pay

    return _extended(
        Draft202012Validator,
        {
            "properties": _properties,
            "$ref": _reference,
            "$dynamicRef": _dynamic_reference,
            "pattern": _pattern,
            "patternProperties": _pattern_properties,
            "additionalProperties": _additional_properties,
            "unevaluatedProperties": _unevaluated_properties,
        },
    )


def bounded_validator_with(**own: Keyword) -> type[Draft202012Validator]:
    """The same with own keywords; a class is costly to make."""
    return _extended(bounded_validator(), own)


def _extended(base: type[Draft202012Validator], own: Mapping[str, Keyword]) -> type[Draft202012Validator]:
    from jsonschema.validators import extend

    made: type[Draft202012Validator] = extend(base, own)  # type: ignore[no-untyped-call]
    bound(made)
    return made


def is_named(name: str, patterns: Iterable[str]) -> bool:
    """Whether a property is one of `patternProperties`; where that stays open, it is."""
    return any(matches(pattern, name) is not False for pattern in patterns)


def _properties(validator: Any, told: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if isinstance(instance, dict):
        for name, inner in told.items():
            if name in instance:
                errors = validator.descend(instance[name], inner, path=name, schema_path=name)
                yield from each_for_itself(schema, errors)


def _reference(validator: Any, told: str, instance: Any, schema: Any) -> Iterator[ValidationError]:
    take_step()
    yield from _stock("$ref")(validator, told, instance, schema)


def _dynamic_reference(validator: Any, told: str, instance: Any, schema: Any) -> Iterator[ValidationError]:
    take_step()
    yield from _stock("$dynamicRef")(validator, told, instance, schema)


@cache
def _stock(keyword: str) -> Keyword:
    from jsonschema import Draft202012Validator

    found: Keyword = Draft202012Validator.VALIDATORS[keyword]
    return found


def _pattern(validator: Any, pattern: str, instance: Any, schema: Any) -> Iterator[ValidationError]:
    from jsonschema.exceptions import ValidationError

    if isinstance(instance, str) and matches(pattern, instance) is False:
        yield ValidationError("the text does not match its pattern")


def _pattern_properties(validator: Any, told: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if isinstance(instance, dict):
        for pattern, inner in told.items():
            for name, value in instance.items():
                if matches(pattern, name):
                    yield from validator.descend(value, inner, path=name, schema_path=pattern)


def _additional_properties(
    validator: Any, told: Any, instance: Any, schema: Any
) -> Iterator[ValidationError]:
    from jsonschema.exceptions import ValidationError

    if not isinstance(instance, dict):
        return
    known, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    others = [name for name in instance if name not in known and not is_named(name, patterns)]
    if told is False and others:
        yield ValidationError(f"{len(others)} properties are unknown")
    elif isinstance(told, dict):
        for name in others:
            yield from validator.descend(instance[name], told, path=name)


def _unevaluated_properties(
    validator: Any, told: Any, instance: Any, schema: Any
) -> Iterator[ValidationError]:
    """As `jsonschema` does it, which uses `re`: for names of usual length, and patterns that are light (see `is_light`)."""
    from jsonschema.exceptions import ValidationError

    if not isinstance(instance, dict):
        return
    usual = {name: value for name, value in instance.items() if len(name) <= LONGEST_NAME}
    yield from _stock("unevaluatedProperties")(validator, told, usual, schema)
    unknown = instance.keys() - usual.keys() - schema.get("properties", {}).keys()
    if told is False and unknown:
        yield ValidationError(f"{len(unknown)} properties are unknown")

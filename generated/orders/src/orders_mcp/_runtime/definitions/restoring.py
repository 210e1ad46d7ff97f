"""From what a model gives under a strict schema back to what the tool's own schema wants: null means absent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..patterns.keywords import bounded_validator
from ..schemas import SchemaReader
from ..values import JsonObject, kind_of
from .model import step
from .strict import StrictSchema

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator


class Restorer:
    """Leads arguments of one strict tool back.

    Whatever keeps the strict schema keeps the tool's own one afterwards, but for rules that are only in words. What
    keeps neither is left as it is where it can't be understood: the call is checked later.
    """

    def __init__(self, strict: StrictSchema) -> None:
        self._strict = strict
        self._reader = SchemaReader(strict.source)
        self._checks: dict[str, Draft202012Validator] = {}

    def restored(self, arguments: JsonObject) -> JsonObject:
        """The arguments without the nulls that stand for what was left out."""
        found: JsonObject = self._value(arguments, self._strict.source, "")
        return found

    def _value(self, value: Any, told: Any, place: str) -> Any:
        if not isinstance(told, Mapping) or not isinstance(value, dict | list):
            return value
        if "$ref" in told:
            return self._value(value, *self._strict.target(told["$ref"]))
        if "anyOf" in told:
            number = self._branch(value, told["anyOf"], place)
            return (
                value
                if number is None
                else self._value(value, told["anyOf"][number], step(place, "anyOf", number))
            )
        if isinstance(value, list):
            where = step(place, "items")
            return [self._value(item, told.get("items"), where) for item in value]
        required, properties = told.get("required", ()), told.get("properties", {})
        return {
            name: self._value(member, properties.get(name), step(place, "properties", name))
            for name, member in value.items()
            if member is not None or name in required or name not in properties
        }

    def _branch(self, value: Any, branches: list[Any], place: str) -> int | None:
        """Which alternative the model has chosen: the first whose strict schema takes the value."""
        kind = kind_of(value)
        numbers = [n for n, branch in enumerate(branches) if kind in self._reader.types(branch)]
        if len(numbers) == 1:
            return numbers[0]
        return next((n for n in numbers if self._check(step(place, "anyOf", n)).is_valid(value)), None)

    def _check(self, place: str) -> Draft202012Validator:
        if place not in self._checks:
            schema = {**self._strict.branches[place], "$defs": self._strict.defs}
            self._checks[place] = bounded_validator()(schema)
        return self._checks[place]

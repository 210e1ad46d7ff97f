"""Whether a value fits a schema of the `Api`, in one direction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Literal, TypeAlias

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match
from jsonschema.protocols import Validator
from jsonschema.validators import extend
from referencing.exceptions import Unresolvable

from mcpgen.ir.api import Schema
from mcpgen.ir.merging import hidden_properties
from mcpgen.plan.examples.texts import matches

Direction: TypeAlias = Literal["request", "response"]
_LONGEST = 200
HIDDEN_BY: Mapping[Direction, str] = {"request": "readOnly", "response": "writeOnly"}


class Checker:
    """Checks values against schemas that refer to `#/components/schemas/NAME`.

    Differs from plain JSON Schema in two points: a property that does not travel in this direction is not required
    (OpenAPI 3.2, Schema Object; JSON Schema Validation, 9.4), and a pattern that Python can't read refuses nothing.
    """

    def __init__(self, schemas: Mapping[str, Schema], direction: Direction) -> None:
        self._components = {"schemas": schemas}
        self.schemas = schemas
        self.hidden_by = HIDDEN_BY[direction]

    @cached_property
    def _validator(self) -> Any:
        """Made when it is first needed: it costs a class, and most values are right by the way they are built."""
        own = {"required": self._required, "pattern": _pattern}
        return extend(Draft202012Validator, own)  # type: ignore[no-untyped-call]

    def fits(self, value: object, schema: Schema) -> bool:
        """Whether the value is valid. A schema that leads nowhere, or in a circle, fits nothing."""
        document = {**schema, "components": self._components}
        try:
            return bool(self._validator(document).is_valid(value))
        except (Unresolvable, RecursionError, TypeError, ValueError, OverflowError):
            return False

    def problem(self, value: object, schema: Schema) -> str | None:
        """Why the value is not valid, shortly; None where it is."""
        document = {**schema, "components": self._components}
        try:
            error = best_match(self._validator(document).iter_errors(value))
        except (Unresolvable, RecursionError, TypeError, ValueError, OverflowError):
            return "the schema leads nowhere"
        if error is None:
            return None
        place = "".join(f".{step}" for step in error.absolute_path)
        text = error.message if len(error.message) <= _LONGEST else f"{error.message[:_LONGEST]}…"
        return f"{place[1:]}: {text}" if place else text

    def _required(
        self, validator: Validator, required: list[str], instance: object, schema: Schema
    ) -> Iterator[ValidationError]:
        if not isinstance(instance, dict):
            return
        missing = [name for name in required if name not in instance]
        if missing and set(missing) - hidden_properties(schema, self.schemas, self.hidden_by):
            yield ValidationError(f"{missing} are missing")


def _pattern(validator: Validator, pattern: str, instance: Any, schema: Schema) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not matches(pattern, instance):
        yield ValidationError("the text does not match its pattern")

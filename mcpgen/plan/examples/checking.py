"""Whether a value fits a schema of the `Api`, in one direction."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Literal, TypeAlias

from jsonschema.exceptions import ValidationError, best_match
from jsonschema.protocols import Validator
from referencing.exceptions import Unresolvable

from mcpgen.ir.api import Schema
from mcpgen.ir.merging import Names, flatten, hidden_properties, marked
from mcpgen.ir.references import referenced
from mcpgen.runtime.patterns.keywords import Keyword, bounded_validator, bounded_validator_with
from mcpgen.runtime.patterns.steps import take_step

Direction: TypeAlias = Literal["request", "response"]
_LONGEST = 200
_MOST_KEPT = 50_000
_PLAIN_NAME = re.compile(r"[\w.$-]+", re.ASCII)
"""A name that is the same in a pointer, in an address and by itself."""
HIDDEN_BY: Mapping[Direction, str] = {"request": "readOnly", "response": "writeOnly"}


class Checker:
    """Checks values against schemas that refer to `#/components/schemas/NAME`.

    Differs from plain JSON Schema in two points: a property that does not travel in this direction is not required
    (OpenAPI 3.2, Schema Object; JSON Schema Validation, 9.4), and a pattern that generated servers do not check refuses nothing.
    """

    def __init__(self, schemas: Mapping[str, Schema], direction: Direction) -> None:
        self._components = {"schemas": schemas}
        self.schemas = schemas
        self.hidden_by = HIDDEN_BY[direction]
        self._flat: dict[int, tuple[Schema, tuple[dict[str, Any], Names]]] = {}
        self._hidden: dict[int, tuple[Schema, Names]] = {}
        self._marked: dict[str, bool] = {}

    def flat(self, schema: Schema) -> tuple[dict[str, Any], Names]:
        """As `flatten`; the answer is kept, because values are made and checked for the same schemas over and over."""
        known = self._flat.get(id(schema))
        if known is None:
            if len(self._flat) >= _MOST_KEPT:
                self._flat.clear()
            # The schema is held with its answer: while it is, no other object has its identity.
            known = self._flat[id(schema)] = schema, flatten(schema, self.schemas)
        return known[1]

    def hidden(self, schema: Schema) -> Names:
        """As `hidden_properties`, kept in the same way."""
        known = self._hidden.get(id(schema))
        if known is None:
            if len(self._hidden) >= _MOST_KEPT:
                self._hidden.clear()
            known = self._hidden[id(schema)] = schema, hidden_properties(schema, self.schemas, self.hidden_by)
        return known[1]

    def travels(self, schema: Schema) -> bool:
        """Whether a property of this schema goes in this direction. Found once for each component: all may refer to all."""
        name = referenced(schema) if len(schema) == 1 else None
        if name is None:
            return not marked(schema, self.schemas, self.hidden_by)
        if name not in self._marked:
            self._marked[name] = marked(schema, self.schemas, self.hidden_by)
        return not self._marked[name]

    @cached_property
    def _validator(self) -> Any:
        """Made when it is first needed: it costs a class, and most values are right by the way they are built."""
        own: dict[str, Keyword] = {"required": self._required, "$ref": self._reference}
        return bounded_validator_with(**own)

    def _reference(
        self, validator: Validator, reference: str, instance: object, schema: Schema
    ) -> Iterator[ValidationError]:
        """Components are at hand: to look them up by their pointers, as the library does, takes longer than to check.

        Either way is a step of those that a check may take.
        """
        name = referenced(schema)
        if name is not None and name in self.schemas and _PLAIN_NAME.fullmatch(name):
            take_step()
            yield from validator.descend(instance, self.schemas[name])  # type: ignore[attr-defined]
        else:
            yield from bounded_validator().VALIDATORS["$ref"](validator, reference, instance, schema)

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
        if missing and set(missing) - self.hidden(schema):
            yield ValidationError(f"{missing} are missing")

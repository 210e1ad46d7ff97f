"""What the rest of mcpgen calls: one value for a schema, the spec's own where it gives a valid one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from mcpgen.ir.api import SCHEMA_PREFIX, Schema
from mcpgen.plan.examples.alternatives import NoValue
from mcpgen.plan.examples.checking import HIDDEN_BY, Checker, Direction
from mcpgen.plan.examples.sampler import Sampler
from mcpgen.plan.examples.telling import TellingSampler

JsonValue: TypeAlias = "dict[str, JsonValue] | list[JsonValue] | str | int | float | bool | None"

_DEFS_PREFIX = "#/$defs/"


class Examples:
    """Makes values for the schemas of one document."""

    def __init__(self, schemas: Mapping[str, Schema]) -> None:
        self._schemas = schemas
        self._checkers = {direction: Checker(schemas, direction) for direction in HIDDEN_BY}

    def value(self, schema: Schema, *, direction: Direction, minimal: bool = False) -> JsonValue:
        """As `example_value`."""
        root, known = _without_defs(schema, self._schemas)
        checker = self._checkers[direction] if known is self._schemas else Checker(known, direction)
        try:
            return cast(JsonValue, Sampler(checker, minimal=minimal).sample(root))
        except NoValue:
            return None

    def telling(self) -> TellingValues:
        """Values for the arguments of one call, no two alike."""
        return TellingValues(TellingSampler(self._checkers["request"], ""))

    def fits(self, value: object, schema: Schema, *, direction: Direction) -> bool:
        """As `conforms`."""
        root, known = _without_defs(schema, self._schemas)
        checker = self._checkers[direction] if known is self._schemas else Checker(known, direction)
        return checker.fits(value, root)


@dataclass(frozen=True, slots=True)
class TellingValues:
    """Makes the values of one call."""

    sampler: TellingSampler

    @property
    def texts(self) -> int:
        """How many texts in them were free to choose."""
        return self.sampler.texts

    def value(self, schema: Schema, text: str) -> JsonValue:
        """A value for a place where texts can look like `text`; None where none was found."""
        try:
            return cast(JsonValue, self.sampler.next(schema, text))
        except NoValue:
            return None


def example_value(
    schema: Schema, schemas: Mapping[str, Schema], *, direction: Direction, minimal: bool = False
) -> JsonValue:
    """One value for a schema: a valid one unless none was found, and always the same one.

    Args:
        schema: refers to `#/components/schemas/NAME`; a published schema with `$defs` of its own works as well.
        schemas: the components, by name.
        direction: `request` leaves out what is `readOnly`, `response` what is `writeOnly`.
        minimal: objects hold only what is required.
    """
    return Examples(schemas).value(schema, direction=direction, minimal=minimal)


def conforms(
    value: JsonValue, schema: Schema, schemas: Mapping[str, Schema], *, direction: Direction
) -> bool:
    """Whether a value is valid: `example_value` is a best effort where a schema contradicts itself."""
    root, known = _without_defs(schema, schemas)
    return Checker(known, direction).fits(value, root)


def _without_defs(schema: Schema, schemas: Mapping[str, Schema]) -> tuple[Schema, Mapping[str, Schema]]:
    """The schema with its own `$defs` moved to the components, under names that no component has."""
    if "$defs" not in schema:
        return schema, schemas
    moved = {f"$defs.{name}": _repointed(value) for name, value in schema["$defs"].items()}
    rest = {key: value for key, value in schema.items() if key != "$defs"}
    return _repointed(rest), {**schemas, **moved}


def _repointed(node: Any) -> Any:
    if isinstance(node, list):
        return [_repointed(item) for item in node]
    if not isinstance(node, dict):
        return node
    copy = {key: _repointed(value) for key, value in node.items()}
    reference = copy.get("$ref")
    if isinstance(reference, str) and reference.startswith(_DEFS_PREFIX):
        copy["$ref"] = f"{SCHEMA_PREFIX}$defs.{reference[len(_DEFS_PREFIX):]}"
    return copy

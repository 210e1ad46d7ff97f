"""Alternatives of a schema that the value of one property tells apart, with or without a discriminator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mcpgen.ir.api import SCHEMA_PREFIX, Schema
from mcpgen.ir.merging import flatten
from mcpgen.ir.references import referenced
from mcpgen.ir.subtypes import base_of, discriminating, subtypes
from mcpgen.plan.cutting.choices import Choice, choices_of, named_after


@dataclass(frozen=True, slots=True)
class Alternative:
    """One alternative; `choices` are the values of its properties that have listed ones, by property."""

    schema: Schema
    choices: Mapping[str, tuple[Choice, ...]]

    def admits(self, name: str, key: str) -> bool:
        """Whether the property can have the value in this alternative; one that lists none can have any."""
        choices = self.choices.get(name)
        return choices is None or any(choice.key == key for choice in choices)


def alternatives(
    schema: Schema, flat: Mapping[str, Any], schemas: Mapping[str, Schema]
) -> tuple[Alternative, ...]:
    """The alternatives of a schema, or the subtypes of a base; nothing for a plain schema.

    Args:
        schema: as it stands, references included.
        flat: the same with its references followed.
        schemas: `Api.schemas`.
    """
    name, values = discriminating(flat)
    parts = [part for key in ("oneOf", "anyOf") for part in flat.get(key, ()) if part != {"type": "null"}]
    base = base_of(schema, schemas)
    if base is not None and not parts:
        parts = [{"$ref": SCHEMA_PREFIX + one} for one in subtypes(base, schemas)]
    return tuple(_alternative(part, name, values, schemas) for part in parts)


def _alternative(
    part: Schema, name: str, values: Mapping[str, list[str]], schemas: Mapping[str, Schema]
) -> Alternative:
    flat, _ = flatten(part, schemas)
    found = {}
    for key, child in flat.get("properties", {}).items():
        if listed := fixed_choices(child, schemas):
            found[key] = listed
    target = referenced(part)
    if name and target is not None:
        said = values.get(target, ())
        own = found.get(name, ())
        # A mapping says which of the values that a shared schema lists mean this alternative.
        known = {choice.key: choice for choice in own}
        told = values.get(target) or ([] if own else [target])
        if said or not own:
            found[name] = tuple(known.get(value, Choice(value, value)) for value in told)
    described, titled = str(flat.get("description") or ""), str(flat.get("title") or "")
    for key, choices in found.items():
        if len(choices) == 1 and name in ("", key):
            found[key] = (named_after(choices[0], titled, described),)
    return Alternative(part, found)


def fixed_choices(schema: Any, schemas: Mapping[str, Schema]) -> tuple[Choice, ...]:
    """The values of a property that lists them; a boolean lists none."""
    flat = flatten(schema, schemas)[0] if isinstance(schema, Mapping) else {}
    return choices_of(schema, schemas) if {"const", "enum", "oneOf", "anyOf"} & flat.keys() else ()


def chosen_by(found: tuple[Alternative, ...]) -> dict[str, tuple[Choice, ...]]:
    """The properties that tell alternatives apart: each alternative lists values of its own."""
    if len(found) < 2:
        return {}
    names = [name for name in found[0].choices if all(name in one.choices for one in found)]
    out = {}
    for name in names:
        listed = [choice for one in found for choice in one.choices[name]]
        if len({choice.key for choice in listed}) == len(listed):
            out[name] = tuple(listed)
    return out

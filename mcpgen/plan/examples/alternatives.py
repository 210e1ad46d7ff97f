"""The alternatives of a schema: every way through `oneOf`, `anyOf` and `if`, as one flat schema each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from mcpgen.ir.api import Schema
from mcpgen.ir.merging import Names, flatten
from mcpgen.ir.references import referenced

Stack: TypeAlias = tuple[str, ...]
"""The components that a value is being made for, outermost first."""
Flattener: TypeAlias = Callable[[Schema], tuple[dict[str, Any], Names]]

_OPENINGS = 3
"""How often a component may be a part (`allOf`) of what is inside itself; common base types are."""


class NoValue(Exception):
    """A schema accepts nothing, or only values without an end."""


def merged(parts: Sequence[Schema | bool], schemas: Mapping[str, Schema]) -> dict[str, Any]:
    """One flat schema that means all of the parts."""
    return flatten({"allOf": [_as_object(part) for part in parts]}, schemas)[0]


def alternatives(
    schema: Schema, schemas: Mapping[str, Schema], stack: Stack, flat_of: Flattener
) -> Iterator[tuple[Schema, Stack]]:
    """Flat schemas without choices, in the spec's order but null last, each with its stack.

    Ways that lead back into a component of the stack are left out: they have no end. `flat_of` is `flatten` for the schemas.
    """
    names = _opened(schema)
    flat, opened = flat_of(schema)
    if set(names) & set(stack) or any(stack.count(name) >= _OPENINGS for name in opened):
        return
    inner = (*stack, *names, *sorted(opened - set(names)))
    yield from _choices(flat, schemas, inner, opened)


def _choices(
    flat: Schema, schemas: Mapping[str, Schema], stack: Stack, here: Names
) -> Iterator[tuple[Schema, Stack]]:
    """`here` are the components that the flat schema is already made of."""
    for keyword in ("oneOf", "anyOf"):
        if flat.get(keyword):
            rest = _without(flat, keyword)
            for branch in sorted(map(_as_object, flat[keyword]), key=lambda part: part.get("type") == "null"):
                names = _opened(branch)
                if set(names) & here:  # a base type that lists its subtypes, seen from one of them
                    yield from _choices(rest, schemas, stack, here)
                elif not set(names) & set(stack):
                    for part in _tagged(branch, flat.get("discriminator")):
                        whole = merged([rest, part], schemas)
                        yield from _choices(whole, schemas, (*stack, *names), here | set(names))
            return
    if "if" in flat:
        rest = _without(flat, "if", "then", "else")
        yield from _choices(merged([rest, flat["if"], flat.get("then", {})], schemas), schemas, stack, here)
        yield from _choices(merged([rest, flat.get("else", {})], schemas), schemas, stack, here)
        return
    parts = flat.get("allOf")
    if parts:
        # What could not be merged without loss: the later part has the last word, and the check decides.
        overlay = _without(flat, "allOf")
        for part in parts:
            overlay = _overlaid(overlay, part)
        yield from _choices(overlay, schemas, stack, here)
        return
    yield flat, stack


def _overlaid(base: Schema, part: Schema) -> dict[str, Any]:
    """Both together; where a keyword can't mean both, the part's word counts."""
    both: dict[str, Any] = {**base, **part}
    if "properties" in base and "properties" in part:
        both["properties"] = {**base["properties"], **part["properties"]}
    if "required" in base and "required" in part:
        both["required"] = list(dict.fromkeys([*base["required"], *part["required"]]))
    return both


def _tagged(branch: Schema, discriminator: Any) -> Iterator[Schema]:
    """The branch with the discriminator's value for it (OpenAPI 3.2, Discriminator Object), then as it is."""
    name = referenced(branch)
    if isinstance(discriminator, Mapping) and isinstance(discriminator.get("propertyName"), str) and name:
        targets: Mapping[str, Any] = discriminator.get("mapping") or {}
        values = [value for value, target in targets.items() if str(target).rpartition("/")[2] == name]
        tag = {"const": values[0] if values else name}
        yield {"allOf": [branch, {"properties": {discriminator["propertyName"]: tag}}]}
    yield branch


def _opened(schema: Schema) -> Stack:
    """The components that a schema stands for: its reference, also when that is wrapped in `allOf`."""
    name = referenced(schema)
    parts = schema.get("allOf", ())
    wrapped = _opened(parts[0]) if len(parts) == 1 and isinstance(parts[0], Mapping) else ()
    return (*((name,) if name is not None else ()), *wrapped)


def _as_object(schema: Schema | bool) -> Schema:
    if isinstance(schema, bool):
        return {} if schema else {"not": {}}
    return schema


def _without(schema: Schema, *keywords: str) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key not in keywords}

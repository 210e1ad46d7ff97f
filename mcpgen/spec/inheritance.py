"""Bases that list their subtypes, and subtypes that extend the base: `Pet: oneOf [Cat, Dog]`, `Cat: allOf [Pet, ...]`.

To the letter a cat then has to be a cat or a dog to be a cat, which no validator can settle. Authors mean two things with the one
name: where a value of the base is asked for, one of the subtypes; inside a subtype, what all have in common.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any

from mcpgen.ir.api import SCHEMA_PREFIX
from mcpgen.spec.applied import ALTERNATIVES, TEXTS, circles, edges, is_wrapper
from mcpgen.spec.model import Json


def split_bases(definitions: dict[str, Json]) -> list[tuple[str, str]]:
    """Gives each subtype what its base says apart from the alternatives, in place; returns pairs of subtype and base.

    What comes out depends on the definitions alone, not on their order: bases are read before anything is changed.
    """
    bases = _Bases(definitions)
    changes = [
        (holder, name, base)
        for name in definitions
        if name in bases.circle
        for holder, base in _parts(definitions[name])
        if bases.lists(base, bases.circle[name])
    ]
    common = {base: bases.common(base) for _, _, base in changes}
    for holder, _, base in changes:
        del holder["$ref"]
        found = copy.deepcopy(common[base])
        if holder:
            holder["allOf"] = [found, *holder.get("allOf", ())]
        else:
            holder.update(found)
    return list(dict.fromkeys((name, base) for _, name, base in changes))


class _Bases:
    """What the definitions of one document have in common with their subtypes."""

    def __init__(self, definitions: Mapping[str, Json]) -> None:
        self._definitions = definitions
        self.circle = circles(definitions)

    def lists(self, name: str, circle: int) -> bool:
        """Whether a definition of the circle names others of it, or itself, as alternatives."""
        return self.circle.get(name) == circle and self._is_listing(self._definitions[name], circle)

    def _is_listing(self, schema: Json, circle: int) -> bool:
        return any(self._leads(schema, key, circle) for key in ALTERNATIVES) or any(
            self._is_listing(part, circle) for part in schema.get("allOf", ())
        )

    def _leads(self, schema: Json, key: str, circle: int) -> bool:
        return any(
            self.circle.get(edge.target) == circle
            for item in schema.get(key, ())
            for edge in edges(item, alternative=True)
        )

    def common(self, name: str) -> Json:
        """What a base says without its alternatives; what it extends itself likewise."""
        return self._without(self._definitions[name], self.circle[name], (name,))

    def _without(self, schema: Json, circle: int, seen: tuple[str, ...]) -> Json:
        dropped = {key for key in ALTERNATIVES if self._leads(schema, key, circle)}
        if dropped:
            dropped.add("discriminator")
        found = {key: value for key, value in schema.items() if key not in dropped}
        if "allOf" in found:
            found["allOf"] = [self._without(part, circle, seen) for part in found["allOf"]]
        target = _target(found)
        if target is not None and self.circle.get(target) == circle:
            del found["$ref"]
            inner = (
                {} if target in seen else self._without(self._definitions[target], circle, (*seen, target))
            )
            if not found:
                return inner
            if inner:
                found["allOf"] = [inner, *found.get("allOf", ())]
        return found


def _target(schema: Json) -> str | None:
    reference = schema.get("$ref")
    return reference.removeprefix(SCHEMA_PREFIX) if isinstance(reference, str) else None


def _parts(schema: Any, alternative: bool = False) -> Iterator[tuple[Json, str]]:
    """The references of a schema that add to it, inside alternatives too: the object that holds each, and its target.

    An alternative that is nothing but a reference adds nothing; one with keywords of its own is a subtype without a name.
    """
    if not isinstance(schema, dict):
        return
    target = _target(schema)
    if target is not None and not (alternative and schema.keys() - TEXTS == {"$ref"}):
        yield schema, target
    for part in schema.get("allOf", ()):
        yield from _parts(part, alternative and is_wrapper(schema))
    for key in ALTERNATIVES:
        for item in schema.get(key, ()):
            yield from _parts(item, True)

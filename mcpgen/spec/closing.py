"""Bases that are closed and extended all the same: `additionalProperties: false` in a part of an `allOf`.

To the letter (JSON Schema 2020-12, 10.3.2.3) the part refuses every property that only its siblings name, so that the whole
can hold none of them; authors mean the whole. It is read that way when parts are merged (`ir.merging`), and said here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mcpgen.ir.merging import flatten

_NEVER: dict[str, Any] = {"not": {}}


def closed_parts(definitions: Mapping[str, Any]) -> Iterator[str]:
    """The definitions with a composition of which one part closes and another names more."""
    for name, schema in definitions.items():
        if any(_contradicts(part, definitions) for part in _compositions(schema)):
            yield name


def _compositions(schema: Any) -> Iterator[Mapping[str, Any]]:
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            if isinstance(node.get("allOf"), list):
                yield node
            waiting.extend(node.values())
        elif isinstance(node, list):
            waiting.extend(node)


def _contradicts(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> bool:
    own = {key: value for key, value in schema.items() if key != "allOf"}
    levels = [flatten(part, definitions)[0] for part in (*schema["allOf"], own) if isinstance(part, Mapping)]
    named = {name for level in levels for name in level.get("properties", ())}
    return any(
        level.get("additionalProperties") == _NEVER and named - set(level.get("properties", ()))
        for level in levels
        if "patternProperties" not in level
    )

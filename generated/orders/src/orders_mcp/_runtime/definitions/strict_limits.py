"""The sizes that OpenAI's strict mode bears (its guide "Structured model outputs", section "Supported schemas")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

MOST_PROPERTIES = 5000
MOST_LEVELS = 10
MOST_CHARACTERS = 120_000
MOST_ENUM_VALUES = 1000
LONG_ENUM = 250
LONG_ENUM_CHARACTERS = 15_000


def beyond_limits(schema: Mapping[str, Any]) -> Iterator[str]:
    """Which limits a strict schema breaks."""
    properties, characters, values = 0, 0, 0
    for part in _parts(schema):
        names = [*part.get("properties", ()), *part.get("$defs", ())]
        enum = part.get("enum", [])
        properties += len(part.get("properties", ()))
        characters += sum(map(len, names)) + _length([*enum, part.get("const")])
        values += len(enum)
        if len(enum) > LONG_ENUM and _length(enum) > LONG_ENUM_CHARACTERS:
            yield f"a list of {len(enum)} values has more than {LONG_ENUM_CHARACTERS} characters"
    if properties > MOST_PROPERTIES:
        yield f"it has {properties} properties, more than {MOST_PROPERTIES}"
    if characters > MOST_CHARACTERS:
        yield f"its names and values have {characters} characters, more than {MOST_CHARACTERS}"
    if values > MOST_ENUM_VALUES:
        yield f"it lists {values} values, more than {MOST_ENUM_VALUES}"
    levels = _levels(schema, schema.get("$defs", {}), frozenset())
    if levels > MOST_LEVELS:
        yield f"its objects are nested {levels} levels deep, more than {MOST_LEVELS}"


def _parts(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The schema and every schema in it, once."""
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        yield part
        waiting += part.get("properties", {}).values()
        waiting += part.get("$defs", {}).values()
        waiting += part.get("anyOf", ())
        if "items" in part:
            waiting.append(part["items"])


def _levels(schema: Mapping[str, Any], defs: Mapping[str, Any], open_: frozenset[str]) -> int:
    """How deep objects are inside each other; a reference back into itself is not followed."""
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    if name:
        return 0 if name in open_ or name not in defs else _levels(defs[name], defs, open_ | {name})
    below = [*schema.get("properties", {}).values(), *schema.get("anyOf", ())]
    below += [schema["items"]] if "items" in schema else []
    deepest = max((_levels(part, defs, open_) for part in below), default=0)
    return deepest + ("properties" in schema)


def _length(values: list[Any]) -> int:
    return sum(len(value) for value in values if isinstance(value, str))

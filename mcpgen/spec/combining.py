"""Keywords that hold schemas (JSON Schema 2020-12, applicator vocabulary), and the discriminator."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mcpgen.ir.api import SCHEMA_PREFIX
from mcpgen.runtime.patterns.matching import is_light
from mcpgen.source.model import Node
from mcpgen.spec import keywords
from mcpgen.spec.context import reference_of, truth
from mcpgen.spec.model import Json

if TYPE_CHECKING:
    from mcpgen.spec.schemas import SchemaLifter

_ONE = (
    "not", "if", "then", "else", "contains", "propertyNames", "additionalProperties", "unevaluatedProperties",
    "unevaluatedItems", "contentSchema",
)  # fmt: skip
_LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")


class Combiner:
    """Lifts the keywords that hold schemas; `handlers` says which those are."""

    def __init__(self, lifter: SchemaLifter) -> None:
        self._lifter = lifter
        self.handlers: dict[str, Callable[[str, Node, Json], None]] = {
            **dict.fromkeys(_ONE, self._one),
            **dict.fromkeys(_LISTS, self._list),
            "items": self._items,
            "properties": self._properties,
            "patternProperties": self._patterns,
            "dependentSchemas": self._dependent,
            "dependencies": self._dependencies,
        }

    def add(self, key: str, node: Node, result: Json) -> None:
        """Lifts one keyword into `result`."""
        self.handlers[key](key, node, result)

    def _dropped(self, key: str, node: Node, why: str) -> None:
        self._lifter.context.notes.add(
            "schema-simplified",
            f"`{key}` {why} and is left out",
            node.location,
            kind=f"`{key}` that cannot be understood",
        )

    def _one(self, key: str, node: Node, result: Json) -> None:
        value = node.value
        if isinstance(value, (dict, bool)):
            result[key] = self._lifter.lift(node)
        elif key == "additionalProperties" and truth(value) is not None:
            result[key] = {} if truth(value) else {"not": {}}
        elif value is not None:
            self._dropped(key, node, "must be a schema")

    def _list(self, key: str, node: Node, result: Json) -> None:
        if isinstance(node.value, dict) and key == "allOf":  # one schema without the list around it
            result[key] = [self._lifter.lift(node)]
        elif not isinstance(node.value, list):
            self._dropped(key, node, "must be a list of schemas")
        elif node.value:
            result[key] = [self._lifter.lift(item) for item in node.elements()]

    def _items(self, key: str, node: Node, result: Json) -> None:
        if isinstance(node.value, list):
            # Positions (draft 4) or alternatives: authors mean either, so any item is admitted.
            self._dropped(key, node, "must be one schema, not a list,")
        else:
            self._one(key, node, result)

    def _entries(self, key: str, node: Node) -> dict[str, Node]:
        """The entries of a map of schemas; a map that is itself a reference is followed."""
        found: dict[str, Node] = {}
        if not isinstance(node.value, dict):
            if node.value is not None:
                self._dropped(key, node, "must be an object")
            return found
        if reference_of(node.value) is not None:
            target = self._lifter.context.content(node)
            found.update(target.entries() if target is not None else ())
            found.update((name, item) for name, item in node.entries() if name != "$ref")
        else:
            found.update(node.entries())
        return found

    def _properties(self, key: str, node: Node, result: Json) -> None:
        if isinstance(node.value, dict):
            result[key] = {name: self._lifter.lift(item) for name, item in self._entries(key, node).items()}
        elif node.value is not None:
            self._dropped(key, node, "must be an object")

    def _dependent(self, key: str, node: Node, result: Json) -> None:
        found = {name: self._lifter.lift(item) for name, item in self._entries(key, node).items()}
        result.setdefault("dependentSchemas", {}).update(found)

    def _dependencies(self, key: str, node: Node, result: Json) -> None:
        """`dependencies` of draft 7: names or a schema."""
        for name, item in self._entries(key, node).items():
            if isinstance(item.value, list):
                names = [entry for entry in item.value if isinstance(entry, str)]
                result.setdefault("dependentRequired", {})[name] = names
            else:
                result.setdefault("dependentSchemas", {})[name] = self._lifter.lift(item)

    def _patterns(self, key: str, node: Node, result: Json) -> None:
        found: Json = {}
        for name, item in self._entries(key, node).items():
            pattern = keywords.pattern(name)
            if pattern is keywords.DROP:
                self._dropped(key, item, f"has the pattern {name!r}, which Python cannot read,")
            elif not is_light(pattern):
                self._dropped(
                    key, item, f"has the pattern {name!r}, which can take Python very long to match,"
                )
            else:
                found[pattern] = self._lifter.lift(item)
        if found:
            result[key] = found

    def discriminator(self, node: Node, result: Json) -> None:
        """The discriminator with its mapping as references to definitions.

        Swagger 2.0 writes the property's name alone. Where a definition had to get another name, its old one goes into the
        mapping, because without a mapping the name is the value (OpenAPI 3.2, Discriminator Object).
        """
        place = node.child("discriminator")
        name = (
            place.value
            if isinstance(place.value, str)
            else place.value.get("propertyName") if isinstance(place.value, dict) else None
        )
        if not isinstance(name, str):
            self._dropped("discriminator", place, "must name a property")
            return
        mapping: dict[str, str] = {}
        written = place.get("mapping")
        for value, target in written.entries() if written is not None else ():
            if isinstance(target.value, str):
                found = self._target(target.value, target)
                if found is not None:
                    mapping[value] = SCHEMA_PREFIX + found
        mapped = set(mapping.values())
        for option in [item for key in ("oneOf", "anyOf") for item in (node.get(key) or place).elements()]:
            reference = reference_of(option.value)
            if reference is None or reference.startswith("#/components/schemas/"):
                continue
            found = self._lifter.target_name(reference, option)
            old = reference.rpartition("/")[2]
            if found is not None and found != old and SCHEMA_PREFIX + found not in mapped:
                mapping.setdefault(old, SCHEMA_PREFIX + found)
        result["discriminator"] = {"propertyName": name, **({"mapping": mapping} if mapping else {})}
        default = place.value.get("defaultMapping") if isinstance(place.value, dict) else None
        fallback = self._target(default, place) if isinstance(default, str) else None
        if fallback is not None:
            result["discriminator"]["defaultMapping"] = SCHEMA_PREFIX + fallback

    def _target(self, text: str, node: Node) -> str | None:
        """The definition that a mapping value means: a component's name, else a reference."""
        if "/" not in text and "#" not in text:
            local = self._lifter.component(text)
            if local is not None:
                return local
        return self._lifter.target_name(text, node)

"""Schemas of every version in one dialect: JSON Schema 2020-12, all definitions under `#/components/schemas/`."""

from __future__ import annotations

from collections import deque
from typing import Any

from mcpgen.diagnostics import Location, Unsupported
from mcpgen.ir.api import SCHEMA_PREFIX
from mcpgen.source.model import Node
from mcpgen.spec import keywords
from mcpgen.spec.closing import closed_parts
from mcpgen.spec.combining import Combiner
from mcpgen.spec.context import Context, reference_of
from mcpgen.spec.cycles import break_cycles
from mcpgen.spec.inheritance import split_bases
from mcpgen.spec.model import Json
from mcpgen.spec.naming import LEGAL, Names, legal, proposal
from mcpgen.spec.nullability import with_null
from mcpgen.spec.repairs import finish, limits, open_for_lost_patterns
from mcpgen.spec.scopes import Bindings, Bound, Scopes


class SchemaLifter:
    """Lifts schemas one by one and collects the definitions that they refer to, each once."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.definitions: dict[str, Json] = {}
        self._names = Names()
        self._by_place: dict[Bound, str] = {}
        self._scopes = Scopes(context.tree)
        self._components: dict[str, str] = {}
        self._waiting: deque[tuple[str, Node, Bindings]] = deque()
        self._unknown: dict[str, int] = {}
        self._combiner = Combiner(self)

    # -- definitions

    def reserve(self, components: Node | None) -> None:
        """Takes in the root's own definitions: they keep their names, used or not (others may inherit from them)."""
        entries = list(components.entries()) if components is not None else []
        odd = [(name, node) for name, node in entries if not LEGAL.match(name)]
        named = [(name, node) for name, node in entries if LEGAL.match(name)]
        for name, _ in named:
            self._names.reserve(name)
        named += [(self._names.take(legal(name), node.file), node) for name, node in odd]
        for name, node in named:
            self._by_place[Bound(node.file, node.pointer)] = name
        self._components = {key: self._by_place[Bound(node.file, node.pointer)] for key, node in entries}
        for name, node in named:
            self._waiting.append((name, self._outside(name, node), ()))

    def _outside(self, name: str, node: Node) -> Node:
        """A component that only refers to another file is that file's schema, under the component's name."""
        target = node
        seen: set[Bound] = set()
        try:
            while _only_reference(target.value):
                target = self.context.tree.resolve(target.value["$ref"], target)
                place = Bound(target.file, target.pointer)
                if place in seen or self._by_place.setdefault(place, name) != name:
                    return node
                seen.add(place)
        except Unsupported:
            return node  # reported when the schema itself is lifted
        return target

    def drain(self) -> None:
        """Lifts what is referred to and not lifted yet; at the end, no schema leads back to itself without content."""
        while self._waiting:
            name, node, self._scopes.inside = self._waiting.popleft()
            self.context.origins[f"/components/schemas/{name}"] = node.location
            self.definitions[name] = self.lift(node)
            self._scopes.inside = ()
        for name, base in split_bases(self.definitions):
            self._simplified(
                self.context.origins[f"/components/schemas/{name}"],
                f"`{name}` extends `{base}`, which lists it as an alternative; it gets what `{base}` says besides",
                "schemas that extend one that lists them",
            )
        for name in break_cycles(self.definitions):
            self.context.notes.add(
                "reference-cycle",
                f"the schema `{name}` refers to itself without content in between; that reference is left out",
                self.context.origins[f"/components/schemas/{name}"],
            )
        for name in closed_parts(self.definitions):
            self._simplified(
                self.context.origins[f"/components/schemas/{name}"],
                f"the schema `{name}` closes a part of an `allOf` that others extend; that is read as about the whole",
                "closed parts of `allOf`",
            )
        if self._unknown:
            found = ", ".join(sorted(self._unknown)[:10]) + (", ..." if len(self._unknown) > 10 else "")
            self.context.notes.add(
                "schema-simplified",
                f"{sum(self._unknown.values())} unknown keywords in schemas are ignored: {found}",
                self.context.tree.node.location,
            )

    def name_of(self, target: Node, bound: Bound) -> str:
        """The definition's name for a place; a place that is met first is lifted later."""
        name = self._by_place.get(bound)
        if name is None:
            name = self._by_place[bound] = self._names.take(
                proposal(target.file, target.pointer), target.file
            )
            self._waiting.append((name, target, bound.bindings))
        return name

    def component(self, name: str) -> str | None:
        """The definition that the root document itself calls `name`."""
        return self._components.get(name)

    def target_name(self, reference: str, node: Node, *, dynamic: bool = False) -> str | None:
        """The name of the definition that a reference means; None, with a diagnostic, where it means none."""
        try:
            find = self._scopes.dynamic if dynamic else self.context.tree.resolve
            target = find(reference, node)
            bound = self._scopes.enter(node, target)
            seen: set[Bound] = set()
            while bound not in self._by_place and _only_reference(target.value):
                if bound in seen:
                    raise Unsupported(
                        "reference-cycle", f"the reference `{reference}` leads in a circle", node.location
                    )
                seen.add(bound)
                target = self.context.tree.resolve(target.value["$ref"], target)
                bound = self._scopes.enter(node, target)
            return self.name_of(target, bound)
        except Unsupported as problem:
            self.context.notes.unsupported(problem)
            return None

    # -- one schema

    def lift(self, node: Node) -> Json:
        """A schema in the target dialect. Never fails: what cannot be understood admits everything, with a diagnostic."""
        value = node.value
        if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict):
            self._repaired(
                node.location, "a list with one schema is read as that schema", "lists in place of a schema"
            )
            return self.lift(node.child(0))
        if value is True or value is None:
            return {}
        if value is False:
            return {"not": {}}
        if not isinstance(value, dict):
            self._repaired(
                node.location,
                "a schema must be an object; this one is read as `{}`",
                "schemas that are no objects",
            )
            return {}
        modern = self.context.dialect(node.file).modern
        reference = reference_of(value)
        if reference is None and isinstance(value.get("$dynamicRef"), str):
            return self._reference(value["$dynamicRef"], node, modern, dynamic=True)
        if reference is None and isinstance(value.get("$recursiveRef"), str):
            reference = value["$recursiveRef"]
        if reference is not None:
            return self._reference(reference, node, modern)
        return self._object(node, modern)

    def _reference(self, reference: str, node: Node, modern: bool, *, dynamic: bool = False) -> Json:
        """A reference, with what stands beside it where that counts (JSON Schema 2020-12; not OpenAPI 3.0 and 2.0)."""
        name = self.target_name(reference, node, dynamic=dynamic)
        result: Json = {} if name is None else {"$ref": SCHEMA_PREFIX + name}
        if modern:
            return {**result, **self._object(node, modern)} if len(node.value) > 1 else result
        if isinstance(node.value.get("description"), str):
            result["description"] = node.value["description"]
        ignored = [
            key
            for key, item in node.value.items()
            if (key in keywords.SIMPLE and key not in ("title", "description", "xml"))
            or (key in ("nullable", "x-nullable") and item)
        ]
        if ignored:
            self._simplified(
                node.location,
                f"`{ignored[0]}` beside `$ref` has no effect in this version of OpenAPI",
                "keywords beside `$ref`",
                shown=1,
            )
        return result

    def _object(self, node: Node, modern: bool) -> Json:
        result: Json = {}
        for key, item in node.value.items():
            if key in keywords.SIMPLE:
                self._simple(key, item, node, result)
            elif key in self._combiner.handlers:
                self._combiner.add(key, node.child(key), result)
            elif key.startswith("x-"):
                if keywords.kept_extension(key, item):
                    result[key] = item
            elif key not in keywords.IGNORED:
                self._unknown[key] = self._unknown.get(key, 0) + 1
        self._examples(node, result)
        limits(node.value, result)
        open_for_lost_patterns(node.value, result)
        if "discriminator" in node.value:
            self._combiner.discriminator(node, result)
        if self._nullable(node, modern):
            result = with_null(result)
        for message, kind in finish(result):
            self._simplified(node.location, message, kind)
        return result

    def _simple(self, key: str, item: Any, node: Node, result: Json) -> None:
        if isinstance(item, dict) and "$ref" in item and key not in ("default", "const"):
            found = self.context.get(node, key)
            item = found.value if found is not None else None
        if item == "file" and key == "type":  # Swagger 2.0
            result.update(type="string", format="binary")
            return
        if item is None and key not in ("default", "const"):
            return
        if isinstance(item, bool) and key in ("exclusiveMinimum", "exclusiveMaximum"):
            return  # a word about `minimum` or `maximum`, read there
        cleaned = keywords.SIMPLE[key](item)
        if cleaned is keywords.DROP:
            if _says_something(key, item):
                loosened = key in keywords.LOOSENING
                self.context.notes.add(
                    "schema-simplified" if loosened else "spec-repaired",
                    f"`{key}: {_short(item)}` cannot be understood and is left out",
                    node.child(key).location,
                    kind=f"`{key}` that cannot be understood",
                )
            return
        if cleaned != item and key not in ("enum", "required", "type", "xml"):
            self._repaired(
                node.child(key).location,
                f"`{key}: {_short(item)}` is read as {_short(cleaned)}",
                f"`{key}` of another type",
            )
        if key == "format" and result.get("format") == "binary" and node.value.get("type") == "file":
            return
        result[key] = cleaned

    def _examples(self, node: Node, result: Json) -> None:
        """`examples` of JSON Schema, `example` of OpenAPI, and named examples where a schema should not have them."""
        found: list[Any] = []
        listed = node.value.get("examples")
        if isinstance(listed, list):
            found += listed
        elif isinstance(listed, dict):
            found += [item["value"] for item in listed.values() if isinstance(item, dict) and "value" in item]
        for key in ("example", "x-example"):
            if key in node.value:
                found += self._example(node.child(key))
        if found:
            result["examples"] = found

    def _example(self, node: Node) -> list[Any]:
        try:
            return [self.context.follow(node).value]
        except Unsupported:
            return []  # an example that is missing costs nothing

    def _nullable(self, node: Node, modern: bool) -> bool:
        value = node.value
        if not any(
            key in value and (value[key] is True or value[key] == "true")
            for key in ("nullable", "x-nullable")
        ):
            return False
        if modern and "nullable" in value:
            self._simplified(
                node.child("nullable").location,
                "`nullable` is no keyword since OpenAPI 3.1; it is read as in 3.0",
                "`nullable` in a document of version 3.1 or later",
                shown=1,
            )
        return True

    def _repaired(self, location: Location, message: str, kind: str, shown: int = 5) -> None:
        self.context.notes.add("spec-repaired", message, location, kind=kind, shown=shown)

    def _simplified(self, location: Location, message: str, kind: str, shown: int = 5) -> None:
        self.context.notes.add("schema-simplified", message, location, kind=kind, shown=shown)


def _only_reference(value: Any) -> bool:
    return reference_of(value) is not None and len(value) == 1


def _says_something(key: str, item: Any) -> bool:
    """`required: false` on a property, an empty `required` list and an empty `xml` are slips without a loss."""
    return not (key == "required" and (item is False or item == [])) and not (key == "xml" and item == {})


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."

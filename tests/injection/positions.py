"""Where text can stand in an API description, found out by walking the schemas of the OpenAPI specification itself.

A type is a definition of such a schema, or several that a place may hold. A position is `Type.field` (a text), `Type.field[]`
(the texts of a list), `Type.{}` (the texts of a map), `Type.{key}` (the keys of a map) or `Type.x-` (an extension). Because
nothing is listed by hand, a position that a version of the specification adds is there as soon as its schema is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any

from jsonschema.validators import Draft4Validator, Draft202012Validator

VERSIONS = ("2.0", "3.0", "3.1", "3.2")
_MIXED_IN = frozenset({"specification-extensions", "examples", "keyword"})
"""Definitions that are only a part of others."""
_BRANCHES = ("allOf", "anyOf", "oneOf")
_CONDITIONS = ("if", "then", "else")
_VOCABULARIES = (
    "core",
    "applicator",
    "unevaluated",
    "validation",
    "meta-data",
    "format-annotation",
    "content",
)
EXTENSION = "^x-"
_DRAFT_4 = "http://json-schema.org/draft-04/schema#/"

Schema = Any


@dataclass(slots=True)
class Shape:
    """What a place can hold: all branches of its schema together."""

    names: set[str] = field(default_factory=set)
    text: bool = False
    fields: dict[str, list[Schema]] = field(default_factory=dict)
    patterns: dict[str, list[Schema]] = field(default_factory=dict)
    items: list[Schema] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The definitions that it is, without those that only stand for a reference to one."""
        own = {
            name for name in self.names if name not in _MIXED_IN and not name.lower().endswith("reference")
        }
        return "|".join(sorted(own))


@dataclass(frozen=True, slots=True)
class Spot:
    """One position at one place of a document: the container, and the field or key in it."""

    position: str
    path: tuple[str | int, ...]
    key: str | int


class Walker:
    """Walks a document and the schema of its version side by side."""

    def __init__(self, version: str) -> None:
        self.root = _schema(version)
        self._shapes: dict[int, Shape] = {}

    def shape(self, schemas: list[Schema]) -> Shape:
        found = Shape()
        for schema in schemas:
            self._gather(schema, found, ())
        return found

    def _gather(self, schema: Schema, into: Shape, seen: tuple[str, ...]) -> None:
        if not isinstance(schema, Mapping):
            into.text = into.text or schema is True
            return
        for key in ("$ref", "$dynamicRef"):
            reference = schema.get(key)
            if isinstance(reference, str) and reference not in seen:
                name, target = self._target(reference)
                if _is_place(target):
                    into.names.add(name)
                self._gather(target, into, (*seen, reference))
        kinds = schema.get("type", ())
        kinds = [kinds] if isinstance(kinds, str) else kinds
        words = [*schema.get("enum", ()), schema.get("const")]
        if "string" in kinds or any(isinstance(word, str) for word in words) or not _says(schema):
            into.text = True
        _add_fields(schema, into)
        items = schema.get("items")
        items = True if items is None and "array" in kinds else items
        into.items += (
            items if isinstance(items, list) else [items] if isinstance(items, Mapping | bool) else []
        )
        parts = [part for key in _BRANCHES for part in schema.get(key, ())]
        parts += [schema[key] for key in _CONDITIONS if key in schema]
        parts += schema.get("dependentSchemas", {}).values()
        for part in parts:
            if isinstance(part, Mapping) and _says(part):
                self._gather(part, into, seen)

    def _target(self, reference: str) -> tuple[str, Schema]:
        if reference.startswith(_DRAFT_4):
            return "keyword", _at(Draft4Validator.META_SCHEMA, reference.removeprefix(_DRAFT_4))
        if reference in ("#meta", "#"):
            return "schema", _schema_object() if reference == "#meta" else self.root
        try:
            return reference.rpartition("/")[2], _at(self.root, reference.removeprefix("#/"))
        except KeyError:  # written in the metaschema of draft 4, which 2.0 borrows keywords from
            return "keyword", _at(Draft4Validator.META_SCHEMA, reference.removeprefix("#/"))

    def positions(self) -> set[str]:
        """All positions that the specification knows."""
        found: set[str] = set()
        seen: set[str] = set()
        waiting: list[tuple[str, list[Schema]]] = [("root", [self.root])]
        while waiting:
            owner, schemas = waiting.pop()
            shape = self.shape(schemas)
            mark = f"{owner}:{json.dumps(schemas, sort_keys=True, default=str)}"
            if mark in seen:
                continue
            seen.add(mark)
            name = shape.name or owner
            found |= self._own(name, shape)
            waiting += [
                (f"{name}.{key}", inner) for key, inner in [*shape.fields.items(), *shape.patterns.items()]
            ]
            waiting += [(name, shape.items)] if shape.items else []
        return found

    def _own(self, name: str, shape: Shape) -> Iterator[str] | set[str]:
        found: set[str] = set()
        for key, inner in shape.fields.items():
            found |= self._texts(f"{name}.{key}", inner)
        for pattern, inner in shape.patterns.items():
            if pattern == EXTENSION:
                found.add(f"{name}.x-")
            else:
                found |= {f"{name}.{{key}}"} | self._texts(f"{name}.{{}}", inner)
        return found

    def _texts(self, position: str, schemas: list[Schema]) -> set[str]:
        shape = self.shape(schemas)
        found = {position} if shape.text and not shape.names & {"schema", "Schema"} else set()
        inner = self.shape(shape.items) if shape.items else None
        return found | ({f"{position}[]"} if inner is not None and inner.text else set())

    def spots(self, document: Any) -> Iterator[Spot]:
        """Every place of a document where one of the positions is, or could be."""
        yield from self._spots(document, [self.root], (), "root")

    def _spots(
        self, node: Any, schemas: list[Schema], path: tuple[str | int, ...], owner: str
    ) -> Iterator[Spot]:
        shape = self.shape(schemas)
        name = shape.name or owner
        if isinstance(node, list):
            for index, item in enumerate(node):
                yield from self._spots(item, shape.items, (*path, index), name)
        if not isinstance(node, dict):
            return
        for key, inner in shape.fields.items():
            for position in sorted(self._texts(f"{name}.{key}", inner)):
                yield Spot(position, path, key)
            if key in node:
                yield from self._spots(node[key], inner, (*path, key), f"{name}.{key}")
        for pattern, inner in shape.patterns.items():
            if pattern == EXTENSION:
                yield Spot(f"{name}.x-", path, "x-injected")
                continue
            keys = [key for key in node if key not in shape.fields and re.search(pattern, key)]
            for key in keys:
                yield Spot(f"{name}.{{key}}", path, key)
                for position in sorted(self._texts(f"{name}.{{}}", inner)):
                    yield Spot(position, path, key)
                yield from self._spots(node[key], inner, (*path, key), f"{name}.{pattern}")


def _add_fields(schema: Mapping[str, Any], into: Shape) -> None:
    for name, inner in schema.get("properties", {}).items():
        if inner is not False:
            into.fields.setdefault(name, []).append(inner)
    for pattern, inner in schema.get("patternProperties", {}).items():
        if isinstance(inner, Mapping) and inner and not _says(inner):
            continue  # a rule for the names of fields that are listed
        if pattern == r"^\$ref$":
            into.fields.setdefault("$ref", []).append(inner)
        else:
            into.patterns.setdefault(pattern, []).append(inner)
    if isinstance(schema.get("additionalProperties"), Mapping):
        into.patterns.setdefault("", []).append(schema["additionalProperties"])


def _says(schema: Mapping[str, Any]) -> bool:
    """Whether a schema says anything about the kind of a value."""
    about = {"type", "enum", "const", "$ref", "$dynamicRef", "properties", "patternProperties", "items"}
    return bool(schema.keys() & {*about, *_BRANCHES, "additionalProperties", "dependentSchemas", "then"})


def _at(root: Any, pointer: str) -> Any:
    node = root
    for token in pointer.split("/"):
        node = node[token.replace("~1", "/").replace("~0", "~").replace("%5E", "^")]
    return node


def _is_place(target: Schema) -> bool:
    return isinstance(target, Mapping) and bool(
        target.keys()
        & {"properties", "patternProperties", "additionalProperties", *_BRANCHES, "$dynamicAnchor"}
    )


@lru_cache(maxsize=8)
def _schema(version: str) -> dict[str, Any]:
    folder = files("openapi_spec_validator") / "resources" / "schemas" / f"v{version}"
    found: dict[str, Any] = json.loads((folder / "schema.json").read_text("utf-8"))
    return found


@lru_cache(maxsize=1)
def _schema_object() -> dict[str, Any]:
    """The Schema Object of 3.1 and later: the vocabularies of JSON Schema 2020-12, and OpenAPI's own."""
    registry = Draft202012Validator({})._resolver  # the metaschemas that jsonschema ships
    fields: dict[str, Any] = {}
    for name in _VOCABULARIES:
        meta = registry.lookup(f"https://json-schema.org/draft/2020-12/meta/{name}").contents
        fields |= meta["properties"]
    for file in ("oas3.1/vocabularies/base", "oas3.2/meta/2025-09-17.json"):
        own = json.loads((files("openapi_schema_validator") / "schemas" / file).read_text("utf-8"))
        definitions = own["$defs"]
        fields |= {key: _opened(value, definitions) for key, value in own["properties"].items()}
    return {
        "properties": {key: _opened(value, {}) for key, value in fields.items()},
        "patternProperties": {EXTENSION: True},
    }


_PARTS: Mapping[str, Schema] = {
    "#/$defs/stringArray": {"type": "array", "items": {"type": "string"}},
    "#/$defs/schemaArray": {"type": "array", "items": {"$dynamicRef": "#meta"}},
    **{
        f"#/$defs/{name}": {"type": "string"}
        for name in ("anchorString", "uriString", "uriReferenceString", "simpleTypes")
    },
    **{f"#/$defs/nonNegativeInteger{rest}": {"type": "integer"} for rest in ("", "Default0")},
    "#/$defs/extensible": {"patternProperties": {EXTENSION: True}},
}


def _opened(schema: Schema, definitions: Mapping[str, Schema]) -> Schema:
    """A part of a vocabulary with its own references opened: they are relative to that vocabulary."""
    if isinstance(schema, list):
        return [_opened(item, definitions) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    reference = schema.get("$ref")
    own = {key: _opened(value, definitions) for key, value in schema.items() if key != "$ref"}
    if not isinstance(reference, str):
        return own
    return {
        **(_PARTS.get(reference) or _opened(definitions[reference.rpartition("/")[2]], definitions)),
        **own,
    }

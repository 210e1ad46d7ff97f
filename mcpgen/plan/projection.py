"""From a schema of the spec to a published one: self-contained, bounded, and legal for every client.

A schema is projected level by level, breadth first, within a budget of bytes, so that the fields near the root
keep their exact schema and what is far below is loosened first. Loosening never makes a legal value illegal.

Rules and where they come from:
- no `$ref` except to `$defs`, and those only for recursion or where inlining would repeat too much (model APIs
  reject or ignore them);
- every array has `items`; a null alternative is `anyOf` (clients refuse `type` lists less often that way);
- `oneOf` becomes `anyOf`: real documents have overlapping alternatives, and model APIs know only `anyOf`;
- `readOnly` properties leave requests, `writeOnly` ones leave responses (OpenAPI 3.2, Schema Object).
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from typing import Any

from mcpgen.ir.api import SCHEMA_PREFIX, Schema
from mcpgen.ir.merging import flatten, hidden_properties, marked
from mcpgen.ir.references import referenced, repeated
from mcpgen.plan.conditions import add_conditions
from mcpgen.plan.published import listed, nullable_only, shallow, stub, types, with_items, without_type_list
from mcpgen.plan.texts.text import clean_text, shorten
from mcpgen.plan.variants import Variant, Variants, noted

_COPIED = (
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    *("minLength", "maxLength", "pattern", "minItems", "maxItems", "uniqueItems"),
    *("minProperties", "maxProperties", "minContains", "maxContains", "dependentRequired", "const"),
)
_SINGLE = ("items", "propertyNames")
_LISTS = ("anyOf", "allOf", "oneOf", "prefixItems")
_MAPS = ("properties", "patternProperties", "dependentSchemas")
_OPEN = ("additionalProperties", "unevaluatedProperties", "unevaluatedItems")
_TEXTS = (300, 160, 100)
_DEPTH = 40


class Direction(Enum):
    """`REQUEST` schemas are shown to the model; `RESPONSE` schemas are checked by clients and kept short."""

    REQUEST = "readOnly"
    RESPONSE = "writeOnly"


@dataclass(frozen=True, slots=True)
class Projected:
    """A published schema.

    `simplified` says that something below was loosened to keep it small, `any_of` that some `oneOf` became `anyOf`.
    """

    schema: dict[str, Any]
    simplified: bool
    any_of: bool = False


@dataclass(slots=True)
class _Slot:
    """A subschema that waits for its turn: where it goes, what it is, and which components lead to it."""

    container: Any
    key: Any
    schema: Any
    opened: frozenset[str]
    depth: int


@dataclass(slots=True)
class _Run:
    """The state of one projection."""

    budget: int
    shared: frozenset[str]
    queue: deque[_Slot] = field(default_factory=deque)
    defs: dict[str, Any] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    spent: int = 0
    simplified: bool = False
    cut: bool = False
    any_of: bool = False
    closed: list[dict[str, Any]] = field(default_factory=list)
    """Levels whose `unevaluated*` depends on what their alternatives name, which loosening can hide."""


class Projector:
    """Projects schemas of one document in one direction."""

    def __init__(self, schemas: Mapping[str, Schema], direction: Direction, budget: int) -> None:
        self.schemas = schemas
        self.direction = direction
        self.budget = budget
        # Tools of one API share most of their schemas; what is said of a part is worked out once.
        self._text = lru_cache(maxsize=None)(_published_text)
        self._flat_components: dict[str, tuple[dict[str, Any], frozenset[str]]] = {}
        self._hidden_components: dict[str, bool] = {}
        self._variants_of = Variants(schemas).of

    def project(self, schema: Schema) -> Projected:
        """The schema, ready to publish; references that remain lead into its own `$defs`."""
        run = self._run(schema, frozenset())
        if run[1].simplified and self.direction is Direction.REQUEST:
            again = self._run(schema, repeated(schema, self.schemas))
            if not again[1].simplified or again[1].spent < run[1].spent:
                run = again
        root, state = run
        if state.defs:
            root = {**root, "$defs": dict(sorted(state.defs.items()))}
        return Projected(root, state.simplified or state.cut, state.any_of)

    def _run(self, schema: Schema, shared: frozenset[str]) -> tuple[dict[str, Any], _Run]:
        run = _Run(self.budget, shared)
        holder: dict[str, Any] = {}
        run.queue.append(_Slot(holder, "root", schema, frozenset(), 0))
        while run.queue:
            slot = run.queue.popleft()
            slot.container[slot.key] = self._level(slot, run)
        for level in run.closed if run.simplified else ():
            level.pop("unevaluatedProperties", None)
            level.pop("unevaluatedItems", None)
        return holder["root"], run

    def _level(self, slot: _Slot, run: _Run) -> Any:
        """One schema at its own level; its children are put in the queue."""
        schema = slot.schema
        if isinstance(schema, bool):
            schema = {} if schema else {"not": {}}
        name = referenced(schema)
        if name is not None and slot.depth and (name in slot.opened or name in run.shared):
            return self._reference(name, run, annotated=schema)
        flat, opened = self._flatten(schema, name, slot.opened)
        if run.spent > run.budget or slot.depth > _DEPTH:
            run.simplified = run.simplified or bool(stub(flat) != flat)
            return stub(flat)
        if "discriminator" in flat:
            choices = self._variants_of(schema)
            if len(choices) > 1:
                return self._variants(choices, flat, slot, run)
            flat = choices[0].schema if choices else flat
            flat = noted(flat, self.schemas) if self.direction is Direction.REQUEST else flat
        flat = with_items(flat)
        out = self._own_keywords(flat, slot.depth)
        run.cut = run.cut or bool(flat.get("enum") and "enum" not in out)
        self._children(flat, out, opened, slot.depth, run)
        out = without_type_list(out, lenient=self.direction is Direction.RESPONSE)
        run.spent += len(json.dumps(shallow(out), ensure_ascii=False, default=str))
        return out

    def _variants(
        self, choices: Sequence[Variant], flat: Mapping[str, Any], slot: _Slot, run: _Run
    ) -> dict[str, Any]:
        """A base as a choice among its subtypes."""
        out: dict[str, Any] = {"anyOf": [None] * len(choices)}
        if "description" in flat and self.direction is Direction.REQUEST:
            out["description"] = self._text(str(flat["description"]), _TEXTS[min(slot.depth, 2)])
        for index, choice in enumerate(choices):
            opened = slot.opened | choice.opened
            run.queue.append(_Slot(out["anyOf"], index, choice.schema, opened, slot.depth + 1))
        return out

    def _flatten(
        self, schema: Schema, name: str | None, opened: frozenset[str]
    ) -> tuple[Mapping[str, Any], frozenset[str]]:
        """`flatten`, remembered for plain references and left out where there is nothing to do."""
        if name is None and "allOf" not in schema:
            return schema, opened
        if name is None or len(schema) > 1:
            return flatten(schema, self.schemas, opened)
        if name not in self._flat_components:
            self._flat_components[name] = flatten(schema, self.schemas)
        flat, inner = self._flat_components[name]
        return (flat, opened | inner) if not inner & opened else flatten(schema, self.schemas, opened)

    def _hidden(self, child: Any) -> bool:
        """Whether a property does not travel in this direction."""
        if isinstance(child, bool):
            return False
        name = referenced(child)
        if name is None or len(child) > 1:
            return marked(child, self.schemas, self.direction.value)
        if name not in self._hidden_components:
            self._hidden_components[name] = marked(child, self.schemas, self.direction.value)
        return self._hidden_components[name]

    def _reference(self, name: str, run: _Run, annotated: Schema) -> dict[str, Any]:
        if self.direction is Direction.RESPONSE:
            run.simplified = True
            return stub(flatten(self.schemas.get(name, {}), self.schemas)[0])
        if name not in run.names:
            key = name if name.isidentifier() and name.isascii() else f"schema{len(run.names)}"
            run.names[name] = key if key not in run.defs else f"{key}_{len(run.names)}"
            run.defs[run.names[name]] = {}
            whole: Schema = {"$ref": SCHEMA_PREFIX + name}
            base = bool(self._variants_of(whole))  # its own reference is what brings its subtypes in
            schema, opened = (whole, frozenset()) if base else (self.schemas.get(name, {}), frozenset({name}))
            run.queue.append(_Slot(run.defs, run.names[name], schema, opened, 0 if base else 1))
        out: dict[str, Any] = {"$ref": f"#/$defs/{run.names[name]}"}
        if "description" in annotated:
            out["description"] = self._text(str(annotated["description"]), _TEXTS[1])
        return out

    # -- one level -----------------------------------------------------------------------------

    def _own_keywords(self, flat: Mapping[str, Any], depth: int) -> dict[str, Any]:
        out: dict[str, Any] = {}
        if "type" in flat:
            out["type"] = flat["type"]
        if self.direction is Direction.REQUEST:
            text = self._text(
                str(flat.get("description") or flat.get("title") or ""), _TEXTS[min(depth, len(_TEXTS) - 1)]
            )
            if text:
                out["description"] = text
            if "default" in flat:
                out["default"] = flat["default"]
        listed(flat, out, request=self.direction is Direction.REQUEST)
        if isinstance(flat.get("format"), str):
            out["format"] = flat["format"]
        out.update({key: flat[key] for key in _COPIED if key in flat})
        if "contains" not in flat:
            out.pop("minContains", None)
            out.pop("maxContains", None)
        return out

    def _children(
        self, flat: Mapping[str, Any], out: dict[str, Any], opened: frozenset[str], depth: int, run: _Run
    ) -> None:
        def put(container: Any, key: Any, child: Any) -> None:
            run.queue.append(_Slot(container, key, child, opened, depth + 1))

        self._object_members(flat, out, put)
        for key in _SINGLE:
            if key in flat:
                out[key] = None
                put(out, key, flat[key])
        for key in _LISTS:
            if flat.get(key):
                # `oneOf` beside `anyOf` becomes one more condition that holds.
                target = "anyOf" if key == "oneOf" else key
                run.any_of = run.any_of or (key == "oneOf" and not nullable_only(flat[key]))
                if target in out:
                    out.setdefault("allOf", []).append({"anyOf": (holder := [None] * len(flat[key]))})
                else:
                    holder = out[target] = [None] * len(flat[key])
                for index, child in enumerate(flat[key]):
                    put(holder, index, child)
        run.simplified = not add_conditions(flat, out, self.schemas) or run.simplified
        for key in ("then", "else"):
            if key in flat and "if" in out:
                out[key] = None
                put(out, key, flat[key])
        if "array" in types(out) and "items" not in out:
            run.simplified = "unevaluatedItems" in out or run.simplified
            out["items"] = {}
        if {"unevaluatedProperties", "unevaluatedItems"} & out.keys():
            run.closed.append(out)

    def _object_members(
        self, flat: Mapping[str, Any], out: dict[str, Any], put: Callable[[Any, Any, Any], None]
    ) -> None:
        hidden = {name for name, child in flat.get("properties", {}).items() if self._hidden(child)}
        for part in (*flat.get("anyOf", ()), *flat.get("oneOf", ()), *flat.get("allOf", ())):
            hidden |= hidden_properties(part, self.schemas, self.direction.value)
        for key in _MAPS:
            if isinstance(flat.get(key), Mapping):
                kept = {n: c for n, c in flat[key].items() if key != "properties" or n not in hidden}
                if kept or key == "properties":
                    out[key] = dict.fromkeys(kept)
                    for name, child in kept.items():
                        put(out[key], name, child)
        required = [name for name in flat.get("required", ()) if name not in hidden]
        if required:
            out["required"] = required
        for key in _OPEN:
            self._open_keyword(key, flat.get(key), out, put)

    def _open_keyword(
        self, key: str, value: Any, out: dict[str, Any], put: Callable[[Any, Any, Any], None]
    ) -> None:
        """What else may be there. Answers may always hold more: an API that adds a field breaks nobody."""
        if value is None or (self.direction is Direction.RESPONSE and value in (False, {"not": {}})):
            return
        if value in (True, {}):
            if key == "additionalProperties":
                out[key] = True
        elif value in (False, {"not": {}}):
            out[key] = False
        else:
            out[key] = None
            put(out, key, value)


def _published_text(text: str, limit: int) -> str:
    return shorten(clean_text(text), limit)

"""Passes on only some parts of an answer: those that an operator, or the model, has named."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..inputs.validation import close_names
from ..schemas import SchemaReader
from .trimming import DEEPEST

Tree = dict[str, Any]
"""Names, and what is wanted of each; an empty tree is all of it. `*` stands for every name."""

ANY = "*"
MOST_NAMES = 200
LONGEST_NAME = 500
_TOLD_NAMES = 300
"""Characters."""
_OF_A_FILE = {"media_type", "size", "sha256"}
_NOTHING = object()


@dataclass(frozen=True, slots=True)
class Selection:
    """Parts of an answer by dotted names, through lists (`items.id`). What no name leads to is not passed on.

    Attributes:
        within: what is passed on at all: a choice of the model is one among the fields that the operator allows.
        asked: the caller named them, in this call; the operator's hold for all answers, so that some may lack one.
    """

    names: tuple[str, ...]
    within: Selection | None = None
    asked: bool = False

    def of(self, value: Any) -> Any:
        """The named parts of an answer; None where it has none, because it is no object and no list."""
        if self.within is not None:
            value = self.within.of(value)
        kept = _kept(value, tree_of(self.names), DEEPEST)
        return None if kept is _NOTHING else kept

    def admits(self, name: str) -> bool:
        """Whether something of a dotted name can be among what is passed on."""
        tree: Tree | None = tree_of(self.names)
        for step in name.split("."):
            if not tree or step == ANY:
                break
            tree = tree.get(step, tree.get(ANY))
        return tree is not None

    def notes(self, value: Any) -> tuple[str, ...]:
        """What is to be said about an answer: that it is not all, and which names lead to nothing in it."""
        told = f"Only these fields of the answer are given: {listed(self.names, _TOLD_NAMES)}."
        if self.within is not None:
            value = self.within.of(value)
        missing = [name for name in self.names if not _leads(value, name, DEEPEST)]
        if missing and (self.asked or len(missing) == len(self.names)):
            return told, f"The answer has nothing under {listed(missing, _TOLD_NAMES)}."
        return (told,)


def tree_of(names: Iterable[str]) -> Tree:
    """The names as one tree. A name that another one leads into stands for all of it."""
    tree: Tree = {}
    for name in names:
        branch, steps = tree, name.split(".")
        for number, step in enumerate(steps):
            if step in branch and not branch[step]:
                break  # all of it is wanted already
            if number == len(steps) - 1:
                branch[step] = {}
            branch = branch.setdefault(step, {})
    return tree


def listed(names: Iterable[str], longest: int) -> str:
    """Names in backticks, as many as have room."""
    known, told, left = list(names), list[str](), longest
    for name in known:
        left -= len(name) + 4
        if left < 0:
            told.append(f"and {len(known) - len(told)} more")
            break
        told.append(f"`{name}`")
    return ", ".join(told)


def _kept(value: Any, tree: Tree, levels: int) -> Any:
    if not tree or value is None:
        return value
    if levels == 0:
        return _NOTHING
    if isinstance(value, list):
        items = (_kept(item, tree, levels - 1) for item in value)
        return [item for item in items if item is not _NOTHING]
    if not isinstance(value, dict):
        return _NOTHING
    kept = {}
    for name, inner in value.items():
        wanted = _wanted(tree, name)
        if wanted is not None:
            found = _kept(inner, wanted, levels - 1)
            if found is not _NOTHING:
                kept[name] = found
    return kept


def _leads(value: Any, name: str, levels: int) -> bool:
    """Whether a name leads to something. Where a list is empty or null stands on the way, nothing speaks against it."""
    if not name or value is None or levels == 0:
        return True
    if isinstance(value, list):
        return not value or any(_leads(item, name, levels - 1) for item in value)
    if not isinstance(value, dict):
        return False
    if name in value:
        return True
    step, _, rest = name.partition(".")
    inner = value.values() if step == ANY else [value[step]] if step in value else []
    return any(_leads(one, rest, levels - 1) for one in inner)


def _wanted(tree: Tree, name: str) -> Tree | None:
    """What is wanted of a field; None if nothing is. A field may have dots in its own name."""
    found: Tree | None = tree
    for step in name.split(".") if name not in tree else (name,):
        found = None if found is None else found.get(step)
    wild = tree.get(ANY)
    if found is None or wild is None:
        return wild if found is None else found
    return {**wild, **found} if found and wild else {}


class Fields:
    """The fields that a published schema knows for `data`."""

    def __init__(self, output_schema: Mapping[str, Any]) -> None:
        self._reader = SchemaReader(output_schema)
        self._data = output_schema.get("properties", {}).get("data", {})

    def names(self, within: Selection | None = None) -> list[str]:
        """Those on the first level; of a list, those of its items."""
        found = self._reader.property_names(self._inside(self._data))
        return [name for name in found if within is None or within.admits(name)]

    def problems(self, names: Iterable[str], within: Selection | None = None) -> Iterator[str]:
        """What is wrong with dotted names: those that can't be in an answer."""
        for name in names:
            wrong = self._unknown(name)
            if wrong is None and within is not None and not within.admits(name):
                wrong = ""
            if wrong is not None:
                reachable = [one for one in self._reachable(wrong) if within is None or within.admits(one)]
                close = close_names(name, reachable)
                meant = f" (did you mean {' or '.join(f'`{c}`' for c in close)}?)" if close else ""
                yield f"`{name[:80]}` is no field of the answer{meant}"

    @property
    def possible(self) -> bool:
        """Whether an answer can have fields to choose from; the description of a file has none."""
        inside = self._inside(self._data)
        return "object" in self._reader.types(inside) and set(self.names()) != _OF_A_FILE

    def _unknown(self, name: str) -> str | None:
        """The part of the name up to the step before the one that is unknown; None for a name that may exist."""
        schema, before, rest = self._data, "", name
        while rest:
            inside = self._inside(schema)
            known = self._reader.property_names(inside)
            step = max((k for k in known if rest == k or rest.startswith(f"{k}.")), key=len, default=None)
            if not known or rest.split(".")[0] == ANY:
                return None  # nothing is said about what is there
            if step is None:
                return None if self._open(inside) else before
            schema = self._reader.property_schema(inside, step)
            before, rest = f"{before}{step}.", rest[len(step) + 1 :]
        return None

    def _inside(self, schema: Any) -> Any:
        """The schema of what has the fields: that of the items, where it is one of a list."""
        for _ in range(DEEPEST):
            items = self._reader.item_schema(schema)
            if items is None or self._reader.property_names(schema):
                break
            schema = items
        return schema

    def _open(self, schema: Any) -> bool:
        """Whether the schema speaks of fields that it does not name."""
        told = self._reader.resolve(schema)
        return any(
            told.get(key) not in (None, False) for key in ("additionalProperties", "patternProperties")
        )

    def _reachable(self, before: str) -> list[str]:
        """Names that lead somewhere: those beside the unknown one, and those of the first two levels."""
        schema: Any = self._data
        for step in before.split(".")[:-1]:
            schema = self._reader.property_schema(self._inside(schema), step) or {}
        found = [before + name for name in self._reader.property_names(self._inside(schema))]
        for name in self.names()[:MOST_NAMES]:
            inner = self._inside(self._reader.property_schema(self._inside(self._data), name))
            found.append(name)
            found += [f"{name}.{below}" for below in self._reader.property_names(inner)[:MOST_NAMES]]
        return found


def loosened(schema: Any) -> Any:
    """A schema that every projection of a value keeps when the value keeps this one.

    Fields may be missing anywhere, so nothing is required or counted, and of several alternatives more than one can fit.
    """
    if isinstance(schema, list):
        return [loosened(part) for part in schema]
    if not isinstance(schema, Mapping):
        return schema
    loose: dict[str, Any] = {}
    for key, value in schema.items():
        if key in _NAMED and isinstance(value, Mapping):
            loose[key] = {name: loosened(part) for name, part in value.items()}
        elif key in ("enum", "const"):
            if not any(isinstance(one, dict | list) for one in (value if key == "enum" else [value])):
                loose[key] = value
        elif key in _ANNOTATIONS:
            loose[key] = value
        elif key not in _COUNTING and not (key == "items" and "prefixItems" in schema):
            loose[key] = loosened(value)
    if "oneOf" in schema:
        either = {"anyOf": loosened(schema["oneOf"])}
        loose["allOf"] = [*loose.get("allOf", ()), either]
    return loose


_NAMED = frozenset({"properties", "patternProperties", "$defs", "definitions"})
_ANNOTATIONS = frozenset({"default", "example", "examples"})
_COUNTING = frozenset(
    {
        "required",
        "dependentRequired",
        "dependentSchemas",
        "minProperties",
        "minItems",
        "uniqueItems",
        "prefixItems",
    }
    | {"contains", "minContains", "maxContains", "not", "if", "then", "else", "oneOf"}
    | {"unevaluatedProperties", "unevaluatedItems"}
)

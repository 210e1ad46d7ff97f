"""Changing a document without changing its values: what an action touches is copied, all else is shared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from mcpgen.source.overlays.origins import Origin
from mcpgen.source.pointer import join

Key = str | int
Keys = Sequence[Key]


class Placed(NamedTuple):
    """A value, and where it was written."""

    value: Any
    origin: Origin


class Incompatible(Exception):
    """Two values cannot be merged (Overlay 1.1, Action Object): `path` leads from the target to them."""

    def __init__(self, path: str, old: Any, new: Any, origin: Origin) -> None:
        super().__init__(path)
        self.path = path
        self.old = kind_of(old)
        self.new = kind_of(new)
        self.origin = origin


@dataclass(slots=True)
class _Plan:
    """The targets of one action as a tree."""

    inner: dict[Key, _Plan] = field(default_factory=dict)
    chosen: bool = False


def plan_of(places: Iterable[Keys]) -> _Plan:
    """The targets of an action, each once: a query can select a value several times."""
    root = _Plan()
    for keys in places:
        plan = root
        for key in keys:
            plan = plan.inner.setdefault(key, _Plan())
        plan.chosen = True
    return root


def updated(place: Placed, plan: _Plan, new: Placed, *, appends: bool) -> Placed:
    """The document with `new` merged into every target.

    With `appends`, a list as target gets `new` as one element, whatever it is (Overlay 1.0); else another list is added to it.

    Raises:
        Incompatible: a target cannot take it.
    """
    value, origin = place
    if plan.inner:
        changes = {
            key: updated(Placed(value[key], origin.child(key)), inner, new, appends=appends)
            for key, inner in plan.inner.items()
        }
        value, origin = _replaced(place, changes)
    if not plan.chosen:
        return Placed(value, origin)
    if isinstance(value, list) and (appends or not isinstance(new.value, list)):
        return _longer(Placed(value, origin), [new])
    return _merged(Placed(value, origin), new, "")


def removed(place: Placed, plan: _Plan) -> Placed:
    """The document without the targets, of which the root is none."""
    changes = {
        key: removed(Placed(place.value[key], place.origin.child(key)), inner)
        for key, inner in plan.inner.items()
        if not inner.chosen
    }
    value, origin = _replaced(place, changes) if changes else place
    gone = {key for key, inner in plan.inner.items() if inner.chosen}
    if not gone:
        return Placed(value, origin)
    if isinstance(value, dict):
        entries = {key: item for key, item in origin.entries.items() if key not in gone}
        kept = {key: item for key, item in value.items() if key not in gone}
        return Placed(kept, Origin(origin.document, origin.pointer, entries))
    left = [index for index in range(len(value)) if index not in gone]
    elements = tuple(origin.child(index) for index in left)
    return Placed([value[index] for index in left], Origin(origin.document, origin.pointer, {}, elements))


def kind_of(value: Any) -> str:
    """What a value is, as users call it."""
    return (
        "an object" if isinstance(value, dict) else "a list" if isinstance(value, list) else "a single value"
    )


def _replaced(place: Placed, changes: dict[Key, Placed]) -> Placed:
    """A container with some of its entries exchanged."""
    value, origin = place
    if isinstance(value, dict):
        entries = {**origin.entries, **{str(key): new.origin for key, new in changes.items()}}
        fresh = Origin(origin.document, origin.pointer, entries)
        return Placed({**value, **{str(key): new.value for key, new in changes.items()}}, fresh)
    items = list(value)
    elements = [origin.child(index) for index in range(len(items))]
    for key, new in changes.items():
        items[int(key)], elements[int(key)] = new
    return Placed(items, Origin(origin.document, origin.pointer, {}, tuple(elements)))


def _longer(place: Placed, more: Sequence[Placed]) -> Placed:
    value, origin = place
    elements = [origin.child(index) for index in range(len(value))]
    elements += [item.origin for item in more]
    fresh = Origin(origin.document, origin.pointer, {}, tuple(elements))
    return Placed([*value, *(item.value for item in more)], fresh)


def _merged(old: Placed, new: Placed, path: str) -> Placed:
    """Overlay 1.1, Action Object: objects are merged, lists are joined, single values are exchanged."""
    if isinstance(old.value, dict) and isinstance(new.value, dict):
        changes = {}
        for key, item in new.value.items():
            added = Placed(item, new.origin.child(key))
            if key in old.value:
                known = Placed(old.value[key], old.origin.child(key))
                added = _merged(known, added, join(path, key))
            changes[key] = added
        return _replaced(old, changes) if changes else old
    if isinstance(old.value, list) and isinstance(new.value, list):
        return _longer(old, [Placed(item, new.origin.child(index)) for index, item in enumerate(new.value)])
    if isinstance(old.value, (dict, list)) or isinstance(new.value, (dict, list)):
        raise Incompatible(path, old.value, new.value, new.origin)
    return new

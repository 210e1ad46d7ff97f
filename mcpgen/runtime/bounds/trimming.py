"""Cuts a JSON value to a number of bytes so that it stays JSON, and tells what was left out.

Lists lose their last items, the biggest lists first. Where that is not enough, long texts end with a mark, and then
objects lose fields. Sizes are those of compact JSON in UTF-8. The work is bounded by what is kept, not by what is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from ..values import compact_json
from .measuring import measured, size_of

Path = tuple[str | int, ...]

DEEPEST = 60
"""Levels that reach a client. Some JSON readers stop at 64, and the protocol's own at some 250."""
_LEVELS = 8
"""How far into a value cuts are looked for: every level costs another look at what is below it."""
_LONG_TEXT = 200
"""A shorter text is not worth cutting."""
_LEAST = 64
"""Bytes that a cut part gets at least: its mark alone has some 40."""
_MOST_FIELDS = 1000
"""An object with more fields is a map: it loses its last ones, as a list does."""


class Kind(Enum):
    """What was left out at a place."""

    ITEMS = "items"
    TEXT = "text"
    FIELDS = "fields"
    DEEPER = "deeper"


@dataclass(frozen=True, slots=True)
class Cut:
    """Something that was left out: of what is at `path`, the first `kept` of `total` are there."""

    path: Path
    kind: Kind
    kept: int
    total: int

    @property
    def pointer(self) -> str:
        """The place as a JSON pointer (RFC 6901)."""
        return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in self.path)


@dataclass(frozen=True, slots=True)
class Trimmed:
    """A value that fits. `whole` is false when it is only the beginning of the answer's JSON text."""

    value: Any
    cuts: tuple[Cut, ...] = ()
    whole: bool = True


class _NoRoom(Exception):
    """Nothing of this part fits."""


def trim(value: Any, room: int, clean: Callable[[str], str] = str) -> Trimmed:
    """The value, or as much of it as `room` bytes hold.

    Args:
        clean: what is done to a text before it is cut, since half a secret could not be found any more.
    """
    trimmer = _Trimmer(clean)
    try:
        kept = trimmer.fit(value, room, (), 0)
    except _NoRoom:
        text = clean(compact_json(value))
        cut = Cut((), Kind.TEXT, 0, len(text))
        return Trimmed(_beginning(text, room - 2), (cut,), whole=False)
    return Trimmed(kept, tuple(sorted(trimmer.cuts, key=lambda cut: [str(step) for step in cut.path])))


def flattened(value: Any) -> tuple[Any, tuple[Cut, ...]]:
    """The value without what is deeper than `DEEPEST` levels."""
    level = [value]
    for _ in range(DEEPEST):
        level = [inner for outer in level for inner in _members(outer) if isinstance(inner, dict | list)]
        if not level:
            return value, ()
    return _flat(value, DEEPEST), (Cut((), Kind.DEEPER, DEEPEST, 0),)


def _members(value: Any) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _flat(value: Any, levels: int) -> Any:
    if isinstance(value, dict):
        return {key: _flat(inner, levels - 1) for key, inner in value.items()} if levels else {}
    if isinstance(value, list):
        return [_flat(inner, levels - 1) for inner in value] if levels else []
    return value


@dataclass(slots=True)
class _Survey:
    """An object with the objects in it: where its lists and long texts are, and the bytes of everything else."""

    room: int
    frame: int = 0

    def places(self, value: dict[str, Any], path: Path, levels: int) -> Iterable[tuple[Path, Any]]:
        self.frame += 2 - bool(value)
        for key, inner in value.items():
            self.frame += size_of(key) + 2
            if (isinstance(inner, list) and inner) or (isinstance(inner, str) and len(inner) > _LONG_TEXT):
                yield (*path, key), inner
            elif isinstance(inner, dict) and levels > 0:
                yield from self.places(inner, (*path, key), levels - 1)
            else:
                self.frame += measured(inner, self.room)
            if self.frame > self.room:
                return


@dataclass(slots=True)
class _Plan:
    """Which parts of an object are cut, by their places, and how many bytes each of them may have."""

    rooms: Mapping[Path, int]
    inside: frozenset[Path]


class _Trimmer:
    """One value on its way into its room. `fit` gives what fits, or raises `_NoRoom`."""

    def __init__(self, clean: Callable[[str], str]) -> None:
        self.cuts: list[Cut] = []
        self._clean = clean

    def fit(self, value: Any, room: int, path: Path, depth: int) -> Any:
        if measured(value, room) <= room:
            return value
        if isinstance(value, str):
            return self._text(value, room, path)
        if isinstance(value, list):
            return self._items(value, room, path, depth)
        if isinstance(value, dict):
            plan = self._plan(value, room, path, depth)
            return (
                self._fields(value, room, path, depth)
                if plan is None
                else self._cut(value, path, plan, depth)
            )
        raise _NoRoom

    def _text(self, text: str, room: int, path: Path) -> str:
        text = self._clean(text)
        mark = "… [{:,} characters left out]"
        kept = _beginning(text, room - size_of(mark.format(len(text))))
        if not kept:
            raise _NoRoom
        self.cuts.append(Cut(path, Kind.TEXT, len(kept), len(text)))
        return kept + mark.format(len(text) - len(kept))

    def _items(self, items: list[Any], room: int, path: Path, depth: int) -> list[Any]:
        if room < 2:
            raise _NoRoom
        kept = items[: _fitting(items, room)]
        if not kept and depth < _LEVELS:
            before = len(self.cuts)
            try:
                kept = [self.fit(items[0], room - 2, (*path, 0), depth + 1)]
            except _NoRoom:
                del self.cuts[before:]
        if len(kept) < len(items):
            self.cuts.append(Cut(path, Kind.ITEMS, len(kept), len(items)))
        return kept

    def _plan(self, value: dict[str, Any], room: int, path: Path, depth: int) -> _Plan | None:
        """Room for the lists of an object; if they would lose all their items, its long texts are cut too."""
        survey = _Survey(room)
        places = dict(survey.places(value, path, _LEVELS - depth))
        if survey.frame > room:
            return None
        sizes = {place: measured(part, room) for place, part in places.items()}
        lists = {place: size for place, size in sizes.items() if isinstance(places[place], list)}
        share = _share(lists.values(), room - survey.frame - sum(sizes.values()) + sum(lists.values()))
        cut = {place: share for place, size in lists.items() if size > share}
        if not cut or any(measured(places[place][0], share) + 2 > share for place in cut):
            share = _share(sizes.values(), room - survey.frame)
            cut = {place: share for place, size in sizes.items() if size > share}
            if share < _LEAST:
                return None
        return _Plan(cut, frozenset(place[:length] for place in cut for length in range(len(place))))

    def _cut(self, value: Any, path: Path, plan: _Plan, depth: int) -> Any:
        if path in plan.rooms:
            return self.fit(value, plan.rooms[path], path, depth)
        if path not in plan.inside:
            return value
        return {key: self._cut(inner, (*path, key), plan, depth + 1) for key, inner in value.items()}

    def _fields(self, value: dict[str, Any], room: int, path: Path, depth: int) -> dict[str, Any]:
        """As many fields as fit: of a map the first ones, else all that are small and of the others what fits."""
        if room < 2:
            raise _NoRoom
        share = 0
        if len(value) <= _MOST_FIELDS and depth < _LEVELS:
            share = _share((_field_size(key, inner, room) for key, inner in value.items()), room - 1)
        if share < _LEAST:
            kept = _fitting_fields(value, room)
        else:
            kept = {}
            for key, inner in value.items():
                before, own = len(self.cuts), size_of(key) + 2
                try:
                    kept[key] = self.fit(inner, share - own, (*path, key), depth + 1)
                except _NoRoom:
                    del self.cuts[before:]
        if len(kept) < len(value):
            self.cuts.append(Cut(path, Kind.FIELDS, len(kept), len(value)))
        return kept


def _share(sizes: Iterable[int], room: int) -> int:
    """The most that each part may have when the bigger ones are cut to it and all of them together fit."""
    left, parts = room, sorted(sizes)
    for number, size in enumerate(parts):
        if size * (len(parts) - number) > left:
            return left // (len(parts) - number)
        left -= size
    return max(parts, default=0)


def _fitting(items: list[Any], room: int) -> int:
    """How many items a list of this size can have. Items after that are not looked at."""
    used = 1
    for count, item in enumerate(items):
        used += measured(item, room) + 1
        if used > room:
            return count
    return len(items)


def _field_size(key: str, value: Any, room: int) -> int:
    """Bytes of a field with its colon and a comma."""
    return size_of(key) + measured(value, room) + 2


def _fitting_fields(value: dict[str, Any], room: int) -> dict[str, Any]:
    """The first fields of an object, as many as fit whole."""
    kept, used = {}, 1
    for key, inner in value.items():
        used += _field_size(key, inner, room)
        if used > room:
            break
        kept[key] = inner
    return kept


def _beginning(text: str, room: int) -> str:
    """The longest beginning of a text whose JSON, without the quotes, has at most `room` bytes."""
    low, high = 0, max(0, min(len(text), room))
    if size_of(text[:high]) - 2 <= room:
        return text[:high]
    while low < high:
        middle = (low + high + 1) // 2
        if size_of(text[:middle]) - 2 <= room:
            low = middle
        else:
            high = middle - 1
    return text[:low]

"""Merges JSON documents three ways, member by member.

A catalogue has one long line for each tool. Merged by lines, an edited description and a new argument of the same tool
would be a conflict, and a new tool beside an edited one too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mcpgen.emit.merging.lines import lines_of, merge_lines
from mcpgen.emit.merging.model import Choice, Conflict, Merged, Unstructured
from mcpgen.emit.merging.order import merged_order
from mcpgen.emit.model import json_lines

_IDENTITIES = (("in", "name"), ("name",), ("tool",))
"""What tells the objects of a list apart, the first that does."""
_ABSENT = object()
_TOOL = re.compile(r"/(?:tools|operations)/[^/]+")
_SENTENCE = re.compile(r".+?(?:[.;:!?]\s+|\n+|$)|\n+", re.DOTALL)
"""A sentence or a part of one, with what separates it from the next."""


def merge_json(base: str, ours: str, theirs: str, choice: Choice | None) -> Merged:
    """Merges documents; the result is laid out as the team's text is.

    Raises:
        Unstructured: one of them is no JSON, an object repeats a name, or the result would need markers.
    """
    before, mine, new = map(_parsed, (base, ours, theirs))
    merge = _Merge(ours, choice)
    value = merge.value("", before, mine, new)
    if choice is Choice.INLINE and not all(conflict.gone for conflict in merge.conflicts):
        raise Unstructured("JSON has no place for markers")
    return Merged(_layout(mine, ours)(value), tuple(merge.conflicts))


def _parsed(text: str) -> Any:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) != len(pairs):
            raise Unstructured("an object repeats a name")
        return dict(pairs)

    try:
        return json.loads(text, object_pairs_hook=unique)
    except (ValueError, RecursionError) as error:
        raise Unstructured(str(error)) from None


def _layout(value: Any, text: str) -> Callable[[Any], str]:
    """How the team's text is laid out: as generated, or indented by an editor."""

    def indented(indent: int | str | None, ascii_only: bool, end: str) -> Callable[[Any], str]:
        return lambda value: json.dumps(value, indent=indent, ensure_ascii=ascii_only) + end

    if isinstance(value, dict) and json_lines(value) == text:
        return json_lines
    for indent in (2, 4, "\t", 1, None):
        for ascii_only in (False, True):
            for end in ("\n", ""):
                layout = indented(indent, ascii_only, end)
                if layout(value) == text:
                    return layout
    return json_lines


@dataclass(slots=True)
class _Merge:
    """One merge: `ours` is the team's text, for line numbers."""

    ours: str
    choice: Choice | None
    conflicts: list[Conflict] = field(default_factory=list)

    def value(self, pointer: str, base: Any, ours: Any, theirs: Any) -> Any:
        if _same(ours, theirs) or _same(base, theirs):
            return ours
        if _same(base, ours):
            return theirs
        if all(isinstance(one, dict) for one in (base, ours, theirs)):
            return self._members(pointer, base, ours, theirs)
        if all(isinstance(one, list) for one in (base, ours, theirs)):
            return self._items(pointer, base, ours, theirs)
        if all(isinstance(one, str) for one in (base, ours, theirs)):
            return self._sentences(pointer, base, ours, theirs)
        return self._conflict(pointer, base, ours, theirs)

    def _members(
        self, pointer: str, base: Mapping[str, Any], ours: Mapping[str, Any], theirs: Mapping[str, Any]
    ) -> dict[str, Any]:
        found = {
            key: self.value(
                f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}",
                base.get(key, _ABSENT),
                ours.get(key, _ABSENT),
                theirs.get(key, _ABSENT),
            )
            for key in merged_order(list(base), list(ours), list(theirs))
        }
        return {key: value for key, value in found.items() if value is not _ABSENT}

    def _items(self, pointer: str, base: Sequence[Any], ours: Sequence[Any], theirs: Sequence[Any]) -> Any:
        for names in _IDENTITIES:
            keyed = [_keyed(one, names) for one in (base, ours, theirs)]
            before, mine, new = keyed
            if before is not None and mine is not None and new is not None:
                return list(self._members(pointer, before, mine, new).values())
        merged = merge_lines(_one_a_line(base), _one_a_line(ours), _one_a_line(theirs), None)
        if merged.conflicts:
            return self._conflict(pointer, base, ours, theirs)
        return [json.loads(line) for line in lines_of(merged.text)]

    def _sentences(self, pointer: str, base: str, ours: str, theirs: str) -> str:
        """A description is one line of JSON; its sentences are what one changes."""
        merged = merge_lines(
            _SENTENCE.findall(base), _SENTENCE.findall(ours), _SENTENCE.findall(theirs), None
        )
        if merged.conflicts:
            return str(self._conflict(pointer, base, ours, theirs))
        return merged.text

    def _conflict(self, pointer: str, base: Any, ours: Any, theirs: Any) -> Any:
        """Records a conflict. No choice keeps the entry of a tool that is gone: without its operation it can't work."""
        gone = theirs is _ABSENT and _TOOL.fullmatch(pointer) is not None
        mine = _edits(base, ours) if gone else ours  # the rest of a long entry is not the team's
        conflict = Conflict(self._line(pointer, ours), pointer, _text(mine), _text(theirs), gone=gone)
        self.conflicts.append(conflict)
        return theirs if gone or self.choice is Choice.THEIRS else ours

    def _line(self, pointer: str, value: Any) -> int:
        """The line that holds a place, as far as its text shows it."""
        lines = lines_of(self.ours)
        last = json.dumps(pointer.rpartition("/")[2], ensure_ascii=False)
        wanted = "" if value is _ABSENT else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        for words in ((last, wanted), (wanted,), (last,)):
            for number, line in enumerate(lines, 1):
                if all(word in line for word in words):
                    return number
        return 1


def _edits(base: Any, ours: Any) -> Any:
    """The members of an object that the team has changed or added; the whole of anything else, or where there are none."""
    if not isinstance(base, dict) or not isinstance(ours, dict):
        return ours
    found = {
        key: _edits(base.get(key, _ABSENT), value)
        for key, value in ours.items()
        if not _same(base.get(key, _ABSENT), value)
    }
    return found or ours


def _keyed(items: Sequence[Any], names: Sequence[str]) -> dict[str, Any] | None:
    """The objects of a list by what tells them apart, or None where that does not."""
    if not all(isinstance(item, dict) and all(isinstance(item.get(n), str) for n in names) for item in items):
        return None
    found = {" ".join(item[name] for name in reversed(names)): item for item in items}
    return found if len(found) == len(items) else None


def _one_a_line(items: Sequence[Any]) -> list[str]:
    return [json.dumps(item, ensure_ascii=False) + "\n" for item in items]


def _same(one: Any, other: Any) -> bool:
    """Equality of JSON, where 1, 1.0 and true are different."""
    if one is _ABSENT or other is _ABSENT:
        return one is other
    return one == other and json.dumps(one) == json.dumps(other)


def _text(value: Any) -> str:
    return "" if value is _ABSENT else json.dumps(value, ensure_ascii=False)

"""Judges merges by other means than the merge itself: from what each side changed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from typing import Any

_KEYS = ("name", "tool")


def may_overlap(path: str, base: str, ours: str, theirs: str) -> bool:
    """Whether both sides changed the same place, or places that touch."""
    if path.endswith(".json"):
        mine, new = (_changed_leaves(base, text) for text in (ours, theirs))
        return any(a.startswith(f"{b}/") or b.startswith(f"{a}/") or a == b for a in mine for b in new)
    mine_ranges, new_ranges = (_changed_lines(base, text) for text in (ours, theirs))
    return any(a <= d and c <= b for a, b in mine_ranges for c, d in new_ranges)


def lost(path: str, base: str, ours: str, theirs: str, merged: str) -> list[str]:
    """What one side changed and the merged text does not have; for texts where the sides do not overlap."""
    if path.endswith(".json"):
        before, result = _leaves(json.loads(base)), _leaves(json.loads(merged))
        found = []
        for text in (ours, theirs):
            side = _leaves(json.loads(text))
            for pointer in before.keys() | side.keys():
                wanted = side.get(pointer)
                if wanted != before.get(pointer) and result.get(pointer) != wanted:
                    found.append(f"{pointer}: {wanted}")
        return sorted(found)
    before_lines, merged_lines = Counter(base.splitlines()), Counter(merged.splitlines())
    found = []
    for text in (ours, theirs):
        side = Counter(text.splitlines())
        found += [f"+ {line}" for line, n in (side - before_lines).items() if merged_lines[line] < n]
        gone = before_lines - side
        found += [
            f"- {line}"
            for line in gone
            if line.strip() and side[line] == 0 and _back(line, ours, theirs, merged)
        ]
    return sorted(found)


def _back(line: str, ours: str, theirs: str, merged: str) -> bool:
    """Whether a line that one side removed is in the result more often than the sides together explain."""
    sides = [text.splitlines().count(line) for text in (ours, theirs)]
    return merged.splitlines().count(line) > min(sides)


def _changed_lines(base: str, other: str) -> list[tuple[int, int]]:
    matcher = SequenceMatcher(None, base.splitlines(), other.splitlines(), autojunk=False)
    return [(i1, i2) for tag, i1, i2, _, _ in matcher.get_opcodes() if tag != "equal"]


def _changed_leaves(base: str, other: str) -> set[str]:
    before, after = _leaves(json.loads(base)), _leaves(json.loads(other))
    return {pointer for pointer in before.keys() | after.keys() if before.get(pointer) != after.get(pointer)}


def _leaves(value: Any) -> dict[str, str]:
    return dict(_walk("", value))


def _walk(pointer: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _walk(f"{pointer}/{key}", item)
    elif isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
        for index, item in enumerate(value):
            key = next((item[key] for key in _KEYS if key in item), index)
            yield from _walk(f"{pointer}/{item.get('in', '')}{key}", item)
    else:
        yield pointer, json.dumps(value)

"""The differences between two JSON values, by JSON pointer (RFC 6901)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from ..values import UNSET, compact_json, kind_of

_LONGEST = 80
_DEEPEST = 60


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where they differ. UNSET stands for nothing."""

    pointer: str
    before: Any
    after: Any

    @property
    def kind(self) -> Literal["added", "removed", "changed"]:
        if self.before is UNSET:
            return "added"
        return "removed" if self.after is UNSET else "changed"

    @property
    def told(self) -> str:
        """In words, long values cut."""
        if self.kind == "changed":
            return f"{short(self.before)} -> {short(self.after)}"
        return f"{self.kind} {short(self.after if self.before is UNSET else self.before)}"


def differences(before: Any, after: Any, pointer: str = "", depth: int = 0) -> Iterator[Difference]:
    """All differences, in the order of the first value. 1 and 1.0 are the same number, 1 and true are not the same."""
    both = (before, after)
    if depth < _DEEPEST and all(isinstance(value, dict) for value in both):
        for name in [*before, *(name for name in after if name not in before)]:
            place = f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}"
            yield from _entry(before.get(name, UNSET), after.get(name, UNSET), place, depth)
    elif depth < _DEEPEST and all(isinstance(value, list) for value in both):
        for at in range(max(map(len, both))):
            old, new = (value[at] if at < len(value) else UNSET for value in both)
            yield from _entry(old, new, f"{pointer}/{at}", depth)
    elif before != after or (isinstance(before, bool) is not isinstance(after, bool)):
        yield Difference(pointer, before, after)


def _entry(before: Any, after: Any, place: str, depth: int) -> Iterator[Difference]:
    if before is UNSET or after is UNSET:
        yield Difference(place, before, after)
    else:
        yield from differences(before, after, place, depth + 1)


def short(value: Any) -> str:
    """A value as JSON on one line; of a long one the beginning, or what kind it is and how large."""
    text = "".join(c if c.isprintable() else "?" for c in compact_json(value))
    if len(text) <= _LONGEST:
        return text
    if isinstance(value, list | dict):
        return f"({kind_of(value)} of {len(value)})"
    return text[: _LONGEST - 1] + "…"

"""A difference of two schemas, and the walk that finds them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

Path = tuple[str, ...]


class Way(StrEnum):
    """What a difference does to the set of valid values.

    `CHANGED` may do both. `UNSURE` does nothing by the schemas alone, but may matter. `NOTE` does nothing.
    """

    NARROWED = "narrowed"
    WIDENED = "widened"
    CHANGED = "changed"
    UNSURE = "unsure"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Delta:
    """One difference. `path` are the tokens of a JSON pointer, into the old schema for what is gone."""

    code: str
    way: Way
    path: Path
    before: Any = None
    after: Any = None


@dataclass(slots=True)
class Walk:
    """One comparison.

    Attributes:
        old, new: the documents that `$ref` leads into.
        enter: compares two subschemas (`compare.compare`), which the modules for single keywords call.
        loose_from: the length of path from which a bare schema may be one that was loosened to keep it small.
        seen: pairs of referenced schemas that are compared already; by this, recursion ends.
    """

    old: Mapping[str, Any]
    new: Mapping[str, Any]
    enter: Callable[[Walk, Any, Any, Path], None]
    loose_from: int
    deltas: list[Delta] = field(default_factory=list)
    seen: set[tuple[int, int]] = field(default_factory=set)
    depth: int = 0

    def say(self, code: str, way: Way, path: Path, before: Any = None, after: Any = None) -> None:
        """Notes a difference."""
        self.deltas.append(Delta(code, way, path, before, after))

    def probe(self, old: Any, new: Any) -> list[Delta]:
        """The differences of two subschemas, which are not noted."""
        inner = Walk(self.old, self.new, self.enter, 0, seen=set(self.seen), depth=self.depth)
        self.enter(inner, old, new, ())
        return [delta for delta in inner.deltas if delta.way is not Way.NOTE]

    def way(self, old: Any, new: Any) -> Way | None:
        """What all the differences of two subschemas do together; None where there are none."""
        ways = {delta.way for delta in self.probe(old, new)}
        if not ways:
            return None
        return ways.pop() if len(ways) == 1 else Way.CHANGED

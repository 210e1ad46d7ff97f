"""Which tools of a server stand beside each other: who finds the id that another one needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from mcpgen.ir.api import Operation
from mcpgen.plan.places import FINDERS, Place, last_noun, last_parameter, place_of, search_argument


class SiblingKind(StrEnum):
    """What the sibling is better for."""

    FIND = "find"
    """It lists or searches the collection that holds the item this tool needs."""
    ONE = "one"
    """It gets one item of the collection that this tool lists."""
    SEARCH = "search"
    """It searches where this tool lists."""
    PARTIAL = "partial"
    """It changes some fields where this tool replaces all."""


@dataclass(frozen=True, slots=True)
class Sibling:
    """Another tool, and for what it is the better one: `what` is an argument or a noun ("order_id", "order").

    `search` is the argument of that tool that takes words to look for, if it has one. `shared` are its required
    arguments, all of which this tool has too.
    """

    name: str
    kind: SiblingKind
    what: str
    search: str | None = None
    shared: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ToolRef:
    """What the index needs to know of a tool.

    `arguments` maps argument names to "is required". `renamed` maps the wire names of path parameters to argument
    names where they differ.
    """

    name: str
    operation: Operation
    reads: bool
    arguments: Mapping[str, bool]
    renamed: Mapping[str, str] = field(default_factory=dict)


_MAX = 2


class SiblingIndex:
    """The tools of one server by the place where they work."""

    def __init__(self, tools: Iterable[ToolRef]) -> None:
        self._by_place: dict[Place, list[ToolRef]] = {}
        for tool in sorted(tools, key=lambda tool: tool.name):
            self._by_place.setdefault(place_of(tool.operation.path), []).append(tool)

    def of(self, tool: ToolRef) -> tuple[Sibling, ...]:
        """The siblings of a tool, the most useful first; at most two."""
        place = place_of(tool.operation.path)
        found = [*self._finders(tool, place), *self._others(tool, place)]
        return tuple(found[:_MAX])

    def _finders(self, tool: ToolRef, place: Place) -> list[Sibling]:
        """Tools on the collection of the last placeholder of the path that need nothing this tool does not have."""
        last = max((i for i, part in enumerate(place) if part == "{}"), default=-1)
        if last < 1:
            return []
        collection = place[:last]
        candidates = [ref for ref in self._by_place.get(collection, []) if ref.operation.method == "GET"]
        for word in FINDERS:
            candidates += self._by_place.get((*collection, word), [])
        usable = [
            ref
            for ref in candidates
            if ref.reads and ref.name != tool.name and _needs(ref) <= set(tool.arguments)
        ]
        ranked = sorted(usable, key=lambda ref: (search_argument(ref.arguments) is None, ref.name))
        wanted = last_parameter(tool.operation.path)
        wanted = tool.renamed.get(wanted, wanted)
        return [
            Sibling(
                ref.name, SiblingKind.FIND, wanted, search_argument(ref.arguments), tuple(sorted(_needs(ref)))
            )
            for ref in ranked[:1]
        ]

    def _others(self, tool: ToolRef, place: Place) -> list[Sibling]:
        operation = tool.operation
        noun = last_noun(operation.path)
        found: list[Sibling] = []
        if operation.method == "GET" and place and place[-1] != "{}":
            for word in sorted(FINDERS - {"list"}):
                for ref in self._by_place.get((*place, word), []):
                    if ref.reads:
                        found.append(
                            Sibling(ref.name, SiblingKind.SEARCH, noun, search_argument(ref.arguments))
                        )
            for ref in self._by_place.get((*place, "{}"), []):
                if ref.operation.method == "GET" and ref.reads:
                    found.append(Sibling(ref.name, SiblingKind.ONE, noun))
        if operation.method == "PUT":
            for ref in self._by_place.get(place, []):
                if ref.operation.method == "PATCH":
                    found.append(Sibling(ref.name, SiblingKind.PARTIAL, noun))
        return found


def _needs(ref: ToolRef) -> set[str]:
    return {name for name, required in ref.arguments.items() if required} - {
        search_argument(ref.arguments) or ""
    }

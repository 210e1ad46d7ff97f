"""Which tools of a server stand beside each other: who finds the id that another one needs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from mcpgen.ir.api import Operation
from mcpgen.plan.naming.identifiers import singular, split_words
from mcpgen.plan.toolsets import is_prefix, static_segments


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


_SEARCH_ARGUMENTS = (
    "q", "query", "search", "keyword", "keywords", "searchterm", "term", "text", "searchtext", "filter", "filters",
    "name", "title", "namefilter", "match", "prefix", "email", "jql",
)  # fmt: skip
_FINDERS = frozenset({"search", "query", "list", "find", "lookup", "_search"})
_MAX = 2


class SiblingIndex:
    """The tools of one server by the place where they work."""

    def __init__(self, tools: Iterable[ToolRef]) -> None:
        self._by_place: dict[tuple[str, ...], list[ToolRef]] = {}
        for tool in sorted(tools, key=lambda tool: tool.name):
            self._by_place.setdefault(_place(tool.operation.path), []).append(tool)

    def of(self, tool: ToolRef) -> tuple[Sibling, ...]:
        """The siblings of a tool, the most useful first; at most two."""
        place = _place(tool.operation.path)
        found = [*self._finders(tool, place), *self._others(tool, place)]
        return tuple(found[:_MAX])

    def _finders(self, tool: ToolRef, place: tuple[str, ...]) -> list[Sibling]:
        """Tools on the collection of the last placeholder of the path that need nothing this tool does not have."""
        last = max((i for i, part in enumerate(place) if part == "{}"), default=-1)
        if last < 1:
            return []
        collection = place[:last]
        candidates = [ref for ref in self._by_place.get(collection, []) if ref.operation.method == "GET"]
        for word in _FINDERS:
            candidates += self._by_place.get((*collection, word), [])
        usable = [
            ref
            for ref in candidates
            if ref.reads and ref.name != tool.name and _needs(ref) <= set(tool.arguments)
        ]
        ranked = sorted(usable, key=lambda ref: (_search_argument(ref) is None, ref.name))
        wanted = _last_parameter(tool.operation.path)
        wanted = tool.renamed.get(wanted, wanted)
        return [
            Sibling(ref.name, SiblingKind.FIND, wanted, _search_argument(ref), tuple(sorted(_needs(ref))))
            for ref in ranked[:1]
        ]

    def _others(self, tool: ToolRef, place: tuple[str, ...]) -> list[Sibling]:
        operation = tool.operation
        noun = _last_noun(operation.path)
        found: list[Sibling] = []
        if operation.method == "GET" and place and place[-1] != "{}":
            for word in sorted(_FINDERS - {"list"}):
                for ref in self._by_place.get((*place, word), []):
                    if ref.reads:
                        found.append(Sibling(ref.name, SiblingKind.SEARCH, noun, _search_argument(ref)))
            for ref in self._by_place.get((*place, "{}"), []):
                if ref.operation.method == "GET" and ref.reads:
                    found.append(Sibling(ref.name, SiblingKind.ONE, noun))
        if operation.method == "PUT":
            for ref in self._by_place.get(place, []):
                if ref.operation.method == "PATCH":
                    found.append(Sibling(ref.name, SiblingKind.PARTIAL, noun))
        return found


def not_found_hint(operation: Operation, siblings: Sequence[Sibling]) -> dict[str, Any] | None:
    """What to do when the API answers 404: call the sibling that finds the id. None when there is none.

    `arguments` names real arguments of that tool.
    """
    finder = next((item for item in siblings if item.kind is SiblingKind.FIND), None)
    if finder is None:
        return None
    arguments = {name: "the same value as in this call" for name in finder.shared}
    if finder.search:
        arguments[finder.search] = f"what is known about the {_noun(operation)}"
    text = f"Then call this tool again with the {finder.what} found."
    return {"tool": finder.name, "arguments": arguments, "text": text}


def _noun(operation: Operation) -> str:
    """What the last placeholder identifies: the segment before it, in the singular."""
    before = re.findall(r"([^/{}]+)/\{[^{}]*\}", operation.path)
    words = split_words(before[-1]) if before else ()
    return " ".join((*words[:-1], singular(words[-1]))) if words else "item"


def _last_noun(path: str) -> str:
    static = static_segments(path)
    words = split_words(static[-1]) if static else ()
    return " ".join((*words[:-1], singular(words[-1]))) if words else "item"


def _place(path: str) -> tuple[str, ...]:
    """The path as segments with all placeholders equal; `users.list` and `users/list` are the same place."""
    plain = re.sub(r"\{[^{}]*\}", "{}", path.partition("?")[0].partition("#")[0])
    parts = [part for part in re.split(r"[/:]|(?<=[a-z])\.(?=[a-z])", plain) if part]
    return tuple(
        part.lower() for part in parts if part == "{}" or not is_prefix(part) or part.lower() == "services"
    )


def _last_parameter(path: str) -> str:
    names = re.findall(r"\{([^{}]*)\}", path)
    return names[-1] if names else ""


def _needs(ref: ToolRef) -> set[str]:
    return {name for name, required in ref.arguments.items() if required} - {_search_argument(ref) or ""}


def _search_argument(ref: ToolRef) -> str | None:
    folded = {name.replace("_", "").lower(): name for name in ref.arguments}
    return next((folded[name] for name in _SEARCH_ARGUMENTS if name in folded), None)

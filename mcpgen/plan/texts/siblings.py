"""Which tools of a server stand beside each other: who finds the id that another one needs, and who does nearly the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

from mcpgen.ir.api import Operation
from mcpgen.plan.naming.identifiers import split_words
from mcpgen.plan.places import FINDERS, Place, last_noun, last_parameter, place_of, search_argument
from mcpgen.plan.texts.roles import Role, Trait, trait_of
from mcpgen.plan.toolsets import is_prefix


class SiblingKind(StrEnum):
    """What the sibling is better for."""

    FIND = "find"
    """It lists or searches the collection that holds the item this tool needs."""
    ONE = "one"
    """It gets one item of the collection that this tool lists."""
    SEARCH = "search"
    """It searches where this tool lists."""
    LIST = "list"
    """It lists where this tool searches."""
    BROWSE = "browse"
    """It lists or searches where this tool gets one."""
    SEVERAL = "several"
    """It does for many at once what this tool does for one."""
    PARTIAL = "partial"
    """It changes some fields where this tool replaces all."""
    REPLACE = "replace"
    """It replaces all fields where this tool changes some."""
    CREATE = "create"
    """It adds a new one where this tool changes one."""
    CHANGE = "change"
    """It changes one where this tool adds a new one."""
    REMOVE = "remove"
    """It deletes what this tool changes."""
    REVERSE = "reverse"
    """It takes back what this tool does."""
    OTHER = "other"
    """It does something else to the same things: `what` is its summary."""


@dataclass(frozen=True, slots=True)
class Sibling:
    """Another tool, and for what it is the better one: `what` is an argument, a noun ("order_id", "order") or a summary.

    `summary` is a short text for what it does.
    """

    name: str
    kind: SiblingKind
    what: str
    summary: str = ""


@dataclass(frozen=True, slots=True)
class ToolRef:
    """What the index needs to know of a tool.

    `arguments` maps argument names to "is required". `renamed` maps the wire names of path parameters to argument
    names where they differ. `lists` says that it answers with a list; `summary` is a short text for what it does.
    """

    name: str
    operation: Operation
    reads: bool
    arguments: Mapping[str, bool]
    renamed: Mapping[str, str] = field(default_factory=dict)
    summary: str = ""


_IDENTIFIERS = (("id",), ("uuid",), ("guid",), ("ids",))
_NEAR = 40
"""Tools with a word or a place in common that are looked at as neighbours."""
_CLOSE = 0.6
"""How much alike a neighbour is that is named beside a finder."""
_RELATED: Mapping[Role, tuple[tuple[Role, SiblingKind], ...]] = {
    Role.LIST: ((Role.SEARCH, SiblingKind.SEARCH), (Role.GET, SiblingKind.ONE)),
    Role.SEARCH: ((Role.LIST, SiblingKind.LIST), (Role.GET, SiblingKind.ONE)),
    Role.GET: ((Role.SEARCH, SiblingKind.BROWSE), (Role.LIST, SiblingKind.BROWSE)),
    Role.CREATE: ((Role.UPDATE, SiblingKind.CHANGE), (Role.REPLACE, SiblingKind.CHANGE)),
    Role.UPDATE: (
        (Role.REPLACE, SiblingKind.REPLACE),
        (Role.CREATE, SiblingKind.CREATE),
        (Role.DELETE, SiblingKind.REMOVE),
    ),
    Role.REPLACE: (
        (Role.UPDATE, SiblingKind.PARTIAL),
        (Role.CREATE, SiblingKind.CREATE),
        (Role.DELETE, SiblingKind.REMOVE),
    ),
    Role.DELETE: ((Role.UPDATE, SiblingKind.CHANGE), (Role.REPLACE, SiblingKind.CHANGE)),
}


class SiblingIndex:
    """The tools of one server by the place where they work and by what they work on."""

    def __init__(self, tools: Iterable[ToolRef]) -> None:
        self._by_place: dict[Place, list[ToolRef]] = {}
        self._by_noun: dict[tuple[str, ...], list[ToolRef]] = {}
        self._by_parent: dict[Place, list[ToolRef]] = {}
        self._by_word: dict[str, list[ToolRef]] = {}
        self._traits: dict[str, Trait] = {}
        self._places: dict[str, Place] = {}
        for tool in sorted(tools, key=lambda tool: tool.name):
            place = self._places[tool.name] = place_of(tool.operation.path)
            trait = self._traits[tool.name] = trait_of(tool.name, tool.operation, tool.reads, place)
            self._by_place.setdefault(place, []).append(tool)
            self._by_parent.setdefault(place[:-1], []).append(tool)
            self._by_noun.setdefault(trait.nouns, []).append(tool)
            for word in trait.things:
                self._by_word.setdefault(word, []).append(tool)

    def of(self, tool: ToolRef) -> tuple[Sibling, ...]:
        """The siblings of a tool: who finds what it needs, and the one it is most easily confused with."""
        found = [*self._finders(tool)][:1]
        named = {sibling.name for sibling in found}
        for sibling in (*self._related(tool), *self._neighbours(tool, _CLOSE if found else 0)):
            if sibling.name not in named:
                found.append(sibling)
                break
        return tuple(found)

    def noun_of(self, tool: ToolRef) -> str:
        """What a tool is about, where one or two words of its name say it: `order` for `create_order`."""
        trait = self._traits[tool.name]
        known = trait.role is not Role.ACT and 0 < len(trait.nouns) <= 2
        return " ".join(trait.nouns) if known else ""

    def finder(self, argument: str, tool: ToolRef) -> tuple[str, str]:
        """What an argument like `order_id` identifies, and the tool that lists those and needs no more than this one; else "", ""."""
        words = split_words(argument)
        noun = words[:-1] if words[-1:] in _IDENTIFIERS else ()
        found = [
            ref
            for ref in self._by_noun.get(noun, ())
            if noun
            and ref.reads
            and ref.name != tool.name
            and self._traits[ref.name].role in (Role.LIST, Role.SEARCH)
            and _needs(ref) <= {name for name, needed in tool.arguments.items() if needed} - {argument}
        ]
        best = min(found, key=lambda ref: (-_kin(ref, tool), len(_needs(ref)), ref.name), default=None)
        return (" ".join(noun), best.name) if best is not None else ("", "")

    def creates(self, tool: ToolRef) -> bool:
        """Whether a tool adds a new thing, by its name."""
        return self._traits[tool.name].role is Role.CREATE

    def _finders(self, tool: ToolRef) -> Iterator[Sibling]:
        """Tools on the collection of the last placeholder of the path that need nothing this tool does not have."""
        place = self._places[tool.name]
        last = max((i for i, part in enumerate(place) if part == "{}"), default=-1)
        if last >= 1:
            collection = place[:last]
            candidates = [ref for ref in self._by_place.get(collection, []) if ref.operation.method == "GET"]
            for word in sorted(FINDERS):
                candidates += self._by_place.get((*collection, word), [])
            wanted = last_parameter(tool.operation.path)
            wanted = tool.renamed.get(wanted, wanted)
        else:
            trait = self._traits[tool.name]
            given = trait.role not in (Role.CREATE, Role.LIST, Role.SEARCH)
            named = (name for name, needed in tool.arguments.items() if needed and trait.names(name))
            wanted = next(named, "") if given else ""
            candidates = [
                ref
                for ref in self._by_noun.get(trait.nouns, [])
                if wanted and trait.nouns and self._traits[ref.name].role in (Role.LIST, Role.SEARCH)
            ]
        usable = [
            ref
            for ref in candidates
            if ref.reads and ref.name != tool.name and _needs(ref) <= set(tool.arguments) - {wanted}
        ]
        usable.sort(key=lambda ref: (-_kin(ref, tool), search_argument(ref.arguments) is None, ref.name))
        for ref in usable:
            yield Sibling(ref.name, SiblingKind.FIND, wanted)

    def _related(self, tool: ToolRef) -> Iterator[Sibling]:
        """Tools that do the neighbouring thing to the same kind of thing: list and get, create and update."""
        trait = self._traits[tool.name]
        noun = " ".join(trait.nouns) if 0 < len(trait.nouns) <= 2 else last_noun(tool.operation.path)
        around = self._around(tool)
        for role, kind in _RELATED.get(trait.role, ()):
            for ref in around:
                other = self._traits[ref.name]
                if other.role is role and other.many == trait.many and self._fits(kind, ref, tool):
                    yield Sibling(ref.name, kind, noun, ref.summary)
        for ref in around:
            other = self._traits[ref.name]
            if other.role is trait.role and other.many and not trait.many and other.verb == trait.verb:
                yield Sibling(ref.name, SiblingKind.SEVERAL, noun, ref.summary)
            if trait.reverses(other):
                yield Sibling(ref.name, SiblingKind.REVERSE, noun, ref.summary)

    def _around(self, tool: ToolRef) -> list[ToolRef]:
        """Tools at the same place, one step above or below it, or on the same noun; nearest first."""
        place, trait = self._places[tool.name], self._traits[tool.name]
        found = list(self._by_place.get(place, ()))
        found += self._by_place.get(place[:-1] if place[-1:] == ("{}",) else (*place, "{}"), ())
        for word in sorted(FINDERS):
            found += self._by_place.get((*place, word), ())
        if place[-1:] and place[-1] in FINDERS:
            found += self._by_place.get(place[:-1], [])
            found += self._by_place.get((*place[:-1], "{}"), [])
        found += self._by_parent.get(place[:-1], [])[:_NEAR] if trait.role is Role.ACT else []
        if trait.nouns:
            same = [ref for ref in self._by_noun[trait.nouns] if _comparable(place, self._places[ref.name])]
            found += same[:_NEAR]
        unique = {ref.name: ref for ref in found if ref.name != tool.name}
        return sorted(unique.values(), key=lambda ref: -_kin(ref, tool))

    def _fits(self, kind: SiblingKind, ref: ToolRef, tool: ToolRef) -> bool:
        """Whether what would be said of the other tool is true: "by its id" of one that takes something to know it by."""
        reading = kind in (SiblingKind.ONE, SiblingKind.SEARCH, SiblingKind.LIST, SiblingKind.BROWSE)
        if reading != ref.reads:
            return False
        if kind is SiblingKind.ONE:
            return any(needed and not tool.arguments.get(name) for name, needed in ref.arguments.items())
        if kind is SiblingKind.BROWSE:
            known = set(tool.arguments)
            return _needs(ref) <= known and any(needed for needed in tool.arguments.values())
        if kind in (SiblingKind.PARTIAL, SiblingKind.REPLACE):
            return self._places[ref.name] == self._places[tool.name]
        return True

    def _neighbours(self, tool: ToolRef, least: float) -> Iterator[Sibling]:
        """The tool that does something else to the same things, if it is at least so much alike."""
        place, trait = self._places[tool.name], self._traits[tool.name]
        near = [*self._around(tool), *self._by_parent.get(place[:-1], [])[:_NEAR]]
        near += self._by_parent.get(place, [])[:_NEAR]
        for word in sorted(trait.things, key=lambda word: (len(self._by_word[word]), word))[:2]:
            near += self._by_word[word][:_NEAR]
        unique = {
            ref.name: ref
            for ref in near
            if ref.name != tool.name
            and (ref.reads or not tool.reads)
            and (not ref.summary or ref.summary != tool.summary)
        }

        def distance(ref: ToolRef) -> tuple[float, int, bool, str]:
            other = self._traits[ref.name]
            shared = len(trait.things & other.things) / max(1, len(trait.things | other.things))
            same = self._places[ref.name][:-1] == place[:-1] and len(place) > 1
            return -shared - same / 4, -_kin(ref, tool), other.role is trait.role, ref.name

        found = sorted((distance(ref), ref.name) for ref in unique.values())
        if found and found[0][0][0] < -least:
            ref = unique[found[0][1]]
            yield Sibling(ref.name, SiblingKind.OTHER, "", ref.summary)


def _kin(ref: ToolRef, tool: ToolRef) -> int:
    """How many of the versions and prefixes in the path two tools have in common: `/apis/v1` is not `/apis/v1beta1`."""
    return len(_prefixes(ref.operation.path) & _prefixes(tool.operation.path))


@lru_cache(maxsize=8192)
def _prefixes(path: str) -> frozenset[str]:
    return frozenset(part for part in path.split("/") if is_prefix(part))


def _comparable(left: Place, right: Place) -> bool:
    """Whether two places can be about the same things: one holds the other, or both begin alike."""
    return left[:1] == right[:1] or len(left) == 1 or len(right) == 1


def _needs(ref: ToolRef) -> set[str]:
    return {name for name, required in ref.arguments.items() if required} - {
        search_argument(ref.arguments) or ""
    }

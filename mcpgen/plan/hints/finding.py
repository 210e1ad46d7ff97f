"""Who finds the value that an argument needs: the tool that lists, or the one that creates, what it identifies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from mcpgen.ir.api import Schema
from mcpgen.plan.arguments import ArgumentDraft
from mcpgen.plan.following import HintPlan
from mcpgen.plan.hints.feeding import Wanted, feed, item_field, key_of
from mcpgen.plan.hints.tools import HintTool, HintTools
from mcpgen.plan.naming.identifiers import singular, split_words
from mcpgen.plan.paging.answer import Answer, plain
from mcpgen.plan.paging.names import folded
from mcpgen.plan.paging.planning import PagingPlanner
from mcpgen.plan.places import FINDERS, Place
from mcpgen.plan.responses import success_of

_MOST_WORDS = 3
"""Arguments that a caller is asked to fill with words of its own."""
REFERRING = frozenset({"id", "uuid", "guid", "gid", "uid", "slug", "key", "pk"})
"""Keys that mean another thing when they stand behind its name; a `group_name` can be just a name."""
_VAGUE = frozenset(
    "type status kind name value version state code date format language action category item level resource object entity target parent".split()
)
"""Nouns of so many things that a list of them elsewhere is one of others."""


@dataclass(frozen=True, slots=True)
class Finder:
    """A tool that gives the value of an argument; `field` is where its result has it, "" where that is not known."""

    tool: HintTool
    field: str


class Finders:
    """Finds the tools of one API that give values for the arguments of others."""

    def __init__(self, tools: HintTools, paging: PagingPlanner, schemas: Mapping[str, Schema]) -> None:
        self._tools = tools
        self._paging = paging
        self._schemas = schemas

    def for_slot(self, tool: HintTool, index: int) -> HintPlan | None:
        """How to find the value of the placeholder at an index of a tool's place."""
        name = tool.slots[index]
        collection = tool.place[:index]
        nouns = _noun(collection)
        own = tool.place[index + 1 :][:1] != ("{}",) and self._identifies(
            tool.arguments[name].wire, collection
        )
        listers = self._of_collection(tool, collection)
        finder = (
            self._lister(tool, listers, name, nouns, own=own)
            or self._by_noun(tool, name, nouns)
            or self._producer(tool, name)
        )
        if finder is not None:
            return self._plan(finder, tool, name)
        adds = tool.operation.method == "POST" and index + 1 < len(tool.place)
        return self._creator(tool, collection, name, nouns) if adds else None

    def for_argument(self, tool: HintTool, name: str) -> HintPlan | None:
        """How to find the value of an argument that refers to something else: `customer_id`, `productUuid`."""
        found = key_of(tool.arguments[name].wire)
        if found is None or not found[0] or found[1] not in REFERRING or found[0] == tool.nouns:
            return None
        finder = self._by_noun(tool, name, found[0])
        return None if finder is None else self._plan(finder, tool, name)

    def for_key(self, tool: HintTool, name: str, nouns: tuple[str, ...]) -> HintPlan | None:
        """How to find the value of a required `id` that stands in no path: `users.info?user=`, `get-user?id=`."""
        beside = tool.place[:-1]
        words = sorted(FINDERS) if beside else ()
        listers = [one for word in words for one in self._tools.at((*beside, word), tool)]
        listers += self._tools.by_nouns.get(nouns, ())
        found = [one for one in listers if one.reads and one.place != tool.place and self._lists(one)]
        finder = self._lister(tool, found, name, nouns)
        return None if finder is None else self._plan(finder, tool, name)

    def answer(self, tool: HintTool) -> Answer:
        return self._paging.answer(tool.prepared)

    def words(self, tool: HintTool, nouns: tuple[str, ...]) -> dict[str, str]:
        """Words for the search argument of a tool, if it has one."""
        search = self._tools.search(tool)
        return {} if search is None else {search: f"what is known about the {' '.join(nouns) or 'item'}"}

    def _identifies(self, wire: str, collection: Place) -> bool:
        """Whether an argument is that of an item of the collection before it, whatever it is called.

        Not where its name says something else that this API lists: `/projects/{organization_id}/{project_id}`.
        """
        found = key_of(wire)
        told = _singular(wire) if found is None else found[0]
        within = {_noun((part,))[-1:] for part in collection}
        return not told or told[-1:] in within or told not in self._tools.by_nouns

    def _lists(self, tool: HintTool) -> bool:
        return self._paging.plan(tool.prepared) is not None

    def _of_collection(self, tool: HintTool, collection: Place) -> list[HintTool]:
        if not collection or collection[-1] == "{}":
            return []
        found = [one for one in self._tools.at(collection, tool) if one.operation.method == "GET"]
        for word in sorted(FINDERS):
            found += self._tools.at((*collection, word), tool)
        return [one for one in found if one.reads]

    def _by_noun(self, tool: HintTool, name: str, nouns: tuple[str, ...]) -> Finder | None:
        """A tool that lists what an argument's name says, wherever it is."""
        wire = tool.arguments[name].wire
        found = key_of(wire)
        wanted = _singular(wire) if found is None else found[0] or nouns
        if not wanted or wanted[-1] in _VAGUE:
            return None
        listers = [one for one in self._tools.by_nouns.get(wanted, ()) if self._lists(one)]
        return self._lister(tool, listers, name, wanted)

    def _lister(
        self,
        tool: HintTool,
        candidates: Iterable[HintTool],
        name: str,
        nouns: tuple[str, ...],
        *,
        own: bool = False,
    ) -> Finder | None:
        """The best of several tools: one that searches, whose result is known to hold the value.

        Args:
            own: the argument is known to identify what they list; then one will do whose answer is not described.
        """
        draft = tool.arguments[name]
        wanted = Wanted(draft.wire, self._tools.types(draft), nouns, own)
        ranked = []
        for one in candidates:
            if not self._tools.serves(one, tool) or name in self._tools.needs(one):
                continue
            field = feed(self.answer(one), wanted, self._schemas)
            if field is None and (not own or self._described(one)):
                continue
            rank = (
                field is None,
                self._tools.search(one) is None,
                -tool.near(one),
                len(one.slots),
                len(one.place),
                one.name,
            )
            ranked.append((rank, Finder(one, field or "")))
        return min(ranked, key=lambda found: found[0])[1] if ranked else None

    def _described(self, tool: HintTool) -> bool:
        """Whether the document says what a tool answers with; then a field that is not in it is not there."""
        answer = self.answer(tool)
        return bool(answer.item.get("properties") if answer.items is not None else answer.fields)

    def _producer(self, tool: HintTool, name: str) -> Finder | None:
        """A tool whose listed items have a field of the argument's own, telling name."""
        draft = tool.arguments[name]
        if len(split_words(draft.wire)) < 2:
            return None
        wanted = Wanted(draft.wire, self._tools.types(draft))
        makers = self._producers.get(folded(draft.wire), [])
        near = sorted(
            makers, key=lambda one: (one.prepared.draft.module != tool.prepared.draft.module, one.name)
        )
        for one in near:
            if self._tools.serves(one, tool) and name not in self._tools.needs(one):
                field = feed(self.answer(one), wanted, self._schemas)
                if field is not None:
                    return Finder(one, field)
        return None

    @cached_property
    def _producers(self) -> dict[str, list[HintTool]]:
        """The tools that list, by the keys that their items have."""
        found: dict[str, list[HintTool]] = {}
        for tool in self._tools.all:
            if tool.reads and tool.place[-1:] != ("{}",) and self.answer(tool).items is not None:
                for name in self.answer(tool).item.get("properties") or {}:
                    if key_of(name) is not None:
                        found.setdefault(folded(name), []).append(tool)
        return found

    def _creator(
        self, tool: HintTool, collection: Place, name: str, nouns: tuple[str, ...]
    ) -> HintPlan | None:
        """The tool that makes what an argument identifies, where it needs little."""
        draft = tool.arguments[name]
        wanted = Wanted(draft.wire, self._tools.types(draft), nouns)
        for one in self._tools.at(collection, tool):
            asked = sorted(one.required - tool.arguments.keys())
            plain_texts = all(self._tools.types(one.arguments[n]) == {"string"} for n in asked)
            if one.name == tool.name or one.operation.method != "POST" or one.destroys or not plain_texts:
                continue
            if len(asked) > _MOST_WORDS or not self._tools.serves(_without(one, asked), tool):
                continue
            made = plain(success_of(one.operation, self._schemas).schema, self._schemas)
            field = item_field(made, wanted, self._schemas)
            if field is None:
                continue
            words = {n: f"the {' '.join(split_words(n))} of the new {' '.join(nouns)}" for n in asked}
            return HintPlan(one.name, words, _same(one.required - set(asked)), again={name: field})
        return None

    def _plan(self, finder: Finder, tool: HintTool, name: str) -> HintPlan:
        one = finder.tool
        nouns = key_of(tool.arguments[name].wire)
        words = self.words(one, nouns[0] if nouns is not None and nouns[0] else one.nouns)
        return HintPlan(one.name, words, _same(self._tools.needs(one)), again={name: finder.field})


def _same(names: Iterable[str]) -> dict[str, str]:
    return {name: name for name in sorted(names)}


def _noun(collection: Place) -> tuple[str, ...]:
    words = split_words(collection[-1]) if collection and collection[-1] != "{}" else ()
    return (*words[:-1], singular(words[-1])) if words else ()


def _singular(wire: str) -> tuple[str, ...]:
    words = split_words(wire)
    return (*words[:-1], singular(words[-1])) if words else ()


def _without(tool: HintTool, names: Iterable[str]) -> HintTool:
    """The tool as if some of its arguments were not needed: the caller is asked for words."""
    left: dict[str, ArgumentDraft] = {
        name: replace(draft, required=draft.required and name not in names)
        for name, draft in tool.arguments.items()
    }
    return replace(tool, arguments=left)

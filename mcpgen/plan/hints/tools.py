"""The tools of one API as hints see them: what they need, where they work, what they list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mcpgen.ir.api import Operation, Schema
from mcpgen.plan.arguments import ArgumentDraft, PreparedTool
from mcpgen.plan.effects.inference import Effect
from mcpgen.plan.paging.answer import plain, types_of
from mcpgen.plan.places import Place, nouns_of, place_of, placeholders, search_argument


@dataclass(frozen=True, slots=True)
class HintTool:
    """One tool: its arguments by name, its place, and which argument stands at which index of the place."""

    name: str
    prepared: PreparedTool
    arguments: Mapping[str, ArgumentDraft]
    place: Place
    slots: Mapping[int, str]

    @property
    def operation(self) -> Operation:
        return self.prepared.draft.operation

    @property
    def reads(self) -> bool:
        return self.prepared.draft.effect.effect is Effect.READ

    @property
    def destroys(self) -> bool:
        return self.prepared.draft.effect.effect is Effect.DESTRUCTIVE

    @property
    def required(self) -> frozenset[str]:
        return frozenset(name for name, draft in self.arguments.items() if draft.required)

    def near(self, other: HintTool) -> int:
        """How many segments their paths share from the start, versions too, which places leave out."""
        pairs = zip(self.operation.path.split("/"), other.operation.path.split("/"), strict=False)
        return next((index for index, (one, two) in enumerate(pairs) if one != two), 1 << 10)

    @property
    def nouns(self) -> tuple[str, ...]:
        """What the tool works on, in words."""
        return nouns_of(self.place)


class HintTools:
    """All tools of one API."""

    def __init__(self, tools: Iterable[PreparedTool], schemas: Mapping[str, Schema]) -> None:
        self._schemas = schemas
        self._searches: dict[str, str | None] = {}
        self.all = sorted((_view(tool) for tool in tools), key=lambda tool: tool.name)
        self.by_name = {tool.name: tool for tool in self.all}
        self.by_place: dict[Place, list[HintTool]] = {}
        self.by_nouns: dict[tuple[str, ...], list[HintTool]] = {}
        for tool in self.all:
            self.by_place.setdefault(tool.place, []).append(tool)
            if tool.reads and tool.place[-1:] != ("{}",):
                self.by_nouns.setdefault(tool.nouns, []).append(tool)

    def at(self, place: Place, beside: HintTool) -> list[HintTool]:
        """The tools at a place, those of the same version of the API first."""
        return sorted(self.by_place.get(place, ()), key=lambda tool: (-tool.near(beside), tool.name))

    def types(self, draft: ArgumentDraft) -> frozenset[str]:
        """The types that an argument takes; empty where the document leaves them open."""
        return types_of(plain(draft.schema, self._schemas))

    def search(self, tool: HintTool) -> str | None:
        """The argument of a tool that takes words to look for: one that takes any text."""
        if tool.name not in self._searches:
            self._searches[tool.name] = self._search(tool)
        return self._searches[tool.name]

    def _search(self, tool: HintTool) -> str | None:
        found = search_argument(
            name for name, draft in tool.arguments.items() if draft.where in ("query", "body")
        )
        if found is None:
            return None
        flat = plain(tool.arguments[found].schema, self._schemas)
        free = types_of(flat) <= {"string"} and not flat.keys() & {"enum", "const", "pattern", "format"}
        return found if free else None

    def needs(self, tool: HintTool) -> frozenset[str]:
        """What a tool has to be given besides words to look for."""
        return tool.required - {self.search(tool)}

    def serves(self, tool: HintTool, caller: HintTool) -> bool:
        """Whether the caller knows all that a tool needs: it has arguments of the same names that it needs itself."""
        return tool.name != caller.name and all(
            name in caller.arguments and self.fits(caller.arguments[name], tool.arguments[name])
            for name in self.needs(tool)
        )

    def fits(self, given: ArgumentDraft, wanted: ArgumentDraft) -> bool:
        """Whether a value of one argument is good for another one."""
        first, second = self.types(given), self.types(wanted)
        return not first or not second or bool(first & second)


def _view(tool: PreparedTool) -> HintTool:
    arguments = dict(zip(tool.names, tool.arguments, strict=True))
    named = {draft.wire: name for name, draft in arguments.items() if draft.where == "path"}
    path = tool.draft.operation.path
    slots = {index: named[wire] for index, wire in placeholders(path) if wire in named}
    return HintTool(tool.draft.name, tool, arguments, place_of(path), slots)

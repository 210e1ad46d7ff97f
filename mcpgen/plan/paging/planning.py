"""The paging of one tool: what was detected, or what the document or the configuration says instead."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fnmatch import fnmatchcase
from typing import Any

from mcpgen.ir.api import Api
from mcpgen.plan.arguments import PreparedTool
from mcpgen.plan.effects.inference import Effect
from mcpgen.plan.following import PagingPlan
from mcpgen.plan.overrides.faults import Faults
from mcpgen.plan.overrides.model import Said
from mcpgen.plan.paging.answer import NO_LIST, Answer, Answers
from mcpgen.plan.paging.detect import detect
from mcpgen.plan.paging.request import read_request
from mcpgen.plan.places import nouns_of, place_of
from mcpgen.plan.responses import success_of

_KINDS = ("cursor", "offset", "page", "link")
_POINTERS = frozenset(
    {"items", "next", "item", "more", "last", "total", "pages", "remaining", "at", "per_page"}
)
_NUMBERS = frozenset({"first", "limit"})
_KNOWN = tuple(told.name for told in fields(PagingPlan))


@dataclass(frozen=True, slots=True)
class PagingPlanner:
    """Plans the paging of one API's tools.

    Attributes:
        overrides: by tool name or pattern, entries as the catalogue holds them, or False where a tool has no pages.
    """

    api: Api
    overrides: Mapping[str, Mapping[str, Any] | bool]
    faults: Faults
    answers: Answers = field(init=False)
    _read: dict[str, Answer] = field(default_factory=dict)
    _planned: dict[str, PagingPlan | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "answers", Answers(self.api.schemas))

    def plan(self, tool: PreparedTool) -> PagingPlan | None:
        """How a tool's list is paged. Only tools that read have pages: a page of a write would be another write."""
        if tool.draft.name not in self._planned:
            self._planned[tool.draft.name] = self._plan(tool)
        return self._planned[tool.draft.name]

    def _plan(self, tool: PreparedTool) -> PagingPlan | None:
        draft = tool.draft
        told, said = self._said(tool)
        if draft.effect.effect is not Effect.READ:
            if "paging" in draft.override.said and told is not False:
                self.faults.add(said, f"{draft.operation.key}: paging: only tools that read have pages.")
            return None
        if told is not None:
            return self._overridden(told, said, tool)
        request = read_request(tool, self.api.schemas)
        if not request.movable and place_of(draft.operation.path)[-1:] == ("{}",):
            return None  # one item, whatever lists it holds
        return detect(request, self.answer(tool), self._headers(tool))

    def _said(self, tool: PreparedTool) -> tuple[Any, Said | None]:
        """What is said, and where: of the tool by its name, of its operation, or of the last pattern that matches."""
        name, override = tool.draft.name, tool.draft.override
        matching = [pattern for pattern in self.overrides if fnmatchcase(name, pattern)]
        own = override.said.get("paging")
        if name not in self.overrides and own is not None and (own.configured or not matching):
            return override.paging, own
        pattern = name if name in self.overrides else matching[-1] if matching else None
        if pattern is None:
            return None, None
        return self.overrides[pattern], Said(place=("tools", pattern, "paging"))

    def answer(self, tool: PreparedTool) -> Answer:
        """What a tool answers with when it succeeds."""
        operation = tool.draft.operation
        if operation.key not in self._read:
            success = success_of(operation, self.api.schemas)
            noun = "".join(nouns_of(place_of(operation.path)))
            listed = success.kind in ("json", "ndjson")
            self._read[operation.key] = self.answers.read(success.schema, noun) if listed else NO_LIST
        return self._read[operation.key]

    def _headers(self, tool: PreparedTool) -> list[str]:
        good = [r for r in tool.draft.operation.responses if r.status[:1] == "2" or r.status == "DEFAULT"]
        return list(dict.fromkeys(name for response in good for name in response.headers))

    def _overridden(self, told: Any, said: Said | None, tool: PreparedTool) -> PagingPlan | None:
        """What a person said, if it can be."""
        if told is False:
            return None
        plan, problem = read_override(told, tool)
        if problem is not None:
            self.faults.add(said, f"{tool.draft.operation.key}: paging {problem}.")
        return plan


def read_override(told: Any, tool: PreparedTool) -> tuple[PagingPlan | None, str | None]:
    """A plan that a person wrote, in the form of the catalogue; arguments by their name or their name on the wire.

    Returns:
        The plan and None, or None and what is wrong.
    """
    if not isinstance(told, Mapping):
        return None, "is neither false nor an object"
    unknown = sorted(map(str, told.keys() - set(_KNOWN)))
    if unknown:
        return None, f"has no `{unknown[0]}`; known are {', '.join(_KNOWN)}"
    if told.get("kind") not in (None, *_KINDS):
        return None, f"is of no known kind; known are {', '.join(_KINDS)}"
    for key, value in told.items():
        if key in _NUMBERS:
            if not isinstance(value, int) or isinstance(value, bool):
                return None, f"needs a number as `{key}`"
        elif not isinstance(value, str) or (key in _POINTERS and value != "" and not value.startswith("/")):
            return None, f"needs a {'JSON pointer' if key in _POINTERS else 'text'} as `{key}`"
    named = {key: _argument(told[key], tool) for key in ("argument", "size") if key in told}
    unnamed = next((told[key] for key, name in named.items() if name is None), None)
    if unnamed is not None:
        return None, f"names `{unnamed}`, which is no argument of the tool"
    plan = PagingPlan(**{"items": "", **told, **named})
    problem = _incomplete(plan)
    return (plan, None) if problem is None else (None, problem)


def _argument(told: str, tool: PreparedTool) -> str | None:
    """The argument's name in the catalogue; below an argument, a pointer stays as it is."""
    first, _, rest = told.removeprefix("/").partition("/") if told.startswith("/") else (told, "", "")
    names = {draft.wire: name for name, draft in zip(tool.names, tool.arguments, strict=True)}
    name = first if first in tool.names else names.get(first)
    return f"/{name}/{rest}" if name is not None and rest else name


def _incomplete(plan: PagingPlan) -> str | None:
    if plan.kind in ("cursor", "offset", "page") and plan.argument is None:
        return f"of the kind {plan.kind} needs an `argument`"
    if plan.kind == "cursor" and not (plan.next or plan.next_header or plan.item):
        return "of the kind cursor needs `next`, `next_header` or `item`"
    if plan.kind == "link" and not plan.next:
        return "of the kind link needs `next`"
    return None

"""All hints of one tool, by what has to happen for them.

Keys are statuses (`404`, `4XX`), categories of the result contract, `unknown` for the tool that shows whether a write took
effect, and `reference` for those that help when the failure is about one argument.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from mcpgen.ir.api import Api
from mcpgen.plan.arguments import PreparedTool
from mcpgen.plan.following import HintPlan
from mcpgen.plan.hints.checking import checking_hint
from mcpgen.plan.hints.feeding import Wanted, anywhere, key_of
from mcpgen.plan.hints.finding import REFERRING, Finders
from mcpgen.plan.hints.links import LinkHints
from mcpgen.plan.hints.logins import Logins
from mcpgen.plan.hints.said import said_hints
from mcpgen.plan.hints.tools import HintTool, HintTools
from mcpgen.plan.overrides.faults import Faults
from mcpgen.plan.paging.names import folded
from mcpgen.plan.paging.planning import PagingPlanner
from mcpgen.plan.places import nouns_of
from mcpgen.plan.responses import success_of

_MOST = 2
"""Hints for one key: where the first can't be given, the next one is tried."""
_MOST_REFERENCES = 4


class HintPlanner:
    """Plans the hints of one API's tools."""

    def __init__(
        self, api: Api, tools: Sequence[PreparedTool], paging: PagingPlanner, faults: Faults
    ) -> None:
        self._schemas = api.schemas
        self._tools = HintTools(tools, api.schemas)
        self._finders = Finders(self._tools, paging, api.schemas)
        self._links = LinkHints(self._tools)
        self._logins = Logins(api, self._tools)
        self._faults = faults

    def plan(self, prepared: PreparedTool) -> Mapping[str, tuple[HintPlan, ...]]:
        """The hints of a tool. Each of them can be carried out: its arguments are the ones that its tool takes."""
        tool = self._tools.by_name[prepared.draft.name]
        found: dict[str, list[HintPlan | None]] = {
            status: [self._fed(plan, tool, status) for plan in plans]
            for status, plans in self._links.of(tool).items()
        }
        found["not_found"] = [*found.pop("404", []), *self._missing(tool)]
        found["401"] = [*found.pop("401", []), self._logins.hint(tool)]
        found["unknown"] = [checking_hint(tool, self._tools)]
        found["reference"] = list(self._references(tool))
        planned = {
            key: usable
            for key, plans in found.items()
            if (usable := self._usable(plans, _MOST_REFERENCES if key == "reference" else _MOST))
        }
        return planned | said_hints(tool, self._tools, self._faults)

    def _missing(self, tool: HintTool) -> list[HintPlan | None]:
        """The last placeholder is the likeliest to be wrong; then the one before it, and so on."""
        found = [self._finders.for_slot(tool, index) for index in sorted(tool.slots, reverse=True)]
        creates = tool.operation.method == "POST" and any(
            one.reads for one in self._tools.at(tool.place, tool)
        )
        if not tool.slots and not creates:
            keys = {
                name: nouns
                for name in sorted(tool.required)
                if (nouns := self._keyed(tool, name)) is not None
            }
            found += [self._finders.for_key(tool, *next(iter(keys.items())))] if len(keys) == 1 else []
        return found

    def _keyed(self, tool: HintTool, name: str) -> tuple[str, ...] | None:
        """What a required argument identifies, if it is what the tool is about: `/get-user?id=`, `/users.delete?user=`."""
        wire = tool.arguments[name].wire
        found = key_of(wire)
        told = folded(wire) if found is None else "".join(found[0]) if found[1] in REFERRING else None
        for nouns in (tool.nouns, nouns_of(tool.place[:-1])):
            if nouns and told in ("", "".join(nouns), nouns[-1]):
                return nouns
        return None

    def _references(self, tool: HintTool) -> list[HintPlan]:
        """Arguments that refer to something else, each with the tool that lists it. Filters of a list are none."""
        found = []
        for name, draft in tool.arguments.items():
            refers = draft.where in ("body", "query") and (draft.required or not tool.reads)
            plan = self._finders.for_argument(tool, name) if refers else None
            if plan is not None:
                found.append(replace(plan, when=name))
        return found

    def _fed(self, plan: HintPlan, tool: HintTool, status: str) -> HintPlan:
        """The link of a 404 with the argument that the linked tool gives the value of, if that is clear."""
        if status != "404" or not tool.slots:
            return plan
        target, name = self._tools.by_name[plan.tool], tool.slots[max(tool.slots)]
        if name in plan.same.values():
            return plan
        draft = tool.arguments[name]
        success = success_of(target.operation, self._schemas)
        field = anywhere(success.schema, Wanted(draft.wire, self._tools.types(draft)), self._schemas)
        return plan if field is None else replace(plan, again={name: field})

    def _usable(self, plans: Sequence[HintPlan | None], most: int) -> tuple[HintPlan, ...]:
        """Those that can be carried out, each once: other words for the same call are no other way."""
        kept: list[HintPlan] = []
        for plan in plans:
            known = [(one.tool, one.same, one.values, one.again) for one in kept]
            if plan is None or (plan.tool, plan.same, plan.values, plan.again) in known:
                continue
            if self._executable(plan):
                kept.append(plan)
        return tuple(kept[:most])

    def _executable(self, plan: HintPlan) -> bool:
        target = self._tools.by_name[plan.tool]
        named = {*plan.arguments, *plan.same, *plan.values}
        return target.required <= named <= target.arguments.keys()

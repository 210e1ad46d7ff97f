"""Hints that somebody says, in place of ours."""

from __future__ import annotations

from mcpgen.plan.following import HintPlan
from mcpgen.plan.hints.tools import HintTool, HintTools
from mcpgen.plan.overrides.faults import Faults, close_to
from mcpgen.plan.overrides.model import HintOverride


def said_hints(tool: HintTool, tools: HintTools, faults: Faults) -> dict[str, tuple[HintPlan, ...]]:
    """What is said about the next step after a call of the tool; what cannot be carried out is a fault."""
    override = tool.prepared.draft.override
    found: dict[str, tuple[HintPlan, ...]] = {}
    for key, hint in override.hints.items():
        problem = _problem(hint, tool, tools)
        if problem is None:
            found[key] = (HintPlan(hint.tool, hint.arguments, hint.same, text=hint.text),)
        else:
            faults.add(override.said.get(f"hints.{key}"), f"{tool.operation.key}: hints.{key}: {problem}")
    return found


def _problem(hint: HintOverride, tool: HintTool, tools: HintTools) -> str | None:
    target = tools.by_name.get(hint.tool)
    if target is None:
        return f"there is no tool `{hint.tool}`.{close_to(hint.tool, tools.by_name)}"
    for name in (*hint.arguments, *hint.same):
        if name not in target.arguments:
            return f"`{target.name}` has no argument `{name}`.{close_to(name, target.arguments)}"
    for name in hint.same.values():
        if name not in tool.arguments:
            return f"`{tool.name}` has no argument `{name}`.{close_to(name, tool.arguments)}"
    missing = sorted(target.required - {*hint.arguments, *hint.same})
    if missing:
        return f"`{target.name}` needs `{missing[0]}` too: say it under `arguments`, or under `same`."
    return None

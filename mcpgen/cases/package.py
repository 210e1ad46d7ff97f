"""The expectations of a whole package: every tool's calls, outcomes and refusals."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from mcpgen.cases.calls import calls_of, why_no_call
from mcpgen.cases.credentials import made_up_credentials
from mcpgen.cases.model import PackageCases, ToolCases
from mcpgen.cases.outcomes import outcomes_of
from mcpgen.cases.refusals import refusals_of
from mcpgen.plan.model import PackagePlan, ToolsetPlan

LARGE = 300
"""Tools from which on each one is tried with fewer wrong calls, so that a thousand tools are tested within a minute."""
REFUSALS, FEWER_REFUSALS = 24, 12


def package_cases(plan: PackagePlan) -> PackageCases:
    """All cases of a package, by the module of each toolset."""
    credentials = made_up_credentials(plan)
    names = frozenset(tool.name for tool in plan.tools)
    return PackageCases(
        {toolset.module: tuple(_tools(toolset, plan, names, credentials)) for toolset in plan.toolsets},
        credentials,
    )


def _tools(
    toolset: ToolsetPlan, plan: PackagePlan, names: Collection[str], credentials: Mapping[str, str]
) -> Iterator[ToolCases]:
    """The cases of each tool. The first one of each effect is also tried with answers that no API documents."""
    tried: set[str] = set()
    most = FEWER_REFUSALS if len(names) > LARGE else REFUSALS
    for tool in toolset.tools:
        calls = calls_of(tool, plan, credentials)
        common = bool(calls) and tool.effect not in tried
        if common:
            tried.add(tool.effect)
        yield ToolCases(
            tool.name,
            str(tool.effect),
            tuple(tool.security),
            calls,
            outcomes_of(tool, calls, names, common=common),
            refusals_of(tool, calls, most=most),
            "" if calls else why_no_call(tool, plan, credentials),
        )

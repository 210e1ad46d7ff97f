"""Decides everything that will be emitted: `Api` in, `PackagePlan` out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mcpgen.diagnostics import Collector, Unsupported
from mcpgen.ir.api import Api
from mcpgen.plan.answers import AnswerSamples
from mcpgen.plan.arguments import PreparedTool, prepare_tool
from mcpgen.plan.auth import SETTINGS, plan_auth
from mcpgen.plan.drafts import draft_tools
from mcpgen.plan.examples import Examples
from mcpgen.plan.hints.planning import HintPlanner
from mcpgen.plan.model import AuthPlan, PackagePlan, SkippedPlan, SpecText, ToolPlan, ToolsetPlan
from mcpgen.plan.naming.lookalikes import report_look_alikes
from mcpgen.plan.naming.project_names import distribution_name, env_prefix, package_name
from mcpgen.plan.overrides.arguments import ArgumentOverrides
from mcpgen.plan.overrides.faults import Faults, Locate
from mcpgen.plan.overrides.resolution import Overrides
from mcpgen.plan.paging.planning import PagingPlanner
from mcpgen.plan.selection import Selection, select
from mcpgen.plan.servers import ServerPlans, plan_servers
from mcpgen.plan.simplified import Simplifications
from mcpgen.plan.texts.neutral import Neutralizer
from mcpgen.plan.texts.options import TextRequest, text_options
from mcpgen.plan.texts.text import clean_text, shorten
from mcpgen.plan.texts.tool_texts import ToolTexts
from mcpgen.plan.tools import PlanContext, plan_tool, projectors

_INSTRUCTIONS = 600


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """What the user said about the project; None lets the spec decide.

    `operations` is what is said about single operations (`plan.overrides`) and `paging` how single tools page, both over what
    the document says; `locate` gives the line of a place (section, key, ...) in the configuration. `pinned` are the tools'
    names of the last run, `pinned_arguments` those of their arguments (see `mcpgen.pins`). `texts` is how descriptions are
    written.
    """

    package: str | None = None
    distribution: str | None = None
    env_prefix: str | None = None
    server_url: str | None = None
    retrieved_from: str | None = None
    spec_name: str = "openapi"
    settings: Mapping[str, str] = field(default_factory=dict)
    policies: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    operations: Mapping[str, Any] = field(default_factory=dict)
    paging: Mapping[str, Mapping[str, Any] | bool] = field(default_factory=dict)
    locate: Locate = lambda place: None
    selection: Selection = field(default_factory=Selection)
    texts: TextRequest = field(default_factory=TextRequest)
    pinned: Mapping[str, str] = field(default_factory=dict)
    pinned_arguments: Mapping[str, Mapping[tuple[str, str], str]] = field(default_factory=dict)


def plan_package(api: Api, options: PlanOptions, *, diagnostics: Collector) -> PackagePlan:
    """The plan of the whole package.

    Raises:
        Refused: no operation can become a tool.
    """
    api = Neutralizer(diagnostics).api(api)
    title = clean_text(api.title) or "API"
    package = options.package or package_name(title)
    prefix = options.env_prefix or (env_prefix(package) if options.package else env_prefix(title))
    auth = plan_auth(api, prefix, diagnostics)
    taken = [f"{prefix}_{name}" for name in SETTINGS]
    taken += [name for scheme in auth for name in (*scheme.env.values(), *scheme.options.values())]
    servers = plan_servers(
        api, options.server_url, options.retrieved_from, prefix, taken, diagnostics=diagnostics
    )
    overrides = Overrides(api, options.operations, diagnostics, options.locate)
    said = ArgumentOverrides(api.schemas, overrides.faults)
    drafts = draft_tools(api, options.pinned, overrides)
    selected = select(drafts, options.selection, api, diagnostics=diagnostics)
    prepared = [
        said.into(prepare_tool(draft, api.schemas, options.pinned_arguments.get(draft.name, {})))
        for draft in selected.drafts
    ]
    context = _context(api, prepared, options, auth, servers, overrides.faults, diagnostics)
    report_look_alikes(prepared, diagnostics)
    tools, skipped = _plan_all(prepared, context)
    overrides.faults.close()
    context.simplified.close(api.origin)
    if not tools:
        raise diagnostics.refuse(
            "spec-no-paths", "no operation of the document can become a tool", api.origin
        )
    return PackagePlan(
        distribution=options.distribution
        or (package.replace("_", "-") if options.package else distribution_name(title)),
        package=package,
        env_prefix=prefix,
        title=SpecText(shorten(title, 120)),
        version=SpecText(clean_text(api.version) or "0"),
        description=SpecText(shorten(clean_text(api.description), _INSTRUCTIONS)),
        base_url=servers.base_url,
        auth=auth,
        toolsets=_toolsets(prepared, tools, api),
        skipped=(
            *(SkippedPlan(s.method, s.path, s.code, s.reason) for s in api.skipped),
            *selected.skipped,
            *skipped,
        ),
        spec_name=SpecText(options.spec_name),
        spec_version=api.spec_version,
        servers=servers.document,
        settings=options.settings,
        policies=options.policies,
    )


def _context(
    api: Api,
    prepared: Sequence[PreparedTool],
    options: PlanOptions,
    auth: Sequence[AuthPlan],
    servers: ServerPlans,
    faults: Faults,
    diagnostics: Collector,
) -> PlanContext:
    """What all tools share."""
    inputs, outputs = projectors(api)
    texts = ToolTexts(api, prepared, text_options(options.texts, diagnostics))
    paging = PagingPlanner(api, options.paging, faults)
    hints = HintPlanner(api, prepared, paging, faults)
    simplified = Simplifications(diagnostics)
    examples = Examples(api.schemas)
    answers = AnswerSamples(api.schemas, examples)
    return PlanContext(
        api,
        auth,
        servers,
        inputs,
        outputs,
        texts,
        paging,
        hints,
        diagnostics,
        simplified,
        faults,
        examples,
        answers,
    )


def _plan_all(
    prepared: Sequence[PreparedTool], context: PlanContext
) -> tuple[dict[str, ToolPlan], list[SkippedPlan]]:
    """All tools that can be planned, by name; an operation that can't be is named and left out alone."""
    tools: dict[str, ToolPlan] = {}
    skipped: list[SkippedPlan] = []
    for tool in prepared:
        draft = tool.draft
        try:
            tools[draft.name] = plan_tool(tool, context)
        except Unsupported as problem:
            context.diagnostics.add_unsupported(problem)
            skipped.append(
                SkippedPlan(draft.operation.method, draft.operation.path, problem.code, problem.message)
            )
    return tools, skipped


def _toolsets(
    prepared: Sequence[PreparedTool], tools: Mapping[str, ToolPlan], api: Api
) -> tuple[ToolsetPlan, ...]:
    """The toolsets by module name, the tools of each by name."""
    descriptions = {tag.name: tag.description or tag.summary for tag in api.tags}
    groups: dict[tuple[str, str], list[ToolPlan]] = {}
    for draft in (tool.draft for tool in prepared):
        if draft.name in tools:
            groups.setdefault((draft.module, draft.toolset), []).append(tools[draft.name])
    return tuple(
        ToolsetPlan(
            label=SpecText(label),
            module=module,
            description=SpecText(shorten(clean_text(descriptions.get(label, "")), 300)),
            tools=tuple(sorted(members, key=lambda tool: tool.name)),
        )
        for (module, label), members in sorted(groups.items())
    )

"""One tool, complete: arguments, schemas, wire description, texts and samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jsonschema import Draft202012Validator

from mcpgen.diagnostics import Collector
from mcpgen.ir.api import Api
from mcpgen.plan.arguments import (
    ArgumentDraft,
    PreparedTool,
    argument_plans,
    input_projection,
    parameter_wires,
)
from mcpgen.plan.auth import plan_security
from mcpgen.plan.examples import example_value
from mcpgen.plan.hints.planning import HintPlanner
from mcpgen.plan.model import ArgumentPlan, AuthPlan, ModelRequest, Samples, SpecText, ToolPlan
from mcpgen.plan.paging.planning import PagingPlanner
from mcpgen.plan.projection import Direction, Projector
from mcpgen.plan.responses import Success, output_schema, success_of
from mcpgen.plan.servers import ServerPlans
from mcpgen.plan.simplified import Simplifications
from mcpgen.plan.texts.tool_texts import ToolTexts

INPUT_BUDGET = 12_000
OUTPUT_BUDGET = 3_000
"""Bytes of schema before a projection starts to loosen what is farthest from the root."""


@dataclass(frozen=True, slots=True)
class PlanContext:
    """What all tools of one API share."""

    api: Api
    auth: Sequence[AuthPlan]
    servers: ServerPlans
    inputs: Projector
    outputs: Projector
    texts: ToolTexts
    paging: PagingPlanner
    hints: HintPlanner
    diagnostics: Collector
    simplified: Simplifications


def projectors(api: Api) -> tuple[Projector, Projector]:
    """The projectors of arguments and of answers."""
    return (
        Projector(api.schemas, Direction.REQUEST, INPUT_BUDGET),
        Projector(api.schemas, Direction.RESPONSE, OUTPUT_BUDGET),
    )


def plan_tool(tool: PreparedTool, context: PlanContext) -> ToolPlan:
    """Everything about one tool."""
    draft, operation, texts = tool.draft, tool.draft.operation, context.texts
    published = input_projection(tool.arguments, tool.names, context.inputs)
    arguments = argument_plans(tool.arguments, tool.names, published.schema)
    success = success_of(operation, context.api.schemas)
    answer = context.outputs.project(success.schema)
    dropped = tool.shape.dropped if tool.shape is not None else ()
    context.simplified.add(operation, draft.name, published, answer, dropped)
    return ToolPlan(
        key=draft.key,
        name=draft.name,
        function=draft.name,
        module=draft.module,
        toolset=draft.toolset,
        title=SpecText(texts.title(tool)),
        description=SpecText(texts.description(tool)),
        method=operation.method,
        path=operation.path,
        operation_id=operation.operation_id,
        effect=draft.effect.effect.value,
        additive=draft.effect.additive,
        idempotent=draft.effect.idempotent,
        reason=draft.effect.reason,
        arguments=arguments,
        fixed={draft.action.name: draft.action.value} if draft.action else {},
        fixed_where=draft.action.where if draft.action else "",
        input_schema=published.schema,
        output_schema=output_schema(answer),
        parameters=parameter_wires(operation.parameters),
        body=tool.shape.wire if tool.shape is not None else None,
        security=plan_security(operation, context.auth, context.diagnostics),
        servers=context.servers.own(operation.servers),
        accept=success.accept,
        hints=context.hints.plan(tool),
        result=ModelRequest(draft.name, success.schema) if success.schema else None,
        samples=_samples(tool, arguments, published.schema, success, context.api),
        origin=operation.origin,
        paging=context.paging.plan(tool),
        idempotency=tool.idempotency.entry() if tool.idempotency is not None else None,
    )


def _samples(
    tool: PreparedTool,
    arguments: Sequence[ArgumentPlan],
    published: Mapping[str, Any],
    success: Success,
    api: Api,
) -> Samples:
    """A minimal valid call and the documented answer, made from the spec."""
    minimal: dict[str, Any] | None = {}
    for draft, argument in zip(tool.arguments, arguments, strict=True):
        if argument.required and minimal is not None:
            known = {**argument.schema, "$defs": published.get("$defs", {})}
            minimal[argument.name] = _sample(draft, known, api)
    if minimal is not None and not Draft202012Validator(published).is_valid(minimal):
        minimal = None
    media = success.media
    value = next(iter(media.examples), None) if media is not None else None
    if value is None and success.kind == "json":
        value = example_value(success.schema, api.schemas, direction="response", minimal=True)
    return Samples(minimal, success.status, media.name if media is not None else None, value)


def _sample(draft: ArgumentDraft, published: Mapping[str, Any], api: Api) -> Any:
    """The spec's own example where it is valid, else a value made from the schema."""
    for example in draft.examples:
        if Draft202012Validator(published).is_valid(example):
            return example
    return example_value(draft.schema, api.schemas, direction="request", minimal=True)

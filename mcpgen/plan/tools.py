"""One tool, complete: arguments, schemas, wire description, texts and samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jsonschema.exceptions import best_match

from mcpgen.diagnostics import Collector
from mcpgen.ir.api import Api
from mcpgen.plan.answers import AnswerSamples
from mcpgen.plan.arguments import (
    ArgumentDraft,
    PreparedTool,
    argument_plans,
    input_projection,
    parameter_wires,
)
from mcpgen.plan.auth import plan_security
from mcpgen.plan.cutting.constants import with_constant
from mcpgen.plan.examples import Examples
from mcpgen.plan.full_calls import full_call, leads_elsewhere
from mcpgen.plan.hints.planning import HintPlanner
from mcpgen.plan.model import ArgumentPlan, AuthPlan, ModelRequest, Samples, SpecText, ToolPlan
from mcpgen.plan.naming.identifiers import function_name
from mcpgen.plan.overrides.faults import Faults
from mcpgen.plan.paging.planning import PagingPlanner
from mcpgen.plan.projection import Direction, Projector
from mcpgen.plan.responses import Success, output_schema, success_of
from mcpgen.plan.servers import ServerPlans
from mcpgen.plan.simplified import Simplifications
from mcpgen.plan.texts.returns import Answered
from mcpgen.plan.texts.tool_texts import ToolTexts
from mcpgen.runtime.patterns.keywords import bounded_validator

INPUT_BUDGET = 12_000
OUTPUT_BUDGET = 3_000
"""Bytes of schema before a projection starts to loosen what is farthest from the root."""
_SAID_VALUES = ("example", "examples", "default")


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
    faults: Faults
    examples: Examples
    answers: AnswerSamples


def projectors(api: Api) -> tuple[Projector, Projector]:
    """The projectors of arguments and of answers."""
    return (
        Projector(api.schemas, Direction.REQUEST, INPUT_BUDGET),
        Projector(api.schemas, Direction.RESPONSE, OUTPUT_BUDGET),
    )


def plan_tool(tool: PreparedTool, context: PlanContext) -> ToolPlan:
    """Everything about one tool."""
    draft, operation, texts, said = tool.draft, tool.draft.operation, context.texts, tool.draft.override
    fixed = _fixed(tool)
    projected = input_projection(tool.arguments, tool.names, context.inputs)
    own = [
        (name, one.wire if one.pointer else "")
        for name, one in zip(tool.names, tool.arguments, strict=True)
        if one.where == "body"
    ]
    published = texts.with_argument_texts(tool, with_constant(projected, draft.action, own))
    arguments = argument_plans(tool.arguments, tool.names, published.schema)
    success = success_of(operation, context.api.schemas)
    answer = context.outputs.project(success.schema)
    dropped = tool.shape.dropped if tool.shape is not None else ()
    context.simplified.add(operation, draft.name, published, answer, dropped)
    samples = _samples(tool, arguments, published.schema, success, context)
    paging = context.paging.plan(tool)
    media = success.media.name if success.media else ""
    answered = Answered(success.kind, answer.schema, success.schema, success.status, media)
    return ToolPlan(
        key=draft.key,
        name=draft.name,
        function=function_name(draft.name),
        module=draft.module,
        toolset=draft.toolset,
        title=SpecText(said.texts.title or texts.title(tool)),
        description=SpecText(texts.description(tool, published.schema, samples.minimal, answered, paging)),
        method=operation.method,
        path=operation.path,
        operation_id=operation.operation_id,
        effect=draft.effect.effect.value,
        additive=draft.effect.additive,
        idempotent=draft.effect.idempotent,
        reason=draft.effect.reason,
        arguments=arguments,
        fixed={name: value for name, (_, value) in fixed.items()},
        fixed_where={name: where for name, (where, _) in fixed.items()},
        input_schema=published.schema,
        output_schema=output_schema(answer),
        parameters=parameter_wires(operation.parameters),
        body=tool.shape.wire if tool.shape is not None else None,
        security=plan_security(operation, context.auth, context.diagnostics),
        servers=context.servers.own(operation.servers),
        accept=success.accept,
        hints=context.hints.plan(tool),
        result=ModelRequest(draft.name, success.schema) if success.schema else None,
        samples=samples,
        origin=operation.origin,
        paging=paging,
        idempotency=tool.idempotency.entry() if tool.idempotency is not None else None,
        open_world=said.annotations.get("openWorldHint", True),
        icons=said.icons or (),
        meta=said.meta or {},
        answers=context.answers.of(operation),
    )


def _fixed(tool: PreparedTool) -> dict[str, tuple[str, Any]]:
    """The values that a tool sends by itself: by name on the wire, the place and the value."""
    action = tool.draft.action
    found = {name: (action.where, value) for name, value in action.fixed.items()} if action else {}
    return found | {one.draft.wire: (one.draft.where, one.value) for one in tool.fixed}


def _samples(
    tool: PreparedTool,
    arguments: Sequence[ArgumentPlan],
    published: Mapping[str, Any],
    success: Success,
    context: PlanContext,
) -> Samples:
    """A minimal valid call, or the one that somebody says, and the documented answer, made from the spec."""
    minimal = _said_call(tool, published, context.faults)
    if minimal is None:
        minimal = _minimal(tool, arguments, published, context.examples)
    full = full_call(tool, arguments, published, minimal, context.examples)
    return _answered(minimal, full, success, context.examples)


def _minimal(
    tool: PreparedTool,
    arguments: Sequence[ArgumentPlan],
    published: Mapping[str, Any],
    examples: Examples,
) -> dict[str, Any] | None:
    """A call with what is required; None where none was found that the schema admits."""
    minimal: dict[str, Any] = {}
    for draft, argument in zip(tool.arguments, arguments, strict=True):
        if argument.required:
            known = {**argument.schema, "$defs": published.get("$defs", {})}
            minimal[argument.name] = _sample(draft, known, examples)
    return minimal if bounded_validator()(published).is_valid(minimal) else None


def _said_call(tool: PreparedTool, published: Mapping[str, Any], faults: Faults) -> dict[str, Any] | None:
    """The example call of the tool, where somebody says one that its schema admits."""
    said = tool.draft.override
    if said.example is None:
        return None
    error = best_match(bounded_validator()(published).iter_errors(said.example))
    if error is not None:
        faults.add(
            said.said.get("example"),
            f"{tool.draft.operation.key}: example is no call of `{tool.draft.name}`: {error.message[:200]}.",
        )
    return dict(said.example)


def _answered(
    minimal: Mapping[str, Any] | None, full: Mapping[str, Any] | None, success: Success, examples: Examples
) -> Samples:
    media = success.media
    value = next(iter(media.examples), None) if media is not None else None
    if value is None and success.kind == "json":
        value = examples.value(success.schema, direction="response", minimal=True)
    return Samples(minimal, success.status, media.name if media is not None else None, value, full)


def _sample(draft: ArgumentDraft, published: Mapping[str, Any], examples: Examples) -> Any:
    """The spec's own example where it is valid, else a value made from the schema."""
    in_path = draft.where == "path"
    for example in draft.examples:
        fits = bounded_validator()(published).is_valid(example)
        if fits and not (in_path and leads_elsewhere(example)):
            return example
    value = examples.value(draft.schema, direction="request", minimal=True)
    if in_path and leads_elsewhere(value):
        bare = {key: one for key, one in draft.schema.items() if key not in _SAID_VALUES}
        return examples.value(bare, direction="request", minimal=True)
    return value

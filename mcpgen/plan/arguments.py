"""The arguments of one tool: parameters and body fields under names that every client accepts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from mcpgen.diagnostics import Location
from mcpgen.ir.api import Operation, Parameter, ParameterIn, Schema
from mcpgen.ir.merging import flatten
from mcpgen.plan.bodies import BodyField, BodyShape, shape_body
from mcpgen.plan.cutting.model import Action
from mcpgen.plan.cutting.specialised import without
from mcpgen.plan.drafts import ToolDraft
from mcpgen.plan.effects.inference import Effect
from mcpgen.plan.idempotency import IdempotencyHeader, idempotency_header
from mcpgen.plan.model import ArgumentPlan, ParameterWire
from mcpgen.plan.naming.names import ArgumentRequest, argument_names, python_identifier
from mcpgen.plan.overrides.model import UNSAID, ArgumentOverride
from mcpgen.plan.projection import Projected, Projector
from mcpgen.plan.typing import annotation_of


@dataclass(frozen=True, slots=True)
class ArgumentDraft:
    """One argument before it has a name: `schema` is the spec's own, with references.

    `origin` is the parameter, or the body that it is a field of; `extension` what the document says there in `x-mcp`.
    """

    where: str
    wire: str
    schema: Schema
    required: bool
    pointer: str | None = None
    examples: tuple[Any, ...] = ()
    wire_name: str | None = None
    required_in_body: bool = False
    origin: Location | None = None
    extension: Any = None
    override: ArgumentOverride = field(default_factory=ArgumentOverride)


@dataclass(frozen=True, slots=True)
class FixedArgument:
    """An argument that no caller sees, because the tool always sends the same value."""

    draft: ArgumentDraft
    value: Any


@dataclass(frozen=True, slots=True)
class PreparedTool:
    """A tool draft with its arguments and their names; `shape` is None where there is no body.

    `idempotency` is the header that makes a repeat of the request safe, where the API has one. `left_out` are arguments
    that only other actions of the operation have, `fixed` those that somebody gave a value (beside the action's own).
    """

    draft: ToolDraft
    arguments: tuple[ArgumentDraft, ...]
    names: tuple[str, ...]
    shape: BodyShape | None
    idempotency: IdempotencyHeader | None = None
    left_out: tuple[ArgumentDraft, ...] = ()
    fixed: tuple[FixedArgument, ...] = ()


def prepare_tool(
    draft: ToolDraft, schemas: Mapping[str, Schema], pinned: Mapping[tuple[str, str], str]
) -> PreparedTool:
    """Collects and names the arguments of a tool; `pinned` are names of the last run, by place and wire name."""
    operation = draft.operation
    shape = shape_body(operation.body, schemas) if operation.body is not None else None
    arguments = _arguments(operation, shape, draft.action, schemas)
    writes = draft.effect.effect is not Effect.READ
    key = idempotency_header(operation.parameters, schemas) if writes else None
    if key is not None and key.made:
        arguments = [_by_itself(one) if one.wire_name == key.name else one for one in arguments]
    requests = [ArgumentRequest(argument.wire, argument.where) for argument in arguments]
    kept = [pinned.get((a.where, "" if a.pointer == "" else a.wire)) for a in arguments]
    names = argument_names(requests, pinned=kept)
    return PreparedTool(draft, tuple(arguments), names, shape, key, _left_out(draft, arguments, schemas))


def _arguments(
    operation: Operation, shape: BodyShape | None, action: Action | None, schemas: Mapping[str, Schema]
) -> list[ArgumentDraft]:
    """The parameters and the body as arguments, without the one that the tool sets itself."""
    set_by_tool = (action.where, action.name) if action is not None else None
    arguments = _parameter_drafts(operation.parameters, schemas)
    if shape is not None and operation.body is not None:
        inner = action.name if action is not None and action.where == "body" else None
        arguments += [
            replace(one, origin=operation.body.origin) for one in _body_drafts(shape, inner, schemas)
        ]
    return [one for one in arguments if (one.where, one.wire) != set_by_tool]


def _left_out(
    draft: ToolDraft, arguments: Sequence[ArgumentDraft], schemas: Mapping[str, Schema]
) -> tuple[ArgumentDraft, ...]:
    """The arguments that the operation has and this action of it has not."""
    if draft.whole is None:
        return ()
    shape = shape_body(draft.whole.body, schemas) if draft.whole.body is not None else None
    own = {(one.where, one.wire) for one in arguments}
    return tuple(
        one
        for one in _arguments(draft.whole, shape, draft.action, schemas)
        if (one.where, one.wire) not in own
    )


def _parameter_drafts(parameters: Sequence[Parameter], schemas: Mapping[str, Schema]) -> list[ArgumentDraft]:
    """The parameters as arguments."""
    return [
        ArgumentDraft(
            where=parameter.where.value,
            wire=parameter.name,
            schema=_parameter_schema(parameter, schemas),
            required=parameter.required,
            examples=parameter.examples,
            wire_name=parameter.name,
            origin=parameter.origin,
            extension=parameter.extensions.get("x-mcp"),
        )
        for parameter in parameters
    ]


def _parameter_schema(parameter: Parameter, schemas: Mapping[str, Schema]) -> Schema:
    """The schema with the parameter's own description; `readOnly` on a parameter means nothing."""
    schema = parameter.schema
    flat, _ = flatten(schema, schemas)
    if "readOnly" in flat or "writeOnly" in flat:
        schema = {key: value for key, value in flat.items() if key not in ("readOnly", "writeOnly")}
    text = parameter.description or str(flat.get("description") or "")
    if parameter.deprecated:
        text = f"Deprecated. {text}".strip()
    return {**schema, "description": text} if text else schema


def _by_itself(key: ArgumentDraft) -> ArgumentDraft:
    """The argument of an idempotency key: the run-time library makes one up where the caller gives none.

    One that the API requires stays required: what is published is what the API's description says.
    """
    if key.where != ParameterIn.HEADER or key.required:
        return key
    text = f"Set by itself when left out. {key.schema.get('description') or ''}".strip()
    return replace(key, schema={**key.schema, "description": text})


def _body_drafts(shape: BodyShape, hidden: str | None, schemas: Mapping[str, Schema]) -> list[ArgumentDraft]:
    """The body as arguments: its fields, and the rest or the whole of it. A whole body says nothing of a `hidden` field."""
    has_fields = any(field.wire is not None for field in shape.fields)
    drafts = [_body_draft(field, has_fields) for field in shape.fields]
    if hidden is None or has_fields:
        return drafts
    return [replace(draft, schema=without(draft.schema, hidden, schemas)) for draft in drafts]


def _body_draft(field: BodyField, has_fields: bool) -> ArgumentDraft:
    if field.wire is None:
        wire = "additional_fields" if has_fields else "body"
        return ArgumentDraft("body", wire, field.schema, field.required, pointer="")
    pointer = "/" + field.wire.replace("~", "~0").replace("/", "~1")
    return ArgumentDraft(
        "body",
        field.wire,
        field.schema,
        field.required,
        pointer=pointer,
        required_in_body=field.required_in_body,
    )


def input_projection(
    drafts: Sequence[ArgumentDraft], names: Sequence[str], projector: Projector
) -> Projected:
    """The input schema of a tool: one closed object (MCP 2026-07-28, Tools; client rules in `projection`)."""
    whole: dict[str, Any] = {
        "type": "object",
        "properties": {name: draft.schema for name, draft in zip(names, drafts, strict=True)},
        "required": [name for name, draft in zip(names, drafts, strict=True) if draft.required],
        "additionalProperties": False,
    }
    together = [name for name, draft in zip(names, drafts, strict=True) if draft.required_in_body]
    if together:
        fields = [name for name, draft in zip(names, drafts, strict=True) if draft.where == "body"]
        pairs = {name: [other for other in together if other != name] for name in fields}
        whole["dependentRequired"] = {name: others for name, others in pairs.items() if others}
    projected = projector.project(whole)
    properties = projected.schema["properties"]
    for name, draft in zip(names, drafts, strict=True):
        properties[name] = _as_said(properties[name], draft.override)
    return projected


def _as_said(published: Mapping[str, Any], said: ArgumentOverride) -> dict[str, Any]:
    """A published schema with what somebody says about it, to the letter."""
    told: dict[str, Any] = {}
    if said.description is not None:
        told["description"] = said.description
    if said.default is not UNSAID:
        told["default"] = said.default
    if said.examples is not None:
        told["examples"] = list(said.examples)
    return {**published, **told}


def argument_plans(
    drafts: Sequence[ArgumentDraft], names: Sequence[str], published: Mapping[str, Any]
) -> tuple[ArgumentPlan, ...]:
    """The arguments with all their names."""
    pythons = _python_names(names)
    properties = published["properties"]
    return tuple(
        ArgumentPlan(
            name=name,
            python=python,
            where=draft.where,
            schema=properties[name],
            required=draft.required,
            annotation=annotation_of(properties[name]),
            wire_name=draft.wire_name,
            pointer=draft.pointer,
            default=draft.override.default,
        )
        for draft, name, python in zip(drafts, names, pythons, strict=True)
    )


def _python_names(names: Sequence[str]) -> list[str]:
    """Parameter names of the function: identifiers, unique, none that the function itself uses."""
    taken: set[str] = set()
    found = []
    for name in names:
        python = python_identifier(name)
        while python in taken or python in ("call", "UNSET"):
            python += "_"
        taken.add(python)
        found.append(python)
    return found


def parameter_wires(parameters: Sequence[Parameter]) -> tuple[ParameterWire, ...]:
    """How the run-time library writes the parameters."""
    return tuple(
        ParameterWire(
            name=parameter.name,
            where=parameter.where.value,
            style=parameter.style.value,
            explode=parameter.explode,
            required=parameter.required or parameter.where is ParameterIn.PATH,
            allow_reserved=parameter.allow_reserved,
            allow_empty=parameter.allow_empty,
            content_type=parameter.content_type,
            inner=parameter.inner,
        )
        for parameter in parameters
    )

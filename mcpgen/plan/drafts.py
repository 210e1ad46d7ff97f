"""Which tools there are: one for each operation, or one for each action of an operation that has several effects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from mcpgen.ir.api import Api, Operation, Schema
from mcpgen.plan.cutting.cut import cuts_of
from mcpgen.plan.cutting.model import Action, Cut
from mcpgen.plan.cutting.overriding import without_overrides
from mcpgen.plan.effects.inference import EffectDecision
from mcpgen.plan.naming.answers import answers_of
from mcpgen.plan.naming.names import NameRequest, tool_names, usable_pins
from mcpgen.plan.naming.project_names import module_names
from mcpgen.plan.overrides.effects import decided
from mcpgen.plan.overrides.model import Override, Said
from mcpgen.plan.overrides.names import with_said_names
from mcpgen.plan.overrides.resolution import Overrides
from mcpgen.plan.toolsets import toolset_of

RESERVED_MODULES = ("base", "shared")
"""Modules that the package of models has for itself."""


@dataclass(frozen=True, slots=True)
class ToolDraft:
    """A tool to plan. `action` is set where it is one of several actions of its operation.

    `operation` is narrowed to that action then, and `whole` is as the document has it. `override` is what somebody says
    about this one tool.
    """

    key: str
    name: str
    operation: Operation
    effect: EffectDecision
    toolset: str
    module: str
    action: Action | None = None
    override: Override = field(default_factory=Override)
    whole: Operation | None = None


def draft_tools(
    api: Api, pinned: Mapping[str, str] | None = None, overrides: Overrides | None = None
) -> list[ToolDraft]:
    """All tools with their names, in the order of the document. Names are settled together, for all tools.

    `pinned` are the names that tools had in the last run, by key: they stay, whatever came into the document since.
    """
    overrides = overrides if overrides is not None else Overrides(api)
    cuts = [cut for operation in api.operations for cut in _overridden(operation, api.schemas, overrides)]
    requests = [_request(cut, override, api.schemas) for cut, override in cuts]
    said = {request.key: override for request, (_, override) in zip(requests, cuts, strict=True)}
    names = with_said_names(tool_names(requests, usable_pins(pinned or {})), said, overrides.faults)
    labels = [toolset_of(cut.operation) for cut, _ in cuts]
    modules = module_names(dict.fromkeys(labels), RESERVED_MODULES)
    return [
        ToolDraft(
            request.key,
            names[request.key],
            cut.operation,
            cut.effect,
            label,
            modules[label],
            cut.action,
            override,
            cut.whole,
        )
        for request, (cut, override), label in zip(requests, cuts, labels, strict=True)
    ]


def _overridden(
    operation: Operation, schemas: Mapping[str, Schema], overrides: Overrides
) -> list[tuple[Cut, Override]]:
    """The cuts of an operation, each with what is said about it."""
    whole = overrides.of(operation)

    def complain(message: str) -> None:
        overrides.faults.add(whole.said.get("split"), message)

    def tell(message: str) -> None:
        overrides.faults.warn(Said(operation.origin), "parameter-ignored", message)

    plain = without_overrides(operation, schemas, tell)
    cuts = [plain] if isinstance(plain, Cut) else cuts_of(plain, schemas, whole.split, complain)
    values = [cut.action.value for cut in cuts if cut.action is not None and not cut.action.inherent]
    said = overrides.per_tool(operation, values)
    return [
        (replace(cut, effect=decided(operation, cut.effect, override, overrides.faults)), override)
        for cut, override in zip(cuts, said, strict=True)
    ]


def _request(cut: Cut, override: Override, schemas: Mapping[str, Schema]) -> NameRequest:
    """What the tool's name is made of. The key is what the lock remembers the tool by: `POST /orders`, `POST[cancel] /orders`.

    No method holds a bracket (RFC 9110, 9.1 and 5.6.2), so the key of an action is never that of an operation, whatever the
    path is; and an escaped value ends at its bracket. The tool that leaves a flag out has the key of its operation.
    An effect that somebody says, against the document's words, leaves the name to these words.
    """
    operation, action = cut.operation, cut.action
    if action is None or action.left_out or action.inherent:
        return NameRequest(
            operation.key,
            operation.method,
            operation.path,
            operation.operation_id,
            summary=operation.summary or operation.description,
            effect="" if override.effect is not None else cut.effect.effect.value,
            answers=answers_of(operation, schemas),
        )
    said = f"{action.name}={action.value}" if action.further else action.value
    value = said.replace("%", "%25").replace("]", "%5D")
    key = f"{operation.method}[{value}] {operation.path}"
    label = action.label or action.value
    return NameRequest(key, operation.method, operation.path, operation.operation_id, label, action.further)

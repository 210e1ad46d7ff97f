"""Which tools there are: one for each operation, or one for each action of an operation that has several effects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mcpgen.ir.api import Api, Operation, Schema
from mcpgen.plan.effects.inference import EffectDecision, infer_effect
from mcpgen.plan.effects.split import action_argument
from mcpgen.plan.naming.names import NameRequest, tool_names, usable_pins
from mcpgen.plan.naming.project_names import module_names
from mcpgen.plan.toolsets import toolset_of

RESERVED_MODULES = ("base", "shared")
"""Modules that the package of models has for itself."""


@dataclass(frozen=True, slots=True)
class Action:
    """The argument that a tool sets itself (`where` is `body` or `query`), and the values that other tools set."""

    where: str
    name: str
    value: str
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToolDraft:
    """A tool to plan. `action` is set where it is one of several actions of its operation."""

    key: str
    name: str
    operation: Operation
    effect: EffectDecision
    toolset: str
    module: str
    action: Action | None = None


def draft_tools(api: Api, pinned: Mapping[str, str] | None = None) -> list[ToolDraft]:
    """All tools with their names, in the order of the document. Names are settled together, for all tools.

    `pinned` are the names that tools had in the last run, by key: they stay, whatever came into the document since.
    """
    cuts = [(operation, *cut) for operation in api.operations for cut in _cut(operation, api.schemas)]
    requests = [_request(operation, action) for operation, action, _ in cuts]
    names = tool_names(requests, usable_pins(pinned or {}))
    labels = [toolset_of(operation) for operation, _, _ in cuts]
    modules = module_names(dict.fromkeys(labels), RESERVED_MODULES)
    return [
        ToolDraft(request.key, names[request.key], operation, effect, label, modules[label], action)
        for request, (operation, action, effect), label in zip(requests, cuts, labels, strict=True)
    ]


def _cut(
    operation: Operation, schemas: Mapping[str, Schema]
) -> Iterator[tuple[Action | None, EffectDecision]]:
    found = action_argument(operation, schemas)
    if found is None:
        yield None, infer_effect(operation)
        return
    values = [value for value, _ in found.values]
    for value, effect in found.values:
        others = tuple(other for other in values if other != value)
        yield Action(found.where, found.name, value, others), effect


def _request(operation: Operation, action: Action | None) -> NameRequest:
    """What the tool's name is made of. The key is what the lock remembers the tool by: `POST /orders`, `POST[cancel] /orders`.

    No method holds a bracket (RFC 9110, 9.1 and 5.6.2), so the key of an action is never that of an operation, whatever the
    path is; and an escaped value ends at its bracket.
    """
    if action is None:
        return NameRequest(operation.key, operation.method, operation.path, operation.operation_id, "")
    value = action.value.replace("%", "%25").replace("]", "%5D")
    key = f"{operation.method}[{value}] {operation.path}"
    return NameRequest(key, operation.method, operation.path, operation.operation_id, action.value)

"""Which tools there are: one for each operation, or one for each action of an operation that has several effects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mcpgen.ir.api import Api, Operation, Schema
from mcpgen.plan.effects import EffectDecision, infer_effect
from mcpgen.plan.naming import NameRequest, tool_names
from mcpgen.plan.project_names import module_names
from mcpgen.plan.split import action_argument
from mcpgen.plan.toolsets import toolset_of

RESERVED_MODULES = ("base", "shared")
"""Modules that the package of models has for itself."""


@dataclass(frozen=True, slots=True)
class ToolDraft:
    """A tool to plan. `action` is the argument that it sets itself: (`body` or `query`, name, value)."""

    key: str
    name: str
    operation: Operation
    effect: EffectDecision
    toolset: str
    module: str
    action: tuple[str, str, str] | None = None


def draft_tools(api: Api) -> list[ToolDraft]:
    """All tools with their names, in the order of the document. Names are settled together, for all tools."""
    cuts = [(operation, action, effect) for operation in api.operations for action, effect in _cut(operation, api.schemas)]
    requests = [
        NameRequest(_key(operation, action), operation.method, operation.path, operation.operation_id, action[2] if action else "")
        for operation, action, _ in cuts
    ]
    names = tool_names(requests)
    labels = [toolset_of(operation) for operation, _, _ in cuts]
    modules = _modules(labels)
    return [
        ToolDraft(request.key, names[request.key], operation, effect, label, modules[label], action)
        for request, (operation, action, effect), label in zip(requests, cuts, labels, strict=True)
    ]


def _cut(
    operation: Operation, schemas: Mapping[str, Schema]
) -> Iterator[tuple[tuple[str, str, str] | None, EffectDecision]]:
    found = action_argument(operation, schemas)
    if found is None:
        yield None, infer_effect(operation)
        return
    for value, effect in found.values:
        yield (found.where, found.name, value), effect


def _key(operation: Operation, action: tuple[str, str, str] | None) -> str:
    return f"{operation.key} {action[2]}" if action else operation.key


def _modules(labels: Sequence[str]) -> dict[str, str]:
    names = module_names(dict.fromkeys(labels))
    return {label: f"{name}_tools" if name in RESERVED_MODULES else name for label, name in names.items()}

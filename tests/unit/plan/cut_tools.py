"""Operations with a body, and the tools that they are cut into."""

from __future__ import annotations

from typing import Any

from mcpgen.diagnostics import Location
from mcpgen.ir.api import Api, MediaType, Operation, RequestBody
from mcpgen.plan.arguments import PreparedTool, prepare_tool
from mcpgen.plan.drafts import draft_tools

HERE = Location("spec.yaml")


def post(schema: Any, path: str = "/orders/{id}/manage", operation_id: str = "manageOrder") -> Operation:
    body = RequestBody(True, (MediaType("application/json", schema),), HERE)
    return Operation("POST", path, HERE, operation_id, body=body)


def tools(operation: Operation, schemas: dict[str, Any] | None = None) -> dict[str, PreparedTool]:
    api = Api("t", "1", "3.1.0", HERE, operations=(operation,), schemas=schemas or {})
    return {draft.name: prepare_tool(draft, api.schemas, {}) for draft in draft_tools(api)}


def fields(tool: PreparedTool) -> dict[str, bool]:
    """The arguments and whether they are required."""
    return {name: one.required for name, one in zip(tool.names, tool.arguments, strict=True)}


def fixed(tool: PreparedTool) -> dict[str, Any]:
    assert tool.draft.action is not None
    return tool.draft.action.fixed


def effects(found: dict[str, PreparedTool]) -> dict[str, str]:
    return {name: str(tool.draft.effect.effect) for name, tool in found.items()}

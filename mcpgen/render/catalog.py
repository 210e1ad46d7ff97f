"""The catalogue: everything that a generated server knows, as one JSON document (read by `runtime.catalog`)."""

from __future__ import annotations

from typing import Any

from mcpgen.models.model import Models, ResultType
from mcpgen.plan.model import (
    ArgumentPlan,
    AuthPlan,
    BodyWire,
    PackagePlan,
    ParameterWire,
    ServerPlan,
    ToolPlan,
)

SCHEMA_VERSION = 1


def catalogue(plan: PackagePlan, models: Models, generator: str) -> dict[str, Any]:
    """The whole document, in a stable order. Texts are plain strings here: JSON is their escaping."""
    return {
        "schema_version": SCHEMA_VERSION,
        "server": {
            "name": plan.distribution,
            "title": str(plan.title),
            "version": str(plan.version),
            "instructions": str(plan.description),
            "env_prefix": plan.env_prefix,
            "generator": generator,
            "base_url": plan.base_url,
            "servers": [_server(server) for server in plan.servers],
        },
        "project": {
            "name": plan.distribution,
            "package": plan.package,
            "source_root": "src",
            "env_prefix": plan.env_prefix,
            "user_files": [f"src/{plan.package}/hooks.py"],
        },
        "auth": {auth.scheme: _auth(auth) for auth in plan.auth},
        **({"settings": dict(plan.settings)} if plan.settings else {}),
        **({"policies": {name: dict(one) for name, one in plan.policies.items()}} if plan.policies else {}),
        "tools": [wire_tool(tool) for tool in plan.tools],
        "operations": {tool.name: _operation(tool, models) for tool in plan.tools},
        "skipped": [
            {"operation": {"method": s.method, "path": s.path}, "code": s.code, "reason": s.reason}
            for s in plan.skipped
        ],
    }


def wire_tool(tool: ToolPlan) -> dict[str, Any]:
    """One tool as `tools/list` gives it."""
    return {
        "name": tool.name,
        "title": str(tool.title),
        "description": str(tool.description),
        "inputSchema": dict(tool.input_schema),
        "outputSchema": dict(tool.output_schema),
        "annotations": tool_annotations(tool),
        **({"icons": [dict(icon) for icon in tool.icons]} if tool.icons else {}),
        **({"_meta": dict(tool.meta)} if tool.meta else {}),
    }


def tool_annotations(tool: ToolPlan) -> dict[str, Any]:
    """All four hints, by the protocol's own definitions: only purely additive writes are not destructive."""
    reads = tool.effect == "read"
    return {
        "title": str(tool.title),
        "readOnlyHint": reads,
        "destructiveHint": not reads and (tool.effect == "destructive" or not tool.additive),
        "idempotentHint": tool.idempotent,
        "openWorldHint": tool.open_world,
    }


def _auth(auth: AuthPlan) -> dict[str, Any]:
    options = {"options": dict(auth.options)} if auth.options else {}
    return {**auth.entry, "env": dict(auth.env), **options}


def _server(server: ServerPlan) -> str | dict[str, Any]:
    """A server; one with nothing but its URL is just that, because an API can repeat it in every operation."""
    entry: dict[str, Any] = {"url": server.url}
    if server.name:
        entry["name"] = server.name
    if server.variables:
        entry["variables"] = {
            name: {"env": variable.env, "default": variable.default}
            | ({"enum": list(variable.enum)} if variable.enum else {})
            for name, variable in server.variables.items()
        }
    return entry if len(entry) > 1 else server.url


def _operation(tool: ToolPlan, models: Models) -> dict[str, Any]:
    result = models.types.get(tool.name, ResultType())
    entry: dict[str, Any] = {
        "module": tool.module,
        "function": tool.function,
        "toolset": tool.module,
        "effect": tool.effect,
        "additive": tool.additive,
        "idempotent": tool.idempotent,
        "reason": tool.reason,
        "method": tool.method,
        "path": tool.path,
        "operation_id": tool.operation_id,
        "arguments": [_argument(argument) for argument in tool.arguments],
        "parameters": [_parameter(parameter) for parameter in tool.parameters],
        "body": _body(tool.body) if tool.body else None,
        "security": [
            {name: list(scopes) for name, scopes in alternative.items()} for alternative in tool.security
        ],
        "accept": tool.accept,
        "hints": {key: _single([hint.entry() for hint in hints]) for key, hints in tool.hints.items()},
        "model": f"{result.module}:{result.class_name}" if result.module else None,
    }
    if tool.fixed:
        entry["fixed"] = dict(tool.fixed)
    if fields := _fixed_fields(tool):
        entry["fixed_fields"] = fields
    if tool.servers:
        entry["servers"] = [_server(server) for server in tool.servers]
    if tool.paging is not None:
        entry["paging"] = tool.paging.entry()
    if tool.idempotency is not None:
        entry["idempotency"] = dict(tool.idempotency)
    return entry


def _fixed_fields(tool: ToolPlan) -> list[str]:
    """Fixed fields of the body that have the name of a parameter: by `fixed` alone they would be taken for that."""
    parameters = {parameter.name for parameter in tool.parameters}
    return sorted(name for name, where in tool.fixed_where.items() if where == "body" and name in parameters)


def _single(entries: list[dict[str, Any]]) -> dict[str, Any] | list[dict[str, Any]]:
    """Entries in the order in which they are tried; a single one stands for itself."""
    return entries[0] if len(entries) == 1 else entries


def _argument(argument: ArgumentPlan) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": argument.name, "python": argument.python, "in": argument.where}
    if argument.has_default:
        entry["default"] = argument.default
    if argument.pointer is not None:
        return {**entry, "pointer": argument.pointer}
    return {**entry, "wire_name": argument.wire_name or ""}


def _parameter(parameter: ParameterWire) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "name": parameter.name,
        "in": parameter.where,
        "style": parameter.style,
        "explode": parameter.explode,
        "required": parameter.required,
    }
    if parameter.allow_reserved:
        entry["allow_reserved"] = True
    if parameter.allow_empty:
        entry["allow_empty"] = True
    if parameter.content_type is not None:
        entry["content_type"] = parameter.content_type
    if parameter.inner:
        entry["inner"] = list(parameter.inner)
    return entry


def _body(body: BodyWire) -> dict[str, Any]:
    entry: dict[str, Any] = {"content_type": body.content_type, "kind": body.kind, "required": body.required}
    if body.encoding:
        entry["encoding"] = {name: dict(value) for name, value in body.encoding.items()}
    if body.prefix_encoding:
        entry["prefix_encoding"] = [dict(value) for value in body.prefix_encoding]
    if body.item_encoding:
        entry["item_encoding"] = dict(body.item_encoding)
    if body.files:
        entry["files"] = dict(body.files)
    if body.xml:
        entry["xml"] = dict(body.xml)
    return entry

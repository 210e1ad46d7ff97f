"""Path parameters that the spec does not declare, or does not require."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mcpgen.diagnostics import Location
from mcpgen.ir.api import Operation, ParameterIn
from mcpgen.lint.context import Context, found
from mcpgen.lint.model import Finding, Patch, Subject
from mcpgen.source.model import join


def check_paths(context: Context) -> Iterator[Finding]:
    api = context.subject.api
    if api is None:
        return
    old = api.spec_version.startswith("2")
    for tool in context.subject.first_of_each_operation:
        operation = tool.operation
        for parameter in operation.parameters if operation is not None else ():
            if operation is None or parameter.where is not ParameterIn.PATH:
                continue
            if parameter.origin == operation.origin:
                message = f"the placeholder `{{{parameter.name}}}` of {operation.key} is not declared"
                repair = _declared(parameter.name, operation, context.subject, old=old)
                yield found(
                    "path-parameter-undeclared", message, operation.origin, tool=tool.name, repair=repair
                )
                continue
            raw = context.subject.written(parameter.origin)
            if isinstance(raw, Mapping) and raw.get("in") == "path" and raw.get("required") is not True:
                message = f"the path parameter `{parameter.name}` is not required"
                repair = Patch(parameter.origin, {"required": True})
                yield found(
                    "path-parameter-optional", message, parameter.origin, tool=tool.name, repair=repair
                )


def _declared(name: str, operation: Operation, subject: Subject, *, old: bool) -> Patch:
    """The parameter as an entry of the list that is there, or with a list of its own."""
    kind: dict[str, Any] = {"type": "string"} if old else {"schema": {"type": "string"}}
    entry = {"name": name, "in": "path", "required": True, **kind}
    raw = subject.written(operation.origin)
    if isinstance(raw, Mapping) and isinstance(raw.get("parameters"), list):
        place = operation.origin
        return Patch(Location(place.file, join(place.pointer, "parameters")), entry)
    return Patch(operation.origin, {"parameters": [entry]})

"""operationIds that are missing, given twice, or no legal names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcpgen.ir.api import Operation
from mcpgen.lint.context import Context, found
from mcpgen.lint.model import Finding, Patch, Question, Tool
from mcpgen.plan.naming.tool_words import NameRequest, tool_candidates

_LEGAL = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")


def check_operation_ids(context: Context) -> Iterator[Finding]:
    """The repair is the name that the tool has now, where an operationId of that name gives the tool the same name again."""
    if context.subject.api is None:
        return
    tools: dict[str, list[Tool]] = {}
    for tool in context.subject.tools:
        if tool.operation is not None:
            tools.setdefault(tool.operation.key, []).append(tool)
    taken = {operation.operation_id for operation in context.subject.api.operations if operation.operation_id}
    seen: dict[str, str] = {}
    odd: list[tuple[str, Tool]] = []
    for key, own in tools.items():
        operation = own[0].operation
        assert operation is not None
        name = operation.operation_id
        if not name:
            message = f"{key} has no operationId"
            yield found(
                "operation-id-missing",
                message,
                operation.origin,
                tool=own[0].name,
                repair=_repair(own, operation, taken),
            )
        elif name in seen:
            message = f"{key} has the operationId `{name}` of {seen[name]}"
            yield found(
                "operation-id-duplicate",
                message,
                operation.origin,
                tool=own[0].name,
                repair=_repair(own, operation, taken),
            )
        else:
            seen[name] = key
            odd += [] if _LEGAL.match(name) else [(name, own[0])]
    if odd:
        name, tool = odd[0]
        many = "one operationId is" if len(odd) == 1 else f"{len(odd)} operationIds are"
        message = f"{many} no legal name of a tool, such as `{name[:80]}`"
        yield found("operation-id-refused", message, tool.location)


def _repair(tools: list[Tool], operation: Operation, taken: set[str]) -> Patch | Question:
    """An operation that is several tools, or whose tool has a name that is made of other things, needs a person."""
    name = tools[0].name
    request = NameRequest(operation.key, operation.method, operation.path, name)
    if len(tools) == 1 and name not in taken and "_".join(tool_candidates(request)[0]) == name:
        return Patch(operation.origin, {"operationId": name})
    return Question(operation.origin, "operationId", f"What is {operation.key} called, as a verb and a noun?")

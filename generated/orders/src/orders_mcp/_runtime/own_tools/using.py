"""How one tool uses another one: through the same checks, as part of the same call."""

from __future__ import annotations

from typing import Any

from ..call import Call
from ..chain.order import inner_chain
from ..outcomes.failures import Category, Failure
from ..outcomes.fate import with_fate
from ..outcomes.result import Result
from ..setup.variables import EFFECTS
from ..values import JsonObject

_CUT_OFF = Failure(Category.TRANSIENT, "The call was broken off.", retryable=True)


async def use(call: Call, tool: str, arguments: JsonObject) -> Result[Any]:
    """Calls another tool of the server; the operator's gates hold for it too.

    The user is not asked again: whoever was asked about the outer call has agreed to what it does. A tool that always
    asks can therefore not be used.

    Raises:
        LookupError: the server has no such tool.
        PermissionError: the tool does worse than the outer one says of itself. Both are bugs of the caller.
    """
    app = call.app
    if tool not in app.catalog.tool_by_name:
        raise LookupError(f"{call.operation.tool} uses {tool}, which is no tool of this server")
    effect = app.catalog.effect(tool)
    if EFFECTS.index(effect) > EFFECTS.index(call.operation.effect):
        raise PermissionError(
            f"{call.operation.tool} says that its effect is {call.operation.effect}, and uses {tool}: {effect}"
        )
    if tool not in app.registered:
        return Result(failure=Failure(Category.PERMISSION, f"This needs {tool}, which is not allowed here."))
    if app.policy(tool).confirm == "always" and call.policy.confirm != "always":
        return Result(
            failure=Failure(Category.PERMISSION, f"This needs {tool}, about which the user is always asked."),
            hint=call.how(tool, arguments),
        )
    inner = Call(app, app.operation(tool), dict(arguments), call.trace_id, call.context)
    inner.how, inner.named, inner.reports = call.how, call.named, call.reports
    result: Result[Any] | None = None
    try:
        result = await inner_chain(app)(inner)
    finally:
        _remember(call, inner, result)
    return result


def _remember(outer: Call, inner: Call, result: Result[Any] | None) -> None:
    """What a tool that changes things has done is a part of what the outer one has done.

    Args:
        result: None for a call that was cut off.
    """
    if inner.operation.effect == "read":
        return
    parts, tool = outer.record.parts, inner.operation.tool
    if inner.record.parts:
        parts.update(inner.record.parts)
    failure = _CUT_OFF if result is None else result.failure
    if failure is None or inner.record.accepted is not None:
        parts[tool] = parts.get(tool, True)
    elif not inner.record.parts and with_fate(inner, failure).outcome_unknown:
        parts[tool] = False

"""The middle of the chain: the tool's own function, and the team's hook after it."""

from __future__ import annotations

import importlib
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from ..app import App
from ..call import Call
from ..operation import Operation
from ..outcomes.failures import CallFailed
from ..outcomes.result import Result

if TYPE_CHECKING:
    from ..own_tools.loading import OwnTool

ToolFunction = Callable[..., Awaitable[Result[Any]]]


class ToolFunctions:
    """Calls the function of a tool; the module of a generated one is imported with the first call that needs it."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._known: dict[str, ToolFunction] = {}

    async def __call__(self, call: Call) -> Result[Any]:
        own = self._app.hooks.tools.get(call.operation.tool)
        if own is not None:
            result = await _ran(call, own)
        else:
            function = self._function(call.operation)
            python = {argument.name: argument.python for argument in call.operation.arguments}
            result = await function(call, **{python[name]: value for name, value in call.arguments.items()})
        after = self._app.hooks.after_result
        replaced = None if after is None else await after(call, result)
        return result if replaced is None else replaced

    def _function(self, operation: Operation) -> ToolFunction:
        if operation.tool not in self._known:
            module = importlib.import_module(f"{self._app.catalog.package}.tools.{operation.module}")
            self._known[operation.tool] = getattr(module, operation.function)
        return self._known[operation.tool]


async def _ran(call: Call, own: OwnTool) -> Result[Any]:
    """The result of a team's own function. One that is cut off, or crashes, may have done anything by then."""
    call.record.began = call.record.inside = True
    try:
        result = await own.run(call, call.arguments)
    except CallFailed:
        call.record.inside = False
        raise
    call.record.inside = False
    return result

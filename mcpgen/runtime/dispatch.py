"""From `tools/call` to its result: find the tool, check the arguments, ask the user, call, answer."""

from __future__ import annotations

import importlib
import logging
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import mcp_types as mt
from mcp import MCPError
from mcp.server.context import ServerRequestContext

from .app import App
from .arguments import prepare
from .call import Call
from .confirm import confirm, needs_confirmation, question
from .failures import CallFailed, Category, Failure
from .hints import direct, hint_for
from .operation import Operation
from .result import Result, tool_result

if TYPE_CHECKING:
    from .search_tools import SearchTools

log = logging.getLogger(__name__)

ToolFunction = Callable[..., Awaitable[Result[Any]]]
_CRASH = Failure(Category.INTERNAL, "The tool failed because of a fault in this server.")


class Dispatcher:
    """Answers the calls of one server. `search` is set when tools are reached through the search tools."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.search: SearchTools | None = None
        self._functions: dict[str, ToolFunction] = {}

    async def call_tool(
        self, context: ServerRequestContext[Any, Any], params: mt.CallToolRequestParams
    ) -> mt.CallToolResult | mt.InputRequiredResult:
        """The handler of `tools/call`.

        Raises:
            MCPError: the tool does not exist for this server (a protocol error by the specification).
        """
        name, arguments = params.name, dict(params.arguments or {})
        notes: tuple[str, ...] = ()
        if self.search is not None:
            found = self.search.resolve(name, arguments)
            if found is None:
                raise _unknown(name)
            if isinstance(found, Result):
                return tool_result(found.envelope(_trace_id()))
            name, arguments, notes = found.tool, found.arguments, found.notes
        elif name not in self.app.registered:
            raise _unknown(name)
        return await self._call(context, params, name, arguments, notes)

    async def _call(
        self,
        context: ServerRequestContext[Any, Any],
        params: mt.CallToolRequestParams,
        name: str,
        arguments: dict[str, Any],
        notes: tuple[str, ...],
    ) -> mt.CallToolResult | mt.InputRequiredResult:
        operation, trace_id = self.app.catalog.operation(name), _trace_id()
        try:
            prepared = prepare(operation, arguments)
            if needs_confirmation(operation.effect, self.app.settings.confirm):
                asked = await confirm(
                    context, params, question(operation, prepared.arguments, self.app.redactor)
                )
                if asked is not None:
                    return asked
            call = Call(self.app, operation, prepared.arguments, trace_id, context)
            result = await self._run(call)
            result = replace(result, notes=(*notes, *prepared.notes, *result.notes))
        except CallFailed as error:
            result = Result(failure=error.failure)
        except MCPError:
            raise
        except Exception:
            log.exception("%s: %s crashed", trace_id, name)
            result = Result(failure=_CRASH)
        return self._answer(operation, result, trace_id)

    async def _run(self, call: Call) -> Result[Any]:
        function = self._function(call.operation)
        python = {argument.name: argument.python for argument in call.operation.arguments}
        result = await function(call, **{python[name]: value for name, value in call.arguments.items()})
        after = self.app.hooks.after_result
        replaced = None if after is None else await after(call, result)
        return result if replaced is None else replaced

    def _function(self, operation: Operation) -> ToolFunction:
        if operation.tool not in self._functions:
            module = importlib.import_module(f"{self.app.catalog.package}.tools.{operation.module}")
            self._functions[operation.tool] = getattr(module, operation.function)
        return self._functions[operation.tool]

    def _answer(self, operation: Operation, result: Result[Any], trace_id: str) -> mt.CallToolResult:
        failure = result.failure
        if failure is not None:
            how = direct if self.search is None else self.search.how
            hint = result.hint or hint_for(failure, operation, self.app.registered, how)
            result = replace(result, hint=hint)
            log.info("%s: %s failed (%s): %s", trace_id, operation.tool, failure.category, failure.message)
        try:
            return tool_result(result.envelope(trace_id), result.attachments)
        except (
            TypeError,
            ValueError,
        ):  # a hook or a team's own tool has put something else than JSON into it
            log.exception("%s: the result of %s is not JSON", trace_id, operation.tool)
            return tool_result(Result[Any](failure=_CRASH).envelope(trace_id))


def _unknown(name: str) -> MCPError:
    return MCPError(code=mt.INVALID_PARAMS, message=f"Unknown tool: {name[:100]}")


def _trace_id() -> str:
    return secrets.token_hex(8)

"""From `tools/call` to its answer: finds the tool and sends the call through the chain."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import mcp_types as mt
from mcp import MCPError
from mcp.server.context import ServerRequestContext

from .app import App
from .bounds.conveying import conveyed
from .call import Call
from .chain.model import Asked
from .chain.order import call_chain
from .observe.link import observe_answer
from .outcomes.result import Result
from .values import JsonObject

if TYPE_CHECKING:
    from .search.search_tools import SearchTools


class Dispatcher:
    """Answers the calls of one server. `search` is set when tools are reached through the search tools."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.search: SearchTools | None = None
        self._chain = call_chain(app)

    async def call_tool(
        self, context: ServerRequestContext[Any, Any], params: mt.CallToolRequestParams
    ) -> mt.CallToolResult | mt.InputRequiredResult:
        """The handler of `tools/call`.

        Raises:
            MCPError: the tool does not exist for this server (a protocol error by the specification).
        """
        return await self.answer(params.name, dict(params.arguments or {}), context=context, params=params)

    async def answer(
        self,
        name: str,
        arguments: JsonObject,
        *,
        context: ServerRequestContext[Any, Any] | None = None,
        params: mt.CallToolRequestParams | None = None,
        prepare: Callable[[Call], None] | None = None,
    ) -> mt.CallToolResult | mt.InputRequiredResult:
        """The answer to a call, with or without a client that has made it.

        Args:
            prepare: sees the call before the chain does.

        Raises:
            MCPError: as `call_tool`.
        """
        trace_id, began = secrets.token_hex(8), time.perf_counter()
        notes: tuple[str, ...] = ()
        if self.search is not None:
            found = self.search.resolve(name, arguments)
            if found is None:
                raise self._unknown(name, arguments, trace_id, context)
            if isinstance(found, Result):
                observe_answer(self.app, name, arguments, trace_id, context, began, result=found)
                return conveyed(found, trace_id, self.app.redactor, context)
            name, arguments, notes = found.tool, found.arguments, found.notes
        elif name not in self.app.registered:
            raise self._unknown(name, arguments, trace_id, context)
        call = Call(self.app, self.app.operation(name), arguments, trace_id, context, params)
        if self.search is not None:
            call.how, call.named = self.search.how, self.search.named
        call.notes += notes
        if prepare is not None:
            prepare(call)
        try:
            await self._chain(call)
        except Asked as asked:
            return asked.question
        if call.answer is None:
            raise AssertionError("the chain ended without an answer")
        return call.answer

    def _unknown(
        self, name: str, arguments: JsonObject, trace_id: str, context: ServerRequestContext[Any, Any] | None
    ) -> MCPError:
        began = time.perf_counter()
        observe_answer(self.app, name, arguments, trace_id, context, began, code=mt.INVALID_PARAMS)
        return MCPError(code=mt.INVALID_PARAMS, message=f"Unknown tool: {name[:100]}")

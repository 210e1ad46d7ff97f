"""`tools/list` from precomputed dicts: nothing is built per tool, neither at start-up nor per request.

A middleware answers before the SDK validates and re-dumps the result by its models, which costs ten times
the rest of a long list. The SDK then leaves the envelope to us: one ready answer for each protocol era.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import mcp_types as mt
from mcp import MCPError
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from .bounds.wire import event_room, listed_by_event, wire_size

TTL_MS = 300_000
"""How long a client may keep the list: it changes only when the server is restarted."""
SERVER_INFO_KEY = "io.modelcontextprotocol/serverInfo"


class ToolList:
    """The registered tools as clients see them, in one page or in pages of `page_size`.

    Where the list is answered by an event (HTTP, before 2026-07-28), a page is no larger than clients take either.
    """

    def __init__(self, tools: list[dict[str, Any]], page_size: int) -> None:
        self.tools = tools
        self.page_size = page_size
        self.by_name = {tool["name"]: tool for tool in tools}

    def input_schema(self, name: str) -> Mapping[str, Any] | None:
        """For the SDK's header checks; without it every call over HTTP runs the whole list first."""
        tool = self.by_name.get(name)
        return None if tool is None else tool["inputSchema"]

    def attach(self, server: Server[Any]) -> None:
        """Makes `server` answer `tools/list` from this list."""
        server.add_request_handler("tools/list", mt.PaginatedRequestParams, self._page)
        if self.page_size == 0:
            server.middleware.append(_WholeList(self, server.server_info_stamp))

    async def _page(
        self, ctx: ServerRequestContext[Any, Any], params: mt.PaginatedRequestParams
    ) -> dict[str, Any]:
        start = 0 if params.cursor is None else self._start(params.cursor)
        end = self._end(start, event_room(ctx) if listed_by_event(ctx) else None)
        answer: dict[str, Any] = {"resultType": "complete", "tools": self.tools[start:end]}
        if end < len(self.tools):
            answer["nextCursor"] = base64.urlsafe_b64encode(b"t:%d" % end).decode()
        return answer

    def fits(self, room: int) -> bool:
        """Whether the whole list has no more than so many bytes."""
        return self._end(0, room) == len(self.tools)

    def _end(self, start: int, room: int | None) -> int:
        """Where the page that starts there ends. It has one tool at least."""
        end = min(start + (self.page_size or len(self.tools)), len(self.tools))
        if room is None:
            return end
        for place in range(start, end):
            room -= self._sizes[place]
            if room < 0:
                return max(place, start + 1)
        return end

    @cached_property
    def _sizes(self) -> list[int]:
        """Bytes of each tool with a comma; measured when the first client needs pages."""
        return [wire_size(tool) + 1 for tool in self.tools]

    def _start(self, cursor: str) -> int:
        try:
            tag, _, number = base64.urlsafe_b64decode(cursor.encode()).decode().partition(":")
            start = int(number)
            if tag != "t" or not 0 < start < len(self.tools):
                raise ValueError
        except ValueError:  # bad base64 and bad UTF-8 are ValueErrors too
            raise MCPError(code=mt.INVALID_PARAMS, message="Invalid cursor") from None
        return start


class _WholeList:
    """Middleware: the whole list, ready-made for each era."""

    def __init__(self, tool_list: ToolList, server_info: Mapping[str, Any]) -> None:
        self._list, tools = tool_list, tool_list.tools
        self._legacy = {"tools": tools}
        self._modern = {
            "resultType": "complete",
            "ttlMs": TTL_MS,
            "cacheScope": "public",
            "tools": tools,
            "_meta": {SERVER_INFO_KEY: server_info},
        }

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        whole = ctx.method == "tools/list" and ctx.request_id is not None
        if not whole or (ctx.params or {}).get("cursor") is not None:
            return await call_next(ctx)
        room = event_room(ctx)
        if room is not None and listed_by_event(ctx) and not self._list.fits(room):
            return await call_next(ctx)
        return self._modern if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS else self._legacy

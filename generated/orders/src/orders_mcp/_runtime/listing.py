"""`tools/list` from precomputed dicts: nothing is built per tool, neither at start-up nor per request.

A middleware answers before the SDK validates and re-dumps the result by its models, which costs ten times
the rest of a long list. The SDK then leaves the envelope to us: one ready answer for each protocol era.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

import mcp_types as mt
from mcp import MCPError
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

TTL_MS = 300_000
"""How long a client may keep the list: it changes only when the server is restarted."""
SERVER_INFO_KEY = "io.modelcontextprotocol/serverInfo"


class ToolList:
    """The registered tools as clients see them, in one page or in pages of `page_size`."""

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
            server.middleware.append(_WholeList(self.tools, server.server_info_stamp))

    async def _page(
        self, ctx: ServerRequestContext[Any, Any], params: mt.PaginatedRequestParams
    ) -> dict[str, Any]:
        size = self.page_size or max(len(self.tools), 1)
        start = 0 if params.cursor is None else self._start(params.cursor)
        answer: dict[str, Any] = {"resultType": "complete", "tools": self.tools[start : start + size]}
        if start + size < len(self.tools):
            answer["nextCursor"] = base64.urlsafe_b64encode(b"t:%d" % (start + size)).decode()
        return answer

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

    def __init__(self, tools: list[dict[str, Any]], server_info: Mapping[str, Any]) -> None:
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
        return self._modern if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS else self._legacy

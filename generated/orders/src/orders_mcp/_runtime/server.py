"""Builds the MCP server of a generated package on the SDK's low-level `Server`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp.server.caching import CacheHint
from mcp.server.lowlevel import Server
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity

from .app import App
from .dispatch import Dispatcher
from .listing import TTL_MS, ToolList
from .search.search_tools import SearchTools


def build_server(
    package: str,
    *,
    environ: Mapping[str, str] | None = None,
    transport: httpx2.AsyncBaseTransport | None = None,
) -> Server[Any]:
    """The server of a generated package, ready for any MCP transport.

    Args:
        package: import name of the package that holds `catalog.json`.
        environ: settings and credentials; the process environment by default.
        transport: how the API is reached; tests pass an `httpx2.MockTransport`.

    Raises:
        CatalogError: the package's catalogue can't be read.
        HooksError: the team's own code can't be used.
        SettingsError: the environment has wrong values.
    """
    return server_for(App.start(package, environ, transport))


def server_for(app: App) -> Server[Any]:
    """The same for an `App` that is already started."""
    dispatcher = Dispatcher(app)
    search = SearchTools(app) if app.settings.mode == "search" else None
    tools = ToolList(
        search.tools if search else [tool for tool in app.catalog.tools if tool["name"] in app.registered],
        app.settings.page_size,
    )
    dispatcher.search = search

    @asynccontextmanager
    async def lifespan(_: Server[Any]) -> AsyncIterator[dict[str, Any]]:
        async with app.session():
            yield {}

    info = app.catalog.server
    hint = CacheHint(ttl_ms=TTL_MS, scope="public")
    server: Server[Any] = Server(
        info.name,
        version=info.version,
        title=info.title,
        instructions=info.instructions or None,
        cache_hints={"tools/list": hint, "server/discover": hint},
        get_tool_input_schema=tools.input_schema,
        lifespan=lifespan,
        on_call_tool=dispatcher.call_tool,
    )
    keys = app.settings.state_keys
    security = RequestStateSecurity(keys=keys) if keys else RequestStateSecurity.ephemeral()
    server.middleware.append(RequestStateBoundary(security, default_audience=server.name))
    tools.attach(server)
    return server

"""Serves MCP over Streamable HTTP, for both protocol eras, until the process is told to end."""

from __future__ import annotations

import logging
import os
import re
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import FrameType
from typing import Any

import uvicorn
from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.middleware.cors import CORSMiddleware
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from ..app import App
from ..observe.prometheus import metrics_endpoint
from .checks import is_loopback
from .gate import Gate
from .health import health_routes
from .listening import listen, port_of
from .metadata import metadata_routes
from .traffic import until

log = logging.getLogger(__name__)

_LAST_BYTES = 1
"""Seconds that answers which are ready get to reach their clients."""
_READABLE = ["Mcp-Session-Id", "MCP-Protocol-Version", "WWW-Authenticate", "Retry-After"]
"""What a script in a browser may read of an answer beside its body."""


def serve_http(app: App, server: Server[Any], host: str, port: int) -> int:
    """Listens until a signal comes; gives the exit status. The settings have passed `check_serving`."""
    try:
        sockets = listen(host, port)
    except OSError as error:
        name = app.catalog.package
        print(f"{name}: can't listen on {host}, port {port}: {error}", file=sys.stderr)
        return 1
    name = f"[{host}]" if ":" in host else host
    log.info("serving MCP at http://%s:%d/mcp", name, port_of(sockets))
    runner = Runner(app, web_app(app, server, host, port_of(sockets)))
    try:
        runner.run(sockets)
    finally:
        app.finished()
    if runner.hurried:
        logging.shutdown()
        os._exit(0)  # a thread that is at work would be waited for
    return 0 if runner.started else 1


def web_app(app: App, server: Server[Any], host: str, port: int) -> Starlette:
    """All that is served: `/mcp` behind its gate, metadata, health, and the metrics where they are wanted."""
    security = _security(app, host, port)
    manager = StreamableHTTPSessionManager(
        server, security_settings=security, max_request_body_size=app.settings.http_max_bytes
    )
    gate = Gate(app, AuthContextMiddleware(StreamableHTTPASGIApp(manager)), security)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with manager.run():
            app.traffic.serving = True
            yield

    routes: list[BaseRoute] = [Route("/mcp", endpoint=_for_browsers(app, gate))]
    routes += [*metadata_routes(app), *health_routes(app)]
    metrics = metrics_endpoint(app)
    routes += [] if metrics is None else [metrics]
    return Starlette(routes=routes, lifespan=lifespan)


class Runner(uvicorn.Server):
    """uvicorn, but what is in flight is finished first: `HTTP_DRAIN` seconds at most. A second signal ends it at once."""

    def __init__(self, app: App, web: Starlette) -> None:
        super().__init__(
            uvicorn.Config(
                web,
                lifespan="on",
                ws="none",
                log_config=None,
                access_log=False,  # addresses can hold what belongs into no log; calls have the audit
                server_header=False,
                timeout_graceful_shutdown=_LAST_BYTES,
            )
        )
        self._app = app
        self.hurried = False

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal has come. This runs between any two instructions, so it only leaves word."""
        self.hurried = self._app.traffic.ending
        self._app.traffic.ending = True

    async def on_tick(self, counter: int) -> bool:
        """Whether to leave the main loop; ten times a second."""
        return await super().on_tick(counter) or self._app.traffic.ending

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """No new connections; known ones are served, `/readyz` says no, and calls in flight go on until they are done."""
        traffic = self._app.traffic
        traffic.ending = True
        log.info("ending: calls in flight are finished, new ones not taken")
        for server in self.servers:
            server.close()
        done = await until(lambda: traffic.idle or self.hurried, self._app.settings.http_drain)
        if self.hurried:
            self.config.timeout_graceful_shutdown = 0
        elif not done:
            log.warning("calls in flight took too long: they are cancelled")
        self.should_exit = True  # the SDK's event streams end when they see it
        await super().shutdown(sockets)


def _for_browsers(app: App, gate: Gate) -> ASGIApp:
    """Lets scripts of the allowed origins call (CORS): their browser asks first, and it has no token for that."""
    origins = app.settings.allowed_origins
    if not origins:
        return gate
    any_port = [re.escape(origin[:-2]) + r":\d{1,5}" for origin in origins if origin.endswith(":*")]
    return CORSMiddleware(
        gate,
        allow_origins=[origin for origin in origins if not origin.endswith(":*")],
        allow_origin_regex="|".join(any_port) or None,
        allow_methods=["GET", "POST", "DELETE"],
        allow_headers=["*"],  # those that are asked for: `Mcp-Param-*` have any names
        expose_headers=_READABLE,
    )


def _security(app: App, host: str, port: int) -> TransportSecuritySettings:
    """Which Host and Origin headers are served: DNS rebinding must not reach a server on the user's machine."""
    hosts, origins = list(app.settings.allowed_hosts), list(app.settings.allowed_origins)
    if is_loopback(host):
        own = f"[{host}]" if ":" in host else host
        names = dict.fromkeys(("127.0.0.1", "localhost", "[::1]", own))
        hosts += [f"{name}:{port}" for name in names] + list(names)
        origins += [f"http://{name}:{port}" for name in names]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True, allowed_hosts=hosts, allowed_origins=origins
    )

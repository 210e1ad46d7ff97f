"""`python -m PACKAGE`: serves MCP over standard input and output, or over Streamable HTTP."""

from __future__ import annotations

import argparse
import gc
import ipaddress
import logging
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import anyio

from .app import App
from .catalog import CatalogError
from .redact import RedactingFormatter
from .server import server_for
from .settings import SettingsError

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server
    from mcp.server.transport_security import TransportSecuritySettings

log = logging.getLogger(__name__)

_MAX_REQUEST = 16 << 20
"""An MCP request over HTTP can carry a file in base64."""


def main(package: str, argv: Sequence[str] | None = None) -> int:
    """Serves a generated package until its client leaves or the process is stopped.

    Standard output carries protocol only; everything for people goes to standard error.

    Returns:
        The exit status: 0 after a normal end, 2 for wrong options, settings or a broken catalogue.
    """
    options = _options(package, argv)
    try:
        app = App.start(package)
        security = _security(app, options.host, options.port) if options.transport == "http" else None
    except (SettingsError, CatalogError) as error:
        for line in str(error).splitlines():
            print(f"{package}: {line}", file=sys.stderr)
        return 2
    gc.freeze()  # the catalogue and the libraries stay: no collection has to walk through them again
    _log_to_stderr(app)
    log.info("%d tools are registered", len(app.registered))
    server = server_for(app)
    if security is not None:
        return _serve_http(server, options.host, options.port, security)
    return _serve_stdio(server)


def _options(package: str, argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog=f"python -m {package}", description="Serves this API's tools over MCP."
    )
    parser.add_argument("--transport", choices=("stdio", "http"), default="stdio")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (http)")
    parser.add_argument("--port", type=int, default=8000, help="port to listen on (http); the path is /mcp")
    return parser.parse_args(argv)


def _log_to_stderr(app: App) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(RedactingFormatter(app.redactor, "%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(handlers=[handler], level=app.settings.log_level, force=True)
    for name in ("httpx2", "httpcore2"):  # they log whole addresses, and a key can be in the query
        logging.getLogger(name).setLevel(logging.WARNING)


def _serve_stdio(server: Server[Any]) -> int:
    from mcp.server.stdio import stdio_server

    async def stop_on_signal(scope: anyio.CancelScope) -> None:
        with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            async for number in signals:
                log.info("stopped by signal %d", number)
                scope.cancel()
                # The SDK's reader waits for input in a thread that nothing can interrupt.
                sys.stderr.flush()
                os._exit(0)

    async def serve() -> None:
        async with anyio.create_task_group() as group:
            with suppress(NotImplementedError):  # no signal receivers on Windows
                group.start_soon(stop_on_signal, group.cancel_scope)
            async with stdio_server() as (reading, writing):
                await server.run(reading, writing, server.create_initialization_options())
            group.cancel_scope.cancel()

    anyio.run(serve)
    return 0


def _serve_http(server: Server[Any], host: str, port: int, security: TransportSecuritySettings) -> int:
    import uvicorn

    web = server.streamable_http_app(
        host=host, transport_security=security, max_request_body_size=_MAX_REQUEST
    )
    runner = uvicorn.Server(uvicorn.Config(web, host=host, port=port, log_config=None, lifespan="on"))
    # uvicorn stops cleanly on a signal and then raises it once more for whoever handled it before.
    signal.signal(signal.SIGTERM, lambda *_: None)
    with suppress(KeyboardInterrupt):
        runner.run()
    return 0 if runner.started else 1


def _security(app: App, host: str, port: int) -> TransportSecuritySettings:
    """Which Host and Origin headers are served: DNS rebinding must not reach a server on the user's machine.

    Raises:
        SettingsError: listening beyond loopback without a word of the operator on who may call.
    """
    from mcp.server.transport_security import TransportSecuritySettings

    hosts, origins = list(app.settings.allowed_hosts), list(app.settings.allowed_origins)
    if _is_loopback(host):
        names = ("127.0.0.1", "localhost", "[::1]")
        hosts += [f"{name}:{port}" for name in names] + list(names)
        origins += [f"http://{name}:{port}" for name in names]
    elif not hosts:
        variable = f"{app.catalog.server.env_prefix}_ALLOWED_HOSTS"
        raise SettingsError(
            [f"--host {host} is reachable from outside: set {variable} to the names that clients use"]
        )
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True, allowed_hosts=hosts, allowed_origins=origins
    )


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False

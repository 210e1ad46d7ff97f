"""`python -m PACKAGE`: serves MCP over standard input and output, or over Streamable HTTP; logs in and out."""

from __future__ import annotations

import argparse
import gc
import ipaddress
import logging
import os
import signal
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import anyio

from .app import App
from .catalog import CatalogError
from .listening import listen, port_number, port_of
from .redact import log_to_stderr
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
        The exit status: 0 after a normal end, 1 when it can't serve (the port is taken), 2 for wrong options,
        settings or a broken catalogue.
    """
    words = sys.argv[1:] if argv is None else argv
    if words and words[0] in ("login", "logout"):
        from .login_command import run  # only here: a server never needs it

        return run(package, words)
    options = _options(package, words)
    try:
        app = App.start(package)
        _check_forwarding(app, options.transport)
        _check_reach(app, options)
    except (SettingsError, CatalogError) as error:
        for line in str(error).splitlines():
            print(f"{package}: {line}", file=sys.stderr)
        return 2
    gc.freeze()  # the catalogue and the libraries stay: no collection has to walk through them again
    log_to_stderr(app.redactor, app.settings.log_level)
    log.info("%d tools are registered", len(app.registered))
    server = server_for(app)
    if options.transport != "http":
        return _serve_stdio(server)
    try:
        sockets = listen(options.host, options.port)
    except OSError as error:
        print(f"{package}: can't listen on {options.host}, port {options.port}: {error}", file=sys.stderr)
        return 1
    return _serve_http(server, options.host, sockets, _security(app, options.host, port_of(sockets)))


def _check_forwarding(app: App, transport: str) -> None:
    """Only an HTTP request has an `Authorization` that can be passed on."""
    if app.settings.forward_authorization and transport != "http":
        variable = f"{app.catalog.server.env_prefix}_FORWARD_AUTHORIZATION"
        raise SettingsError([f"{variable}: there is nothing to forward without --transport http"])


def _check_reach(app: App, options: argparse.Namespace) -> None:
    """Whoever listens beyond loopback has to say who may call."""
    if options.transport == "http" and not _is_loopback(options.host) and not app.settings.allowed_hosts:
        variable = f"{app.catalog.server.env_prefix}_ALLOWED_HOSTS"
        raise SettingsError(
            [f"--host {options.host} is reachable from outside: set {variable} to the names that clients use"]
        )


def _options(package: str, argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog=f"python -m {package}",
        description="Serves this API's tools over MCP.",
        epilog=f"`python -m {package} login` and `logout` keep and forget a login at the API.",
    )
    parser.add_argument("--transport", choices=("stdio", "http"), default="stdio")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (http)")
    parser.add_argument(
        "--port",
        type=port_number,
        default=8000,
        help="port to listen on, 0 for a free one (http); the path is /mcp",
    )
    return parser.parse_args(argv)


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


def _serve_http(
    server: Server[Any], host: str, sockets: list[socket.socket], security: TransportSecuritySettings
) -> int:
    import uvicorn

    web = server.streamable_http_app(
        host=host, transport_security=security, max_request_body_size=_MAX_REQUEST
    )
    runner = uvicorn.Server(uvicorn.Config(web, log_config=None, lifespan="on"))
    name = f"[{host}]" if ":" in host else host
    log.info("serving MCP at http://%s:%d/mcp", name, port_of(sockets))
    # uvicorn stops cleanly on a signal and then raises it once more for whoever handled it before.
    signal.signal(signal.SIGTERM, lambda *_: None)
    with suppress(KeyboardInterrupt):
        runner.run(sockets)
    return 0 if runner.started else 1


def _security(app: App, host: str, port: int) -> TransportSecuritySettings:
    """Which Host and Origin headers are served: DNS rebinding must not reach a server on the user's machine."""
    from mcp.server.transport_security import TransportSecuritySettings

    hosts, origins = list(app.settings.allowed_hosts), list(app.settings.allowed_origins)
    if _is_loopback(host):
        own = f"[{host}]" if ":" in host else host
        names = dict.fromkeys(("127.0.0.1", "localhost", "[::1]", own))
        hosts += [f"{name}:{port}" for name in names] + list(names)
        origins += [f"http://{name}:{port}" for name in names]
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

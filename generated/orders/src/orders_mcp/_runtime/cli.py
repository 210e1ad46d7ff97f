"""`python -m PACKAGE`: serves MCP over standard input and output, or over Streamable HTTP; logs in and out; reads audits."""

from __future__ import annotations

import argparse
import gc
import logging
import sys
from collections.abc import Sequence

from .app import App
from .catalog import CatalogError
from .hooks import HooksError
from .secrecy.redact import log_crashes, log_to_stderr
from .server import server_for
from .serving.checks import check_serving
from .serving.listening import port_number
from .setup.settings import SettingsError

log = logging.getLogger(__name__)


def main(package: str, argv: Sequence[str] | None = None) -> int:
    """Serves a generated package until its client leaves or the process is stopped.

    Standard output carries protocol only; everything for people goes to standard error.

    Returns:
        The exit status: 0 after a normal end, 1 when it can't serve (the port is taken), 2 for wrong options,
        settings or a broken catalogue.
    """
    words = sys.argv[1:] if argv is None else argv
    if words and words[0] in ("login", "logout"):
        from .auth.login_command import run  # only here: a server never needs it

        return run(package, words)
    if words and words[0] in ("replay", "drift"):
        from .observe.commands import run as run_audit_command

        return run_audit_command(package, words)
    options = _options(package, words)
    try:
        app = App.start(package)
        check_serving(app, options.transport, options.host)
    except (SettingsError, CatalogError, HooksError) as error:
        for line in str(error).splitlines():
            print(f"{package}: {line}", file=sys.stderr)
        return 2
    gc.freeze()  # the catalogue and the libraries stay: no collection has to walk through them again
    log_to_stderr(app.redactor, app.settings.log_level, package)
    log_crashes()
    log.info("%d tools are registered", len(app.registered))
    server = server_for(app)
    if options.transport == "http":
        from .serving.http import serve_http

        return serve_http(app, server, options.host, options.port)
    from .serving.stdio import serve_stdio

    return serve_stdio(app, server)


def _options(package: str, argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog=f"python -m {package}",
        description="Serves this API's tools over MCP.",
        epilog=f"`python -m {package} login` and `logout` keep and forget a login at the API; "
        "`replay` and `drift` read what an audit has written.",
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

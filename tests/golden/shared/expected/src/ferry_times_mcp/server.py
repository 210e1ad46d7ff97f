"""The MCP server of this package, for embedding and for tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx2
from mcp.server.lowlevel import Server

from ._runtime import build_server, main


def build(
    *,
    environ: Mapping[str, str] | None = None,
    transport: httpx2.AsyncBaseTransport | None = None,
) -> Server[Any]:
    """The server, ready to run.

    Args:
        environ: settings and credentials; the process environment when left out.
        transport: what carries requests to the API; the network when left out.
    """
    return build_server("ferry_times_mcp", environ=environ, transport=transport)


def run() -> None:
    """The console script."""
    raise SystemExit(main("ferry_times_mcp"))

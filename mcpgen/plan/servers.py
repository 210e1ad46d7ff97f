"""Where requests go: the document's servers with their variables filled in, relative ones resolved."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import urljoin, urlsplit

from mcpgen.diagnostics import Collector, Location
from mcpgen.ir.api import Api, Server

_VARIABLE = re.compile(r"\{([^{}]*)\}")


def server_url(server: Server) -> str:
    """The URL of a server with every variable at its default (OpenAPI 3.2, Server Variable Object)."""

    def value(match: re.Match[str]) -> str:
        variable = server.variables.get(match.group(1))
        return variable.default if variable is not None else match.group(0)

    return _VARIABLE.sub(value, server.url.strip())


def absolute(url: str, base: str | None) -> str | None:
    """The URL, resolved against a base where it is relative; None when there is no usable base."""
    if urlsplit(url).scheme in ("http", "https") and urlsplit(url).netloc:
        return url
    if base is None:
        return None
    return urljoin(base if base.endswith("/") or urlsplit(base).path else base + "/", url)


def plan_base_url(
    api: Api, given: str | None, retrieved_from: str | None, diagnostics: Collector
) -> str | None:
    """The base URL that the catalogue holds.

    Args:
        api: its first server counts.
        given: `--server-url`: the server when the document names none, and the base of relative ones.
        retrieved_from: the URL from which the document came, the base of relative servers (OpenAPI 3.2, 4.1.2.2.1).
        diagnostics: hears when the operator has to set the base URL.
    """
    base = given or retrieved_from
    if not api.servers:
        if given is None:
            _missing(diagnostics, api.origin, "the document names no server")
        return given
    url = server_url(api.servers[0])
    found = absolute(url, base)
    if found is None:
        _missing(diagnostics, api.origin, f"the document's server {url!r} is relative")
    return found


def _missing(diagnostics: Collector, origin: Location, reason: str) -> None:
    diagnostics.add(
        "server-missing",
        f"{reason}; the server needs the base URL when it starts",
        origin,
        hint="give --server-url, or set the BASE_URL variable when running",
    )


def own_servers(servers: Sequence[Server], base: str | None) -> tuple[str, ...]:
    """The servers that an operation has instead of the document's, resolved; unusable ones are left out."""
    found = [absolute(server_url(server), base) for server in servers]
    return tuple(url for url in found if url is not None)

"""How many requests one caller may make: `HTTP_RATE` in each minute of the clock."""

from __future__ import annotations

import hashlib
import ipaddress
import json
import logging
import math
import time
from collections.abc import Callable

from mcp.server.auth.provider import AccessToken, principal_components

from ..app import App
from ..memory.store import MemoryStore

log = logging.getLogger(__name__)

_WINDOW = 60


class Rates:
    """Counts the requests of each caller in fixed windows, all of them with the clock's minutes.

    Known callers are counted in the common store, so that several processes count together. Where nobody has to show a
    token, a caller is an address; those are counted apart, since anybody can come from very many.
    """

    def __init__(self, app: App, clock: Callable[[], float] = time.time) -> None:
        self._app = app
        self._clock = clock
        self._most = app.settings.http_rate
        self._addresses = MemoryStore()

    async def wait(self, token: AccessToken | None, address: str) -> int | None:
        """Seconds until the caller may come again; None when it may go on."""
        if self._most == 0:
            return None
        now = self._clock()
        window = int(now // _WINDOW)
        try:
            count = await self._count(token, address, window)
        except Exception:
            # It guards against load, not against access: a store that is down must not stop the service.
            log.exception("the requests of a caller can't be counted")
            return None
        return math.ceil((window + 1) * _WINDOW - now) if count > self._most else None

    async def _count(self, token: AccessToken | None, address: str, window: int) -> int:
        if token is None:
            return await self._addresses.increment(f"{_network(address)} {window}", _WINDOW)
        who = hashlib.sha256(json.dumps(principal_components(token)).encode()).hexdigest()
        return await self._app.store.increment(f"rate {who} {window}", _WINDOW)


def _network(address: str) -> str:
    """An IPv6 host has a whole network of addresses of its own (RFC 6177)."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return address
    if known.version == 4:
        return str(known)
    return str(ipaddress.ip_network((known, 64), strict=False))

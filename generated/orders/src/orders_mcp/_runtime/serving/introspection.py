"""Access tokens that say nothing by themselves: the authorization server is asked about them (RFC 7662)."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Mapping
from typing import Any

from anyio import CapacityLimiter, fail_after
from mcp.server.auth.provider import AccessToken

from ..auth.oauth import GrantRefused, TokenEndpoint
from ..memory.store import MemoryStore
from ..outcomes.failures import CallFailed
from .access import LEEWAY, CannotVerify, Expected, TokenRejected, is_time, seconds_left
from .discovery import SECONDS

log = logging.getLogger(__name__)

_KEPT = 30.0
"""How long an answer is used again: also how long a revoked token can still be used."""
_KEPT_REFUSALS = 3.0
_AT_ONCE = 8
_WAITING = 100
"""Further callers are told to come again: they must not pile up behind a slow authorization server."""


class Introspector:
    """Asks about tokens, and remembers the answers for a short time by the tokens' digests.

    The memory is this process's own: what a token may do is not taken from a store that others write to.

    Args:
        endpoint: asks as this server's own client; its URL is the introspection endpoint.
    """

    def __init__(
        self, endpoint: TokenEndpoint, expected: Expected, memory: Callable[[], MemoryStore] = MemoryStore
    ) -> None:
        self._endpoint = endpoint
        self._expected = expected
        self._known = memory()
        self._turns = CapacityLimiter(_AT_ONCE)

    async def verify(self, token: str) -> AccessToken:
        """As `Verifier.verify`."""
        digest = hashlib.sha256(token.encode()).hexdigest()
        told = await self._known.get(digest)
        if told is None:
            if self._turns.statistics().tasks_waiting >= _WAITING:
                raise CannotVerify("too many tokens are being looked up")
            async with self._turns:
                told = await self._known.get(digest) or await self._looked_up(token, digest)
        claims: dict[str, Any] = json.loads(told)
        self._check(claims)
        return self._expected.accept(token, claims)

    async def _looked_up(self, token: str, digest: str) -> str:
        claims = await self._ask(token)
        active = claims["active"]
        told = json.dumps(claims if active else {"active": False})
        seconds = min(_KEPT, seconds_left(claims)) if active else _KEPT_REFUSALS
        if seconds > 0:
            await self._known.put(digest, told, seconds)
        return told

    async def _ask(self, token: str) -> dict[str, Any]:
        form = {"token": token, "token_type_hint": "access_token"}  # a word of RFC 7662  # nosec B105
        try:
            with fail_after(SECONDS):
                claims = await self._endpoint.ask(self._endpoint.url, form)
        except GrantRefused as error:
            log.error("the authorization server does not let this server look up tokens: %s", error)
            raise CannotVerify("the look-up was refused") from error
        except (CallFailed, TimeoutError) as error:
            raise CannotVerify("the authorization server can't be asked") from error
        if not isinstance(claims.get("active"), bool):
            log.error("the authorization server does not answer look-ups as RFC 7662 says")
            raise CannotVerify("the answer says nothing")
        return claims

    def _check(self, claims: Mapping[str, Any]) -> None:
        """RFC 7662, 4: all that the answer says has to fit. It must name this server as the audience."""
        if claims["active"] is not True:
            raise TokenRejected("it is not active")
        if seconds_left(claims) <= -LEEWAY:
            raise TokenRejected("it has expired")
        begin = claims.get("nbf")
        if is_time(begin) and seconds_left({"exp": begin}) > LEEWAY:
            raise TokenRejected("it is not valid yet")
        issuer, kind = claims.get("iss"), claims.get("token_type")
        if issuer is not None and issuer not in self._expected.issuers:
            raise TokenRejected("it is of another issuer")
        if kind is not None and str(kind).lower() not in ("bearer", "access_token"):
            raise TokenRejected("it is no bearer token")
        named = claims.get("aud")
        audiences = named if isinstance(named, list) else [named]
        if not any(audience in self._expected.audiences for audience in audiences):
            raise TokenRejected("it is not for this server")

"""Access tokens: got when they are needed, kept until they end, renewed when the API turns one down."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass

import anyio

from ..outcomes.failures import refused
from ..secrecy.redact import Redactor
from ..transport.client import ApiClient
from .authority import NO_TOKEN, Authority, encrypted
from .oauth import GrantRefused, OAuthClient, TokenEndpoint

log = logging.getLogger(__name__)

_EARLY = 30.0
"""Seconds before its end that a token is no longer used."""
_UNKNOWN_LIFETIME = 300.0


def usable_for(lifetime: float) -> float:
    """Seconds that a token of this lifetime is used: it must not end on its way to the API."""
    return max(lifetime - _EARLY, lifetime / 2)


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the operator wants every token request to say (RFC 6749, 3.3; RFC 8707; `audience` is a vendors' own)."""

    scope: str | None = None
    audience: str | None = None
    resource: str | None = None

    def form(self, scopes: tuple[str, ...]) -> dict[str, str]:
        """The form fields for these scopes of an operation; the operator's scopes replace them."""
        told = {
            "scope": " ".join(scopes) if self.scope is None else self.scope,
            "audience": self.audience,
            "resource": self.resource,
        }
        return {name: value for name, value in told.items() if value}


class ServiceTokens:
    """Tokens that this server gets by itself: client credentials (RFC 6749, 4.4), or a user's password (4.3)."""

    def __init__(
        self,
        authority: Authority,
        client: ApiClient,
        redactor: Redactor,
        identity: OAuthClient,
        wishes: Wishes,
        user: tuple[str, str] | None = None,
    ) -> None:
        self._authority = authority
        self._client = client
        self._redactor = redactor
        self._identity = identity
        self._wishes = wishes
        self._flow = "clientCredentials" if user is None else "password"
        self._grant: Mapping[str, str] = (
            {"grant_type": "client_credentials"}
            if user is None
            else {"grant_type": "password", "username": user[0], "password": user[1]}
        )
        self._endpoint: TokenEndpoint | None = None
        self._tokens: dict[tuple[str, ...], tuple[str, float]] = {}
        self._lock = anyio.Lock()

    def forget(self, token: str) -> None:
        """Drops the token that the API has turned down, if it is still in use."""
        self._tokens = {scopes: held for scopes, held in self._tokens.items() if held[0] != token}

    async def token(self, scopes: tuple[str, ...]) -> str:
        """See `schemes.TokenSource`."""
        async with self._lock:
            held = self._tokens.get(scopes)
            if held is None or held[1] <= time.monotonic():
                held = self._tokens[scopes] = await self._fetch(scopes)
            return held[0]

    async def _fetch(self, scopes: tuple[str, ...]) -> tuple[str, float]:
        endpoint = await self._token_endpoint()
        try:
            issued = await endpoint.grant({**self._grant, **self._wishes.form(scopes)})
        except GrantRefused as error:
            log.warning("The token endpoint %s gives no token: %s", endpoint.url, error)
            raise refused(NO_TOKEN) from None
        return issued.access_token, time.monotonic() + usable_for(issued.lifetime or _UNKNOWN_LIFETIME)

    async def _token_endpoint(self) -> TokenEndpoint:
        found = await self._authority.endpoints(self._flow)
        if found.token is None:
            log.warning("No token endpoint is known for the client credentials.")
            raise refused(NO_TOKEN)
        if self._endpoint is None or self._endpoint.url != found.token:
            if not encrypted(found.token):
                log.warning("%s is not encrypted: the client's secret can be read on its way.", found.token)
            method = self._identity.method or found.client_method
            identity = OAuthClient(self._identity.id, self._identity.secret, method)
            self._endpoint = TokenEndpoint(self._client, self._redactor, found.token, identity)
        return self._endpoint

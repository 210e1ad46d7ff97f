"""Chooses how a token is verified: by its signature, or by asking about it."""

from __future__ import annotations

import re

from mcp.server.auth.provider import AccessToken

from ..app import App
from ..auth.oauth import OAuthClient, TokenEndpoint
from .access import Expected, TokenRejected, Verifier, verifies
from .introspection import Introspector
from .jwks import IssuerKeys, KeySet
from .jwt_tokens import JwtVerifier, header_of

_TOKEN = re.compile(r"[A-Za-z0-9._~+/-]+=*")
"""RFC 6750, 2.1."""
_LONGEST = 16 << 10


class Verifiers:
    """Signed tokens are verified with keys, where there are keys; all others are looked up, where they can be."""

    def __init__(self, signed: JwtVerifier | None, opaque: Introspector | None) -> None:
        self._signed = signed
        self._opaque = opaque

    async def verify(self, token: str) -> AccessToken:
        """As `Verifier.verify`."""
        if len(token) > _LONGEST or _TOKEN.fullmatch(token) is None:
            raise TokenRejected("it is no bearer token")
        if self._signed is not None and (self._opaque is None or header_of(token) is not None):
            return await self._signed.verify(token)
        if self._opaque is None:
            raise TokenRejected("nobody can verify it")
        return await self._opaque.verify(token)


def verifier_for(app: App) -> Verifier | None:
    """What verifies the callers' tokens; None when callers need none.

    With an introspection endpoint and no address of keys every token is looked up, signed or not: only the
    authorization server knows what it has revoked.
    """
    settings = app.settings
    if not verifies(settings):
        return None
    expected = Expected.by(settings)
    signed: JwtVerifier | None = None
    opaque: Introspector | None = None
    if settings.http_jwks_url is not None or settings.http_introspection_url is None:
        source = IssuerKeys(app.identity, settings.http_issuer or "", settings.http_jwks_url)
        signed = JwtVerifier(KeySet(source), expected)
    if settings.http_introspection_url is not None:
        client = OAuthClient(settings.http_client_id or "", settings.http_client_secret or "")
        endpoint = TokenEndpoint(app.identity, app.redactor, settings.http_introspection_url, client)
        opaque = Introspector(endpoint, expected)
    return Verifiers(signed, opaque)

"""The gate before `/mcp`: right host and origin, a valid token, not too often, with the scopes that are needed."""

from __future__ import annotations

import logging

from anyio import get_cancelled_exc_class
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from starlette.authentication import AuthCredentials
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..app import App
from .access import CannotVerify, TokenRejected
from .metadata import metadata_url
from .rates import Rates
from .refusals import Refusals, cut_off, too_many
from .scopes import Scopes
from .verifiers import verifier_for

log = logging.getLogger(__name__)


class Gate:
    """An ASGI application around another one. What comes through is in flight until its answer is sent.

    The caller is told as the SDK expects it, so that a session and a question to the user belong to the one who
    began them.
    """

    def __init__(self, app: App, inner: ASGIApp, security: TransportSecuritySettings) -> None:
        self._app = app
        self._inner = inner
        self._security = TransportSecurityMiddleware(security)
        self._verifier = verifier_for(app)
        self._scopes = Scopes(app)
        self._rates = Rates(app)
        self._refusals = Refusals(metadata_url(app.settings.http_url or ""), self._scopes.everyone)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        refusal = await self._security.validate_request(request) or await self._refusal(request)
        if refusal is not None:
            await refusal(scope, receive, send)
        elif request.method == "POST":
            with self._app.traffic.passing():
                await self._pass(scope, receive, send)
        else:
            await self._pass(scope, receive, send)

    async def _pass(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on. One that is cut off when the server ends still gets a proper answer, or an end of it."""
        begun = False

        async def watched(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._inner(scope, receive, watched)
        except get_cancelled_exc_class():
            if not self._app.traffic.ending:
                raise
            if begun:
                await send({"type": "http.response.body", "body": b"", "more_body": False})
            else:
                await cut_off()(scope, receive, send)

    async def _refusal(self, request: Request) -> Response | None:
        token: AccessToken | None = None
        if self._verifier is not None:
            found = await self._authenticated(request)
            if isinstance(found, Response):
                return found
            token = found
            request.scope["user"] = AuthenticatedUser(token)
            request.scope["auth"] = AuthCredentials(token.scopes)
        if request.method == "POST":
            address = request.client.host if request.client is not None else ""
            seconds = await self._rates.wait(token, address)
            if seconds is not None:
                return too_many(seconds)
        return None if token is None else self._lacking(request, token)

    async def _authenticated(self, request: Request) -> AccessToken | Response:
        if self._verifier is None:
            raise RuntimeError("tokens are looked at where there is a verifier only")
        bearer = _bearer(request)
        if bearer is None:
            return self._refusals.missing()
        self._app.redactor.add_for_this_call(bearer)
        try:
            return await self._verifier.verify(bearer)
        except TokenRejected as error:
            log.info("a token was turned down: %s", error)
            return self._refusals.invalid()
        except CannotVerify as error:
            log.warning("a token can't be verified: %s", error)
            return self._refusals.unverifiable()

    def _lacking(self, request: Request, token: AccessToken) -> Response | None:
        """The step-up: asks for what the call needs, together with what the token already has of this server's scopes.

        A client that asks anew for exactly these loses nothing.
        """
        needed, given = self._scopes.needed(request.headers), set(token.scopes)
        if needed <= given:
            return None
        return self._refusals.insufficient(needed | given.intersection(self._scopes.supported))


def _bearer(request: Request) -> str | None:
    """The token, from the only place where it is looked for: one header `Authorization` (RFC 6750, 2.1)."""
    headers = request.headers.getlist("authorization")
    if len(headers) != 1:
        return None
    scheme, _, token = headers[0].partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None

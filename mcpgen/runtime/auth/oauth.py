"""An OAuth 2.0 token endpoint: grants go in, tokens or error codes come out (RFC 6749, sections 2.3, 4 and 5)."""

from __future__ import annotations

import base64
import json
import logging
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

import httpx2
from anyio import fail_after

from ..outcomes.failures import CallFailed, Category, Failure
from ..secrecy.redact import Redactor
from ..transport.client import Answer, ApiClient, PreparedRequest
from ..transport.unreachable import Unreachable

log = logging.getLogger(__name__)

SECONDS = 20.0
"""How long one question to an authorization server may take."""
_LONGEST_LIFETIME = 90 * 86_400.0
_FOREIGN_TYPES = frozenset({"mac", "dpop", "n_a"})
"""Token types that are no bearer tokens: RFC 6749, 7.1 forbids to use a type that one does not understand."""


@dataclass(frozen=True, slots=True)
class OAuthClient:
    """Who this server is to the authorization server.

    Attributes:
        method: how it proves that: `basic`, `post`, `none` (a public client, or one known by its certificate), or
            empty to find out.
    """

    id: str
    secret: str = field(default="", repr=False)
    method: str = ""


@dataclass(frozen=True, slots=True)
class Issued:
    """A successful token response (RFC 6749, 5.1); `lifetime` is in seconds, None when the server does not say."""

    access_token: str = field(repr=False)
    lifetime: float | None
    refresh_token: str | None = field(default=None, repr=False)
    scope: str | None = None


class GrantRefused(Exception):
    """The authorization server gave no token; `code` is its error code (RFC 6749, 5.2), or empty."""

    def __init__(self, code: str, description: str = "") -> None:
        self.code = code
        self.description = description
        super().__init__(f"{code}: {description}" if description else code or "no token in the answer")


class TokenEndpoint:
    """The token endpoint of one authorization server, for one client."""

    def __init__(self, client: ApiClient, redactor: Redactor, url: str, identity: OAuthClient) -> None:
        self.url = url
        self.identity = identity
        self._client = client
        self._redactor = redactor
        self._method = identity.method or ("basic" if identity.secret else "none")

    async def grant(self, form: Mapping[str, str]) -> Issued:
        """Asks for a token.

        Raises:
            GrantRefused: the server refuses.
            CallFailed: it can't be reached, or is not able to answer (transient).
        """
        told = await self.ask(self.url, form)
        issued = _issued(told)
        self._redactor.add_token(issued.access_token)
        if issued.refresh_token:
            self._redactor.add_token(issued.refresh_token)
        return issued

    async def ask(self, url: str, form: Mapping[str, str]) -> dict[str, Any]:
        """One authenticated question to an endpoint of this server; gives the fields of its answer.

        Raises:
            GrantRefused, CallFailed: as `grant`.
        """
        answer = await self._post(url, form, self._method)
        undecided = not self.identity.method and self._method == "basic"
        if undecided and answer.status in (400, 401) and _error(answer) in ("", "invalid_client"):
            # RFC 6749, 2.3.1: servers must know the header, but there are many that know only the form.
            other = await self._post(url, form, "post")
            if other.status == 200:
                self._method = "post"
            if _error(other) not in ("", "invalid_client") or other.status == 200:
                answer = other
        if answer.status >= 500 or answer.status in (408, 429):
            log.warning("The authorization server answered %d.", answer.status)
            raise unavailable()
        told = _fields(answer)
        if not 200 <= answer.status < 300 or "error" in told:
            raise GrantRefused(_error(answer), printable(told.get("error_description", "")))
        return told

    async def _post(self, url: str, form: Mapping[str, str], method: str) -> Answer:
        request = PreparedRequest("POST", url)
        request.headers["Accept"] = "application/json"
        request.headers["Content-Type"] = "application/x-www-form-urlencoded"
        fields = dict(form)
        if method == "basic":
            pair = f"{quote(self.identity.id, safe='')}:{quote(self.identity.secret, safe='')}"
            encoded = base64.b64encode(pair.encode()).decode("ascii")
            self._redactor.add_token(encoded)
            request.headers["Authorization"] = f"Basic {encoded}"
        else:
            fields["client_id"] = self.identity.id
            if method == "post":
                fields["client_secret"] = self.identity.secret
        request.content = urlencode(fields).encode("ascii")
        return await fetch(self._client, request)


async def fetch(client: ApiClient, request: PreparedRequest) -> Answer:
    """One request to an authorization server, within limits of time and size. Redirects are not followed.

    Raises:
        CallFailed: there is no answer (transient).
    """
    try:
        with fail_after(SECONDS):
            return await client.fetch(request)
    except (Unreachable, TimeoutError, httpx2.HTTPError, httpx2.InvalidURL) as error:
        log.warning("The authorization server can't be asked: %s (%s)", error, type(error).__name__)
        raise unavailable() from error


def unavailable() -> CallFailed:
    """The authorization server is not there at the moment."""
    message = "The API's authorization server is not available at the moment. Nothing was sent."
    return CallFailed(Failure(Category.TRANSIENT, message, retryable=True))


def _fields(answer: Answer) -> dict[str, Any]:
    try:
        told = json.loads(answer.content)
    except (ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


def _error(answer: Answer) -> str:
    return printable(_fields(answer).get("error", ""))


def printable(told: Any) -> str:
    """A server's words for a log or a terminal: short, and nothing in them that either would act on."""
    return "".join(c if c.isprintable() else " " for c in str(told))[:200]


def _issued(told: Mapping[str, Any]) -> Issued:
    token = told.get("access_token")
    if not isinstance(token, str) or not token.isprintable() or not token.strip():
        raise GrantRefused("")
    kind = str(told.get("token_type") or "bearer").lower()
    if kind in _FOREIGN_TYPES:
        raise GrantRefused("unsupported_token_type", f"the token is of the type {kind}")
    refresh, scope = told.get("refresh_token"), told.get("scope")
    return Issued(
        access_token=token,
        lifetime=_lifetime(told.get("expires_in")),
        refresh_token=refresh if isinstance(refresh, str) and refresh else None,
        scope=scope if isinstance(scope, str) else None,
    )


def _lifetime(told: Any) -> float | None:
    """Seconds (RFC 6749, 5.1: recommended, so it can be missing; some servers write it as text)."""
    try:
        seconds = float(told)
    except (TypeError, ValueError, OverflowError):
        return None
    return min(seconds, _LONGEST_LIFETIME) if math.isfinite(seconds) and seconds > 0 else None

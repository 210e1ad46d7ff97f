"""OAuth 2.0 client credentials (RFC 6749, 4.4): tokens are fetched when needed and kept until they expire."""

from __future__ import annotations

import base64
import json
import logging
import time
from urllib.parse import quote, urlencode

import anyio

from .client import Answer, ApiClient, PreparedRequest, Unreachable
from .failures import CallFailed, Category, Failure, refused
from .redact import Redactor

log = logging.getLogger(__name__)

_EARLY = 30.0
"""Seconds before its end that a token is no longer used."""
_UNKNOWN_LIFETIME = 300.0


class TokenSource:
    """Access tokens for one client, one for each set of scopes."""

    def __init__(
        self, client: ApiClient, redactor: Redactor, token_url: str, client_id: str, client_secret: str
    ) -> None:
        self._client = client
        self._redactor = redactor
        self._url = token_url
        self._id = client_id
        self._secret = client_secret
        self._tokens: dict[tuple[str, ...], tuple[str, float]] = {}
        self._lock = anyio.Lock()

    def forget(self) -> None:
        """Drops all tokens: the API has turned one down."""
        self._tokens.clear()

    async def token(self, scopes: tuple[str, ...]) -> str:
        """A valid access token.

        Raises:
            CallFailed: the authorization server refuses (permission) or can't be reached (transient).
        """
        async with self._lock:
            held = self._tokens.get(scopes)
            if held is None or held[1] <= time.monotonic():
                held = self._tokens[scopes] = await self._fetch(scopes)
            return held[0]

    async def _fetch(self, scopes: tuple[str, ...]) -> tuple[str, float]:
        form = {"grant_type": "client_credentials"} | ({"scope": " ".join(scopes)} if scopes else {})
        answer = await self._post(form, in_header=True)
        if answer.status in (400, 401) and b"invalid_client" in answer.content:
            answer = await self._post(
                form, in_header=False
            )  # RFC 6749, 2.3.1 allows servers to know only this
        if answer.status >= 500 or answer.status == 429:
            log.warning("The token endpoint answered %d.", answer.status)
            raise _unavailable()
        try:
            told = json.loads(answer.content)
            token, lifetime = str(told["access_token"]), float(told.get("expires_in") or _UNKNOWN_LIFETIME)
        except (ValueError, KeyError, TypeError):
            log.warning("The token endpoint answered %d and gave no token.", answer.status)
            raise refused(
                "The API's authorization server gave this server no token. Nothing was sent."
            ) from None
        self._redactor.add(token)
        return token, time.monotonic() + max(lifetime - _EARLY, lifetime / 2)

    async def _post(self, form: dict[str, str], *, in_header: bool) -> Answer:
        request = PreparedRequest("POST", self._url)
        request.headers["Accept"] = "application/json"
        request.headers["Content-Type"] = "application/x-www-form-urlencoded"
        if in_header:
            pair = f"{quote(self._id, safe='')}:{quote(self._secret, safe='')}"
            encoded = base64.b64encode(pair.encode()).decode("ascii")
            self._redactor.add(encoded)
            request.headers["Authorization"] = f"Basic {encoded}"
        else:
            form = {**form, "client_id": self._id, "client_secret": self._secret}
        request.content = urlencode(form).encode("ascii")
        try:
            return await self._client.fetch(request)
        except Unreachable as error:
            log.warning("The token endpoint %s.", error)
            raise _unavailable() from error


def _unavailable() -> CallFailed:
    message = "The API's authorization server is not available at the moment. Nothing was sent."
    return CallFailed(Failure(Category.TRANSIENT, message, retryable=True))

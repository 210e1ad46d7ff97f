"""Where a scheme's authorization server is: as described, as the operator says, or as it describes itself.

Discovery is OpenID Connect Discovery 1.0, section 4, and RFC 8414: one JSON document, fetched when it is first
needed and kept for an hour.
"""

from __future__ import annotations

import ipaddress
import json
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import anyio

from ..answers.answer_headers import resolved
from ..outcomes.failures import refused
from ..transport.client import ApiClient, PreparedRequest
from .oauth import fetch, printable, unavailable

log = logging.getLogger(__name__)

_KEPT_SECONDS = 3600.0
_LARGEST = 1 << 20
_WELL_KNOWN = "/.well-known/openid-configuration"


@dataclass(frozen=True, slots=True)
class Endpoints:
    """The endpoints of an authorization server, as far as they are known; all are absolute addresses."""

    token: str | None = None
    authorization: str | None = None
    device: str | None = None
    revocation: str | None = None
    refresh: str | None = None
    issuer: str | None = None
    scopes: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()

    @property
    def client_method(self) -> str:
        """How a client with a secret proves itself, when the server says which ways it knows."""
        if not self.methods or "client_secret_basic" in self.methods:
            return ""
        return "post" if "client_secret_post" in self.methods else ""


class Authority:
    """The authorization server of one `oauth2` or `openIdConnect` scheme.

    Args:
        name: the scheme's name, for the log.
        scheme: its entry in the catalogue.
        options: what the operator set: `token_url`, `authorization_url`, `device_url`, `openid_url`.
        base_url: what relative addresses are resolved against: the API's own address (OpenAPI 3.2, relative
            API URLs).
    """

    def __init__(
        self,
        name: str,
        scheme: Mapping[str, Any],
        options: Mapping[str, str],
        client: ApiClient,
        base_url: str | None,
    ) -> None:
        self._name = name
        self._flows: Mapping[str, Mapping[str, str]] = scheme.get("flows") or (
            {"clientCredentials": {"token_url": scheme["token_url"]}} if scheme.get("token_url") else {}
        )
        self._options = options
        self._client = client
        self._base = base_url
        self._metadata_url = self._absolute(
            options.get("openid_url") or scheme.get("openid_url") or scheme.get("metadata_url")
        )
        self._found: tuple[Endpoints, float] | None = None
        self._lock = anyio.Lock()

    @property
    def identity(self) -> str:
        """What a stored login belongs to: no token is ever sent on behalf of another authorization server."""
        known = [self._metadata_url, self._described("authorizationCode").token]
        known += [self._described("deviceAuthorization").token]
        return next(filter(None, known), "")

    def knows(self, flow: str) -> bool:
        """Whether the flow can be tried: it is described, or the authorization server may offer it."""
        return flow in self._flows or (bool(self._metadata_url) and not self._flows and flow != "password")

    async def endpoints(self, flow: str) -> Endpoints:
        """The endpoints for one flow (`clientCredentials`, `authorizationCode`, `deviceAuthorization`, `password`).

        Raises:
            CallFailed: discovery fails.
        """
        described = self._described(flow)
        if self._metadata_url is None:
            return described
        found = await self._discovered()
        return Endpoints(
            token=described.token or found.token,
            authorization=described.authorization or found.authorization,
            device=described.device or found.device,
            revocation=found.revocation,
            refresh=described.refresh,
            issuer=found.issuer,
            scopes=found.scopes,
            methods=found.methods,
        )

    def _described(self, flow: str) -> Endpoints:
        told = self._flows.get(flow, {})
        given = self._options.get
        return Endpoints(
            token=self._absolute(given("token_url") or told.get("token_url")),
            authorization=self._absolute(given("authorization_url") or told.get("authorization_url")),
            device=self._absolute(given("device_url") or told.get("device_url")),
            refresh=None if given("token_url") else self._absolute(told.get("refresh_url")),
        )

    def _absolute(self, url: str | None) -> str | None:
        if not url:
            return None
        found = resolved(self._base, url) if self._base else url
        return found if found is not None and usable(found) else None

    async def _discovered(self) -> Endpoints:
        async with self._lock:
            if self._found is None or self._found[1] <= time.monotonic():
                self._found = await self._discover(), time.monotonic() + _KEPT_SECONDS
            return self._found[0]

    async def _discover(self) -> Endpoints:
        url = self._metadata_url or ""
        request = PreparedRequest("GET", url)
        request.headers["Accept"] = "application/json"
        answer = await fetch(self._client, request)
        if answer.status >= 500 or answer.status == 429:
            log.warning("%s: discovery was answered %d.", self._name, answer.status)
            raise unavailable()
        told: Any = None
        if answer.status == 200 and not answer.cut and len(answer.content) <= _LARGEST:
            try:
                told = json.loads(answer.content)
            except (ValueError, RecursionError):
                told = None
        if not isinstance(told, dict):
            log.warning("%s: %s gives no discovery document (%d).", self._name, url, answer.status)
            raise refused(NO_TOKEN)
        issuer = str(told.get("issuer", ""))
        if url.endswith(_WELL_KNOWN) and issuer.rstrip("/") != url.removesuffix(_WELL_KNOWN).rstrip("/"):
            # OpenID Connect Discovery 1.0, 4.3 wants them equal; multi-tenant servers of big vendors are not.
            log.warning("%s: the discovery document is of another issuer, %s.", self._name, printable(issuer))
        return _endpoints(told, url, issuer)


NO_TOKEN = "The API's authorization server gave this server no token. Nothing was sent."  # noqa: S105 (a message)  # nosec B105


def _endpoints(told: Mapping[str, Any], url: str, issuer: str) -> Endpoints:
    """The endpoints that the document names; one that would give up the document's encryption is not taken."""

    def endpoint(key: str) -> str | None:
        value = told.get(key)
        if not isinstance(value, str) or not usable(value):
            return None
        return value if value.startswith("https://") or not url.startswith("https://") else None

    def texts(key: str) -> tuple[str, ...]:
        value = told.get(key)
        return tuple(str(item) for item in value) if isinstance(value, list) else ()

    return Endpoints(
        token=endpoint("token_endpoint"),
        authorization=endpoint("authorization_endpoint"),
        device=endpoint("device_authorization_endpoint"),
        revocation=endpoint("revocation_endpoint"),
        issuer=issuer or None,
        scopes=texts("scopes_supported"),
        methods=texts("token_endpoint_auth_methods_supported"),
    )


def usable(url: str) -> bool:
    """Whether a text is an address that something can be sent to."""
    try:
        parts = urlsplit(url)
        return (
            url.isprintable()
            and parts.scheme in ("http", "https")
            and bool(parts.hostname)
            and not set("{} ").intersection(url)
        )
    except ValueError:
        return False


def encrypted(url: str) -> bool:
    """Whether what is sent there stays between the two: it is encrypted, or never leaves the machine."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if parts.scheme == "https" or host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False

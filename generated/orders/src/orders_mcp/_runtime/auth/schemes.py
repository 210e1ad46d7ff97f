"""The kinds of security schemes: what each needs from the operator, and what it adds to a request.

OpenAPI 3.2, Security Scheme Object.
"""

from __future__ import annotations

import base64
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import httpx2

from ..secrecy.redact import Redactor
from .certificates import Certificate

if TYPE_CHECKING:
    from .logins import LoginTokens
    from .tokens import ServiceTokens

Pair = tuple[str, str]


class TokenSource(Protocol):
    """Whatever gives access tokens for one scheme."""

    async def token(self, scopes: tuple[str, ...]) -> str:
        """A valid access token.

        Raises:
            CallFailed: the authorization server refuses (permission) or can't be reached (transient).
        """

    def forget(self, token: str) -> None:
        """The API has turned this token down."""


@dataclass(frozen=True, slots=True)
class HeldToken:
    """A token in use, and where another one comes from."""

    source: TokenSource
    value: str = field(repr=False)

    def forget(self) -> None:
        self.source.forget(self.value)


@dataclass(slots=True)
class Parts:
    """What the schemes of one alternative add to a request, while they are being collected."""

    headers: list[Pair] = field(default_factory=list, repr=False)
    query: list[Pair] = field(default_factory=list, repr=False)
    cookies: list[Pair] = field(default_factory=list, repr=False)
    tokens: list[HeldToken] = field(default_factory=list)
    auth: httpx2.Auth | None = None
    certificate: Certificate | None = None


class Scheme(ABC):
    """One security scheme with the values that the operator gave for it."""

    authorization: str | None = None
    """The authentication scheme that it puts into the `Authorization` header; None when it does not use that one."""

    def __init__(self, entry: Mapping[str, Any]) -> None:
        self.variables: tuple[str, ...] = tuple(entry.get("env", {}).values())

    @abstractmethod
    async def available(self) -> bool:
        """Whether the operator has given what it needs."""

    @abstractmethod
    async def apply(self, scopes: tuple[str, ...], parts: Parts) -> None:
        """Adds the credential.

        Raises:
            CallFailed: a token can't be got.
        """

    @property
    def wanted(self) -> str:
        """What the operator can set. For the log only."""
        return " and ".join(self.variables)


class ApiKey(Scheme):
    """`apiKey`: a header, a query parameter or a cookie."""

    def __init__(self, entry: Mapping[str, Any], values: Mapping[str, str]) -> None:
        super().__init__(entry)
        self._where, self._name, self._key = entry["in"], entry["name"], values.get("key")
        if self._where == "header" and self._name.lower() == "authorization":
            self.authorization = ""  # whatever the caller has there is this API's kind of key

    async def available(self) -> bool:
        return self._key is not None

    async def apply(self, scopes: tuple[str, ...], parts: Parts) -> None:
        place = {"header": parts.headers, "query": parts.query, "cookie": parts.cookies}[self._where]
        place.append((self._name, self._key or ""))


class Password(Scheme):
    """`http` with a user and a password: `basic` (RFC 7617) or `digest` (RFC 7616)."""

    def __init__(self, entry: Mapping[str, Any], values: Mapping[str, str], redactor: Redactor) -> None:
        super().__init__(entry)
        self.authorization = str(entry["scheme"]).lower()
        self._given = bool(values)
        self._user, password = values.get("username", ""), values.get("password", "")
        self._digest = httpx2.DigestAuth(self._user, password) if self.authorization == "digest" else None
        self._basic = base64.b64encode(f"{self._user}:{password}".encode()).decode("ascii")
        if values:
            redactor.add(self._basic)

    async def available(self) -> bool:
        return self._given

    async def apply(self, scopes: tuple[str, ...], parts: Parts) -> None:
        if self._digest is not None:
            parts.auth = self._digest
        else:
            parts.headers.append(("Authorization", f"Basic {self._basic}"))


class HttpToken(Scheme):
    """`http` with any other scheme (RFC 9110, 11.4): its name and the credential as the operator wrote it."""

    def __init__(self, entry: Mapping[str, Any], values: Mapping[str, str]) -> None:
        super().__init__(entry)
        written = str(entry.get("scheme", "")) or "Bearer"
        self.authorization = written.lower()
        self._name = "Bearer" if self.authorization == "bearer" else written
        self._token = values.get("token")
        if self._token is not None and self._token.lower().startswith(f"{self.authorization} "):
            self._token = self._token[len(written) :].lstrip()  # the whole header was pasted

    async def available(self) -> bool:
        return self._token is not None

    async def apply(self, scopes: tuple[str, ...], parts: Parts) -> None:
        parts.headers.append(("Authorization", f"{self._name} {self._token}"))


class OAuth(Scheme):
    """`oauth2` and `openIdConnect`: a token of the operator, else of a login, else one that the server gets itself."""

    authorization = "bearer"

    def __init__(
        self,
        entry: Mapping[str, Any],
        values: Mapping[str, str],
        login: LoginTokens | None,
        service: ServiceTokens | None,
        command: str,
    ) -> None:
        super().__init__(entry)
        self.login = login
        self.can_login = bool(command)
        self._fixed = HttpToken({**entry, "scheme": "bearer"}, values)
        self._service = service
        self._command = command

    async def available(self) -> bool:
        return await self._source() is not None

    async def apply(self, scopes: tuple[str, ...], parts: Parts) -> None:
        source = await self._source()
        if source is None or isinstance(source, HttpToken):
            await self._fixed.apply(scopes, parts)
            return
        token = await source.token(scopes)
        parts.headers.append(("Authorization", f"Bearer {token}"))
        parts.tokens.append(HeldToken(source, token))

    async def _source(self) -> HttpToken | LoginTokens | ServiceTokens | None:
        if await self._fixed.available():
            return self._fixed
        if self.login is not None and await self.login.ready():
            return self.login
        return self._service

    @property
    def wanted(self) -> str:
        token, *client = self.variables
        return ", or ".join(filter(None, (token, " and ".join(client)))) + self._command


class MutualTls(Scheme):
    """`mutualTLS`: the certificate that is shown when the connection is made."""

    def __init__(
        self, entry: Mapping[str, Any], own: Certificate | None, common: Certificate | None, variable: str
    ) -> None:
        super().__init__(entry)
        self._own, self._common = own, common
        self._variable = entry.get("options", {}).get("client_cert") or variable

    async def available(self) -> bool:
        return self._own is not None or self._common is not None

    async def apply(self, scopes: tuple[str, ...], parts: Parts) -> None:
        parts.certificate = self._own or parts.certificate

    @property
    def wanted(self) -> str:
        return f"a client certificate ({self._variable})"

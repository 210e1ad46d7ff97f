"""The API's credentials: read from the environment, chosen by the operation, put where they belong.

Nothing here comes from the MCP client, and nothing goes back to it: what is missing is told in the log.
"""

from __future__ import annotations

import base64
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from .client import ApiClient
from .failures import refused
from .oauth import TokenSource
from .redact import Redactor

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Credential:
    """What the chosen schemes add to one request. `tokens` can be renewed when the API turns them down."""

    headers: tuple[tuple[str, str], ...] = ()
    query: tuple[tuple[str, str], ...] = ()
    cookies: tuple[tuple[str, str], ...] = ()
    tokens: tuple[TokenSource, ...] = ()


@dataclass(slots=True)
class _Parts:
    headers: list[tuple[str, str]] = field(default_factory=list)
    query: list[tuple[str, str]] = field(default_factory=list)
    cookies: list[tuple[str, str]] = field(default_factory=list)
    tokens: list[TokenSource] = field(default_factory=list)


class Credentials:
    """All security schemes of the API with the values that the operator gave for them."""

    def __init__(
        self,
        schemes: Mapping[str, Mapping[str, Any]],
        environ: Mapping[str, str],
        client: ApiClient,
        redactor: Redactor,
        *,
        has_client_certificate: bool = False,
    ) -> None:
        self._schemes = schemes
        self._redactor = redactor
        self._certificate = has_client_certificate
        self._values: dict[str, dict[str, str]] = {}
        self._sources: dict[str, TokenSource] = {}
        for name, scheme in schemes.items():
            values = {
                kind: environ.get(variable, "").strip() for kind, variable in scheme.get("env", {}).items()
            }
            self._values[name] = {kind: value for kind, value in values.items() if value}
            for kind, value in self._values[name].items():
                redactor.add(value, secret=kind not in ("username", "client_id"))
            if scheme["type"] == "oauth2" and self._by_client(name):
                own = self._values[name]
                self._sources[name] = TokenSource(
                    client, redactor, scheme["token_url"], own["client_id"], own["client_secret"]
                )

    async def choose(self, alternatives: tuple[Mapping[str, tuple[str, ...]], ...]) -> Credential:
        """The credential for an operation: the first alternative that the operator has given everything for.

        No alternatives, and an empty one, mean that the API asks for none (OpenAPI 3.2, Security Requirement
        Object); an empty one is taken only when no other can be.

        Raises:
            CallFailed: no alternative can be met, or a token can't be got.
        """
        if not alternatives:
            return Credential()
        for alternative in alternatives:
            if alternative and all(self._available(name) for name in alternative):
                parts = _Parts()
                for name, scopes in alternative.items():
                    await self._apply(name, scopes, parts)
                return Credential(
                    tuple(parts.headers), tuple(parts.query), tuple(parts.cookies), tuple(parts.tokens)
                )
        if any(not alternative for alternative in alternatives):
            return Credential()
        log.warning("No credential for this call. Set %s.", " or ".join(map(self._wanted, alternatives)))
        raise refused(
            "This tool needs a credential for the API that this server has not been given. Nothing was sent."
        )

    def _by_client(self, name: str) -> bool:
        own = self._values[name]
        return (
            "token" not in own
            and {"client_id", "client_secret"} <= own.keys()
            and bool(self._schemes[name].get("token_url"))
        )

    def _available(self, name: str) -> bool:
        scheme = self._schemes.get(name)
        if scheme is None:
            return False
        own = self._values[name]
        if scheme["type"] == "mutualTLS":
            return self._certificate
        if scheme["type"] == "http" and str(scheme.get("scheme", "")).lower() == "basic":
            return "username" in own or "password" in own
        return "key" in own or "token" in own or self._by_client(name)

    def _wanted(self, alternative: Mapping[str, Any]) -> str:
        names = [
            " and ".join(self._schemes[name].get("env", {}).values()) or "a client certificate"
            for name in alternative
            if name in self._schemes
        ]
        return " with ".join(names) or "nothing: the scheme is not described"

    async def _apply(self, name: str, scopes: tuple[str, ...], parts: _Parts) -> None:
        scheme, own = self._schemes[name], self._values[name]
        if scheme["type"] == "apiKey":
            place = {"header": parts.headers, "query": parts.query, "cookie": parts.cookies}[scheme["in"]]
            place.append((scheme["name"], own["key"]))
        elif scheme["type"] == "mutualTLS":
            return  # the client shows its certificate when it connects
        elif scheme["type"] == "http" and str(scheme.get("scheme", "")).lower() == "basic":
            pair = f"{own.get('username', '')}:{own.get('password', '')}"
            encoded = base64.b64encode(pair.encode()).decode("ascii")
            self._redactor.add(encoded)
            parts.headers.append(("Authorization", f"Basic {encoded}"))
        elif "token" in own:
            kind = str(scheme.get("scheme", "")) if scheme["type"] == "http" else "Bearer"
            prefix = "Bearer" if kind.lower() in ("", "bearer") else kind
            parts.headers.append(("Authorization", f"{prefix} {own['token']}"))
        else:
            source = self._sources[name]
            parts.headers.append(("Authorization", f"Bearer {await source.token(scopes)}"))
            parts.tokens.append(source)


def cookie_pair(name: str, value: str) -> str:
    """A cookie as RFC 6265 allows it: what can't stand in one is percent-encoded."""
    return f"{name}={quote(value, safe=COOKIE_SAFE)}"


COOKIE_SAFE = "!#$&'()*+/:<=>?@[]^`{|}"
"""Cookie octets (RFC 6265, 4.1.1) that `quote` would encode; `%` has to be, so that decoding is exact."""

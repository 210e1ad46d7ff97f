"""What a valid access token is here, whichever way it was verified."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from mcp.server.auth.provider import AccessToken

from ..setup.settings import Settings

LEEWAY = 30
"""Seconds that the clocks of two machines may differ."""


class TokenRejected(Exception):
    """The token is not valid here. The message says why, for the log only."""


class CannotVerify(Exception):
    """Nobody can say at the moment whether the token is valid."""


class Verifier(Protocol):
    """Tells who a token stands for."""

    async def verify(self, token: str) -> AccessToken:
        """Checks the token and reads it.

        Raises:
            TokenRejected: it is not valid here.
            CannotVerify: the authorization server can't be asked.
        """
        ...


@dataclass(frozen=True, slots=True)
class Expected:
    """What a token must say.

    Attributes:
        issuers, audiences: the spellings that are accepted, one of each has to match: a URL with and without the
            slash at its end is the same one.
        resource: this server's public URL (RFC 8707).
    """

    issuers: tuple[str, ...]
    audiences: tuple[str, ...]
    resource: str

    @classmethod
    def by(cls, settings: Settings) -> Expected:
        """As the operator has it. The settings have passed `check_serving`."""
        resource = settings.http_url or ""
        audiences = (settings.http_audience,) if settings.http_audience else _spellings(resource)
        return cls(_spellings(settings.http_issuer or ""), audiences, resource)

    def accept(self, token: str, claims: Mapping[str, Any]) -> AccessToken:
        """The caller behind claims that are already checked."""
        clients = (claims.get("client_id"), claims.get("azp"))
        subject, expiry = claims.get("sub"), claims.get("exp")
        return AccessToken(
            token=token,
            client_id=next((client for client in clients if isinstance(client, str)), ""),
            scopes=sorted(scopes_in(claims)),
            expires_at=int(expiry) if expiry is not None and is_time(expiry) else None,
            resource=self.resource,
            subject=subject if isinstance(subject, str) else None,
            claims=dict(claims),
        )


def _spellings(url: str) -> tuple[str, ...]:
    bare = url.rstrip("/")
    return bare, f"{bare}/"


def verifies(settings: Settings) -> bool:
    """Whether callers over HTTP have to show a token."""
    return settings.http_issuer is not None


def scopes_in(claims: Mapping[str, Any]) -> frozenset[str]:
    """What the token allows: `scope` (RFC 9068, RFC 7662) or `scp`, words in a text or a list of them."""
    found: set[str] = set()
    for told in (claims.get("scope"), claims.get("scp")):
        if isinstance(told, str):
            found.update(told.split())
        elif isinstance(told, list):
            found.update(word for word in told if isinstance(word, str))
    return frozenset(found)


def is_time(value: Any) -> bool:
    """Whether a claim is a NumericDate (RFC 7519, 2)."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def seconds_left(claims: Mapping[str, Any]) -> float:
    """Until the token ends; infinite when it does not say."""
    expiry = claims.get("exp")
    if expiry is None:
        return math.inf
    return float(expiry) - time.time() if is_time(expiry) else -math.inf


def parsed_object(content: bytes | str) -> dict[str, Any] | None:
    """A JSON object of somebody else; None for anything else."""
    try:
        told = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return told if isinstance(told, dict) else None

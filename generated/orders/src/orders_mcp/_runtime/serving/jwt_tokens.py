"""Access tokens that are signed (RFC 9068, RFC 7519): verified here, with the issuer's public keys."""

from __future__ import annotations

from typing import Any

import jwt
from jwt import PyJWK
from mcp.server.auth.provider import AccessToken

from .access import LEEWAY, Expected, TokenRejected
from .jwks import KEY_TYPES, KeySet

_TYPES = frozenset({"", "jwt", "at+jwt", "application/at+jwt"})
"""What `typ` may say (RFC 9068, 4); other kinds of tokens, such as logout tokens, have a type of their own."""


def header_of(token: str) -> dict[str, Any] | None:
    """The header of a signed token, not yet verified; None when the text is none."""
    try:
        return jwt.get_unverified_header(token)
    except (jwt.PyJWTError, ValueError, TypeError, RecursionError):
        return None


class JwtVerifier:
    """Verifies signed tokens of one issuer."""

    def __init__(self, keys: KeySet, expected: Expected) -> None:
        self._keys = keys
        self._expected = expected

    async def verify(self, token: str) -> AccessToken:
        """As `Verifier.verify`."""
        header = header_of(token)
        if header is None:
            raise TokenRejected("it is no signed token")
        algorithm, kind, kid = header.get("alg"), header.get("typ", ""), header.get("kid")
        if not isinstance(algorithm, str) or algorithm not in KEY_TYPES:
            raise TokenRejected("its algorithm is not accepted")
        if not isinstance(kind, str) or kind.lower() not in _TYPES:
            raise TokenRejected("it is no access token by its type")
        keys = await self._keys.find(kid, algorithm)
        for key in keys:
            claims = self._claims(token, key, algorithm)
            if claims is not None:
                return self._expected.accept(token, claims)
        raise TokenRejected("no key of the issuer fits its signature")

    def _claims(self, token: str, key: PyJWK, algorithm: str) -> dict[str, Any] | None:
        """The checked claims; None when the signature is of another key."""
        try:
            return jwt.decode(
                token,
                key,
                algorithms=[algorithm],
                audience=self._expected.audiences,
                issuer=self._expected.issuers,
                leeway=LEEWAY,
                options={"require": ["exp", "iss", "aud"], "enforce_minimum_key_length": True},
            )
        except jwt.InvalidSignatureError:
            return None
        except (jwt.PyJWTError, ValueError, TypeError, OverflowError, RecursionError) as error:
            raise TokenRejected(type(error).__name__) from error

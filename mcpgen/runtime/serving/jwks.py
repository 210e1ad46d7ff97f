"""The public keys of an authorization server (RFC 7517): fetched when needed, kept for a while, renewed on rotation."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import anyio
from jwt import PyJWK, PyJWTError

from ..transport.client import ApiClient
from .access import CannotVerify
from .discovery import fetched, jwks_url

log = logging.getLogger(__name__)

KEY_TYPES = {
    **{f"{family}{size}": "RSA" for family in ("RS", "PS") for size in (256, 384, 512)},
    **{f"ES{size}": "EC" for size in (256, 384, 512)},
    "EdDSA": "OKP",
}
"""The algorithms that are accepted, and the type of their keys: signatures only. With a shared secret (HS256) or with
`none` anybody who knows a public key could make tokens (RFC 8725, 3.1)."""

_KEPT = 600.0
_USABLE = 3600.0
"""How long keys are used when the authorization server can't be reached to renew them."""
_PAUSE = 5.0
"""Between two fetches, whatever tokens ask for: a caller can name any key."""
_MOST_KEYS = 50

Source = Callable[[], Awaitable[Mapping[str, Any]]]
"""Fetches a JWK set. Raises CannotVerify."""


class KeySet:
    """The keys of one issuer."""

    def __init__(self, source: Source, clock: Callable[[], float] = time.monotonic) -> None:
        self._source = source
        self._clock = clock
        self._keys: list[dict[str, Any]] = []
        self._built: dict[tuple[int, str], PyJWK | None] = {}
        self._fetched: float | None = None
        self._tried: float | None = None
        self._failed = False
        self._lock = anyio.Lock()

    async def find(self, kid: str | None, algorithm: str) -> list[PyJWK]:
        """The keys that a signature can be of. An unknown key makes for one look at the authorization server.

        Args:
            kid: which key the token names, if any.

        Raises:
            CannotVerify: the keys can't be fetched, and without them nothing can be said.
        """
        if not self._younger_than(_KEPT):
            await self._renew(needed=not self._younger_than(_USABLE))
        found = self._fitting(kid, algorithm)
        if not found:
            await self._renew(needed=True)
            found = self._fitting(kid, algorithm)
        return found

    def _younger_than(self, seconds: float) -> bool:
        return self._fetched is not None and self._clock() - self._fetched < seconds

    async def _renew(self, *, needed: bool) -> None:
        if not needed and self._lock.statistics().locked:
            return  # somebody is at it, and there are keys until then
        async with self._lock:
            if self._tried is None or self._clock() - self._tried >= _PAUSE:
                self._failed = True
                try:
                    self._take(await self._source())
                except CannotVerify as error:
                    log.warning("the keys of the authorization server can't be fetched: %s", error)
                finally:
                    self._tried = self._clock()
            if self._failed and needed:
                raise CannotVerify("the keys can't be fetched")

    def _take(self, told: Mapping[str, Any]) -> None:
        keys = told.get("keys")
        if not isinstance(keys, list):
            raise CannotVerify("what was fetched is no set of keys")
        self._keys = [key for key in keys if isinstance(key, dict) and key.get("use") != "enc"][:_MOST_KEYS]
        self._built.clear()
        self._fetched, self._failed = self._clock(), False

    def _fitting(self, kid: str | None, algorithm: str) -> list[PyJWK]:
        """A key fits by its id, if both have one, and by its type."""
        fitting = []
        for number, key in enumerate(self._keys):
            if kid is not None and key.get("kid", kid) != kid:
                continue
            if key.get("kty") != KEY_TYPES[algorithm] or key.get("alg", algorithm) != algorithm:
                continue
            built = self._key(number, algorithm)
            if built is not None:
                fitting.append(built)
        return fitting

    def _key(self, number: int, algorithm: str) -> PyJWK | None:
        if (number, algorithm) not in self._built:
            try:
                built = PyJWK(self._keys[number], algorithm)
            except (PyJWTError, ValueError, TypeError) as error:
                log.warning("a key of the authorization server can't be used: %s", type(error).__name__)
                built = None
            self._built[number, algorithm] = built
        return self._built[number, algorithm]


class IssuerKeys:
    """A `Source`: fetches from the address that the operator gave, or from the one that the issuer names."""

    def __init__(self, client: ApiClient, issuer: str, url: str | None) -> None:
        self._client = client
        self._issuer = issuer
        self._url = url
        self._found: str | None = None

    async def __call__(self) -> Mapping[str, Any]:
        url = self._url or self._found or await jwks_url(self._client, self._issuer)
        self._found = None  # looked up anew after a failure: it may have moved
        told = await fetched(self._client, url)
        if told is None:
            raise CannotVerify(f"{url} is no set of keys")
        self._found = url
        return told

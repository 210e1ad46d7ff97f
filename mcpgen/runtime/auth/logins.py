"""The tokens of a person who has logged in: read from the store, renewed with the refresh token (RFC 6749, 6)."""

from __future__ import annotations

import logging
import time
from contextlib import AbstractContextManager
from functools import partial

import anyio
from anyio import to_thread

from ..outcomes.failures import refused
from ..secrecy.redact import Redactor
from ..transport.client import ApiClient
from .authority import Authority
from .oauth import GrantRefused, Issued, OAuthClient, TokenEndpoint
from .token_store import StoredToken, StoreError, TokenStore
from .tokens import Wishes, usable_for

log = logging.getLogger(__name__)

LOGIN_FLOWS = ("authorizationCode", "deviceAuthorization")
_OVER = frozenset({"invalid_grant", "invalid_client", "unauthorized_client"})
"""Answers to a refresh that no repeat can change (RFC 6749, 5.2)."""
_LOOK_AGAIN = 1.0
"""Seconds between looks for a login that is not there: a keyring is asked over the system's bus."""
_UNKNOWN_LIFETIME = 10 * 365 * 86_400.0
"""A login's token without an end is used until the API turns it down: asking for another needs the person."""


class LoginTokens:
    """One scheme's login. `python -m PACKAGE login` makes it; a tool call only uses and renews it.

    Attributes:
        key: names the login in the store: scheme, client and authorization server together, so that a token never
            reaches a server that it was not made for.
    """

    def __init__(
        self,
        name: str,
        authority: Authority,
        client: ApiClient,
        redactor: Redactor,
        identity: OAuthClient,
        store: TokenStore,
        wishes: Wishes,
    ) -> None:
        self.key = f"{name} {identity.id} {authority.identity}"
        self.name = name
        self.authority = authority
        self.identity = identity
        self.store = store
        self.wishes = wishes
        self._client = client
        self._redactor = redactor
        self._held: StoredToken | None = None
        self._rejected: str | None = None
        self._unsaved = False
        self._look_again = 0.0
        self._lock = anyio.Lock()

    async def ready(self) -> bool:
        """Whether somebody has logged in, perhaps while this server was running."""
        async with self._lock:
            if self._held is None and time.monotonic() >= self._look_again:
                self._held = await self._load()
                self._look_again = time.monotonic() + _LOOK_AGAIN
            return self._held is not None

    def forget(self, token: str) -> None:
        """The API has turned this access token down: the next one comes from the refresh token, if there is one."""
        if self._held is not None and self._held.refresh_token:
            self._rejected = token

    async def token(self, scopes: tuple[str, ...]) -> str:
        """A valid access token. The scopes were chosen at the login; they are not asked for again.

        Raises:
            CallFailed: the login is over (permission), or the authorization server can't be reached (transient).
        """
        async with self._lock:
            if not self._fresh(self._held):
                # A cancelled call must not lose a refresh token that was just handed out, so this is finished.
                with anyio.CancelScope(shield=True):
                    self._held = await self._renew()
            if self._held is None:
                raise refused("The login of this server at the API is over. Nothing was sent.")
            return self._held.access_token

    def _fresh(self, token: StoredToken | None) -> bool:
        return token is not None and token.access_token != self._rejected and token.expires_at > time.time()

    async def _load(self) -> StoredToken | None:
        found = await to_thread.run_sync(self.store.load, self.key)
        for secret in (found.access_token, found.refresh_token) if found is not None else ():
            if secret:
                self._redactor.add_token(secret)
        return found

    async def _renew(self) -> StoredToken | None:
        """The newest login: another process may have renewed it already; else this one does, alone."""
        try:
            lock = self.store.locked(self.key)
            await to_thread.run_sync(lock.__enter__)
        except StoreError as error:
            log.error("%s: the login can't be renewed: %s", self.name, error)
            raise refused("The login of this server at the API can't be renewed. Nothing was sent.") from None
        try:
            kept = await self._load() or (self._held if self._unsaved else None)
            if kept is None or self._fresh(kept):
                return kept
            return await self._refreshed(kept)
        finally:
            await to_thread.run_sync(partial(_leave, lock))

    async def _refreshed(self, kept: StoredToken) -> StoredToken | None:
        if kept.refresh_token is None:
            log.warning("%s: the login has ended. Log in again.", self.name)
            return None
        endpoint, refresh_url = await self._endpoint()
        form = {"grant_type": "refresh_token", "refresh_token": kept.refresh_token}
        try:
            issued = await TokenEndpoint(
                self._client, self._redactor, refresh_url or endpoint.url, endpoint.identity
            ).grant(form)
        except GrantRefused as error:
            log.warning("%s: the login is not renewed (%s). Log in again.", self.name, error)
            if error.code in _OVER:
                await to_thread.run_sync(self.store.delete, self.key)
            return None
        token, self._rejected = stored(issued, kept), None
        try:
            await to_thread.run_sync(self.store.save, self.key, token)
            self._unsaved = False
        except StoreError as error:
            log.error("%s: the renewed login is lost when this process ends: %s", self.name, error)
            self._unsaved = True
        return token

    async def _endpoint(self) -> tuple[TokenEndpoint, str | None]:
        """The token endpoint of the flow that the login was made with, and the address for refreshes if it differs."""
        for flow in LOGIN_FLOWS:
            found = await self.authority.endpoints(flow)
            if found.token is not None:
                method = self.identity.method or found.client_method
                identity = OAuthClient(self.identity.id, self.identity.secret, method)
                return TokenEndpoint(self._client, self._redactor, found.token, identity), found.refresh
        log.warning("%s: no token endpoint is known.", self.name)
        raise refused("The login of this server at the API can't be renewed. Nothing was sent.")


def stored(issued: Issued, before: StoredToken | None = None) -> StoredToken:
    """What is kept of a token response; without a new refresh token the old one stays (RFC 6749, 6)."""
    return StoredToken(
        access_token=issued.access_token,
        expires_at=time.time() + usable_for(issued.lifetime or _UNKNOWN_LIFETIME),
        refresh_token=issued.refresh_token or (before.refresh_token if before is not None else None),
        scope=issued.scope or (before.scope if before is not None else None),
    )


def _leave(lock: AbstractContextManager[None]) -> None:
    lock.__exit__(None, None, None)

"""The API's credentials: read from the environment, chosen by the operation, put where they belong.

Nothing here comes from the MCP client unless the operator has said so, and nothing goes back to it: what is
missing is told in the log.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import quote

import httpx2

from ..outcomes.failures import refused
from ..secrecy.redact import Redactor
from .certificates import Certificate
from .schemes import HeldToken, Parts, Scheme

log = logging.getLogger(__name__)

_MISSING = "This tool needs a credential for the API that this server has not been given. Nothing was sent."
_NOT_BROUGHT = "This tool needs the caller's own authorization for the API. Nothing was sent."


@dataclass(frozen=True, slots=True)
class Credential:
    """What the chosen schemes add to one request. `tokens` can be renewed when the API turns them down."""

    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    query: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    cookies: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    tokens: tuple[HeldToken, ...] = ()
    auth: httpx2.Auth | None = None
    certificate: Certificate | None = None


class Credentials:
    """All security schemes of the API, and the rule that chooses among them.

    Args:
        schemes: by name.
        forwarding: whether the MCP caller's `Authorization` takes the place of the operator's, always and for all
            schemes that use this header: one who brings none must not act with the rights of another.
    """

    def __init__(
        self, schemes: Mapping[str, Scheme], redactor: Redactor, *, forwarding: bool = False
    ) -> None:
        self.schemes = schemes
        self._redactor = redactor
        self._forwarding = forwarding

    async def choose(
        self, alternatives: tuple[Mapping[str, tuple[str, ...]], ...], caller: str | None = None
    ) -> Credential:
        """The credential for an operation: the first alternative that everything is there for.

        No alternatives, and an empty one, mean that the API asks for none (OpenAPI 3.2, Security Requirement
        Object); an empty one is taken only when no other can be.

        Args:
            alternatives: scheme names and scopes; the schemes of one alternative are needed together.
            caller: the caller's `Authorization` header. It counts only when the operator wants it passed on.

        Raises:
            CallFailed: no alternative can be met, or a token can't be got.
        """
        if not alternatives:
            return Credential()
        for alternative in alternatives:
            if alternative and await self._all_available(alternative, caller):
                parts = Parts()
                for name, scopes in alternative.items():
                    await self._apply(self.schemes[name], scopes, parts, caller)
                return Credential(
                    headers=tuple(parts.headers),
                    query=tuple(parts.query),
                    cookies=tuple(parts.cookies),
                    tokens=tuple(parts.tokens),
                    auth=parts.auth,
                    certificate=parts.certificate,
                )
        if any(not alternative for alternative in alternatives):
            return Credential()
        log.warning("No credential for this call. Needed: %s.", " or ".join(map(self._wanted, alternatives)))
        raise refused(_NOT_BROUGHT if self._only_the_caller_lacks(alternatives) else _MISSING)

    async def _all_available(self, alternative: Mapping[str, tuple[str, ...]], caller: str | None) -> bool:
        for name in alternative:
            scheme = self.schemes.get(name)
            if scheme is None:
                return False
            if self._forwarded(scheme):
                if not _fits(scheme, caller):
                    return False
            elif not await scheme.available():
                return False
        return True

    async def _apply(self, scheme: Scheme, scopes: tuple[str, ...], parts: Parts, caller: str | None) -> None:
        if not self._forwarded(scheme) or caller is None:
            await scheme.apply(scopes, parts)
            for held in parts.tokens:  # it is in use, so it must stay known
                self._redactor.add_token(held.value)
            return
        self._redactor.add_for_this_call(caller.partition(" ")[2].strip() or caller)
        parts.headers.append(("Authorization", caller))

    def _forwarded(self, scheme: Scheme) -> bool:
        return self._forwarding and scheme.authorization is not None

    def _only_the_caller_lacks(self, alternatives: tuple[Mapping[str, tuple[str, ...]], ...]) -> bool:
        known = [self.schemes.get(name) for alternative in alternatives for name in alternative]
        return any(scheme is not None and self._forwarded(scheme) for scheme in known)

    def _wanted(self, alternative: Mapping[str, tuple[str, ...]]) -> str:
        names = []
        for scheme in (self.schemes[name] for name in alternative if name in self.schemes):
            own = "the caller's Authorization" if self._forwarded(scheme) else scheme.wanted
            names.append(own)
        return " with ".join(names) or "nothing: the scheme is not described"


def _fits(scheme: Scheme, caller: str | None) -> bool:
    """Whether what the caller brought is of the scheme's kind; an API key in that header can be anything."""
    if not caller or not caller.strip():
        return False
    return not scheme.authorization or caller.split(maxsplit=1)[0].lower() == scheme.authorization


def cookie_pair(name: str, value: str) -> str:
    """A cookie as RFC 6265 allows it: what can't stand in one is percent-encoded."""
    return f"{name}={quote(value, safe=COOKIE_SAFE)}"


COOKIE_SAFE = "!#$&'()*+/:<=>?@[]^`{|}"
"""Cookie octets (RFC 6265, 4.1.1) that `quote` would encode; `%` has to be, so that decoding is exact."""

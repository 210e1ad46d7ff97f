"""The answers to HTTP requests that don't come through, as RFC 6750 and the MCP specification want them."""

from __future__ import annotations

from collections.abc import Iterable

from starlette.responses import JSONResponse

_COME_AGAIN = 5
"""Seconds, when it is not known how long something is not available."""


class Refusals:
    """Answers that point a client to what it needs.

    Args:
        metadata_url: where the protected-resource metadata is.
        scopes: what every caller needs.
    """

    def __init__(self, metadata_url: str, scopes: Iterable[str]) -> None:
        self._metadata_url = metadata_url
        self._scopes = scopes

    def missing(self) -> JSONResponse:
        """There is no token. That is no error yet, so it has no error code (RFC 6750, 3.1)."""
        return _refused(401, "unauthorized", "A token is needed.", challenge=self._challenge(self._scopes))

    def invalid(self) -> JSONResponse:
        """The token is not valid, for whatever reason: the log has it."""
        error, text = "invalid_token", "The token is not valid for this server."
        return _refused(401, error, text, challenge=self._challenge(self._scopes, error, text))

    def insufficient(self, scopes: Iterable[str]) -> JSONResponse:
        """The token needs more scopes: the client may ask for these, all together."""
        error, text = "insufficient_scope", "The token does not allow this."
        return _refused(403, error, text, challenge=self._challenge(scopes, error, text))

    def unverifiable(self) -> JSONResponse:
        """Nobody can say whether the token is valid. A 401 would make the client throw it away."""
        text = "Tokens can't be verified at the moment."
        return _refused(503, "temporarily_unavailable", text, retry_after=_COME_AGAIN)

    def _challenge(self, scopes: Iterable[str], error: str = "", text: str = "") -> str:
        parts = [f'error="{error}"', f'error_description="{text}"'] if error else []
        words = " ".join(sorted(scopes))
        parts += [f'scope="{words}"'] if words else []
        return "Bearer " + ", ".join([*parts, f'resource_metadata="{self._metadata_url}"'])


def too_many(seconds: int) -> JSONResponse:
    """The caller has made too many requests."""
    return _refused(429, "too_many_requests", "Too many requests.", retry_after=seconds)


def cut_off() -> JSONResponse:
    """The server ends before it could answer."""
    return _refused(503, "temporarily_unavailable", "The server is being stopped.", retry_after=_COME_AGAIN)


def _refused(
    status: int, error: str, text: str, *, challenge: str = "", retry_after: int = 0
) -> JSONResponse:
    headers = {"WWW-Authenticate": challenge} if challenge else {}
    if retry_after:
        headers["Retry-After"] = str(retry_after)
    return JSONResponse({"error": error, "error_description": text}, status, headers)

"""Who called, as far as it is known: the subject of an HTTP caller's token, and what the client says it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..secrecy.redact import Redactor

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

_LONGEST = 200


def caller_of(context: ServerRequestContext[Any, Any] | None, redactor: Redactor) -> dict[str, str]:
    """What is known about the caller. The token's part is verified; `name` and `version` are the client's own words."""
    if context is None:
        return {}
    scope = getattr(context.request, "scope", None) or {}
    token = getattr(scope.get("user"), "access_token", None)
    claims = getattr(token, "claims", None) or {}
    client = getattr(context.session.client_params, "client_info", None)
    told = {
        "subject": getattr(token, "subject", None),
        "client_id": getattr(token, "client_id", None),
        "issuer": claims.get("iss"),
        "name": getattr(client, "name", None),
        "version": getattr(client, "version", None),
    }
    return {key: redactor.log_text(_printable(value)) for key, value in told.items() if value}


def _printable(value: Any) -> str:
    return "".join(c if c.isprintable() else " " for c in str(value)[:_LONGEST])

"""Who is calling, as a key: what is remembered of one caller's calls is never given to another one."""

from __future__ import annotations

import hashlib
import ipaddress
from typing import TYPE_CHECKING, Any

from mcp.server.auth.provider import principal_components

from ..values import compact_json

if TYPE_CHECKING:
    from ..call import Call

_LOCAL = "local"
_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip", "via")


def caller_key(call: Call) -> str | None:
    """The same text for the same caller; None where callers can't be told apart.

    A call that no client has made has the caller that it names (the calls of an executor) or none (a replay). Over
    standard input there is one caller. Over HTTP it is the one whom the token names; where the API gets the caller's
    own authorization, that is what counts. Without either it is the session, which newer clients don't have;
    then only callers on this machine are known to be one.
    """
    if call.context is None:
        return call.caller
    request = call.context.request
    if request is None:
        return _LOCAL
    headers: Any = request.headers
    authorization = headers.get("authorization")
    if authorization and call.app.settings.forward_authorization:
        return _key("authorization", authorization)
    token = getattr(request.scope.get("user"), "access_token", None)
    if token is not None:
        return _key("principal", principal_components(token))
    if authorization:
        return _key("authorization", authorization)
    session = headers.get("mcp-session-id")
    if session:
        return _key("session", session)
    return _LOCAL if _on_this_machine(request) else None


def _key(kind: str, what: Any) -> str:
    return f"{kind} {hashlib.sha256(compact_json(what).encode('utf-8', 'replace')).hexdigest()}"


def _on_this_machine(request: Any) -> bool:
    """Whether the caller itself is: behind a proxy on this machine there can be anyone."""
    if request.client is None or any(name in request.headers for name in _FORWARDED):
        return False
    try:
        return ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:
        return False

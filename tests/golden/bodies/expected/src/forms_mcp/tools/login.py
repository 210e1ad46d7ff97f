"""The tools of login."""

from __future__ import annotations

from .._runtime import UNSET, Call, JsonObject, Result, Unset


async def sign_in(
    call: Call, *, user: str, scopes: list[str] | Unset = UNSET
) -> Result[JsonObject]:
    """Sign in with a form. Returns: A session. Each call takes effect again. Example: {"user":
    "<user>"}

    POST /login
    """
    return await call.send(body={"user": user, "scopes": scopes})

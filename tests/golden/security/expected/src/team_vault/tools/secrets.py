"""The tools of secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._runtime import UNSET, Call, Result, Unset

if TYPE_CHECKING:
    from ..models.secrets import ListSecretsResult


async def list_secrets(call: Call) -> Result[ListSecretsResult]:
    """List the names of all secrets.

    GET /secrets
    """
    return await call.send()


async def set_secret(call: Call, *, name: str, body: str | Unset = UNSET) -> Result[None]:
    """Set a secret. Returns: It is set. To find name, use list_secrets.

    PUT /secrets/{name}
    """
    return await call.send(path={"name": name}, body=body)

"""The tools of secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._runtime import UNSET, Call, Result, Unset

if TYPE_CHECKING:
    from ..models.secrets import ListSecretsResult


async def list_secrets(call: Call) -> Result[ListSecretsResult]:
    """List the names of all secrets. Returns: list of string. Read-only.

    GET /secrets
    """
    return await call.send()


async def set_secret(call: Call, *, name: str, body: str | Unset = UNSET) -> Result[None]:
    """Set a secret. Returns: It is set. Needs the scope `write`. Repeating a call changes nothing
    more. To find name, use list_secrets. Example: {"name": "<name from list_secrets>"}

    PUT /secrets/{name}
    """
    return await call.send(path={"name": name}, body=body)

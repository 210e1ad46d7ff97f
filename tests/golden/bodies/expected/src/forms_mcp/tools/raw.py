"""The tools of raw."""

from __future__ import annotations

from .._runtime import Call, JsonObject, Result


async def update_raw(call: Call, *, body: JsonObject) -> Result[None]:
    """Replace the raw file. Returns: Stored. Destructive: it can't simply be undone.

    PUT /raw
    """
    return await call.send(body=body)

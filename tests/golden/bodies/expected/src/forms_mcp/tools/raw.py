"""The tools of raw."""

from __future__ import annotations

from .._runtime import Call, JsonObject, Result


async def replace_raw(call: Call, *, body: JsonObject) -> Result[None]:
    """Replace the raw file. Returns: Stored. Destructive: it can't simply be undone. Example:
    {"body": {"content_base64": "<content_base64>"}}

    PUT /raw
    """
    return await call.send(body=body)

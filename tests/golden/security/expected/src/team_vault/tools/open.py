"""The tools of open."""

from __future__ import annotations

from .._runtime import Call, Result


async def get_health(call: Call) -> Result[None]:
    """Tell whether the service is up. Returns: no documented content. Read-only.

    GET /open
    """
    return await call.send()

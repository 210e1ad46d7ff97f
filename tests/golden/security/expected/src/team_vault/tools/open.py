"""The tools of open."""

from __future__ import annotations

from .._runtime import Call, Result


async def health(call: Call) -> Result[None]:
    """Tell whether the service is up.

    GET /open
    """
    return await call.send()

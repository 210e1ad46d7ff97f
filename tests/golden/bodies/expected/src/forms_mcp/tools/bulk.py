"""The tools of bulk."""

from __future__ import annotations

from .._runtime import UNSET, Call, Result, Unset


async def bulk_load(call: Call, *, body: list[int] | Unset = UNSET) -> Result[str]:
    """Load a list of numbers. Returns: How many. Each call takes effect again.

    POST /bulk
    """
    return await call.send(body=body)

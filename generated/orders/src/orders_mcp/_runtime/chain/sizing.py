"""Link: what a tool's own function or a hook gives back keeps the bounds too."""

from __future__ import annotations

from typing import Any

from ..bounds.fitting import fitted, limit_of, squeezed
from ..call import Call
from ..outcomes.result import Result
from .model import Following


async def sized(call: Call, following: Following) -> Result[Any]:
    """Makes room for the notes so far, and cuts a result that is not the API's answer itself.

    An answer of the API was cut as it came, before it was checked against its schema.
    """
    call.notes[:] = squeezed(call.notes, limit_of(call) // 8)
    result = await following(call)
    if not result.ok or result is call.within_bounds:
        return result
    try:
        return fitted(call, result).result
    except (TypeError, ValueError):  # no JSON: `settled` tells
        return result

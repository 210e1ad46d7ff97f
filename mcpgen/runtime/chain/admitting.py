"""Link: calls are counted while they are in flight, and none begins when the server is about to end."""

from __future__ import annotations

from typing import Any

from ..call import Call
from ..outcomes.failures import CallFailed, Category, Failure
from ..outcomes.result import Result
from .model import Following

_ENDING = Failure(
    Category.TRANSIENT, "This server is being stopped. Nothing was sent.", retryable=True, wait=5
)


async def admitted(call: Call, following: Following) -> Result[Any]:
    """Lets the call pass, unless the server is ending."""
    traffic = call.app.traffic
    if traffic.ending:
        raise CallFailed(_ENDING)
    with traffic.passing():
        return await following(call)

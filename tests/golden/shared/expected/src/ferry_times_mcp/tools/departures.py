"""The tools of departures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._runtime import Call, Result

if TYPE_CHECKING:
    from ..models.departures import Departure


async def list_departures(call: Call, *, pier: str) -> Result[list[Departure]]:
    """List departures. Returns: The next departures. Read-only. Example: {"pier": "<pier>"}

    GET /departures
    """
    return await call.send(query={"pier": pier})

"""Link: one limit of time for all of a call."""

from __future__ import annotations

from typing import Any

from anyio import move_on_after

from ..call import Call
from ..outcomes.failures import CallFailed, Category, Failure
from ..outcomes.result import Result
from ..record import Record
from ..transport.deadline import in_seconds
from .model import Following


async def bounded(call: Call, following: Following) -> Result[Any]:
    """Cuts the call off when its time is over: tokens, the wait for a turn, repeats and hooks are all part of it.

    Raises:
        CallFailed: its time is over. What that leaves open is said by `settled`.
    """
    seconds = call.policy.timeout or call.app.settings.timeout
    with move_on_after(seconds):
        return await following(call)
    raise CallFailed(Failure(Category.TRANSIENT, _late(call.record, in_seconds(seconds)), retryable=True))


def _late(record: Record, time: str) -> str:
    if record.accepted is not None or record.began:
        return f"The call was not through within {time}."
    if record.sent:
        return f"The API did not answer within {time}."
    return f"The API could not be {'reached' if record.attempts else 'asked'} within {time}."

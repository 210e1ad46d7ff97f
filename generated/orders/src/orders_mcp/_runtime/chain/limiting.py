"""Link: arguments keep the bounds that the operator has set (`limits` in a tool's policy)."""

from __future__ import annotations

from typing import Any

from ..call import Call
from ..inputs import limits
from ..inputs.validation import complaints
from ..outcomes.failures import invalid
from ..outcomes.result import Result
from .model import Following


async def limited(call: Call, following: Following) -> Result[Any]:
    """Moves values to their bounds where the operator wants that; else nothing is sent.

    Beyond a bound is `validation`, also for a value that is denied: a call with another value can succeed.
    """
    if call.policy.limits:
        found = limits.limited(call.arguments, call.policy.limits)
        told = found.complaints
        if not told and found.notes:  # a bound may be no value that the API admits: a multiple, one of a list
            told = complaints(call.operation.argument_check, found.arguments)
        if told:
            raise invalid(f"Wrong arguments for {call.operation.tool}: {'; '.join(told)}.")
        call.arguments = found.arguments
        call.notes += found.notes
    return await following(call)

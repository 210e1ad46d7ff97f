"""Link: the arguments as the model gave them become arguments that keep the published schema."""

from __future__ import annotations

from typing import Any

from ..call import Call
from ..inputs.arguments import prepare
from ..outcomes.result import Result
from .model import Following


async def prepared(call: Call, following: Following) -> Result[Any]:
    """Repairs and checks the arguments; nothing is sent when they are wrong."""
    ready = prepare(call.operation, call.arguments)
    call.arguments = ready.arguments
    call.notes += ready.notes
    return await following(call)

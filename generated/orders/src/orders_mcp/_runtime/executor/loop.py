"""A small loop around a model: it calls tools until it has an answer, or until it gets nowhere."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from inspect import isawaitable
from typing import Any

from ..outcomes.failures import CallFailed
from .reading import read_arguments
from .running import Executor
from .shapes import Shape, calls_in, conversation, read_call

Model = Callable[[list[Any]], Any | Awaitable[Any]]
"""From the messages so far to the model's reply: a message (Chat Completions, Anthropic, Gemini) as a dict or an object of
the provider's library, or a list of output items (Responses)."""

MOST_STEPS = 10
MOST_REPEATS = 3


class Stop(StrEnum):
    """Why a loop has ended: the model called no tool, the steps are used up, or it repeats itself."""

    ANSWERED = "answered"
    STEPS = "steps"
    REPEATED = "repeated"


@dataclass(frozen=True, slots=True)
class LoopEnd:
    """How a loop has ended. Every call in `messages` has its answer, so the conversation can go on from there."""

    stop: Stop
    messages: list[Any]
    steps: int
    note: str | None = None


async def run_loop(
    model: Model,
    executor: Executor,
    messages: Sequence[Any],
    *,
    max_steps: int = MOST_STEPS,
    max_repeats: int = MOST_REPEATS,
) -> LoopEnd:
    """Asks the model and makes its calls, in turns.

    What the model's function raises is raised here too; calls of tools never raise.

    Args:
        max_steps: how often the model is asked.
        max_repeats: the same call with the same arguments so often in a row ends the loop; the last of them is not made.
    """
    conversed = list(messages)
    last, count = "", 0
    for number in range(1, max_steps + 1):
        found = model(list(conversed))
        reply = await found if isawaitable(found) else found
        calls = calls_in(reply)
        if not calls:
            conversed += conversation(reply, [])
            return LoopEnd(Stop.ANSWERED, conversed, number)
        made = len(calls)
        for index, call in enumerate(calls):
            key = _key(call)
            last, count = key, (count + 1 if key == last else 1)
            if count >= max_repeats:
                made = index
                break
        answers = await executor.run(calls[:made])
        if made < len(calls):
            note = f"The same call was made {max_repeats} times in a row, so the loop was stopped."
            answers += executor.refuse(calls[made:], f"{note} This call was not made.")
            return LoopEnd(Stop.REPEATED, [*conversed, *conversation(reply, answers)], number, note)
        conversed += conversation(reply, answers)
    note = f"The model was asked {max_steps} times without coming to an answer, so the loop was stopped."
    return LoopEnd(Stop.STEPS, conversed, max_steps, note)


def _key(given: Any) -> str:
    """The same text for the same call, however its arguments are written."""
    call = read_call(given, Shape.CHAT)
    try:
        arguments: Any = read_arguments(call.arguments)
    except CallFailed:
        arguments = call.arguments
    try:
        return json.dumps([call.name, arguments], sort_keys=True, default=str)
    except (RecursionError, TypeError, ValueError):
        return f"{call.name} {id(given)}"  # nothing that JSON can say: equal to nothing else

"""The loop around a scripted model: steps, repeats, and conversations in the shape of every provider."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from mcpgen.runtime import LoopEnd, Stop, open_package, run_loop

pytestmark = pytest.mark.anyio


@pytest.fixture
def package(build: Any, op: Any) -> Any:
    return build(list_things=op(params=[("query", "limit", {"type": "integer"}, {})]))


class Scripted:
    """A model that says its lines one after the other, the last one again and again."""

    def __init__(self, *replies: Any) -> None:
        self.replies = list(replies)
        self.seen: list[list[Any]] = []

    async def __call__(self, messages: list[Any]) -> Any:
        self.seen.append(messages)
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


async def looped(package: Any, model: Callable[[list[Any]], Any], **options: Any) -> LoopEnd:
    transport = httpx2.MockTransport(package._handle)
    format_ = options.pop("format", "openai")
    async with open_package(package.name, format=format_, environ={}, transport=transport) as executor:
        return await run_loop(model, executor, [{"role": "user", "content": "Which?"}], **options)


def calling(*arguments: str, first: int = 0) -> dict[str, Any]:
    calls = [
        {"id": f"c{first + n}", "type": "function", "function": {"name": "list_things", "arguments": text}}
        for n, text in enumerate(arguments)
    ]
    return {"role": "assistant", "content": None, "tool_calls": calls}


async def test_it_ends_with_the_answer(package: Any) -> None:
    model = Scripted(calling('{"limit": 1}', '{"limit": 2}'), {"role": "assistant", "content": "These."})
    end = await looped(package, model)
    assert (end.stop, end.steps, end.note) == (Stop.ANSWERED, 2, None)
    assert [message["role"] for message in end.messages] == ["user", "assistant", "tool", "tool", "assistant"]
    assert [message.get("tool_call_id") for message in end.messages][2:4] == ["c0", "c1"]
    assert model.seen[1] == end.messages[:4]


async def test_it_ends_when_the_steps_are_used_up(package: Any) -> None:
    turns = [calling(json.dumps({"limit": n}), first=n) for n in range(9)]
    end = await looped(package, Scripted(*turns), max_steps=4)
    assert (end.stop, end.steps) == (Stop.STEPS, 4)
    assert end.note == "The model was asked 4 times without coming to an answer, so the loop was stopped."
    assert len(package.requests) == 4
    assert end.messages[-1]["tool_call_id"] == "c3"


async def test_it_ends_when_the_same_call_comes_again_and_again(package: Any) -> None:
    """However its arguments are written; every call of the last turn is answered all the same."""
    turns = [
        calling('{"limit":1}'),
        calling('{ "limit": 1 }', first=1),
        calling('{"limit": 1}', "{}", first=2),
    ]
    end = await looped(package, Scripted(*turns))
    assert (end.stop, end.steps) == (Stop.REPEATED, 3)
    assert end.note == "The same call was made 3 times in a row, so the loop was stopped."
    assert len(package.requests) == 2
    assert [message["tool_call_id"] for message in end.messages[-2:]] == ["c2", "c3"]
    result = json.loads(end.messages[-1]["content"])
    assert result["error"] == f"{end.note} This call was not made."
    assert result["ok"] is False


async def test_other_calls_between_are_no_repeats(package: Any) -> None:
    turns = [calling('{"limit": 1}', '{"limit": 2}'), calling('{"limit": 1}', first=2), calling("{", first=3)]
    end = await looped(package, Scripted(*turns, {"role": "assistant", "content": "Done."}), max_repeats=2)
    assert end.stop is Stop.ANSWERED
    assert len(package.requests) == 3


async def test_equal_calls_of_one_turn_are_repeats_too(package: Any) -> None:
    end = await looped(package, Scripted(calling("{}", "{}")), max_repeats=2)
    assert (end.stop, len(package.requests)) == (Stop.REPEATED, 1)


async def test_anthropic(package: Any) -> None:
    block = {"type": "tool_use", "id": "t1", "name": "list_things", "input": {}}
    turn = {"role": "assistant", "content": [{"type": "text", "text": "Looking."}, block]}
    end = await looped(
        package,
        Scripted(turn, {"role": "assistant", "content": [{"type": "text", "text": "These."}]}),
        format="anthropic",
    )
    assert end.stop is Stop.ANSWERED
    assert end.messages[2]["role"] == "user"
    assert [block["tool_use_id"] for block in end.messages[2]["content"]] == ["t1"]


async def test_gemini(package: Any) -> None:
    turn = {
        "role": "model",
        "parts": [{"text": "Looking."}, {"functionCall": {"name": "list_things", "args": {}}}],
    }
    end = await looped(
        package, Scripted(turn, {"role": "model", "parts": [{"text": "These."}]}), format="gemini"
    )
    assert end.stop is Stop.ANSWERED
    assert end.messages[2]["role"] == "user"
    assert end.messages[2]["parts"][0]["functionResponse"]["name"] == "list_things"


async def test_responses(package: Any) -> None:
    items = [
        {"type": "reasoning", "id": "r"},
        {"type": "function_call", "call_id": "f1", "name": "list_things", "arguments": ""},
    ]
    done = [{"type": "message", "role": "assistant", "content": []}]
    end = await looped(package, Scripted(items, done))
    assert end.stop is Stop.ANSWERED
    assert [item.get("type") for item in end.messages[1:]] == [
        *("reasoning", "function_call", "function_call_output"),
        "message",
    ]


async def test_a_plain_function_is_a_model_too_and_its_faults_are_its_own(package: Any) -> None:
    def model(_: list[Any]) -> Any:
        raise ConnectionError("the model is away")

    with pytest.raises(ConnectionError, match="the model is away"):
        await looped(package, model)

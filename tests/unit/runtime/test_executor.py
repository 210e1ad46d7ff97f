"""The executor: a model's tool calls, in the shapes of every provider, through the chain of the server."""

from __future__ import annotations

import json
from typing import Any

import anyio
import httpx2
import pytest

from .executing import chat, executor, operations, told

pytestmark = pytest.mark.anyio


@pytest.fixture
def package(build: Any, op: Any) -> Any:
    return build(**operations(op))


async def test_every_shape_has_an_answer_of_its_own(package: Any) -> None:
    package.answer(httpx2.Response(200, json={"n": 1}))
    calls: list[Any] = [
        chat("c1", "get_thing", '{"id": "a"}'),
        {
            "type": "function_call",
            "id": "fc",
            "call_id": "c2",
            "name": "get_thing",
            "arguments": '{"id": "b"}',
        },
        {"type": "tool_use", "id": "c3", "name": "get_thing", "input": {"id": "c"}},
        {"functionCall": {"id": "c4", "name": "get_thing", "args": {"id": "d"}}},
        {"function_call": {"name": "get_thing", "args": {"id": "e"}}},
        {"name": "get_thing", "args": {}},
    ]
    async with executor(package) as found:
        answers = await found.run(calls)
    assert [told(answer)["ok"] for answer in answers] == [True] * 5 + [False]
    assert sorted(request.url.path[-1] for request in package.requests) == ["a", "b", "c", "d", "e"]
    text = '{"ok":true,"data":{"n":1}}'
    assert answers[:5] == [
        {"role": "tool", "tool_call_id": "c1", "content": text},
        {"type": "function_call_output", "call_id": "c2", "output": text},
        {"type": "tool_result", "tool_use_id": "c3", "content": text, "is_error": False},
        {"functionResponse": {"id": "c4", "name": "get_thing", "response": {"ok": True, "data": {"n": 1}}}},
        {"functionResponse": {"name": "get_thing", "response": {"ok": True, "data": {"n": 1}}}},
    ]


async def test_objects_of_a_provider_s_library_are_calls_too(package: Any) -> None:
    class ToolUse:
        def model_dump(self) -> dict[str, Any]:
            return {"type": "tool_use", "id": "t", "name": "list_things", "input": {}}

    async with executor(package, format="anthropic") as found:
        answers = await found.run(ToolUse())
    assert answers[0]["tool_use_id"] == "t"
    assert told(answers[0])["ok"]


@pytest.mark.parametrize("given", ["", "  ", None, "null", {}, "{}", '"{}"'])
async def test_no_arguments_are_an_empty_object(package: Any, given: Any) -> None:
    async with executor(package) as found:
        [answer] = await found.run([chat("1", "list_things", given)])
    assert told(answer)["ok"]


@pytest.mark.parametrize(
    ("given", "error"),
    [
        (
            '{"limit": 1',
            "The arguments are no valid JSON: they seem to be cut off (character 11: '{\"limit\": 1')",
        ),
        (
            '{"limit": "1',
            'The arguments are no valid JSON: they seem to be cut off (character 10: \'{"limit": "1\')',
        ),
        ("{limit: 1}", "The arguments are no valid JSON (character 1: '{limit: 1}')"),
        ('{"limit": NaN}', "The arguments are no valid JSON"),
        ("[1]", "The arguments must be one JSON object"),
        ("5", "The arguments must be one JSON object"),
        (7, "The arguments must be one JSON object"),
        ({1: 2}, "The arguments must be one JSON object"),
        ("[" * 200_000, "The arguments are nested too deeply"),
    ],
)
async def test_broken_arguments_are_told_and_nothing_is_sent(package: Any, given: Any, error: str) -> None:
    async with executor(package) as found:
        [answer] = await found.run([chat("1", "list_things", given)])
    assert package.requests == []
    result = told(answer)
    assert result["error"] == f"{error}. Nothing was sent."
    assert (result["category"], result["retryable"]) == ("validation", True)
    assert result["hint"] == "Call list_things again with its arguments as one JSON object."


async def test_a_wrong_name_is_told_with_what_is_close(package: Any) -> None:
    async with executor(package) as found:
        answers = await found.run([chat("1", "getThing"), chat("2", "fly"), chat("3", None), 5, None])
    assert [told(answer)["error"] for answer in answers] == [
        "There is no tool 'getThing'. Close: get_thing, make_thing. Nothing was sent.",
        "There is no tool 'fly'. Nothing was sent.",
        *["The call names no tool. Nothing was sent."] * 3,
    ]
    assert [answer["tool_call_id"] for answer in answers] == ["1", "2", "3", "", ""]


async def test_an_id_that_came_before_is_not_called_again(package: Any) -> None:
    async with executor(package) as found:
        answers = await found.run(
            [chat("1", "make_thing", '{"name": "a"}'), chat("1", "make_thing", '{"name": "a"}')]
        )
    assert len(package.requests) == 1
    assert [told(answer)["ok"] for answer in answers] == [True, False]
    assert told(answers[1])["error"].startswith("An earlier call of the same turn has this id")


async def test_a_tool_that_is_not_allowed_is_no_tool(package: Any) -> None:
    async with executor(package, environ={"SHOP_ALLOW_EFFECTS": "read"}) as found:
        [answer] = await found.run([chat("1", "make_thing", '{"name": "a"}')])
        assert [tool["function"]["name"] for tool in found.tools] == ["get_thing", "list_things"]
    assert told(answer)["category"] == "not_found"
    assert package.requests == []


async def test_reads_are_made_side_by_side_and_writes_in_their_place(package: Any) -> None:
    running: list[str] = []
    together: list[list[str]] = []
    met = anyio.Event()

    async def slow(request: httpx2.Request) -> httpx2.Response:
        nonlocal met
        name = f"{request.method} {request.url.path[-1]}"
        running.append(name)
        together.append(sorted(running))
        if request.method == "POST":
            met = anyio.Event()
        if len(running) == 2:
            met.set()
        if request.method == "GET":
            with anyio.fail_after(60):
                await met.wait()
        if name == "GET a":
            await anyio.sleep(0.02)  # it is answered last of the two, and comes first all the same
        running.remove(name)
        return httpx2.Response(200, json={"path": request.url.path[-1]})

    calls = [
        *(chat(n, "get_thing", {"id": n}) for n in "ab"),
        chat("c", "make_thing", {"name": "x"}),
        chat("d", "make_thing", {"name": "y"}),
        *(chat(n, "get_thing", {"id": n}) for n in "efg"),
    ]
    async with executor(package, handler=slow, parallel=2) as found:
        answers = await found.run(calls)
    assert [answer["tool_call_id"] for answer in answers] == list("abcdefg")
    assert [told(answer)["data"]["path"] for answer in answers] == ["a", "b", "s", "s", "e", "f", "g"]
    assert together[1:4] == [["GET a", "GET b"], ["POST s"], ["POST s"]]
    assert max(map(len, together[4:])) == 2


@pytest.mark.parametrize("calls", [None, [], 5, ()])
async def test_nothing_to_call_is_no_answer(package: Any, calls: Any) -> None:
    async with executor(package) as found:
        assert await found.run(calls) == []


async def test_unknown_formats_are_an_error_at_once(package: Any) -> None:
    with pytest.raises(ValueError, match="'cohere' is not one of"):
        async with executor(package, format="cohere"):
            pass


async def test_calls_are_audited(package: Any, tmp_path: Any) -> None:
    log = tmp_path / "audit.jsonl"
    async with executor(package, environ={"SHOP_AUDIT": str(log)}) as found:
        await found.run([chat("1", "list_things"), chat("2", "lst_things"), chat("3", "list_things", "{")])
    entries = [json.loads(line) for line in log.read_text().splitlines()]
    assert sorted(entry["tool"] for entry in entries) == ["list_things", "list_things", "lst_things"]

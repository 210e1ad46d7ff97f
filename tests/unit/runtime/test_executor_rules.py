"""The executor keeps the rules of the server: consent, validation, bounds, modes, audit."""

from __future__ import annotations

import json
from typing import Any

import httpx2
import pytest

from mcpgen.runtime import SettingsError

from .executing import chat, executor, operations, told

pytestmark = pytest.mark.anyio


@pytest.fixture
def package(build: Any, op: Any) -> Any:
    return build(**operations(op))


async def test_what_needs_consent_is_refused_where_nobody_is_asked(package: Any) -> None:
    async with executor(package) as found:
        [answer] = await found.run([chat("1", "drop_thing", '{"id": "a"}')])
    assert told(answer)["category"] == "permission"
    assert "needs the user's consent" in told(answer)["error"]
    assert package.requests == []


@pytest.mark.parametrize("waiting", [True, False])
async def test_the_program_can_ask_the_user(package: Any, waiting: bool) -> None:
    questions: list[str] = []

    def ask(question: str) -> Any:
        questions.append(question)
        agreed = '"yes"' in question

        async def later() -> bool:
            return agreed

        return later() if waiting else agreed

    async with executor(package, confirm=ask) as found:
        calls = [chat("1", "drop_thing", '{"id": "no"}'), chat("2", "drop_thing", '{"id": "yes"}')]
        answers = await found.run(calls)
    assert told(answers[0])["error"] == "The user did not agree to this call. Nothing was done."
    assert told(answers[1])["ok"]
    assert [request.url.path for request in package.requests] == ["/v1/things/yes"]
    assert questions[0] == 'Drop thing\nid: "no"\nThis can\'t be undone. Go ahead?'


@pytest.mark.parametrize("answer", ["no", "yes", 1, None])
async def test_only_true_is_consent(package: Any, answer: Any) -> None:
    async with executor(package, confirm=lambda _: answer) as found:
        [refused] = await found.run([chat("1", "drop_thing", '{"id": "a"}')])
    assert told(refused)["error"] == "The user did not agree to this call. Nothing was done."
    assert package.requests == []


async def test_a_question_that_crashes_is_no_consent(package: Any) -> None:
    def ask(_: str) -> bool:
        raise RuntimeError("secret detail")

    async with executor(package, confirm=ask) as found:
        [answer] = await found.run([chat("1", "drop_thing", '{"id": "a"}')])
    assert told(answer)["category"] == "internal"
    assert "secret detail" not in json.dumps(answer)
    assert package.requests == []


async def test_a_strict_executor_takes_null_for_what_is_left_out(package: Any) -> None:
    calls = [chat("1", "make_thing", '{"name": "a", "note": null}')]
    async with executor(package, format="openai-strict") as found:
        assert all(one.strict for one in found.definitions)
        answers = await found.run(calls)
    async with executor(package, format="openai") as found:
        answers += await found.run(calls)
    assert [told(answer)["ok"] for answer in answers] == [True, True]
    assert [json.loads(request.content) for request in package.requests] == [
        {"name": "a"},
        {"name": "a", "note": None},
    ]
    assert "note" not in told(answers[0])


async def test_the_chain_is_the_server_s_own(package: Any) -> None:
    """Validation, repeats of what fails for good, redaction."""
    package.answer(httpx2.Response(404, json={"error": "no such thing"}))
    async with executor(package) as found:
        wrong = await found.run([chat("1", "get_thing", '{"ident": "a"}')])
        same = [chat("2", "get_thing", '{"id": "a"}')]
        for _ in range(3):
            again = await found.run(same)
    assert "`id` is missing" in told(wrong[0])["error"]
    assert len(package.requests) == 2
    assert "has failed like this twice" in told(again[0])["error"]


async def test_text_is_bounded(package: Any) -> None:
    package.answer(httpx2.Response(200, json=[{"text": "x" * 100}] * 500))
    async with executor(package, max_result_bytes=2000) as found:
        [answer] = await found.run([chat("1", "list_things")])
    assert len(answer["content"]) <= 2000
    assert "of 500" in told(answer)["note"]
    with pytest.raises(SettingsError, match="MAX_RESULT_BYTES"):
        async with executor(package, max_result_bytes=10):
            pass


async def test_the_search_mode_has_its_own_tools(package: Any) -> None:
    async with executor(package, environ={"SHOP_MODE": "search"}) as found:
        names = [tool["function"]["name"] for tool in found.tools]
        calls = [
            chat("1", "find_tools", '{"query": "list things"}'),
            chat("2", "call_write_tool", '{"name": "make_thing", "arguments": {"name": "a"}}'),
            chat("3", "make_thing", '{"name": "a"}'),
        ]
        answers = await found.run(calls)
    assert "call_write_tool" in names
    assert [told(answer)["ok"] for answer in answers] == [True, True, False]
    assert len(package.requests) == 1


HOOKS = """
from mcpgen.runtime import tool

@tool(effect="write", title="Make two", description="Makes two things.")
async def make_two(call, name: str):
    await call.use("make_thing", {"name": name})
    return await call.use("make_thing", {"name": name + "2"})
"""


async def test_the_team_s_own_tools_are_offered_too(build: Any, op: Any) -> None:
    package = build(_hooks=HOOKS, **operations(op))
    async with executor(package, format="openai-strict") as found:
        assert "make_two" in [tool["function"]["name"] for tool in found.tools]
        [answer] = await found.run([chat("1", "make_two", '{"name": "a"}')])
    assert told(answer)["ok"]
    assert [json.loads(request.content)["name"] for request in package.requests] == ["a", "a2"]

"""The server that the MCP conformance suite is run against, in memory; and how a run of the suite is judged."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx2
import pytest
from mcp import Client, MCPError
from mcp_types import CreateMessageResult, ElicitResult, TextContent

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=["auto", "legacy"])
def mode(request: pytest.FixtureRequest) -> str:
    """Both protocol eras."""
    return str(request.param)


@pytest.fixture(scope="module")
def modules() -> Iterator[dict[str, ModuleType]]:
    """The overlay, the judge and the generated server, imported from where they lie and forgotten afterwards."""
    before = set(sys.modules)
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.syspath_prepend(str(ROOT / "tests" / "conformance"))
        monkeypatch.syspath_prepend(str(ROOT / "generated" / "orders" / "src"))
        import orders_mcp.server
        import overlay
        import results

        yield {"overlay": overlay, "results": results, "server": orders_mcp.server}
    for name in set(sys.modules) - before:
        if name.split(".")[0] in ("orders_mcp", "overlay", "results"):
            del sys.modules[name]


@pytest.fixture
def server(modules: dict[str, ModuleType]) -> Any:
    """The generated server of the example with the fixtures on top, in front of an API that knows no order."""
    api = httpx2.MockTransport(
        lambda request: httpx2.Response(404 if "ORD-1" not in str(request.url) else 200)
    )
    environ = {"ORDERS_BASE_URL": "http://api.test/v1", "ORDERS_BEARER_AUTH_TOKEN": "test-token"}
    return modules["overlay"].overlay(modules["server"].build(environ=environ, transport=api))


async def say_ann(*_: Any) -> ElicitResult:
    return ElicitResult(action="accept", content={"name": "Ann", "color": "blue"})


async def think(*_: Any) -> CreateMessageResult:
    return CreateMessageResult(role="assistant", content=TextContent(text="Paris"), model="none")


async def test_overlay_keeps_the_generated_tools_and_adds_fixtures(server: Any, mode: str) -> None:
    async with Client(server, mode=mode) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        fixture = await client.call_tool("test_simple_text", {})
        order = await client.call_tool("get_order", {"order_id": "ORD-200000"})
        wrong = await client.call_tool("get_order", {"order_id": "7"})
        with pytest.raises(MCPError, match="Unknown tool"):
            await client.call_tool("test_nothing", {})

    assert {"get_order", "search_orders", "test_simple_text"} <= set(names)
    assert len(names) == len(set(names))
    assert fixture.content[0].text == "This is a simple text response for testing."
    assert order.is_error
    assert order.structured_content["category"] == "not_found"
    assert wrong.structured_content["category"] == "validation"


async def test_overlay_asks_the_client_in_the_way_of_its_era(server: Any, mode: str) -> None:
    callbacks = {"elicitation_callback": say_ann, "sampling_callback": think}
    async with Client(server, mode=mode, **callbacks) as client:
        rounds = await client.call_tool("test_input_required_result_multi_round", {})
        sampled = await client.call_tool("test_sampling", {"prompt": "Capital?"})
        prompt = await client.get_prompt("test_input_required_result_prompt")

    assert json.loads(rounds.content[0].text)["step2"]["content"]["color"] == "blue"
    assert json.loads(sampled.content[0].text)["answer"]["content"]["text"] == "Paris"
    assert prompt.messages[0].role == "user"


async def test_overlay_asks_only_what_the_client_can_answer(server: Any, mode: str) -> None:
    async with Client(server, mode=mode, sampling_callback=think) as client:
        asked = await client.call_tool("test_input_required_result_capabilities", {})
    async with Client(server, mode=mode) as client:
        silent = await client.call_tool("test_input_required_result_request_state", {})

    assert list(json.loads(asked.content[0].text)) == ["capital_question"]
    assert not silent.is_error


async def test_overlay_serves_resources_and_prompts(server: Any, mode: str) -> None:
    async with Client(server, mode=mode) as client:
        uris = [resource.uri for resource in (await client.list_resources()).resources]
        data = await client.read_resource("test://template/123/data")
        prompt = await client.get_prompt("test_prompt_with_arguments", {"arg1": "x", "arg2": "y"})
        with pytest.raises(MCPError, match="not found"):
            await client.read_resource("test://template/1/2/data")

    assert "test://static-text" in [str(uri) for uri in uris]
    assert json.loads(data.contents[0].text)["id"] == "123"
    assert prompt.messages[0].content.text == "Prompt with arguments: arg1='x', arg2='y'"


BASELINE = ["all:a", "whole", "gone:x"]


@pytest.mark.parametrize(
    ("name", "checks", "unexpected", "stale"),
    [
        ("new", {"a": "FAILURE"}, ("new:a",), ("all:a", "gone:x", "whole")),
        ("new", {"a": "WARNING"}, ("new:a",), ("all:a", "gone:x", "whole")),
        ("new", {"a": "SKIPPED", "b": "INFO"}, (), ("all:a", "gone:x", "whole")),
        ("all", {"a": "FAILURE", "b": "SUCCESS"}, (), ("gone:x", "whole")),
        ("all", {"a": "SKIPPED", "b": "FAILURE"}, ("all:b",), ("gone:x", "whole")),
        ("all", {"a": "SUCCESS"}, (), ("all:a", "gone:x", "whole")),
        ("whole", {"a": "FAILURE", "b": "WARNING"}, (), ("all:a", "gone:x")),
        ("whole", {"a": "SUCCESS"}, (), ("all:a", "gone:x", "whole")),
    ],
)
def test_judge_wants_exactly_the_expected_failures(
    modules: dict[str, ModuleType],
    name: str,
    checks: dict[str, str],
    unexpected: tuple[str, ...],
    stale: tuple[str, ...],
) -> None:
    results = modules["results"]
    verdict = results.judge([results.Scenario(name, True, {}, checks, {})], BASELINE)

    assert (verdict.unexpected, verdict.stale) == (unexpected, stale)


def test_a_run_is_read_with_the_worst_status_of_each_check(
    modules: dict[str, ModuleType], tmp_path: Path
) -> None:
    requirements = tmp_path / "requirements.yaml"
    requirements.write_text(
        "server: [ping, server-stateless]\n"
        "not_scored: [{scenario: tasks, leg: server}, {scenario: auth, leg: client}]\n"
    )
    for folder, checks in {
        "server-server-stateless-2026-11-30T06-49-29-368Z": [
            {"id": "a", "status": "SUCCESS"},
            {"id": "a", "status": "FAILURE", "errorMessage": "broken"},
            {"id": "a", "status": "SUCCESS"},
        ],
        "server-ping-2026-11-30T06-49-29-368Z": [{"id": "ping", "status": "SUCCESS"}],
    }.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "checks.json").write_text(json.dumps(checks))

    ping, stateless, tasks = modules["results"].read(tmp_path, requirements)

    assert (ping.name, ping.scored, ping.failing) == ("ping", True, [])
    assert (stateless.checks, stateless.reasons) == ({"a": "FAILURE"}, {"a": "broken"})
    assert (tasks.scored, tasks.failing) == (False, ["did-not-run"])

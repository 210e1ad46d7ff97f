"""Progress of long calls: told to clients that want it, in numbers that only grow, and never in the way of the call."""

from __future__ import annotations

from functools import partial
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

from mcpgen.runtime import build_server
from mcpgen.runtime.chain.progressing import Progressing
from mcpgen.runtime.outcomes.failures import CallFailed, invalid
from mcpgen.runtime.outcomes.result import Result
from mcpgen.runtime.serving.progress import Progress

from .http_serving import peer_running, serving

pytestmark = pytest.mark.anyio

Report = tuple[float, float | None, str | None]


class Heard:
    """What a client hears."""

    def __init__(self) -> None:
        self.reports: list[Report] = []

    async def __call__(self, done: float, total: float | None, message: str | None) -> None:
        self.reports.append((done, total, message))


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture(autouse=True)
def ticking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcpgen.runtime.chain.order.Progressing", partial(Progressing, 0.05))


def server(package: Any, heard: Heard, reports: int) -> Any:
    """The API answers when the client has heard so many reports, or after a while when it hears none."""

    async def slow(request: httpx2.Request) -> httpx2.Response:
        with anyio.move_on_after(0.2 if not reports else 60):
            while len(heard.reports) < (reports or 1):
                await anyio.sleep(0.01)
        return httpx2.Response(200, json={"id": 1})

    return build_server(package.name, environ={}, transport=httpx2.MockTransport(slow))


async def test_a_client_that_asked_hears_the_seconds(build: Any, op: Any, mode: str, heard: Heard) -> None:
    async with Client(server(build(get=op()), heard, 3), mode=mode) as client:
        result = await client.call_tool("get", {}, progress_callback=heard)
        assert result.structured_content == {"ok": True, "data": {"id": 1}}
        before = len(heard.reports)
        await anyio.sleep(0.12)
        assert len(heard.reports) == before, "the call is over"
    assert [done for done, _, _ in heard.reports[:3]] == pytest.approx([0.05, 0.1, 0.15])
    assert heard.reports[0] == (0.05, None, "Waiting for the API (0.05 s)")


async def test_so_it_is_over_http(build: Any, op: Any, mode: str, heard: Heard) -> None:
    import threading

    package = build(get=op())
    with peer_running() as peer, serving(package, peer, tokens=False) as served:
        peer.pause = threading.Event()
        async with (
            httpx2.AsyncClient(trust_env=False) as http,
            Client(
                streamable_http_client(f"http://127.0.0.1:{served.port}/mcp", http_client=http), mode=mode
            ) as client,
            anyio.create_task_group() as group,
        ):

            async def answer_later() -> None:
                while len(heard.reports) < 2:
                    await anyio.sleep(0.01)
                peer.pause.set()

            group.start_soon(answer_later)
            with anyio.fail_after(60):
                result = await client.call_tool("get", {}, progress_callback=heard)
    assert result.structured_content == {"ok": True, "data": {"id": 7}}
    assert heard.reports[0] == (0.05, None, "Waiting for the API (0.05 s)")


async def test_one_that_did_not_ask_hears_nothing(build: Any, op: Any, mode: str) -> None:
    notified: list[Any] = []

    async def notice(message: Any) -> None:
        notified.append(message)

    found = server(build(get=op()), Heard(), 0)
    async with Client(found, mode=mode, message_handler=notice) as client:
        assert (await client.call_tool("get", {})).structured_content["ok"]
    assert not [m for m in notified if "progress" in str(getattr(m, "method", ""))]


HOOKS = """
import anyio

async def after_result(call, result):
    await anyio.sleep(0.12)
    await call.progress(1, 3, "one of three")
    await anyio.sleep(0.12)
    await call.progress(1, 3, "still one")
    await call.progress(0.5, 3, "back")
    await call.progress(2, 3, "two of three")
"""


async def test_the_tools_own_reports_go_on_from_there(build: Any, op: Any, mode: str, heard: Heard) -> None:
    package = build(get=op(), _hooks=HOOKS)
    async with Client(package.server(), mode=mode) as client:
        assert (await client.call_tool("get", {}, progress_callback=heard)).structured_content["ok"]
    clock = [report for report in heard.reports if str(report[2]).startswith("Waiting")]
    own = heard.reports[len(clock) :]
    base = clock[-1][0]
    assert [message for _, _, message in own] == ["one of three", "two of three"]
    assert [done for done, _, _ in own] == pytest.approx([base + 1, base + 2])
    assert [total for _, total, _ in own] == pytest.approx([base + 3, base + 3])
    numbers = [done for done, _, _ in heard.reports]
    assert numbers == sorted(set(numbers))


async def test_tools_alone_report_their_numbers_as_they_are() -> None:
    told: list[Report] = []
    progress = Progress(pretended(told))
    for done in (0, 1, 1, 3, 2, 4):
        await progress.tell(done, 4)
    await progress.wait(60.0, "the clock is silent now")
    assert [done for done, _, _ in told] == [0, 1, 3, 4]


def pretended(told: list[Report]) -> Any:
    class Session:
        async def report_progress(
            self, done: float, total: float | None = None, message: str | None = None
        ) -> None:
            told.append((done, total, message))

    class Context:
        session = Session()

    return Context()


class FakeCall:
    """As much of a call as the link looks at."""

    trace_id = "trace"

    def __init__(self, context: Any) -> None:
        self.context = context
        self.reports = Progress(context)


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("bug"),
        invalid("wrong"),
        MCPError(code=-32602, message="no"),
        ExceptionGroup("g", [KeyError("x")]),
    ],
)
async def test_what_ends_a_call_comes_out_as_it_was(error: Exception) -> None:
    async def fails(_: Any) -> Result[Any]:
        raise error

    with pytest.raises(type(error)) as raised:
        await Progressing(60)(FakeCall(pretended([])), fails)  # type: ignore[arg-type]
    assert raised.value is error


async def test_a_cancelled_call_stays_cancelled() -> None:
    passed: list[str] = []

    async def hangs(_: Any) -> Result[Any]:
        try:
            await anyio.sleep(60)
        except anyio.get_cancelled_exc_class():
            passed.append("inside")
            raise
        raise AssertionError

    async def watched() -> None:
        await Progressing(0.005)(FakeCall(pretended([])), hangs)  # type: ignore[arg-type]
        passed.append("went on")

    async with anyio.create_task_group() as group:
        group.start_soon(watched)
        await anyio.wait_all_tasks_blocked()
        group.cancel_scope.cancel()
    assert passed == ["inside"]


async def test_a_client_that_is_gone_does_not_end_the_call() -> None:
    class Gone:
        async def report_progress(self, *_: Any) -> None:
            raise anyio.ClosedResourceError

    class Context:
        session = Gone()

    async def takes_time(_: Any) -> Result[Any]:
        await anyio.sleep(0.03)
        return Result(data=1)

    result = await Progressing(0.005)(FakeCall(Context()), takes_time)  # type: ignore[arg-type]
    assert result.data == 1


async def test_a_call_without_a_client_is_not_watched() -> None:
    async def fails(_: Any) -> Result[Any]:
        raise CallFailed(invalid("wrong").failure)

    with pytest.raises(CallFailed):
        await Progressing(0.001)(FakeCall(None), fails)  # type: ignore[arg-type]

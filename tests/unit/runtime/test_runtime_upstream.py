"""Limits of one host: how many requests at a time and a second, a bounded queue, an order, and no slot lost."""

from __future__ import annotations

import itertools
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client

from mcpgen.runtime import build_server
from mcpgen.runtime.outcomes.failures import CallFailed
from mcpgen.runtime.setup.settings import Settings
from mcpgen.runtime.transport.upstream import Pace, Upstream, Upstreams

pytestmark = pytest.mark.anyio


class Door:
    """An API that answers only when it is told to, and knows how many are inside."""

    def __init__(self) -> None:
        self.inside = self.most = 0
        self.order: list[str] = []
        self.open = anyio.Event()

    async def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.order.append(request.url.params.get("n", ""))
        self.inside += 1
        self.most = max(self.most, self.inside)
        try:
            await self.open.wait()
        finally:
            self.inside -= 1
        return httpx2.Response(200, json={"id": 1})


@pytest.fixture
def shop(build: Any, op: Any) -> Any:
    n = [("query", "n", {"type": "string"}, {})]
    other = {"servers": ["https://other.example.com/"]}
    return build(get=op(params=n), add=op(method="POST", effect="write"), other=op(more=other))


def client(shop: Any, door: Any, mode: str = "auto", **settings: str) -> Client:
    environ = {f"SHOP_{name}": value for name, value in settings.items()}
    return Client(build_server(shop.name, environ=environ, transport=httpx2.MockTransport(door)), mode=mode)


async def waiting(condition: Any) -> None:
    with anyio.fail_after(60):
        while not condition():
            await anyio.sleep(0.005)


async def test_no_more_than_so_many_are_in_flight(shop: Any, mode: str) -> None:
    door, results = Door(), []

    async def call(found: Client) -> None:
        results.append((await found.call_tool("get", {})).structured_content["ok"])

    async with client(shop, door, mode, MAX_CONCURRENCY="3") as found, anyio.create_task_group() as group:
        for _ in range(10):
            group.start_soon(call, found)
        await waiting(lambda: door.inside == 3)
        await anyio.wait_all_tasks_blocked()
        assert door.inside == 3
        door.open.set()
    assert results == [True] * 10
    assert door.most == 3


async def test_none_is_any_number(shop: Any) -> None:
    door = Door()
    settings = {"MAX_CONCURRENCY": "0", "MAX_QUEUE": "0"}
    async with client(shop, door, **settings) as found, anyio.create_task_group() as group:
        for _ in range(90):
            group.start_soon(found.call_tool, "get", {})
        await waiting(lambda: door.inside == 90)
        door.open.set()


async def test_they_come_in_the_order_in_which_they_asked(shop: Any) -> None:
    door = Door()
    async with client(shop, door, MAX_CONCURRENCY="1") as found, anyio.create_task_group() as group:
        for number in range(8):
            group.start_soon(found.call_tool, "get", {"n": str(number)})
            await anyio.wait_all_tasks_blocked()
        door.open.set()
    assert door.order == [str(number) for number in range(8)]


@pytest.mark.parametrize("tool", ["get", "add"])
async def test_a_full_queue_is_answered_at_once(shop: Any, mode: str, tool: str) -> None:
    door = Door()
    async with client(shop, door, mode, MAX_CONCURRENCY="1", MAX_QUEUE="2") as found:
        async with anyio.create_task_group() as group:
            for _ in range(3):
                group.start_soon(found.call_tool, "get", {})
            await waiting(lambda: door.inside == 1)
            await anyio.wait_all_tasks_blocked()
            told = (await found.call_tool(tool, {})).structured_content
            door.open.set()
        assert (await found.call_tool("get", {})).structured_content["ok"]
    nothing = " Nothing was sent." if tool == "add" else ""
    assert told["error"] == f"Too many calls are waiting for the API already.{nothing}"
    assert (told["category"], told["retryable"], "status" in told) == ("transient", True, False)
    assert told["hint"] == f"Wait 1 seconds, then call {tool} again with the same arguments."
    assert len(door.order) == 4


async def test_the_wait_for_a_turn_is_part_of_the_calls_time(shop: Any, mode: str, tmp_path: Any) -> None:
    door, policy = Door(), tmp_path / "policy.toml"
    policy.write_text("[tools.add]\ntimeout = 0.2\n")
    settings = {"MAX_CONCURRENCY": "1", "POLICY": str(policy)}
    async with client(shop, door, mode, **settings) as found, anyio.create_task_group() as group:
        group.start_soon(found.call_tool, "get", {})
        await waiting(lambda: door.inside == 1)
        told = (await found.call_tool("add", {})).structured_content
        door.open.set()
    assert told["error"] == "The API could not be asked within 0.2 seconds. Nothing was sent."
    assert (told["category"], told["retryable"]) == ("transient", True)


async def test_hosts_have_limits_of_their_own(shop: Any) -> None:
    door = Door()
    async with client(shop, door, MAX_CONCURRENCY="1") as found, anyio.create_task_group() as group:
        group.start_soon(found.call_tool, "get", {})
        group.start_soon(found.call_tool, "other", {})
        await waiting(lambda: door.inside == 2)
        door.open.set()


@pytest.mark.parametrize("ending", ["answer", "refusal", "error", "no connection", "crash"])
async def test_every_end_frees_the_slot(shop: Any, ending: str) -> None:
    def answer(_: httpx2.Request) -> httpx2.Response:
        if ending == "error":
            raise httpx2.ReadError("reset")
        if ending == "no connection":
            raise httpx2.ConnectError("refused")
        if ending == "crash":
            raise RuntimeError("bug")
        return httpx2.Response(200 if ending == "answer" else 404, json={})

    settings = {"MAX_CONCURRENCY": "1", "MAX_QUEUE": "0", "RETRIES": "0", "FAILURE_WINDOW": "0"}
    async with client(shop, answer, **settings) as found:
        for _ in range(4):
            told = (await found.call_tool("get", {})).structured_content
            assert "Too many" not in str(told)


async def test_tokens_have_no_turn(build: Any, op: Any) -> None:
    """The only turn of the host is taken while the token is fetched from the same host."""
    auth = {
        "oauth": {
            "type": "oauth2",
            "flows": {"clientCredentials": {"token_url": "https://api.example.com/token"}},
            "env": {"client_id": "SHOP_ID", "client_secret": "SHOP_SECRET"},
        }
    }
    shop = build(auth, get=op(), mine=op(path="/mine", more={"security": [{"oauth": []}]}))
    door = Door()

    async def answer(request: httpx2.Request) -> httpx2.Response:
        if request.url.path == "/token":
            return httpx2.Response(200, json={"access_token": "t", "token_type": "bearer"})
        return await door(request)

    settings = {"MAX_CONCURRENCY": "1", "ID": "me", "SECRET": "word"}
    async with client(shop, answer, **settings) as found, anyio.create_task_group() as group:
        group.start_soon(found.call_tool, "get", {})
        await waiting(lambda: door.inside == 1)
        group.start_soon(found.call_tool, "mine", {})
        door.open.set()
    assert len(door.order) == 2


# ---------------------------------------------------------------- a second


class Clock:
    """Time that passes only where somebody sleeps."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr("mcpgen.runtime.transport.upstream.current_time", lambda: self.now)
        monkeypatch.setattr("mcpgen.runtime.transport.upstream.sleep", self.sleep)

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.mark.parametrize("rate", [1, 2, 5, 2.5, 0.5, 0.1, 100])
async def test_no_second_has_more_starts_than_allowed(clock: Clock, rate: float) -> None:
    pace, starts = Pace(rate), []
    for pause in itertools.islice(itertools.cycle([0, 0, 0, 0.3 / rate, 0, 2 / rate]), 60):
        clock.now += pause
        expected = clock.now + pace.wait()
        await pace.start()
        assert clock.now == pytest.approx(expected)
        starts.append(clock.now)
    count = max(1, int(rate))
    for first, last in zip(starts, starts[count:], strict=False):
        assert last - first >= count / rate - 1e-6


async def test_a_burst_passes_at_once(clock: Clock) -> None:
    pace = Pace(5)
    for _ in range(5):
        await pace.start()
    assert clock.now == 1000.0
    assert pace.wait() == pytest.approx(1.0)
    assert pace.wait(ahead=5) == pytest.approx(2.0)
    clock.now += 0.4
    assert pace.wait(ahead=1) == pytest.approx(0.6)


async def test_the_pace_holds_for_calls(shop: Any, clock: Clock) -> None:
    starts: list[float] = []

    async def answer(_: httpx2.Request) -> httpx2.Response:
        starts.append(clock.now - 1000)
        return httpx2.Response(200, json={})

    async with client(shop, answer, MAX_RATE="20") as found, anyio.create_task_group() as group:
        for _ in range(43):
            group.start_soon(found.call_tool, "get", {})
    assert sorted(starts) == pytest.approx([0.0] * 20 + [1.0] * 20 + [2.0] * 3)


async def test_a_turn_that_comes_too_late_is_not_waited_for(shop: Any) -> None:
    async with client(shop, lambda _: httpx2.Response(200, json={}), MAX_RATE="0.1", TIMEOUT="5") as found:
        assert (await found.call_tool("get", {})).structured_content["ok"]
        told = (await found.call_tool("get", {})).structured_content
    assert told["error"] == "Too many calls are waiting for the API already."
    assert told["hint"] == "Wait 10 seconds, then call get again with the same arguments."


async def test_a_cancelled_wait_for_the_pace_gives_its_place_back() -> None:
    upstream = Upstream(Settings(max_rate=1, max_concurrency=1))
    async with upstream.turn():
        pass

    async def second() -> None:
        async with upstream.turn():
            raise AssertionError("too early")

    async with anyio.create_task_group() as group:
        group.start_soon(second)
        await anyio.wait_all_tasks_blocked()
        assert not upstream.idle
        group.cancel_scope.cancel()
    assert upstream.idle


async def test_what_is_refused_takes_no_place() -> None:
    upstream = Upstream(Settings(max_concurrency=1, max_queue=0))
    async with upstream.turn():
        for _ in range(3):
            with pytest.raises(CallFailed):
                async with upstream.turn():
                    raise AssertionError
        assert not upstream.idle
    assert upstream.idle


async def test_an_origin_is_one_host_however_it_is_written() -> None:
    hosts = Upstreams(Settings())
    assert hosts.of("https://api.example.com/v1/x?y") is hosts.of("HTTPS://API.example.com:443/v2")
    assert hosts.of("https://api.example.com/") is not hosts.of("http://api.example.com/")
    assert hosts.of("https://api.example.com/") is not hosts.of("https://api.example.com:444/")


async def test_forgotten_are_only_the_idle_ones() -> None:
    hosts = Upstreams(Settings())
    busy = hosts.of("https://busy.example.com/")
    async with busy.turn():
        for number in range(1000):
            hosts.of(f"https://tenant-{number}.example.com/")
        assert hosts.of("https://busy.example.com/") is busy
    assert len(hosts._known) <= 202

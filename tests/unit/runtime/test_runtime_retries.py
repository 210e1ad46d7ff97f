"""Repeats: which answers and errors lead to one, for which calls, after how long, and how many a host gets."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import anyio
import httpx2
import pytest

from mcpgen.runtime.transport.client import Answer, PreparedRequest
from mcpgen.runtime.transport.retries import Repeats, RetryBudget
from mcpgen.runtime.transport.unreachable import Unreachable

pytestmark = pytest.mark.anyio

BODY = {"content_type": "application/json", "kind": "json", "required": True}
KINDS: dict[str, dict[str, Any]] = {
    "get": {"method": "GET"},
    "post": {"method": "POST", "effect": "write"},
    "put": {"method": "PUT", "effect": "write"},
    "delete": {"method": "DELETE", "effect": "write"},
    "search": {"method": "POST", "effect": "read"},
    "upsert": {"method": "POST", "effect": "write", "more": {"idempotent": True}},
    "keyed": {"method": "POST", "effect": "write", "more": {"idempotency": {"header": "Idempotency-Key"}}},
}
ONCE = {"post"}
"""Of these a second request could do more than the first; all others are safe to repeat."""
REPEATED = [408, 425, 429, 502, 503, 504]
FINAL = [200, 201, 204, 304, 400, 401, 403, 404, 405, 409, 410, 412, 413, 415, 422, 431, 500, 501, 505, 507]
OK = httpx2.Response(200, json={"id": 1})
LOST = [
    httpx2.RemoteProtocolError("Server disconnected without sending a response."),
    httpx2.ReadError("reset"),
    httpx2.ReadTimeout("slow"),
    httpx2.WriteTimeout("slow"),
    httpx2.WriteError("reset"),
]
NEVER_LEFT = [
    httpx2.ConnectError("refused"),
    httpx2.ConnectTimeout("slow"),
    httpx2.ProxyError("407 Proxy Authentication Required"),
]


@pytest.fixture
def shop(build: Any, op: Any) -> Any:
    return build(**{name: op(**kind) for name, kind in KINDS.items()})


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("status", [*REPEATED, *FINAL])
async def test_answers(shop: Any, kind: str, status: int) -> None:
    shop.answer(httpx2.Response(status, json={}), OK)
    found = await shop.told(kind)
    again = status in REPEATED and kind not in ONCE
    assert len(shop.requests) == (2 if again else 1)
    assert found["ok"] is (again or status in (200, 201, 204, 304))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("error", LOST, ids=lambda error: type(error).__name__)
async def test_lost_answers(shop: Any, kind: str, error: Exception) -> None:
    shop.answer(error, OK)
    found = await shop.told(kind)
    assert len(shop.requests) == (1 if kind in ONCE else 2)
    assert found["ok"] is (kind not in ONCE)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("error", NEVER_LEFT, ids=lambda error: type(error).__name__)
async def test_requests_that_never_left(shop: Any, kind: str, error: Exception) -> None:
    shop.answer(error, OK)
    assert (await shop.told(kind))["ok"]
    assert len(shop.requests) == 2


@pytest.mark.parametrize("settings", [{"SHOP_RETRIES": "0"}, {"SHOP_RETRIES": "1"}, {"SHOP_RETRIES": "4"}])
async def test_there_are_as_many_as_the_operator_wants(shop: Any, settings: dict[str, str]) -> None:
    shop.answer(httpx2.Response(503))
    found = await shop.told("get", **settings)
    assert (found["category"], found["status"]) == ("transient", 503)
    assert len(shop.requests) == 1 + int(settings["SHOP_RETRIES"])


async def test_a_tool_has_its_own_number(shop: Any, tmp_path: Any) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text("[tools.get]\nretries = 3\n[tools.put]\nretries = 0\n")
    shop.answer(httpx2.Response(503))
    await shop.told("get", SHOP_POLICY=str(policy))
    assert len(shop.requests) == 4
    await shop.told("put", SHOP_POLICY=str(policy))
    assert len(shop.requests) == 5


async def test_the_operator_knows_what_is_idempotent(shop: Any, tmp_path: Any) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text(
        "[tools.post]\nidempotent = true\n[tools.put]\nidempotent = false\n[tools.keyed]\nidempotent = false\n"
    )
    shop.answer(httpx2.Response(503))
    for tool, requests in (("post", 3), ("put", 1), ("keyed", 1)):
        shop.requests.clear()
        await shop.told(tool, SHOP_POLICY=str(policy))
        assert len(shop.requests) == requests, tool


def date(seconds: int) -> str:
    return format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)


@pytest.mark.parametrize("asked", ["3", "date"])
async def test_retry_after_is_kept(shop: Any, no_waiting: list[float], asked: str) -> None:
    shop.answer(httpx2.Response(503, headers={"retry-after": date(3) if asked == "date" else asked}), OK)
    assert (await shop.told("get"))["ok"]
    assert len(no_waiting) == 1
    assert 2 <= no_waiting[0] <= 3


@pytest.mark.parametrize("asked", ["31", "date", "999999999999999999999"])
async def test_one_beyond_the_calls_time_is_told_instead(
    shop: Any, no_waiting: list[float], asked: str
) -> None:
    shop.answer(httpx2.Response(429, headers={"retry-after": date(40) if asked == "date" else asked}))
    found = await shop.told("get", SHOP_TIMEOUT="30")
    assert (len(shop.requests), no_waiting) == (1, [])
    assert found["hint"].startswith("Wait ")
    assert int(found["hint"].split()[1]) >= 31


async def test_nonsense_in_retry_after_is_no_wait(shop: Any, no_waiting: list[float]) -> None:
    shop.answer(httpx2.Response(503, headers={"retry-after": "soon"}), OK)
    assert (await shop.told("get"))["ok"]
    assert no_waiting[0] <= 0.5


async def test_waits_grow_and_are_spread(shop: Any, no_waiting: list[float]) -> None:
    shop.answer(httpx2.Response(503))
    for _ in range(40):
        await shop.told("get", SHOP_RETRIES="6", SHOP_RETRY_BUDGET="10")
    waits = [no_waiting[attempt::6] for attempt in range(6)]
    for attempt, found in enumerate(waits):
        most = min(0.5 * 2**attempt, 8.0)
        assert 0 <= min(found) < 0.4 * most
        assert 0.6 * most < max(found) <= most


async def test_no_repeat_is_begun_that_could_not_end(shop: Any) -> None:
    """The first attempt took half of the call's time; a second one of that length would be cut off."""

    async def slow(request: httpx2.Request) -> httpx2.Response:
        await anyio.sleep(0.5)
        return httpx2.Response(503)

    from mcp import Client

    from mcpgen.runtime import build_server

    asked: list[httpx2.Request] = []

    async def handle(request: httpx2.Request) -> httpx2.Response:
        asked.append(request)
        return await slow(request)

    transport = httpx2.MockTransport(handle)
    async with Client(
        build_server(shop.name, environ={"SHOP_TIMEOUT": "0.9"}, transport=transport)
    ) as client:
        result = await client.call_tool("get", {})
    assert result.structured_content["status"] == 503
    assert len(asked) == 1


async def test_an_outage_is_not_multiplied(shop: Any) -> None:
    from mcp import Client

    shop.answer(httpx2.Response(503))
    async with Client(shop.server(SHOP_RETRY_BUDGET="0.2", SHOP_FAILURE_WINDOW="0")) as client:
        for _ in range(100):
            await client.call_tool("get", {})
    assert 100 + 20 <= len(shop.requests) <= 100 + 20 + 12


async def test_no_budget_is_no_repeat(shop: Any) -> None:
    shop.answer(httpx2.Response(503))
    await shop.told("get", SHOP_RETRY_BUDGET="0")
    assert len(shop.requests) == 1


async def test_every_repeat_is_the_same_request(shop: Any) -> None:
    shop.answer(httpx2.Response(503), httpx2.ConnectError("refused"), OK)
    await shop.told("keyed")
    seen = {
        (r.method, str(r.url), r.content, tuple(v for v in r.headers.items() if v[0] != "traceparent"))
        for r in shop.requests
    }
    assert (len(shop.requests), len(seen)) == (3, 1)


async def test_the_reserve_comes_back_with_time() -> None:
    now = [0.0]
    budget = RetryBudget(0.01, clock=lambda: now[0])
    assert [budget.take() for _ in range(11)] == [True] * 10 + [False]
    now[0] += 6.1
    assert [budget.take() for _ in range(2)] == [True, False]
    now[0] += 3600
    assert sum(budget.take() for _ in range(20)) == 10


async def test_calls_earn_repeats_up_to_the_reserve() -> None:
    budget = RetryBudget(0.5, clock=lambda: 0.0)
    for _ in range(1000):
        budget.call()
    assert sum(budget.take() for _ in range(20)) == 10
    for _ in range(4):
        budget.call()
    assert sum(budget.take() for _ in range(20)) == 2


async def test_a_stream_of_a_hook_is_sent_once() -> None:
    async def once() -> Any:
        yield b"x"

    request = PreparedRequest("PUT", "https://api.example.com/", content=once())  # type: ignore[arg-type]
    repeats = Repeats(request, True, 3, RetryBudget(1, clock=lambda: 0.0))
    assert repeats.wait(1, Answer(503, httpx2.Headers(), b"", ""), 0.0) is None
    whole = Repeats(
        PreparedRequest("PUT", "https://a/", content=b"x"), True, 3, RetryBudget(1, clock=lambda: 0.0)
    )
    assert whole.wait(1, Answer(503, httpx2.Headers(), b"", ""), 0.0) is not None


async def test_what_lasts_is_not_tried_again() -> None:
    repeats = Repeats(PreparedRequest("GET", "https://a/"), True, 3, RetryBudget(1, clock=lambda: 0.0))
    assert repeats.wait(1, Unreachable("x", sent=False, lasting=True), 0.0) is None
    assert repeats.wait(1, Unreachable("x", sent=False), 0.0) is not None

"""What is said about a write that failed: not sent, done all the same, or nobody knows."""

from __future__ import annotations

from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client

from mcpgen.runtime import build_server
from mcpgen.runtime.app import App
from mcpgen.runtime.call import Call
from mcpgen.runtime.chain.order import call_chain
from mcpgen.runtime.record import Record

pytestmark = pytest.mark.anyio

LOOK = "It is not known whether the call took effect: look before you repeat it."
UNKNOWN = "It is not known whether the call took effect."
EARLIER = "An earlier attempt had no answer: it may have taken effect."
LOST = httpx2.RemoteProtocolError("Server disconnected without sending a response.")
REFUSED = httpx2.ConnectError("refused")
ID = [("path", "id", {"type": "string"}, {})]
KEY = ("header", "Idempotency-Key", {"type": "string"}, {})
HINTS = {"unknown": {"tool": "get", "same": {"id": "id"}}}


@pytest.fixture
def shop(build: Any, op: Any) -> Any:
    return build(
        get=op(path="/things/{id}", params=ID),
        add=op(method="POST", effect="write"),
        pay=op(method="POST", path="/things/{id}", effect="write", params=ID, more={"hints": HINTS}),
        drop=op(method="DELETE", path="/things/{id}", effect="write", params=ID),
        put=op(
            method="PUT", path="/things/{id}", effect="write", params=[*ID, ("header", "If-Match", {}, {})]
        ),
        keyed=op(
            method="POST",
            effect="write",
            params=[KEY],
            more={"idempotency": {"header": "Idempotency-Key"}},
        ),
    )


ONE = {"id": "1"}


@pytest.mark.parametrize(
    "error", [LOST, httpx2.ReadTimeout("slow"), httpx2.ReadError("reset"), httpx2.WriteTimeout("slow")]
)
async def test_a_lost_answer_leaves_the_fate_open(shop: Any, mode: str, error: Exception) -> None:
    shop.answer(error)
    found = await shop.told("pay", ONE, mode=mode)
    assert (found["category"], found["retryable"], "status" in found) == ("transient", True, False)
    assert found["error"].endswith(LOOK)
    assert found["hint"].startswith('Call get with {"id":"1"}.')


async def test_a_read_has_no_fate(shop: Any) -> None:
    shop.answer(LOST)
    assert (await shop.told("get", ONE))["error"] == "The API closed the connection without an answer."


async def test_one_that_is_safe_to_repeat_is_open_too(shop: Any) -> None:
    shop.answer(LOST)
    found = await shop.told("drop", ONE)
    assert found["error"] == f"The API closed the connection without an answer. {UNKNOWN}"
    assert found["hint"] == "Wait 5 seconds, then call drop again with the same arguments."
    assert len(shop.requests) == 3


@pytest.mark.parametrize("tool", ["pay", "drop"])
async def test_a_gateway_without_an_answer_leaves_it_open(shop: Any, tool: str) -> None:
    for status in (502, 504):
        shop.answer(httpx2.Response(status))
        found = await shop.told(tool, ONE)
        assert (found["category"], found["status"]) == ("transient", status)
        assert found["error"].endswith(LOOK if tool == "pay" else UNKNOWN)


@pytest.mark.parametrize("status", [400, 403, 409, 422, 429, 501, 503])
async def test_a_refusal_is_an_answer(shop: Any, status: int) -> None:
    shop.answer(httpx2.Response(status))
    found = await shop.told("pay", ONE)
    assert "not known" not in found["error"]
    assert "earlier" not in found["error"]


@pytest.mark.parametrize("status", [302, 500, 520, 524])
async def test_what_can_come_in_the_middle_of_a_call_leaves_it_open(shop: Any, status: int) -> None:
    shop.answer(httpx2.Response(status, headers={"location": "/v1/things/2"}, json={"message": "Oops"}))
    found = await shop.told("pay", ONE)
    assert (found["status"], found["error"].endswith(f". {LOOK}")) == (status, True)
    assert found["hint"].startswith('Call get with {"id":"1"}.')
    assert "known" not in (await shop.told("drop", ONE))["error"]  # that can simply be repeated


@pytest.mark.parametrize(
    ("tool", "given", "status"),
    [("drop", ONE, 404), ("drop", ONE, 410), ("put", ONE | {"if_match": '"1"'}, 412), ("put", ONE, 409),
     ("drop", ONE, 503), ("keyed", {}, 422)],
)  # fmt: skip
async def test_a_refusal_after_a_lost_answer_may_be_our_own_doing(
    shop: Any, tool: str, given: dict[str, str], status: int
) -> None:
    shop.answer(LOST, httpx2.Response(status))
    found = await shop.told(tool, given)
    assert (found["ok"], found["status"]) == (False, status)
    assert EARLIER in found["error"]


async def test_a_success_after_a_lost_answer_is_a_success(shop: Any) -> None:
    shop.answer(LOST, httpx2.Response(200, json={}))
    assert await shop.told("drop", ONE) == {"ok": True, "data": {}}


async def test_what_never_left_was_not_sent(shop: Any) -> None:
    shop.answer(REFUSED)
    assert (await shop.told("pay", ONE))["error"] == "The API could not be reached. Nothing was sent."
    shop.answer(LOST, REFUSED)
    assert (await shop.told("drop", ONE))["error"] == f"The API could not be reached. {UNKNOWN}"


async def test_a_damaged_answer_leaves_it_open(shop: Any) -> None:
    headers = {"content-type": "application/json", "content-encoding": "gzip"}
    shop.answer(lambda _: httpx2.Response(200, headers=headers, stream=httpx2.ByteStream(b"no gzip")))
    found = await shop.told("pay", ONE)
    assert (found["category"], found["retryable"]) == ("internal", False)
    assert found["error"] == f"The API answered, but its answer is damaged and can't be read. {LOOK}"
    assert found["hint"].startswith("Call get with")
    assert "known" not in (await shop.told("get", ONE))["error"]


AFTER = """
async def after_result(call, result):
    raise RuntimeError("bug")
"""
BEFORE = AFTER.replace("after_result", "before_request")


async def test_a_crash_after_the_answer(build: Any, op: Any, mode: str) -> None:
    package = build(
        get=op(),
        add=op(method="POST", effect="write", more={"hints": {"unknown": {"tool": "get"}}}),
        _hooks=AFTER,
    )
    package.answer(httpx2.Response(201, json={}))
    found = await package.told("add", mode=mode)
    assert (found["category"], found["retryable"], "status" in found) == ("internal", False, False)
    assert found["error"] == (
        "The tool failed because of a fault in this server. The API had already carried out the call (201)."
    )
    assert "Call get" in found["hint"]
    read = await package.told("get", mode=mode)
    assert read["error"] == "The tool failed because of a fault in this server."


async def test_a_crash_after_a_success_that_is_none(build: Any, op: Any) -> None:
    """The status says 200, the body that the call was refused."""
    schema = {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}
    package = build(add=op(method="POST", effect="write", data=schema), _hooks=AFTER)
    package.answer(httpx2.Response(200, json={"error": {"code": "funds", "message": "Not enough funds."}}))
    assert (await package.told("add"))["error"] == "The tool failed because of a fault in this server."


async def test_a_crash_after_a_refusal(build: Any, op: Any) -> None:
    package = build(add=op(method="POST", effect="write"), _hooks=AFTER)
    package.answer(httpx2.Response(422))
    assert (await package.told("add"))["error"] == "The tool failed because of a fault in this server."


async def test_a_crash_after_a_lost_answer(build: Any, op: Any) -> None:
    package = build(add=op(method="POST", effect="write"), _hooks=AFTER)
    package.answer(LOST)
    assert (await package.told("add"))["error"].endswith(f"fault in this server. {LOOK}")


async def test_a_crash_before_the_request(build: Any, op: Any) -> None:
    package = build(add=op(method="POST", effect="write"), _hooks=BEFORE)
    found = await package.told("add")
    assert found["error"] == "The tool failed because of a fault in this server. Nothing was sent."
    assert package.requests == []


async def test_a_result_that_is_no_json(build: Any, op: Any) -> None:
    hooks = """
from dataclasses import replace

async def after_result(call, result):
    return replace(result, data={1j})
"""
    package = build(add=op(method="POST", effect="write"), _hooks=hooks)
    package.answer(httpx2.Response(201, json={}))
    assert (await package.told("add"))["error"].endswith("carried out the call (201).")


SLOW_AFTER = """
import anyio

async def after_result(call, result):
    await anyio.sleep(10)
"""


async def test_a_call_cut_off_in_a_hook(build: Any, op: Any, mode: str) -> None:
    package = build(get=op(), add=op(method="POST", effect="write"), _hooks=SLOW_AFTER)
    package.answer(httpx2.Response(201, json={}))
    found = await package.told("add", mode=mode, SHOP_TIMEOUT="0.3")
    assert (found["category"], found["retryable"]) == ("transient", True)
    assert found["error"] == (
        "The call was not through within 0.3 seconds. The API had already carried out the call (201)."
    )
    read = await package.told("get", mode=mode, SHOP_TIMEOUT="0.3")
    assert read["error"] == "The call was not through within 0.3 seconds."


@pytest.mark.parametrize("tool", ["pay", "drop", "get"])
async def test_a_call_cut_off_while_the_api_works(shop: Any, mode: str, tool: str) -> None:
    async def slow(_: httpx2.Request) -> httpx2.Response:
        await anyio.sleep(10)
        raise AssertionError

    server = build_server(shop.name, environ={"SHOP_TIMEOUT": "0.3"}, transport=httpx2.MockTransport(slow))
    async with Client(server, mode=mode) as client:
        told = (await client.call_tool(tool, ONE)).structured_content
    words = {"pay": f" {LOOK}", "drop": f" {UNKNOWN}", "get": ""}[tool]
    assert told["error"] == f"The API did not answer within 0.3 seconds.{words}"


async def test_a_redirected_write_is_done(shop: Any) -> None:
    shop.answer(httpx2.Response(303, headers={"location": "https://elsewhere.example.net/"}))
    found = await shop.told("pay", ONE)
    assert (found["category"], found["status"]) == ("internal", 303)
    assert found["error"].endswith("The API had already carried out the call (303).")
    shop.answer(httpx2.Response(303, headers={"location": "/v1/things/1"}), httpx2.Response(404))
    found = await shop.told("pay", ONE)
    assert (found["status"], "carried out" in found["error"]) == (404, True)


async def test_a_key_that_makes_a_repeat_safe_is_told(shop: Any) -> None:
    shop.answer(LOST)
    found = await shop.told("keyed")
    (key,) = {request.headers["idempotency-key"] for request in shop.requests}
    assert found["error"].endswith(f'With `idempotency_key` "{key}" it is done at most once.')


# ---------------------------------------------------------------- what the record holds


async def record_of(package: Any, tool: str, arguments: dict[str, Any] | None = None) -> Record:
    app = App.start(package.name, {}, httpx2.MockTransport(package._handle))
    call = Call(app, app.operation(tool), arguments or {}, "trace")
    async with app.session():
        await call_chain(app)(call)
    return call.record


async def test_attempts_bytes_and_status_are_counted(build: Any, op: Any) -> None:
    body = {"content_type": "application/json", "kind": "json", "required": True}
    package = build(put=op(method="PUT", effect="write", body=body, fields={"n": {"type": "integer"}}))
    package.answer(REFUSED, LOST, httpx2.Response(503, content=b"down"), httpx2.Response(200, json={"id": 1}))
    app_record = await record_of(package, "put", {"n": 1})
    assert (app_record.attempts, app_record.status) == (3, 503)
    assert app_record.sent_bytes == 2 * len(b'{"n":1}')
    assert app_record.received_bytes == len(b"down")
    assert (app_record.sent, app_record.lost, app_record.accepted) == (True, True, None)
    again = await record_of(package, "put", {"n": 1})
    assert (again.attempts, again.status, again.accepted, again.lost) == (1, 200, 200, False)
    assert again.received_bytes == len(b'{"id":1}')
    assert again.api_seconds > 0


async def test_redirects_and_renewed_tokens_are_attempts(build: Any, op: Any) -> None:
    package = build(get=op())
    package.answer(httpx2.Response(302, headers={"location": "/v1/a"}), httpx2.Response(200, json={}))
    assert (await record_of(package, "get")).attempts == 2


async def test_a_call_that_is_cut_off_is_counted(build: Any, op: Any) -> None:
    async def slow(_: httpx2.Request) -> httpx2.Response:
        await anyio.sleep(10)
        raise AssertionError

    package = build(add=op(method="POST", effect="write"))
    app = App.start(package.name, {"SHOP_TIMEOUT": "0.3"}, httpx2.MockTransport(slow))
    call = Call(app, app.operation("add"), {}, "trace")
    async with app.session():
        await call_chain(app)(call)
    assert (call.record.attempts, call.record.sent, call.record.lost) == (1, True, True)
    assert call.record.api_seconds > 0

"""Idempotency keys: set by themselves, the same for all requests of a call, never over the caller's own."""

from __future__ import annotations

import re
import uuid
from typing import Any

import httpx2
import pytest

pytestmark = pytest.mark.anyio

NAME = "Idempotency-Key"
LOST = httpx2.RemoteProtocolError("Server disconnected without sending a response.")


def op_with_key(op: Any, *, entry: dict[str, Any] | None = None, **more: Any) -> Any:
    key = ("header", NAME, {"anyOf": [{"type": "string"}, {"type": "null"}]}, {})
    entry = entry or {"header": NAME}
    return op(method="POST", effect="write", params=[key], more={"idempotency": entry} | more)


@pytest.fixture
def shop(build: Any, op: Any) -> Any:
    return build(pay=op_with_key(op), plain=op(method="POST", effect="write"), read=op())


def keys(package: Any) -> list[str]:
    return [request.headers.get(NAME) for request in package.requests]


async def test_every_call_has_a_key_of_its_own(shop: Any, mode: str) -> None:
    for _ in range(3):
        await shop.told("pay", mode=mode)
    assert len(set(keys(shop))) == 3
    assert {uuid.UUID(key).version for key in keys(shop)} == {4}


async def test_all_requests_of_a_call_have_the_same(shop: Any, mode: str) -> None:
    shop.answer(LOST, httpx2.Response(503), httpx2.Response(201, json={"id": 1}))
    assert (await shop.told("pay", mode=mode))["data"] == {"id": 1}
    assert len(shop.requests) == 3
    assert len(set(keys(shop))) == 1


async def test_so_has_the_one_after_a_renewed_token(build: Any, op: Any) -> None:
    auth = {
        "oauth": {
            "type": "oauth2",
            "flows": {"clientCredentials": {"token_url": "https://id.example.com/token"}},
            "env": {"client_id": "SHOP_ID", "client_secret": "SHOP_SECRET"},
        }
    }
    package = build(auth, pay=op_with_key(op, security=[{"oauth": []}]))
    tokens: list[str] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        if request.url.path == "/token":
            tokens.append(f"token-{len(tokens)}")
            return httpx2.Response(200, json={"access_token": tokens[-1], "token_type": "bearer"})
        return httpx2.Response(401 if request.headers["authorization"].endswith("-0") else 201, json={})

    package.answer(answer)
    assert (await package.told("pay", SHOP_ID="me", SHOP_SECRET="word"))["ok"]
    found = [key for key in keys(package) if key is not None]
    assert (len(tokens), len(found), len(set(found))) == (2, 2, 1)


async def test_the_callers_own_key_wins(shop: Any, mode: str) -> None:
    shop.answer(httpx2.Response(503), httpx2.Response(201, json={}))
    assert (await shop.told("pay", {"idempotency_key": "order-7"}, mode=mode))["ok"]
    assert keys(shop) == ["order-7", "order-7"]


@pytest.mark.parametrize("given", [None, ""])
async def test_nothing_is_no_key(shop: Any, given: str | None) -> None:
    await shop.told("pay", {"idempotency_key": given})
    assert uuid.UUID(keys(shop)[0])


async def test_what_has_none_gets_none(shop: Any) -> None:
    await shop.told("plain")
    await shop.told("read")
    assert keys(shop) == [None, None]


async def test_keys_are_made_of_what_the_api_admits(build: Any, op: Any) -> None:
    entry = {"header": NAME, "alphabet": "0123456789abcdef", "length": 20}
    package = build(pay=op_with_key(op, entry=entry))
    for _ in range(5):
        await package.told("pay")
    assert len(set(keys(package))) == 5
    assert all(re.fullmatch("[0-9a-f]{20}", key) for key in keys(package))


async def test_a_key_that_nobody_can_make_up_is_the_callers(build: Any, op: Any) -> None:
    package = build(pay=op_with_key(op, entry={"header": NAME, "made": False}))
    package.answer(httpx2.Response(503))
    await package.told("pay")
    assert keys(package) == [None]
    package.answer(httpx2.Response(503), httpx2.Response(201, json={}))
    assert (await package.told("pay", {"idempotency_key": "ord_7"}))["ok"]
    assert keys(package)[1:] == ["ord_7", "ord_7"]


@pytest.fixture
def policy(tmp_path: Any) -> Any:
    def written(text: str) -> str:
        path = tmp_path / "policy.toml"
        path.write_text(text)
        return str(path)

    return written


async def test_the_operator_can_name_the_header(shop: Any, policy: Any) -> None:
    where = policy('[tools."*"]\nidempotency_header = "X-Once"\n')
    shop.answer(LOST, httpx2.Response(201, json={}))
    assert (await shop.told("plain", SHOP_POLICY=where))["ok"]
    first, second = (request.headers["x-once"] for request in shop.requests)
    assert first == second
    await shop.told("read", SHOP_POLICY=where)
    assert "x-once" not in shop.requests[-1].headers
    await shop.told("pay", SHOP_POLICY=where)
    assert "x-once" in shop.requests[-1].headers
    assert NAME not in shop.requests[-1].headers


async def test_the_operator_can_switch_it_off(shop: Any, policy: Any) -> None:
    shop.answer(LOST)
    found = await shop.told("pay", SHOP_POLICY=policy('[tools.pay]\nidempotency_header = ""\n'))
    assert keys(shop) == [None]
    assert "look before you repeat it" in found["error"]


async def test_the_same_header_keeps_the_form_of_its_keys(build: Any, op: Any, policy: Any) -> None:
    package = build(pay=op_with_key(op, entry={"header": NAME, "alphabet": "01", "length": 64}))
    await package.told("pay", SHOP_POLICY=policy('[tools.pay]\nidempotency_header = "idempotency-key"\n'))
    assert re.fullmatch("[01]{64}", keys(package)[0])


async def test_a_key_that_no_header_can_hold_sends_nothing(shop: Any) -> None:
    found = await shop.told("pay", {"idempotency_key": "a\r\nX-Evil: 1"})
    assert found["category"] == "validation"
    assert shop.requests == []

"""The example's back end keeps to its own description, and to its business rules."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
import yaml
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

ORDERS = Path(__file__).parents[2] / "specs" / "orders"
DOCUMENT: dict[str, Any] = yaml.safe_load((ORDERS / "openapi.yaml").read_text())
TOKEN = "test-token"


class Api:
    """The application, called in memory. Every answer is checked against openapi.yaml."""

    def __init__(self, app: Any) -> None:
        self._transport = httpx2.ASGITransport(app=app)

    def call(self, method: str, path: str, *, token: str | None = TOKEN, **rest: Any) -> httpx2.Response:
        async def send() -> httpx2.Response:
            headers = rest.pop("headers", {}) | ({"Authorization": f"Bearer {token}"} if token else {})
            async with httpx2.AsyncClient(transport=self._transport, base_url="http://orders/v1") as client:
                return await client.request(method, path, headers=headers, **rest)

        response = anyio.run(send)
        check(method, path, response)
        return response

    def manage(self, order: str, **body: Any) -> httpx2.Response:
        return self.call("POST", f"/orders/{order}/manage", json=body)

    def refund(self, order: str, key: str | None = None, **body: Any) -> httpx2.Response:
        headers = {"Idempotency-Key": key} if key else {}
        return self.call(
            "POST", f"/orders/{order}/refunds", json={"reason": "damaged", **body}, headers=headers
        )


def check(method: str, path: str, response: httpx2.Response) -> None:
    """The status is documented, and the body has the documented media type and schema."""
    forms = {template: re.sub(r"\{\w+\}", "[^/]+", template) for template in DOCUMENT["paths"]}
    [template] = [template for template, form in forms.items() if re.fullmatch(form, path.partition("?")[0])]
    documented = DOCUMENT["paths"][template][method.lower()]["responses"][str(response.status_code)]
    if "$ref" in documented:
        documented = DOCUMENT["components"]["responses"][documented["$ref"].rpartition("/")[2]]
    if "content" not in documented:
        assert response.content == b""
        return
    [(media_type, media)] = documented["content"].items()
    assert response.headers["content-type"] == media_type
    schema = {**media["schema"], "components": DOCUMENT["components"]}
    checker = Draft202012Validator.FORMAT_CHECKER
    Draft202012Validator(schema, format_checker=checker).validate(response.json())


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[Api]:
    monkeypatch.syspath_prepend(str(ORDERS))
    import backend

    yield Api(backend.create_app(TOKEN))
    for name in ("backend", "store"):
        sys.modules.pop(name, None)


def test_document_is_valid() -> None:
    assert not list(OpenAPIV31SpecValidator(DOCUMENT).iter_errors())


def test_examples_of_the_document_fit_their_schemas() -> None:
    found = 0
    waiting: list[Any] = [DOCUMENT]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            waiting += node.values()
            if "schema" in node and ("example" in node or "examples" in node):
                examples = [example["value"] for example in node.get("examples", {}).values()]
                examples += [node["example"]] if "example" in node else []
                for example in examples:
                    schema = {**node["schema"], "components": DOCUMENT["components"]}
                    Draft202012Validator(schema).validate(example)
                    found += 1
        elif isinstance(node, list):
            waiting += node
    assert found > 10


def test_search_finds_by_customer_item_state_and_date(api: Api) -> None:
    def numbers(query: str) -> list[str]:
        return [order["order_id"] for order in api.call("GET", f"/orders?{query}").json()["orders"]]

    assert numbers("query=KOVAC&status=packed") == ["ORD-100003"]
    assert numbers("query=standing%20desk") == ["ORD-100005", "ORD-100012"]
    assert numbers("status=packed&status=placed&placed_after=2026-03-10") == ["ORD-100009", "ORD-100004"]
    assert numbers("query=typewriter") == []


def test_search_pages_through_all_orders(api: Api) -> None:
    seen: list[str] = []
    cursor = ""
    while cursor is not None:
        page = api.call("GET", f"/orders?limit=5{cursor and '&cursor='}{cursor}").json()
        assert page["total"] == 12
        seen += [order["order_id"] for order in page["orders"]]
        cursor = page["next_cursor"]
    assert len(seen) == len(set(seen)) == 12


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=x", "status=lost", "cursor=x", "placed_after=soon", "colour=red"]
)
def test_search_refuses_wrong_arguments(api: Api, query: str) -> None:
    assert api.call("GET", f"/orders?{query}").status_code == 400


def test_order_with_and_without_tracking(api: Api) -> None:
    assert "tracking" not in api.call("GET", "/orders/ORD-100002").json()
    assert (
        api.call("GET", "/orders/ORD-100002?include_tracking=true").json()["tracking"]["carrier"]
        == "Nordpost"
    )
    assert api.call("GET", "/orders/ORD-100003?include_tracking=true").json()["tracking"] is None


def test_unknown_and_malformed_order_numbers_differ(api: Api) -> None:
    assert api.call("GET", "/orders/ORD-999999").status_code == 404
    assert api.call("GET", "/orders/ORD-1").status_code == 400
    assert api.call("GET", "/orders/ORD-10000\N{ARABIC-INDIC DIGIT ONE}").status_code == 400


@pytest.mark.parametrize("token", [None, "wrong"])
def test_token_is_needed(api: Api, token: str | None) -> None:
    response = api.call("GET", "/orders", token=token)
    assert response.status_code == 401
    assert response.headers["www-authenticate"] == "Bearer"


def test_tracking_of_an_order_in_the_warehouse_is_a_conflict(api: Api) -> None:
    assert api.call("GET", "/orders/ORD-100002/tracking").status_code == 200
    assert api.call("GET", "/orders/ORD-100003/tracking").status_code == 409


def test_refund_lowers_what_can_be_refunded(api: Api) -> None:
    made = api.refund("ORD-100001", amount_cents=2000)
    assert made.status_code == 201
    assert made.json()["refundable_cents"] == 6900
    assert api.call("GET", "/orders/ORD-100001").json()["refundable_cents"] == 6900


def test_refund_above_a_limit_is_refused_and_pays_nothing(api: Api) -> None:
    above_limit = api.refund("ORD-100005", amount_cents=50_001)
    assert above_limit.status_code == 409
    assert above_limit.json()["limit_cents"] == 50_000
    above_paid = api.refund("ORD-100001", amount_cents=8_901)
    assert above_paid.status_code == 409
    assert above_paid.json()["refundable_cents"] == 8_900
    assert api.call("GET", "/orders/ORD-100001").json()["refunded_cents"] == 0


def test_refund_with_the_same_key_is_paid_once(api: Api) -> None:
    first = api.refund("ORD-100001", key="same-key", amount_cents=2000).json()
    again = api.refund("ORD-100001", key="same-key", amount_cents=2000)
    assert again.status_code == 201
    assert again.json()["refund_id"] == first["refund_id"]
    assert api.call("GET", "/orders/ORD-100001").json()["refunded_cents"] == 2000
    assert api.refund("ORD-100001", key="same-key", amount_cents=1000).status_code == 409


@pytest.mark.parametrize(
    "body", [{}, {"amount_cents": 0}, {"amount_cents": "5"}, {"amount_cents": 5, "extra": 1}]
)
def test_malformed_refund(api: Api, body: dict[str, Any]) -> None:
    assert api.refund("ORD-100001", **body).status_code == 400


def test_cancellation_pays_back_and_is_final(api: Api) -> None:
    assert api.manage("ORD-100003", action="query").json()["possible_actions"] == ["cancel", "hold"]
    cancelled = api.manage("ORD-100003", action="cancel", reason="Ordered twice.").json()
    assert (cancelled["status"], cancelled["refunded_cents"], cancelled["possible_actions"]) == (
        "cancelled",
        8900,
        [],
    )
    assert api.call("GET", "/orders/ORD-100003").json()["notes"][-1]["text"] == "Cancelled: Ordered twice."
    assert api.manage("ORD-100003", action="cancel").status_code == 409


@pytest.mark.parametrize("action", ["cancel", "hold"])
def test_shipped_order_is_left_alone(api: Api, action: str) -> None:
    assert api.manage("ORD-100002", action=action).status_code == 409
    assert api.call("GET", "/orders/ORD-100002").json()["status"] == "shipped"


def test_hold_is_open_dated_or_lifted(api: Api) -> None:
    assert api.manage("ORD-100004", action="hold", reason="Address").json()["hold"] == {
        "reason": "Address",
        "until": None,
    }
    dated = api.manage("ORD-100004", action="hold", until="2999-01-01T00:00:00+01:00").json()
    assert dated["hold"] == {"reason": None, "until": "2999-01-01T00:00:00+01:00"}
    assert api.manage("ORD-100004", action="hold", until=None).json()["hold"] is None
    assert api.manage("ORD-100004", action="hold", until="2001-01-01T00:00:00Z").json()["hold"] is None
    assert api.manage("ORD-100004", action="hold", until="soon").status_code == 400


def test_note_is_deleted_once(api: Api) -> None:
    assert api.call("DELETE", "/orders/ORD-100003/notes/NOTE-0001").status_code == 204
    assert api.call("DELETE", "/orders/ORD-100003/notes/NOTE-0001").status_code == 404
    assert api.call("DELETE", "/orders/ORD-100001/notes/NOTE-0002").status_code == 404


def test_program_prints_its_url_and_ends_with_its_parent() -> None:
    command = [sys.executable, str(ORDERS / "backend.py"), "--port", "0", "--until-stdin-closes"]
    environment = {**os.environ, "ORDERS_API_TOKEN": TOKEN}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        answer = httpx2.get(f"{url}/orders", headers={"Authorization": f"Bearer {TOKEN}"}, trust_env=False)
        assert json.loads(answer.content)["total"] == 12
        process.stdin.close()
        assert process.wait(timeout=10) == 0


def test_program_ends_on_sigterm() -> None:
    command = [sys.executable, str(ORDERS / "backend.py"), "--port", "0"]
    environment = {**os.environ, "ORDERS_API_TOKEN": TOKEN}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=10)

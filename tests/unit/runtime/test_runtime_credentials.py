"""Credentials: chosen by the operation, put where they belong, never shown."""

from __future__ import annotations

import base64
import json
from urllib.parse import parse_qs

import httpx2
import pytest

pytestmark = pytest.mark.anyio

AUTH = {
    "bearer": {"type": "http", "scheme": "bearer", "env": {"token": "SHOP_TOKEN"}},
    "custom": {"type": "http", "scheme": "Token", "env": {"token": "SHOP_CUSTOM"}},
    "basic": {
        "type": "http",
        "scheme": "basic",
        "env": {"username": "SHOP_USER", "password": "SHOP_PASSWORD"},
    },
    "header": {"type": "apiKey", "in": "header", "name": "X-Key", "env": {"key": "SHOP_HEADER"}},
    "query": {"type": "apiKey", "in": "query", "name": "api_key", "env": {"key": "SHOP_QUERY"}},
    "cookie": {"type": "apiKey", "in": "cookie", "name": "sid", "env": {"key": "SHOP_COOKIE"}},
    "oidc": {"type": "openIdConnect", "openid_url": "https://x", "env": {"token": "SHOP_OIDC"}},
    "mtls": {"type": "mutualTLS", "env": {}},
    "oauth": {
        "type": "oauth2",
        "token_url": "https://id.example.com/token",
        "env": {"token": "SHOP_OAUTH", "client_id": "SHOP_CLIENT", "client_secret": "SHOP_SECRET"},
    },
}


@pytest.fixture
def secured(build, op):
    def make(*alternatives: dict, **more):
        return build(AUTH, get=op(more={"security": list(alternatives)}, **more))

    return make


@pytest.mark.parametrize(
    ("scheme", "environ", "header"),
    [
        ("bearer", {"SHOP_TOKEN": "T-1"}, "Bearer T-1"),
        ("custom", {"SHOP_CUSTOM": "T-2"}, "Token T-2"),
        ("oidc", {"SHOP_OIDC": "T-3"}, "Bearer T-3"),
        ("oauth", {"SHOP_OAUTH": "T-4"}, "Bearer T-4"),
        (
            "basic",
            {"SHOP_USER": "ú", "SHOP_PASSWORD": "p:w"},
            "Basic " + base64.b64encode("ú:p:w".encode()).decode(),
        ),
    ],
)
async def test_authorization_headers(secured, scheme, environ, header) -> None:
    package = secured({scheme: []})
    await package.told("get", **environ)
    assert package.sent.headers["authorization"] == header


async def test_keys_in_header_query_and_cookie_together(secured) -> None:
    package = secured({"header": [], "query": [], "cookie": []})
    await package.told("get", SHOP_HEADER="K1", SHOP_QUERY="K 2", SHOP_COOKIE="K3")
    assert package.sent.headers["x-key"] == "K1"
    assert package.target == "/v1/things?api_key=K%202"
    assert package.sent.headers["cookie"] == "sid=K3"


async def test_the_first_alternative_that_can_be_met_is_used(secured) -> None:
    package = secured({"bearer": [], "header": []}, {"query": []}, {})
    await package.told("get", SHOP_TOKEN="T-1", SHOP_QUERY="K2")
    assert package.target == "/v1/things?api_key=K2"
    assert "authorization" not in package.sent.headers


async def test_no_security_means_no_credential(secured) -> None:
    package = secured()
    await package.told("get", SHOP_TOKEN="T-1", SHOP_QUERY="K2")
    assert package.target == "/v1/things"
    assert "authorization" not in package.sent.headers


async def test_optional_security_works_without_a_credential(secured) -> None:
    package = secured({"bearer": []}, {})
    assert (await package.told("get"))["ok"]
    package.requests.clear()
    await package.told("get", SHOP_TOKEN="T-1")
    assert package.sent.headers["authorization"] == "Bearer T-1"


async def test_a_missing_credential_is_a_permission_failure_before_any_request(secured, caplog, mode) -> None:
    package = secured({"bearer": []}, {"header": [], "mtls": []}, {"unknown": []})
    found = await package.told("get", mode=mode)
    assert (found["category"], found["retryable"]) == ("permission", False)
    assert "hint" not in found
    assert "SHOP_" not in str(found)
    assert "SHOP_TOKEN or SHOP_HEADER with a client certificate" in caplog.text
    assert package.requests == []


async def test_the_caller_can_not_replace_the_credential(secured) -> None:
    text = {"type": "string"}
    package = secured(
        {"query": [], "header": []}, params=[("query", "api_key", text, {}), ("header", "X-Key", text, {})]
    )
    await package.told("get", {"api_key": "mine", "x_key": "mine"}, SHOP_QUERY="K2", SHOP_HEADER="K1")
    assert package.target == "/v1/things?api_key=K2"
    assert package.sent.headers["x-key"] == "K1"


SECRET = "s3cret-value/with+signs"


async def test_secrets_are_masked_wherever_they_turn_up(secured, mode) -> None:
    package = secured({"header": []})
    echo = {
        "key": SECRET,
        SECRET: [f"see https://x/?k={SECRET}", "s3cret-value%2Fwith%2Bsigns"],
        "fine": "s3cret",
    }
    package.answer(httpx2.Response(200, json=echo))
    result = await package.call("get", SHOP_HEADER=SECRET, mode=mode)
    text = json.dumps(result.model_dump(mode="json"))
    assert SECRET not in text
    assert "with%2Bsigns" not in text
    assert result.structured_content["data"]["fine"] == "s3cret"
    package.answer(httpx2.Response(403, json={"message": f"key {SECRET} is blocked"}))
    found = await package.told("get", SHOP_HEADER=SECRET, mode=mode)
    assert found["error"] == "The API answered 403 Forbidden: key [redacted] is blocked"


async def test_names_are_masked_in_messages_but_are_data_in_data(secured) -> None:
    package, environ = secured({"basic": []}), {"SHOP_USER": "admin", "SHOP_PASSWORD": "pass-word"}
    package.answer(httpx2.Response(200, json={"role": "admin", "hint": "pass-word"}))
    assert (await package.told("get", **environ))["data"] == {"role": "admin", "hint": "[redacted]"}
    package.answer(httpx2.Response(403, json={"message": "admin may not; administrators may"}))
    found = await package.told("get", **environ)
    assert found["error"].endswith(": [redacted] may not; administrators may")


class Api:
    """An API with a token endpoint; it takes the tokens that it has given and not revoked."""

    def __init__(self) -> None:
        self.given: list[str] = []
        self.forms: list[dict] = []
        self.revoked: set[str] = set()
        self.calls: list[str] = []
        self.only_form = False
        self.down = False

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        if request.url.host != "id.example.com":
            self.calls.append(request.headers["authorization"])
            token = request.headers["authorization"].removeprefix("Bearer ")
            return httpx2.Response(401 if token in self.revoked else 200, json={})
        if self.down:
            return httpx2.Response(503)
        form = {name: values[0] for name, values in parse_qs(request.content.decode()).items()}
        self.forms.append(form)
        expected = "Basic " + base64.b64encode(b"client:shh-very-secret").decode()
        in_form = form.get("client_secret") == "shh-very-secret"
        if not in_form and (self.only_form or request.headers.get("authorization") != expected):
            return httpx2.Response(401, json={"error": "invalid_client"})
        self.given.append(f"token-{len(self.given)}-abcdef")
        return httpx2.Response(200, json={"access_token": self.given[-1], "expires_in": 3600})


CLIENT = {"SHOP_CLIENT": "client", "SHOP_SECRET": "shh-very-secret"}


@pytest.fixture
def oauth(secured):
    package, api = secured({"oauth": ["read", "list"]}), Api()
    package.answer(api)
    return package, api


async def test_client_credentials_are_exchanged_once_and_kept(oauth) -> None:
    from mcp import Client

    package, api = oauth
    async with Client(package.server(**CLIENT)) as client:
        for _ in range(3):
            assert not (await client.call_tool("get", {})).is_error
    assert api.forms == [{"grant_type": "client_credentials", "scope": "read list"}]
    assert api.calls == ["Bearer token-0-abcdef"] * 3


async def test_a_token_that_is_turned_down_is_renewed_once(oauth) -> None:
    package, api = oauth
    api.revoked = {"token-0-abcdef"}
    assert (await package.told("get", **CLIENT))["ok"]
    assert api.calls == ["Bearer token-0-abcdef", "Bearer token-1-abcdef"]
    api.revoked |= {f"token-{n}-abcdef" for n in range(9)}
    found = await package.told("get", **CLIENT)
    assert (found["category"], found["status"]) == ("permission", 401)
    assert len(api.calls) == 4


async def test_a_server_that_wants_the_client_in_the_form(oauth) -> None:
    package, api = oauth
    api.only_form = True
    assert (await package.told("get", **CLIENT))["ok"]


async def test_a_token_endpoint_that_refuses_or_is_down(oauth) -> None:
    package, api = oauth
    found = await package.told("get", **CLIENT | {"SHOP_SECRET": "wrong-secret"})
    assert found["category"] == "permission"
    api.down = True
    found = await package.told("get", **CLIENT)
    assert (found["category"], found["retryable"]) == ("transient", True)
    assert api.calls == []

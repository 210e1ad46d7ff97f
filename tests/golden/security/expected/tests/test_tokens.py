"""Tokens that this server gets by itself (OAuth 2.0 client credentials, RFC 6749, 4.4), against a stub of their issuer."""

from __future__ import annotations

import base64
from typing import Any
from urllib.parse import parse_qs

import httpx2
import pytest
from anyio.from_thread import BlockingPortal
from harness import CATALOG, CREDENTIALS, Session, environment
from mcp import Client
from picking import CALLS, OPERATIONS

from team_vault.server import build

ISSUER = "https://id.test/token"
SCHEMES: dict[str, dict[str, Any]] = {
    name: scheme
    for name, scheme in CATALOG["auth"].items()
    if scheme["type"] == "oauth2"
    and ("clientCredentials" in scheme.get("flows", {}) or scheme.get("token_url"))
    and "client_secret" in scheme["env"]
}
ID, SECRET = "our:id", "our secret+1/2"


class Api:
    """An API, and the issuer of its tokens: which token requests came, and which tokens."""

    def __init__(self) -> None:
        self.forms: list[dict[str, str]] = []
        self.proofs: list[str] = []
        self.tokens: list[str] = []
        self.issued: dict[str, Any] | httpx2.Response | None = None
        self.only_form = False
        self.ended: set[str] = set()

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        if str(request.url) != ISSUER:
            self.tokens.append(request.headers.get("authorization", ""))
            return httpx2.Response(401 if self.tokens[-1] in self.ended else 204)
        self.forms.append(
            {name: values[0] for name, values in parse_qs(request.content.decode()).items()}
        )
        self.proofs.append(request.headers.get("authorization", ""))
        if self.only_form and self.proofs[-1]:
            return httpx2.Response(401, json={"error": "invalid_client"})
        if isinstance(self.issued, httpx2.Response):
            return httpx2.Response(self.issued.status_code, content=self.issued.content)
        told = {
            "access_token": f"made-token-{len(self.forms)}",
            "token_type": "Bearer",
            "expires_in": 3600,
        }
        return httpx2.Response(200, json=told | (self.issued or {}))


class Server:
    """A server that has a client's credentials and no token, and a tool that needs one."""

    def __init__(self, portal: BlockingPortal, scheme: str, tool: str) -> None:
        self.api = Api()
        self.tool = tool
        told = CATALOG["auth"][scheme]
        self.settings = {
            name: value for name, value in environment().items() if name not in CREDENTIALS
        }
        self.settings |= {
            told["env"]["client_id"]: ID,
            told["env"]["client_secret"]: SECRET,
            told["options"]["token_url"]: ISSUER,
        }
        self.options: dict[str, str] = told["options"]
        self._portal = portal

    def call(self, times: int = 1, **options: str) -> dict[str, Any]:
        """The last result of some calls."""
        environ = self.settings | {self.options[name]: value for name, value in options.items()}
        server = build(environ=environ, transport=httpx2.MockTransport(self.api))
        with self._portal.wrap_async_context_manager(Client(server)) as client:
            for _ in range(times):
                is_error, result = Session(self._portal, client).call(self.tool, CALLS[self.tool])
                assert is_error is not result["ok"]
                assert SECRET not in str(result)
        return result


@pytest.fixture
def server(portal: BlockingPortal) -> Server:
    for tool in CALLS:
        for scheme in SCHEMES:
            if any(alternative.keys() == {scheme} for alternative in OPERATIONS[tool]["security"]):
                return Server(portal, scheme, tool)
    pytest.skip("no tool of this server can be called with a token of the server's own")


def test_one_token_is_fetched_and_kept(server: Server) -> None:
    assert server.call(3)["ok"]
    [form] = server.api.forms
    assert form["grant_type"] == "client_credentials"
    scopes = next(
        next(iter(one.values()))
        for one in OPERATIONS[server.tool]["security"]
        if one.keys() <= SCHEMES.keys()
    )
    assert form.get("scope", "") == " ".join(scopes)
    assert form.keys() <= {"grant_type", "scope"}
    assert server.api.proofs == [
        "Basic " + base64.b64encode(b"our%3Aid:our%20secret%2B1%2F2").decode()
    ]
    assert server.api.tokens == ["Bearer made-token-1"] * 3


def test_the_operator_says_what_is_asked_for(server: Server) -> None:
    assert server.call(scope="a b", audience="them", resource="https://api.test/")["ok"]
    assert server.api.forms == [
        {
            "grant_type": "client_credentials",
            "scope": "a b",
            "audience": "them",
            "resource": "https://api.test/",
        }
    ]


def test_an_issuer_that_reads_only_the_form(server: Server) -> None:
    server.api.only_form = True
    assert server.call()["ok"]
    assert [form.get("client_secret") for form in server.api.forms] == [None, SECRET]
    assert server.api.forms[1]["client_id"] == ID
    server.api.forms.clear()
    assert server.call(client_auth="post")["ok"]
    assert [form.get("client_secret") for form in server.api.forms] == [SECRET]
    assert server.api.proofs[-1] == ""


def test_a_token_that_is_turned_down_is_renewed_once(server: Server) -> None:
    server.api.ended = {"Bearer made-token-1"}
    assert server.call()["ok"]
    assert server.api.tokens == ["Bearer made-token-1", "Bearer made-token-2"]
    server.api.ended |= {f"Bearer made-token-{number}" for number in range(9)}
    result = server.call()
    assert (result["category"], result["status"]) == ("permission", 401)
    assert len(server.api.tokens) == 4


def test_a_token_is_not_used_beyond_its_time(server: Server) -> None:
    for lifetime, fetched in (
        (0.000001, 3),
        ("3600", 1),
        (-1, 1),
        ("soon", 1),
        (None, 1),
        (1e300, 1),
    ):
        server.api.forms.clear()
        server.api.issued = {"expires_in": lifetime}
        assert server.call(3)["ok"]
        assert len(server.api.forms) == fetched, lifetime


@pytest.mark.parametrize(
    ("issued", "category", "retryable"),
    [
        ({"access_token": ""}, "permission", False),
        ({"access_token": 1}, "permission", False),
        ({"access_token": "a\nb"}, "permission", False),
        ({"token_type": "mac"}, "permission", False),
        ({"error": "invalid_scope"}, "permission", False),
        (httpx2.Response(400, json={"error": "invalid_grant"}), "permission", False),
        (httpx2.Response(200, content=b"no json"), "permission", False),
        (httpx2.Response(200, content=b"[]"), "permission", False),
        (httpx2.Response(302), "permission", False),
        (httpx2.Response(503), "transient", True),
        (httpx2.Response(429), "transient", True),
        (httpx2.Response(408), "transient", True),
    ],
    ids=str,
)
def test_without_a_token_nothing_is_sent(
    issued: Any, category: str, retryable: bool, server: Server
) -> None:
    server.api.issued = issued
    result = server.call()
    assert (result["category"], result["retryable"]) == (category, retryable)
    assert server.api.tokens == []
    assert "status" not in result

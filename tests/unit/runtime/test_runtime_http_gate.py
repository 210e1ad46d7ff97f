"""The gate before `/mcp` and what stands beside it: scopes, metadata, hosts, origins, sizes, rates, health, metrics."""

from __future__ import annotations

import json

import anyio
import httpx2
import mcp_types as mt
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from mcpgen.runtime.app import App
from mcpgen.runtime.serving import rates
from mcpgen.runtime.serving.rates import Rates

from .http_serving import peer_running, serving


@pytest.fixture
def peer(monkeypatch):
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    with peer_running() as found:
        yield found


@pytest.fixture
def package(build, op):
    return build(
        get_thing=op(), add_thing=op(effect="write"), drop_thing=op(effect="destructive"), audit_things=op()
    )


@pytest.fixture
def policy(tmp_path):
    file = tmp_path / "policy.toml"
    file.write_text('[tools.audit_things]\nscopes = ["shop.audit"]\n')
    return {"SHOP_POLICY": str(file)}


SCOPES = {
    "SHOP_HTTP_SCOPES": "shop.use",
    "SHOP_HTTP_EFFECT_SCOPES": "read=shop.read,write=shop.write,destructive=shop.write,destructive=shop.drop",
    "SHOP_ALLOW_EFFECTS": "read,write,destructive",
    "SHOP_CONFIRM": "never",
}
ALL = "shop.use shop.read shop.write shop.drop shop.audit"


# -- scopes

NEEDED = [
    ("get_thing", "", "shop.read shop.use", "shop.use"),
    ("get_thing", "shop.use", "shop.read shop.use", None),
    ("get_thing", "shop.use shop.read foreign", None, None),
    ("add_thing", "shop.use shop.read foreign", "shop.read shop.use shop.write", None),
    ("add_thing", "shop.use shop.write", None, None),
    ("drop_thing", "shop.use shop.write", "shop.drop shop.use shop.write", None),
    ("drop_thing", "shop.use shop.write shop.drop", None, None),
    ("audit_things", "shop.use shop.read", "shop.audit shop.read shop.use", None),
    ("audit_things", ALL, None, None),
]
"""Tool, scopes of the token, those that a new one has to have (None: it goes through), those of a legacy refusal."""


def test_the_step_up_names_what_is_needed(package, peer, policy) -> None:
    with serving(package, peer, **SCOPES, **policy) as served:
        for tool, scope, needed, _ in NEEDED:
            answer = served.post(served.token(scope=scope), tool=tool)
            if needed is None:
                assert answer.json()["result"]["structuredContent"]["ok"], tool
                continue
            assert answer.status_code == 403, (tool, scope)
            assert answer.json()["error"] == "insufficient_scope"
            assert answer.headers["www-authenticate"] == (
                'Bearer error="insufficient_scope", error_description="The token does not allow this.", '
                f'scope="{needed}", '
                f'resource_metadata="{served.base}/.well-known/oauth-protected-resource/mcp"'
            )
        assert peer.count("/api/things") == sum(needed is None for _, _, needed, _ in NEEDED)


@pytest.mark.anyio
async def test_older_clients_are_refused_by_the_tool(package, peer, policy) -> None:
    with serving(package, peer, **SCOPES, **policy) as served:
        for tool, scope, needed, at_the_gate in NEEDED:
            if at_the_gate is not None:
                continue
            found = await served.call(served.token(scope=scope), tool, mode="legacy")
            assert found["ok"] is (needed is None), (tool, scope)
            if needed is not None:
                assert (found["category"], found["retryable"]) == ("permission", False)
                assert "shop." not in found["error"] + found.get("hint", "")
        assert peer.count("/api/things") == sum(needed is None for _, _, needed, _ in NEEDED)


def test_headers_can_not_hide_which_tool_is_called(package, peer) -> None:
    with serving(package, peer, **SCOPES) as served:
        for headers, status in (
            ({"Mcp-Name": "=?base64?YWRkX3RoaW5n?="}, 403),  # its name in base64
            ({"Mcp-Name": "get_thing"}, 400),
            ({"Mcp-Name": "x", "Mcp-Method": "tools/list"}, 400),
        ):
            answer = served.post(served.token(scope="shop.use shop.read"), tool="add_thing", **headers)
            assert answer.status_code == status, headers
        assert peer.count("/api/things") == 0


def test_in_search_mode_the_effect_is_known_before_the_tool(package, peer, policy) -> None:
    def called(served, caller: str, tool: str, scope: str) -> httpx2.Response:
        return served.post(served.token(scope=scope), tool=caller, arguments={"name": tool, "arguments": {}})

    with serving(package, peer, SHOP_MODE="search", **SCOPES, **policy) as served:
        assert called(served, "call_write_tool", "add_thing", "shop.use shop.read").status_code == 403
        assert called(served, "call_read_tool", "get_thing", "shop.use").status_code == 403
        fine = called(served, "call_write_tool", "add_thing", "shop.use shop.write")
        assert fine.json()["result"]["structuredContent"]["ok"]
        # What a single tool needs is in the body, where only the call itself finds it.
        hidden = called(served, "call_read_tool", "audit_things", "shop.use shop.read")
        assert hidden.json()["result"]["structuredContent"]["category"] == "permission"
        asked = {"query": "thing"}
        found = served.post(served.token(scope="shop.use"), tool="find_tools", arguments=asked)
        assert found.json()["result"]["structuredContent"]["ok"]
        assert peer.count("/api/things") == 1


def test_every_tool_is_listed_whatever_the_caller_may_do(package, peer) -> None:
    with serving(package, peer, **SCOPES) as served:
        tools = served.post(served.token(scope="shop.use"), tool="").json()["result"]["tools"]
        assert len(tools) == 4


@pytest.mark.anyio
async def test_scopes_are_nothing_to_standard_input(package, policy, mode) -> None:
    assert (await package.told("audit_things", mode=mode, **SCOPES, **policy))["ok"]


# -- metadata


def test_metadata(package, peer, policy) -> None:
    public = "https://shop.example/base/mcp"
    with serving(package, peer, SHOP_HTTP_URL=public, **SCOPES, **policy) as served:
        expected = {
            "resource": public,
            "authorization_servers": [peer.url],
            "scopes_supported": sorted(ALL.split()),
            "bearer_methods_supported": ["header"],
            "resource_name": "Shop",
        }
        for path in ("/base/mcp", "/mcp", ""):
            url = f"{served.base}/.well-known/oauth-protected-resource{path}"
            answer = served.http.get(url, headers={"Host": "shop.example", "Origin": "https://any.example"})
            assert (answer.status_code, answer.json()) == (200, expected), path
            assert answer.headers["access-control-allow-origin"] == "*"
        challenge = served.post().headers["www-authenticate"]
        assert challenge == (
            'Bearer scope="shop.use", '
            'resource_metadata="https://shop.example/.well-known/oauth-protected-resource/base/mcp"'
        )
    with serving(package, peer) as served:
        url = f"{served.base}/.well-known/oauth-protected-resource/mcp"
        assert "scopes_supported" not in served.http.get(url).json()
    with serving(package, peer, tokens=False) as served:
        url = f"{served.base}/.well-known/oauth-protected-resource/mcp"
        assert served.http.get(url).status_code == 404


# -- hosts, origins, sizes


def test_foreign_hosts_and_origins_are_refused_first(package, peer) -> None:
    with serving(package, peer, SHOP_ALLOWED_HOSTS="shop.example") as served:
        token = served.token()
        assert served.post(token, Host="evil.example").status_code == 421
        assert served.post(token, Host=f"127.0.0.1:{served.port}.evil.example").status_code == 421
        assert served.post(token, Origin="https://evil.example").status_code == 403
        assert served.post(token, Origin="null").status_code == 403
        assert served.post(Host="evil.example").status_code == 421
        assert peer.count("/jwks") == 0
        for fine in ({"Host": "shop.example"}, {"Host": f"localhost:{served.port}"}, {"Origin": served.base}):
            assert served.post(token, **fine).status_code == 200


def test_a_large_request_is_refused(package, peer) -> None:
    with serving(package, peer, SHOP_HTTP_MAX_BYTES="2000") as served:
        big = {"q": "x" * 3000}
        assert served.post(served.token(), arguments=big).status_code == 413
        assert served.post(arguments=big).status_code == 401
        chunks = (b"{" + b" " * 900 for _ in range(4))
        headers = {"Authorization": f"Bearer {served.token()}", "Content-Type": "application/json"}
        assert served.http.post(served.url, content=chunks, headers=headers).status_code == 413
        assert served.post(served.token()).status_code == 200


def test_browsers_of_allowed_origins_may_call(package, peer) -> None:
    origins = "https://app.example,http://localhost:*"
    with serving(package, peer, SHOP_ALLOWED_ORIGINS=origins) as served:

        def preflight(origin: str) -> httpx2.Response:
            asked = {
                "Origin": origin,
                "Access-Control-Request-Method": "POST",
                "Access-Control-Request-Headers": "authorization, mcp-method, mcp-param-city",
            }
            return served.http.options(served.url, headers=asked)

        for origin in ("https://app.example", "http://localhost:6274"):
            answer = preflight(origin)
            assert answer.status_code == 200, origin
            assert answer.headers["access-control-allow-origin"] == origin
            assert "mcp-param-city" in answer.headers["access-control-allow-headers"]
            assert {"GET", "POST", "DELETE"} <= set(
                answer.headers["access-control-allow-methods"].split(", ")
            )
            assert "access-control-allow-credentials" not in answer.headers
            for token, status in ((None, 401), (served.token(), 200)):
                answer = served.post(token, Origin=origin)
                assert answer.status_code == status
                assert answer.headers["access-control-allow-origin"] == origin
                readable = answer.headers["access-control-expose-headers"].lower()
                assert "www-authenticate" in readable
                assert "mcp-session-id" in readable
        for origin in (
            "https://app.example.evil.example",
            "http://localhost:6274.evil.example",
            "http://localhost",
        ):
            assert preflight(origin).status_code == 400, origin
            assert "access-control-allow-origin" not in served.post(Origin=origin).headers
    with serving(package, peer) as served:
        assert preflight("https://app.example").status_code in (401, 403)


# -- rates


def test_each_caller_has_its_own_rate(package, peer, monkeypatch) -> None:
    monkeypatch.setattr(rates, "_WINDOW", 10_000_000)  # no minute ends in the middle of the test
    with serving(package, peer, SHOP_HTTP_RATE="2", SHOP_HTTP_SCOPES="shop.use") as served:
        mia = served.token()
        assert [served.post(mia).status_code for _ in range(3)] == [200, 200, 429]
        again = served.post(served.token(jti="2"), Origin=served.base)  # another token of the same caller
        assert again.status_code == 429
        assert 0 < int(again.headers["retry-after"]) <= 10_000_000
        assert served.http.get(served.url, headers={"Authorization": f"Bearer {mia}"}).status_code != 429
        for other in ({"sub": "ben"}, {"client_id": "other"}):
            assert served.post(served.token(**other)).status_code == 200
        assert [served.post().status_code for _ in range(4)] == [401] * 4
    with serving(package, peer, tokens=False, SHOP_HTTP_RATE="1") as served:
        assert [served.post().status_code for _ in range(2)] == [200, 429]


@pytest.mark.anyio
async def test_who_is_counted_together(package) -> None:
    app = App.start(package.name, {"SHOP_HTTP_RATE": "1"})
    for addresses, together in (
        (("192.0.2.1", "192.0.2.1"), True),
        (("192.0.2.1", "192.0.2.2"), False),
        (("2001:db8::1", "2001:db8::ffff:1"), True),
        (("2001:db8::1", "2001:db8:0:1::1"), False),
        (("", ""), True),
    ):
        counted = Rates(app)
        found = [await counted.wait(None, address) for address in addresses]
        assert found[0] is None
        assert (found[1] is not None) is together, addresses


@pytest.mark.anyio
async def test_the_next_minute_counts_anew(package) -> None:
    now = 1_200_000_000.0
    counted = Rates(App.start(package.name, {"SHOP_HTTP_RATE": "1"}), lambda: now)
    for seconds, wait in ((0, None), (1, 59), (59.5, 1), (60, None), (61, 59)):
        now = 1_200_000_000 + seconds
        assert await counted.wait(None, "192.0.2.1") == wait


@pytest.mark.anyio
async def test_a_store_that_is_down_does_not_stop_the_service(build, op, caplog) -> None:
    from mcp.server.auth.provider import AccessToken

    hooks = "class Down:\n    async def increment(self, key, seconds):\n        raise OSError('down')\nstore = Down()\n"
    app = App.start(build({}, hooks, get=op()).name, {"SHOP_HTTP_RATE": "1"})
    token = AccessToken(token="t", client_id="c", scopes=[])
    assert [await Rates(app).wait(token, "") for _ in range(3)] == [None] * 3
    assert "can't be counted" in caplog.text


# -- health, metrics


def test_health_needs_nothing_and_tells_nothing(package, peer) -> None:
    with serving(package, peer) as served:
        for path in ("/healthz", "/readyz"):
            answer = served.http.get(served.base + path, headers={"Host": "10.0.0.7"})
            assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
            assert answer.headers["cache-control"] == "no-store"
            assert "server" not in answer.headers
            assert served.http.head(served.base + path).status_code == 200
            assert served.http.post(served.base + path).status_code == 405
        served.app.traffic.serving = False
        assert served.http.get(served.base + "/readyz").status_code == 503
        assert served.http.get(served.base + "/healthz").status_code == 200


def test_a_server_without_an_address_is_not_ready(package, peer) -> None:
    catalog = package.root / "catalog.json"
    told = json.loads(catalog.read_text())
    told["server"]["base_url"] = None
    catalog.write_text(json.dumps(told))
    with serving(package, peer, SHOP_BASE_URL="") as served:
        assert served.http.get(served.base + "/readyz").status_code == 503
        assert served.http.get(served.base + "/healthz").status_code == 200
    told["operations"]["get_thing"]["servers"] = ["https://things.example"]
    catalog.write_text(json.dumps(told))
    with serving(package, peer, SHOP_BASE_URL="") as served:
        assert served.http.get(served.base + "/readyz").status_code == 200


def test_metrics_are_served_where_they_are_wanted(package, peer) -> None:
    pytest.importorskip("prometheus_client")
    with serving(package, peer) as served:
        assert served.http.get(served.base + "/metrics").status_code == 404
    with serving(package, peer, SHOP_METRICS="1") as served:
        answer = served.http.get(served.base + "/metrics")
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/plain")


# -- sessions


@pytest.mark.anyio
async def test_a_session_belongs_to_the_caller_who_began_it(package, peer) -> None:
    hello = {
        "jsonrpc": "2.0",
        "id": 0,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "x", "version": "1"},
        },
    }
    accept = {"Accept": "application/json, text/event-stream"}
    with serving(package, peer) as served:

        def sent(token: str, body: object, **headers: str) -> httpx2.Response:
            given = accept | {"Authorization": f"Bearer {token}"} | headers
            return served.http.post(served.url, json=body, headers=given)

        session = sent(served.token(), hello).headers["mcp-session-id"]
        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        own = {"Mcp-Session-Id": session}
        assert sent(served.token(), ping, **own).status_code == 200
        assert sent(served.token(sub="ben"), ping, **own).status_code == 404
        assert sent("nonsense", ping, **own).status_code == 401


@pytest.mark.anyio
async def test_several_clients_are_asked_and_answered_side_by_side(build, op, peer, mode) -> None:
    package = build(drop_thing=op(effect="destructive"))
    answers = {}

    async def one(served, name: str) -> None:
        async def consent(context, params) -> mt.ElicitResult:
            agrees = name != "client-2"
            return mt.ElicitResult(action="accept" if agrees else "decline", content={"confirm": True})

        headers = {"Authorization": f"Bearer {served.token(sub=name)}"}
        async with (
            httpx2.AsyncClient(headers=headers, trust_env=False, timeout=20) as http,
            Client(
                streamable_http_client(served.url, http_client=http), mode=mode, elicitation_callback=consent
            ) as client,
        ):
            answers[name] = (await client.call_tool("drop_thing", {})).structured_content["ok"]

    with serving(package, peer, SHOP_ALLOW_EFFECTS="destructive") as served:
        async with anyio.create_task_group() as group:
            for number in range(4):
                group.start_soon(one, served, f"client-{number}")
    assert answers == {"client-0": True, "client-1": True, "client-2": False, "client-3": True}

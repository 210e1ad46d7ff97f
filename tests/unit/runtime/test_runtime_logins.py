"""Logins, discovery and token grants against a real authorization server on the loopback."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import socket
import stat
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import anyio
import httpx2
import pytest
import uvicorn
from mcp import Client
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from mcpgen.runtime import build_server, main
from mcpgen.runtime.auth.login_command import run
from mcpgen.runtime.auth.token_store import StoredToken, TokenStore

SECRET = "shh-very-secret/with+signs"


class Identity:
    """An authorization server and the API behind it. Refresh tokens rotate; a second use ends the login."""

    def __init__(self) -> None:
        self.base = ""
        self.forms: list[dict[str, str]] = []
        self.calls: list[str] = []
        self.paths: list[str] = []
        self.lifetime: Any = 3600
        self.live: set[str] = set()
        self.refresh: set[str] = set()
        self.codes: dict[str, dict[str, str]] = {}
        self.pending = ["authorization_pending", "slow_down"]
        self.deny = False
        self.words = "Not today"
        self.methods: list[str] = []
        self.without_refresh = False
        self.metadata: Any = None
        self._number = 0

    def app(self) -> Starlette:
        routes = [
            Route("/token", self.token, methods=["POST"]),
            Route("/authorize", self.authorize),
            Route("/device", self.device, methods=["POST"]),
            Route("/revoke", self.revoke, methods=["POST"]),
            Route("/.well-known/openid-configuration", self.discovery),
            Route("/v1/things", self.things),
        ]
        return Starlette(routes=routes)

    async def authorize(self, request: Request) -> Response:
        asked = dict(request.query_params)
        answer = {"state": asked["state"], "iss": self.base}
        if self.deny:
            answer |= {"error": "access_denied", "error_description": self.words}
        else:
            answer["code"] = f"code-{len(self.codes)}"
            self.codes[answer["code"]] = asked
        return RedirectResponse(f"{asked['redirect_uri']}?{urlencode(answer)}")

    async def device(self, request: Request) -> Response:
        self.forms.append(dict(await request.form()))
        told = {"device_code": "device-1", "user_code": "WDJB-MJHT", "verification_uri": f"{self.base}/enter"}
        return JSONResponse({**told, "interval": 1, "expires_in": 600})

    async def revoke(self, request: Request) -> Response:
        form = dict(await request.form())
        self.forms.append(form)
        self.refresh.discard(str(form["token"]))
        return Response()

    async def discovery(self, request: Request) -> Response:
        self.paths.append(request.url.path)
        if self.metadata is not None:
            return self.metadata
        told = {
            "issuer": self.base,
            "token_endpoint": f"{self.base}/token",
            "authorization_endpoint": f"{self.base}/authorize",
            "device_authorization_endpoint": f"{self.base}/device",
            "revocation_endpoint": f"{self.base}/revoke",
            "scopes_supported": ["openid", "offline_access"],
        }
        return JSONResponse(
            told | ({"token_endpoint_auth_methods_supported": self.methods} if self.methods else {})
        )

    async def things(self, request: Request) -> Response:
        self.calls.append(request.headers.get("authorization", ""))
        return JSONResponse({}, 200 if self.calls[-1].removeprefix("Bearer ") in self.live else 401)

    async def token(self, request: Request) -> Response:
        form = {name: str(value) for name, value in (await request.form()).items()}
        header = request.headers.get("authorization", "")
        self.forms.append(form | ({"by": "basic"} if header else {}))
        grant = form["grant_type"]
        if grant == "client_credentials" and not self._proven(header, form):
            return self._refused("invalid_client", 401)
        if grant == "authorization_code":
            asked = self.codes.pop(form["code"], {})
            digest = hashlib.sha256(form["code_verifier"].encode()).digest()
            challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
            right = asked.get("code_challenge") == challenge and asked["redirect_uri"] == form["redirect_uri"]
            return self._issued(asked["scope"]) if right else self._refused("invalid_grant")
        if grant == "refresh_token":
            if form["refresh_token"] not in self.refresh:
                self.refresh.clear()  # a second use: the whole family ends (RFC 9700, 4.14.2)
                return self._refused("invalid_grant")
            self.refresh.discard(form["refresh_token"])
        if grant.endswith("device_code") and self.pending:
            return self._refused(self.pending.pop(0))
        return self._issued(form.get("scope", ""), refresh=grant != "client_credentials")

    def _proven(self, header: str, form: dict[str, str]) -> bool:
        if "client_secret_basic" in (self.methods or ["client_secret_basic"]) and header:
            pair = base64.b64decode(header.removeprefix("Basic ")).decode()
            return pair == "client:shh-very-secret%2Fwith%2Bsigns"
        return form.get("client_secret") == SECRET

    def _issued(self, scope: str, *, refresh: bool = True) -> Response:
        self._number += 1
        token = f"access-token-{self._number}"
        self.live = {token}
        told = {"access_token": token, "token_type": "bearer", "expires_in": self.lifetime, "scope": scope}
        if refresh and not self.without_refresh:
            told["refresh_token"] = f"refresh-token-{self._number}"
            self.refresh.add(told["refresh_token"])
        return JSONResponse({name: value for name, value in told.items() if value is not None})

    def _refused(self, code: str, status: int = 400) -> Response:
        return JSONResponse({"error": code}, status)


@pytest.fixture
def identity(monkeypatch: pytest.MonkeyPatch) -> Iterator[Identity]:
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)
    found = Identity()
    server = uvicorn.Server(uvicorn.Config(found.app(), port=0, log_config=None, lifespan="off"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.005)
    found.base = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    yield found
    server.should_exit = True
    thread.join()


AUTH = {
    "oauth": {
        "type": "oauth2",
        "token_url": "/token",
        "flows": {
            "authorizationCode": {"authorization_url": "/authorize", "token_url": "/token"},
            "deviceAuthorization": {"device_url": "/device", "token_url": "/token"},
            "clientCredentials": {"token_url": "/token"},
        },
        "env": {"token": "SHOP_TOKEN", "client_id": "SHOP_CLIENT_ID", "client_secret": "SHOP_CLIENT_SECRET"},
        "options": {"scope": "SHOP_SCOPE", "audience": "SHOP_AUDIENCE", "client_auth": "SHOP_CLIENT_AUTH"},
    },
    "oidc": {
        "type": "openIdConnect",
        "openid_url": "/.well-known/openid-configuration",
        "env": {"token": "SHOP_OIDC_TOKEN", "client_id": "SHOP_OIDC_ID", "client_secret": "SHOP_OIDC_SECRET"},
        "options": {"client_auth": "SHOP_OIDC_CLIENT_AUTH"},
    },
    "owner": {
        "type": "oauth2",
        "token_url": None,
        "flows": {"password": {"token_url": "/token"}},
        "env": {"client_id": "SHOP_CLIENT_ID", "username": "SHOP_USER", "password": "SHOP_PASSWORD"},
    },
    "described": {
        "type": "oauth2",
        "token_url": None,
        "metadata_url": "/.well-known/openid-configuration",
        "env": {"client_id": "SHOP_D_ID", "client_secret": "SHOP_D_SECRET"},
    },
    "key": {"type": "apiKey", "in": "header", "name": "X-Key", "env": {"key": "SHOP_KEY"}},
}


class Shop:
    """The package under test, its environment, and calls of its tool."""

    def __init__(self, package: Any, identity: Identity, environ: dict[str, str], folder: Path) -> None:
        self.package = package
        self.name = package.name
        self.identity = identity
        self.environ = environ
        self.folder = folder

    def call(self, **more: str) -> dict[str, Any]:
        return anyio.run(self.told, more)

    async def told(self, more: dict[str, str] | None = None) -> dict[str, Any]:
        async with Client(self.server(**more or {})) as client:
            return dict((await client.call_tool("get", {})).structured_content or {})

    def server(self, **more: str) -> Any:
        return build_server(self.name, environ={**self.environ, **more})

    @property
    def files(self) -> list[Path]:
        return sorted(self.folder.glob("*.json"))

    def expire(self) -> dict[str, Any]:
        """Makes the kept login's access token old; gives what is kept."""
        told = dict(json.loads(self.files[0].read_text()))
        self.files[0].write_text(json.dumps({**told, "expires_at": 1.0}))
        return told


@pytest.fixture
def shop(build, op, identity, tmp_path, monkeypatch):
    # It would replace the handlers that pytest put on the root logger.
    monkeypatch.setattr(
        "mcpgen.runtime.auth.login_command.log_to_stderr", lambda redactor, level, package: None
    )

    def make(*security: dict[str, list[str]], **environ: str) -> Shop:
        folder = tmp_path / "state"
        alternatives = list(security) or [{"oauth": ["things:read"]}]
        package = build(AUTH, get=op(more={"security": alternatives}))
        known = {
            "SHOP_BASE_URL": f"{identity.base}/v1",
            "SHOP_CLIENT_ID": "client",
            "SHOP_LOGIN_STORE": "file",
        }
        known |= {"SHOP_STATE_DIR": str(folder)} | environ
        for name, value in known.items():
            monkeypatch.setenv(name, value)
        return Shop(package, identity, known, folder)

    return make


@pytest.fixture
def browser(monkeypatch: pytest.MonkeyPatch) -> list[httpx2.Response]:
    """A browser that follows every redirect, the last one to the loopback."""
    seen: list[httpx2.Response] = []

    def visit(address: str) -> bool:
        seen.append(httpx2.get(address, follow_redirects=True))
        return True

    monkeypatch.setattr("webbrowser.open", visit)
    return seen


def test_a_login_in_the_browser_is_kept_and_used(shop, browser, capsys, identity) -> None:
    found = shop()
    assert found.call()["category"] == "permission"
    assert identity.calls == []
    assert run(found.name, ["login"]) == 0
    asked = parse_qs(urlsplit(str(browser[0].history[0].url)).query)
    assert asked["scope"] == ["things:read"]
    assert asked["code_challenge_method"] == ["S256"]
    assert browser[0].status_code == 200
    assert found.call()["ok"]
    assert identity.calls == ["Bearer access-token-1"]
    told = capsys.readouterr()
    assert told.out == ""
    assert "Logged in (oauth)" in told.err
    assert not any(word in told.err for word in ("access-token", "refresh-token", "code-0"))


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_the_file_is_its_owners_alone(shop, browser) -> None:
    found = shop()
    run(found.name, ["login"])
    (file,) = found.files
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(found.folder.stat().st_mode) == 0o700
    assert [p.name for p in found.folder.iterdir() if p.name.startswith(".token")] == []
    file.chmod(0o644)
    assert found.call()["category"] == "permission"


def test_an_old_token_is_refreshed_and_the_new_refresh_token_kept(shop, browser, identity) -> None:
    found = shop()
    run(found.name, ["login"])
    for number in (2, 3):
        found.expire()
        assert found.call()["ok"]
        assert json.loads(found.files[0].read_text())["refresh_token"] == f"refresh-token-{number}"
    assert [form["grant_type"] for form in identity.forms] == ["authorization_code", *["refresh_token"] * 2]


def test_a_token_that_is_turned_down_is_refreshed(shop, browser, identity) -> None:
    found = shop()
    run(found.name, ["login"])
    identity.live.clear()
    assert found.call()["ok"]
    assert identity.calls == ["Bearer access-token-1", "Bearer access-token-2"]


def test_several_servers_share_one_refresh(shop, browser, identity) -> None:
    """A rotated refresh token that two processes use ends the login; the lock lets only one of them."""
    found = shop()
    run(found.name, ["login"])
    found.expire()
    results: list[dict[str, Any]] = []

    async def together() -> None:
        async with anyio.create_task_group() as group:
            for _ in range(4):
                group.start_soon(one)

    async def one() -> None:
        results.append(await found.told())

    anyio.run(together)
    assert [result["ok"] for result in results] == [True] * 4
    assert [form["grant_type"] for form in identity.forms].count("refresh_token") == 1


def test_a_login_that_is_over_is_forgotten(shop, browser, identity, caplog) -> None:
    found = shop()
    run(found.name, ["login"])
    found.expire()
    identity.refresh.clear()
    told = found.call()
    assert (told["category"], told["retryable"]) == ("permission", False)
    assert "Log in again" in caplog.text
    assert found.files == []
    count = len(identity.forms)
    assert found.call()["category"] == "permission"
    assert len(identity.forms) == count
    assert f"python -m {found.name} login oauth" in caplog.text


def test_a_login_without_refresh_token_or_end_stays(shop, browser, identity, capsys) -> None:
    found = shop()
    identity.without_refresh, identity.lifetime = True, None
    run(found.name, ["login"])
    assert "no refresh token" in capsys.readouterr().err
    assert json.loads(found.files[0].read_text())["expires_at"] > time.time() + 86_400
    assert found.call()["ok"]


def test_a_login_of_another_client_or_server_is_not_used(shop, browser, identity) -> None:
    found = shop()
    run(found.name, ["login"])
    assert found.call(SHOP_CLIENT_ID="another")["category"] == "permission"
    assert found.call(SHOP_BASE_URL="http://127.0.0.1:1/v1")["category"] == "permission"


def test_a_refused_login(shop, browser, identity, capsys) -> None:
    found = shop()
    identity.deny = True
    assert run(found.name, ["login"]) == 1
    assert "access_denied: Not today" in capsys.readouterr().err
    assert found.files == []


def test_an_answer_to_another_login_is_not_taken(shop, monkeypatch, capsys) -> None:
    found = shop()
    seen: list[int] = []

    def visit(address: str) -> bool:
        target = parse_qs(urlsplit(address).query)["redirect_uri"][0]
        seen.append(httpx2.get(f"{target}?code=stolen&state=other").status_code)
        seen.append(httpx2.get(target.replace("/callback", "/")).status_code)
        return bool(httpx2.get(address, follow_redirects=True))

    monkeypatch.setattr("webbrowser.open", visit)
    assert run(found.name, ["login"]) == 0
    assert seen == [404, 404]


def test_a_pasted_answer(shop, identity, monkeypatch, capsys) -> None:
    found = shop()
    redirect = "https://shop.example.com/done"
    monkeypatch.setattr("webbrowser.open", lambda address: pytest.fail("a browser was started"))

    def ask(question: str) -> str:
        address = next(line.strip() for line in capsys.readouterr().err.splitlines() if "/authorize" in line)
        return httpx2.get(address).headers["location"] + "\n"

    monkeypatch.setattr("mcpgen.runtime.auth.login_command._read_line", ask)
    assert run(found.name, ["login", "--no-browser", "--redirect-uri", redirect, "--scope", "a b"]) == 0
    assert identity.forms[-1]["redirect_uri"] == redirect
    assert json.loads(found.files[0].read_text())["scope"] == "a b"
    monkeypatch.setattr(
        "mcpgen.runtime.auth.login_command._read_line", lambda _: f"{redirect}?code=x&state=y"
    )
    assert run(found.name, ["login", "--no-browser", "--redirect-uri", redirect]) == 1


def test_a_fixed_address_on_this_machine_is_listened_at(shop, browser, identity) -> None:
    found = shop()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        redirect = f"http://127.0.0.1:{probe.getsockname()[1]}/oauth/done"
    assert run(found.name, ["login", "--redirect-uri", redirect]) == 0
    assert identity.forms[-1]["redirect_uri"] == redirect


def test_a_login_that_a_variable_hides(shop, browser, capsys, monkeypatch) -> None:
    found = shop()
    monkeypatch.setenv("SHOP_TOKEN", "fixed-token")
    assert run(found.name, ["login", "oauth"]) == 0
    told = capsys.readouterr().err
    assert "SHOP_TOKEN is set" in told
    assert "fixed-token" not in told


def test_what_a_server_says_can_not_steer_the_terminal(shop, browser, identity, capsys) -> None:
    found = shop()
    identity.deny = True
    identity.words = "bad\x1b[2J\nfaked line"
    assert run(found.name, ["login"]) == 1
    assert "access_denied: bad [2J faked line" in capsys.readouterr().err


def test_a_code_entered_elsewhere(shop, identity, monkeypatch, capsys) -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr("mcpgen.runtime.auth.login_flows.sleep", sleep)
    found = shop(SHOP_AUDIENCE="shop")
    assert run(found.name, ["login", "oauth", "--device"]) == 0
    assert waited == [1.0, 1.0, 6.0]
    assert identity.forms[0] == {"client_id": "client", "scope": "things:read", "audience": "shop"}
    assert "WDJB-MJHT" in capsys.readouterr().err
    assert found.call()["ok"]
    identity.pending = ["access_denied"]
    assert run(found.name, ["login", "oauth", "--device"]) == 1


def test_logout_forgets_and_revokes(shop, browser, identity, capsys) -> None:
    found = shop({"oidc": []}, SHOP_OIDC_ID="client")
    assert run(found.name, ["login", "oidc"]) == 0
    kept = json.loads(found.files[0].read_text())
    assert kept["scope"] == "offline_access"
    assert found.call()["ok"]
    assert run(found.name, ["logout", "oidc"]) == 0
    assert identity.forms[-1]["token"] == kept["refresh_token"]
    assert found.files == []
    assert found.call()["category"] == "permission"
    assert run(found.name, ["logout", "oidc"]) == 0
    assert "Nobody was logged in" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "environ", "message"),
    [
        (["login"], {}, "which scheme? There are: described, oauth, oidc"),
        (["login", "key"], {}, "'key' is no scheme to log in with"),
        (["login", "oidc"], {}, "set SHOP_OIDC_ID"),
        (["logout", "oidc"], {}, "set SHOP_OIDC_ID"),
        (["login", "oauth"], {"SHOP_CLIENT_AUTH": "magic"}, "'magic' is not one of basic, post, none"),
    ],
)
def test_wrong_commands(shop, monkeypatch, capsys, words, environ, message) -> None:
    found = shop(**environ)
    if words == ["login"]:
        monkeypatch.setenv("SHOP_OIDC_ID", "client")
    assert run(found.name, words) == 2
    assert message in capsys.readouterr().err


def test_discovery_gives_the_token_endpoint_when_it_is_first_needed(shop, identity) -> None:
    found = shop({"oidc": ["a"]}, SHOP_OIDC_ID="client", SHOP_OIDC_SECRET=SECRET)

    async def calls() -> None:
        async with Client(found.server()) as client:
            await client.list_tools()
            assert identity.paths == []
            for _ in range(3):
                assert not (await client.call_tool("get", {})).is_error

    anyio.run(calls)
    assert identity.paths == ["/.well-known/openid-configuration"]
    assert identity.forms == [{"grant_type": "client_credentials", "scope": "a", "by": "basic"}]


@pytest.mark.parametrize(
    "answer",
    [
        Response(b"{" + b" " * (2 << 20) + b"}", media_type="application/json"),
        Response(b"<html>"),
        JSONResponse(["no"]),
        JSONResponse({"token_endpoint": "file:///etc/passwd"}),
        RedirectResponse("http://127.0.0.1:9/elsewhere"),
    ],
    ids=["large", "no-json", "no-object", "no-endpoint", "redirect"],
)
def test_a_discovery_document_that_can_not_be_used(shop, identity, answer) -> None:
    identity.metadata = answer
    found = shop({"oidc": []}, SHOP_OIDC_ID="client", SHOP_OIDC_SECRET=SECRET).call()
    assert found["category"] == "permission"
    assert identity.base not in found["error"]
    assert identity.forms == identity.calls == []


def test_discovery_that_is_down_is_transient(shop, identity) -> None:
    identity.metadata = Response(status_code=503)
    found = shop({"oidc": []}, SHOP_OIDC_ID="client", SHOP_OIDC_SECRET=SECRET).call()
    assert (found["category"], found["retryable"]) == ("transient", True)


@pytest.mark.parametrize(
    ("methods", "method", "ways"),
    [
        ([], "", ["basic"]),
        (["client_secret_post"], "", ["post"]),
        (["client_secret_post"], "basic", ["basic"]),
        ([], "post", ["post"]),
    ],
)
def test_how_the_client_proves_itself(shop, identity, methods, method, ways) -> None:
    identity.methods = methods
    more = {"SHOP_OIDC_CLIENT_AUTH": method} if method else {}
    shop({"oidc": []}, SHOP_OIDC_ID="client", SHOP_OIDC_SECRET=SECRET, **more).call()
    assert [form.get("by", "post") for form in identity.forms] == ways
    assert all(
        ("client_secret" in form) == (way == "post") for form, way in zip(identity.forms, ways, strict=True)
    )


def test_what_the_operator_wants_token_requests_to_say(shop, identity) -> None:
    found = shop(SHOP_CLIENT_SECRET=SECRET, SHOP_SCOPE="all", SHOP_AUDIENCE="https://shop.test")
    assert found.call()["ok"]
    expected = {
        "grant_type": "client_credentials",
        "scope": "all",
        "audience": "https://shop.test",
        "by": "basic",
    }
    assert identity.forms == [expected]


def test_a_users_password_is_exchanged_for_a_token(shop, identity) -> None:
    found = shop({"owner": ["a"]}, SHOP_USER="mia", SHOP_PASSWORD="pass word")
    assert found.call()["ok"]
    fields = {"grant_type": "password", "username": "mia", "password": "pass word", "scope": "a"}
    assert identity.forms == [{**fields, "client_id": "client"}]


def test_an_oauth_scheme_that_describes_itself(shop, identity) -> None:
    assert shop({"described": []}, SHOP_D_ID="client", SHOP_D_SECRET=SECRET).call()["ok"]
    assert identity.paths == ["/.well-known/openid-configuration"]


def test_the_servers_own_command_line_leads_to_logins(shop, capsys) -> None:
    found = shop()
    assert main(found.name, ["logout", "oauth"]) == 0
    assert "Nobody was logged in (oauth)" in capsys.readouterr().err


@pytest.mark.parametrize("lifetime", ["3600", None, "soon", -5, 10**400, "nan"])
def test_any_lifetime_is_understood(shop, identity, lifetime) -> None:
    identity.lifetime = lifetime
    found = shop(SHOP_CLIENT_SECRET=SECRET)

    async def calls() -> None:
        async with Client(found.server()) as client:
            for _ in range(2):
                assert not (await client.call_tool("get", {})).is_error

    anyio.run(calls)
    assert len(identity.forms) == 1


def test_a_token_near_its_end_is_not_used(shop, identity) -> None:
    identity.lifetime = 0.1
    found = shop(SHOP_CLIENT_SECRET=SECRET)

    async def calls() -> None:
        async with Client(found.server()) as client:
            assert not (await client.call_tool("get", {})).is_error
            await anyio.sleep(0.06)
            assert not (await client.call_tool("get", {})).is_error

    anyio.run(calls)
    assert len(identity.forms) == 2


class Keyring(ModuleType):
    """Stands in for the package `keyring`."""

    def __init__(self, *, works: bool = True) -> None:
        super().__init__("keyring")
        self.works = works
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, name: str) -> str | None:
        return self.kept.get((service, name))

    def set_password(self, service: str, name: str, password: str) -> None:
        if not self.works:
            raise RuntimeError("locked")
        self.kept[service, name] = password

    def delete_password(self, service: str, name: str) -> None:
        del self.kept[service, name]


TOKEN = StoredToken("access", 1.0, "refresh", "a")


@pytest.mark.parametrize("works", [True, False])
def test_the_keyring_is_used_where_it_works(tmp_path, monkeypatch, works) -> None:
    keyring = Keyring(works=works)
    monkeypatch.setitem(__import__("sys").modules, "keyring", keyring)
    store = TokenStore("shop", "auto", tmp_path / "state")
    where = store.save("key", TOKEN)
    assert (where == "the keyring") is works is bool(keyring.kept)
    assert bool(list(tmp_path.glob("state/*.json"))) is not works
    assert store.load("key") == TOKEN
    assert store.delete("key")
    assert store.load("key") is None
    assert not store.delete("key")


def test_a_login_never_stays_in_two_places(tmp_path, monkeypatch) -> None:
    keyring = Keyring()
    monkeypatch.setitem(__import__("sys").modules, "keyring", keyring)
    store = TokenStore("shop", "auto", tmp_path)
    TokenStore("shop", "file", tmp_path).save("key", StoredToken("old", 1.0))
    store.save("key", TOKEN)
    assert list(tmp_path.glob("*.json")) == []
    keyring.works = False
    newer = StoredToken("newer", 2.0)
    store.save("key", newer)
    assert store.load("key") == newer


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"access_token": 1}', "\x00"])
def test_a_broken_file_is_no_login(tmp_path, text) -> None:
    store = TokenStore("shop", "file", tmp_path)
    store.save("key", TOKEN)
    (file,) = tmp_path.glob("*.json")
    file.write_text(text)
    assert store.load("key") is None


def test_tokens_do_not_show_in_their_text() -> None:
    assert "access" not in repr(TOKEN)
    assert "refresh" not in repr(TOKEN)

"""Schemes beyond the everyday ones: digest, client certificates, and the caller's own authorization."""

from __future__ import annotations

import datetime as dt
import ipaddress
import os
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
import uvicorn
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from mcpgen.runtime import SettingsError, build_server
from mcpgen.runtime.secrecy.redact import Redactor

AUTH = {
    "bearer": {"type": "http", "scheme": "bearer", "env": {"token": "SHOP_TOKEN"}},
    "basic": {"type": "http", "scheme": "Basic", "env": {"username": "SHOP_USER", "password": "SHOP_PASS"}},
    "digest": {"type": "http", "scheme": "Digest", "env": {"username": "SHOP_USER", "password": "SHOP_PASS"}},
    "raw": {"type": "apiKey", "in": "header", "name": "Authorization", "env": {"key": "SHOP_RAW"}},
    "key": {"type": "apiKey", "in": "header", "name": "X-Key", "env": {"key": "SHOP_KEY"}},
    "mtls": {
        "type": "mutualTLS",
        "env": {},
        "options": {
            "client_cert": "SHOP_MTLS_CERT",
            "client_key": "SHOP_MTLS_KEY",
            "client_key_password": "SHOP_MTLS_PASS",
        },
    },
    "oauth": {"type": "oauth2", "token_url": None, "env": {"token": "SHOP_OAUTH"}},
}


@pytest.fixture
def secured(build, op):
    def make(*alternatives: dict, **more):
        return build(AUTH, get=op(more={"security": list(alternatives)}, **more))

    return make


@pytest.mark.anyio
async def test_digest_answers_the_challenge_and_remembers_it(secured) -> None:
    package, seen = secured({"digest": []}), []

    def api(request: httpx2.Request) -> httpx2.Response:
        seen.append(request.headers.get("authorization", ""))
        if not seen[-1].startswith("Digest "):
            challenge = 'Digest realm="shop", qop="auth", nonce="n1", algorithm=SHA-256'
            return httpx2.Response(401, headers={"WWW-Authenticate": challenge})
        return httpx2.Response(200, json={})

    package.answer(api)
    async with Client(package.server(SHOP_USER="mia", SHOP_PASS="pass-word")) as client:
        for _ in range(2):
            assert not (await client.call_tool("get", {})).is_error
    assert [text[:7] for text in seen] == ["", "Digest ", "Digest "]
    assert 'username="mia"' in seen[1]
    assert "pass-word" not in "".join(seen)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("scheme", "given", "sent"),
    [
        ("bearer", "Bearer abc-def", "Bearer abc-def"),
        ("bearer", "bearer abc-def", "Bearer abc-def"),
        ("raw", "AWS4 anything at all", "AWS4 anything at all"),
        ("oauth", "Bearer abc-def", "Bearer abc-def"),
    ],
)
async def test_a_pasted_header_is_not_doubled(secured, scheme, given, sent) -> None:
    package = secured({scheme: []})
    variable = next(iter(AUTH[scheme]["env"].values()))
    await package.told("get", **{variable: given})
    assert package.sent.headers["authorization"] == sent


def test_a_credential_with_a_line_break_stops_the_start(secured) -> None:
    with pytest.raises(SettingsError, match="SHOP_KEY: it holds a line break") as caught:
        secured({"key": []}).server(SHOP_KEY="abcdef\nghijkl")
    assert "abcdef" not in str(caught.value)


# -- the caller's authorization


@contextmanager
def served(app: Any, **options: Any) -> Iterator[int]:
    """An ASGI application on a port of the loopback."""
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_config=None, **options))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.005)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture
def over_http(monkeypatch):
    """Calls the tool over Streamable HTTP with these request headers."""
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        monkeypatch.delenv(name)

    async def call(port: int, headers: dict[str, str], mode: str) -> dict[str, Any]:
        async with httpx2.AsyncClient(headers=headers) as http:
            transport = streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=http)
            async with Client(transport, mode=mode) as client:
                return dict((await client.call_tool("get", {})).structured_content or {})

    def run(
        package: Any, *headers: dict[str, str], mode: str = "auto", **environ: str
    ) -> list[dict[str, Any]]:
        app = package.server(**environ).streamable_http_app(host="127.0.0.1")
        with served(app) as port:
            return [anyio.run(call, port, one, mode) for one in headers]

    return run


FORWARD = {"SHOP_FORWARD_AUTHORIZATION": "1"}


def test_the_callers_authorization_stays_here_by_default(secured, over_http) -> None:
    package = secured({"bearer": []})
    over_http(package, {"Authorization": "Bearer CALLER", "Cookie": "sid=1"}, SHOP_TOKEN="BACKEND")
    assert package.sent.headers["authorization"] == "Bearer BACKEND"
    assert "cookie" not in package.sent.headers


def test_the_callers_authorization_is_passed_on_when_the_operator_says_so(secured, over_http, mode) -> None:
    package = secured({"bearer": [], "key": []})
    package.answer(lambda request: httpx2.Response(200, json={"echo": request.headers["authorization"]}))
    headers = [{"Authorization": f"Bearer caller-{name}-secret"} for name in ("one", "two")]
    found = over_http(package, *headers, mode=mode, SHOP_TOKEN="BACKEND-TOKEN", SHOP_KEY="K-1", **FORWARD)
    sent = [request.headers["authorization"] for request in package.requests]
    assert sent == ["Bearer caller-one-secret", "Bearer caller-two-secret"]
    assert [request.headers["x-key"] for request in package.requests] == ["K-1", "K-1"]
    assert [one["data"] for one in found] == [{"echo": "Bearer [redacted]"}] * 2


@pytest.mark.parametrize(
    ("scheme", "header", "passed"),
    [
        ("bearer", "bearer x-y-z", True),
        ("bearer", "Basic abcdef", False),
        ("basic", "Basic abcdef", True),
        ("oauth", "Bearer x-y-z", True),
        ("raw", "whatever", True),
        ("raw", "", False),
        ("bearer", None, False),
    ],
)
def test_only_what_fits_the_scheme_is_passed_on(secured, over_http, scheme, header, passed) -> None:
    package = secured({scheme: []})
    headers = {} if header is None else {"Authorization": header}
    own = {"SHOP_TOKEN": "BACKEND", "SHOP_USER": "u", "SHOP_PASS": "p", "SHOP_RAW": "R", "SHOP_OAUTH": "O"}
    (found,) = over_http(package, headers, **own, **FORWARD)
    if passed:
        assert package.sent.headers["authorization"] == header
    else:
        assert (found["category"], package.requests) == ("permission", [])
        assert "caller" in found["error"]


def test_operations_that_need_no_credential_get_none_of_the_callers(secured, over_http) -> None:
    for alternatives in ((), ({"key": []},)):
        package = secured(*alternatives)
        over_http(package, {"Authorization": "Bearer CALLER"}, SHOP_KEY="K-1", **FORWARD)
        assert "authorization" not in package.sent.headers


def test_a_callers_secret_is_masked_in_its_own_call_only() -> None:
    redactor = Redactor()

    async def one() -> str:
        redactor.add_for_this_call("caller-secret")
        return redactor.text("caller-secret")

    async def both() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(one)
        assert redactor.text("caller-secret") == "caller-secret"

    assert anyio.run(one) == "[redacted]"
    anyio.run(both)


# -- client certificates


def _key(path: Path, password: str = "") -> ec.EllipticCurvePrivateKey:
    key = ec.generate_private_key(ec.SECP256R1())
    sealed = (
        serialization.BestAvailableEncryption(password.encode()) if password else serialization.NoEncryption()
    )
    form = serialization.PrivateFormat.PKCS8
    path.write_bytes(key.private_bytes(serialization.Encoding.PEM, form, sealed))
    return key


def _certificate(
    path: Path, name: str, key: ec.EllipticCurvePrivateKey, issuer: str, signer: Any, *, root: bool = False
) -> None:
    now = dt.datetime.now(dt.UTC)

    def common(text: str) -> x509.Name:
        return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])

    builder = (
        x509.CertificateBuilder()
        .subject_name(common(name))
        .issuer_name(common(issuer))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(hours=1))
        .not_valid_after(now + dt.timedelta(hours=1))
        .add_extension(x509.BasicConstraints(root, None), critical=True)
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False
        )
    )
    path.write_bytes(builder.sign(signer, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))


@pytest.fixture
def certificates(tmp_path: Path) -> Path:
    """An authority, a server, and two clients; the key of the second one has a password."""
    root = _key(tmp_path / "ca.key")
    _certificate(tmp_path / "ca.pem", "ca", root, "ca", root, root=True)
    for name, password in (("server", ""), ("client", ""), ("sealed", "key-password")):
        key = _key(tmp_path / f"{name}.key", password)
        _certificate(tmp_path / f"{name}.pem", name, key, "ca", root)
    return tmp_path


async def _peer(scope: dict[str, Any], receive: Any, send: Any) -> None:
    start = {
        "type": "http.response.start",
        "status": 200,
        "headers": [(b"content-type", b"application/json")],
    }
    await send(start)
    await send({"type": "http.response.body", "body": b"{}"})


def test_the_schemes_certificate_is_shown(secured, certificates, monkeypatch, over_http) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificates / "ca.pem"))
    package = secured({"mtls": []})

    async def told(environ: dict[str, str]) -> dict[str, Any]:
        async with Client(build_server(package.name, environ=environ)) as client:
            return dict((await client.call_tool("get", {})).structured_content or {})

    options = {
        "ssl_certfile": str(certificates / "server.pem"),
        "ssl_keyfile": str(certificates / "server.key"),
        "ssl_ca_certs": str(certificates / "ca.pem"),
        "ssl_cert_reqs": ssl.CERT_REQUIRED,
        "lifespan": "off",
    }
    with served(_peer, **options) as port:
        base = {"SHOP_BASE_URL": f"https://127.0.0.1:{port}"}
        assert anyio.run(told, base)["category"] == "permission"
        own = {
            "SHOP_MTLS_CERT": str(certificates / "client.pem"),
            "SHOP_MTLS_KEY": str(certificates / "client.key"),
        }
        assert anyio.run(told, base | own)["ok"]
        common = {
            "SHOP_CLIENT_CERT": str(certificates / "sealed.pem"),
            "SHOP_CLIENT_KEY_PASSWORD": "key-password",
        }
        common |= {"SHOP_CLIENT_KEY": str(certificates / "sealed.key")}
        assert anyio.run(told, base | common)["ok"]


@pytest.mark.parametrize("prefix", ["SHOP_MTLS_CERT SHOP_MTLS_KEY", "SHOP_CLIENT_CERT SHOP_CLIENT_KEY"])
@pytest.mark.parametrize(
    ("cert", "key"), [("gone.pem", "client.key"), ("client.pem", "server.key"), ("sealed.pem", "sealed.key")]
)
def test_a_certificate_that_can_not_be_used_stops_the_start(secured, certificates, prefix, cert, key) -> None:
    file, private = prefix.split()
    environ = {file: str(certificates / cert), private: str(certificates / key)}
    with pytest.raises(SettingsError, match=f"{file}: "):
        secured({"mtls": []}).server(**environ)

"""Every kind of credential gets a value of its own; an API echoes all it is sent, in every way; nothing of it leaves."""

from __future__ import annotations

import base64
import html
import json
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus

import anyio
import httpx2
import mcp_types as mt
import pytest
import uvicorn
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from mcpgen.runtime.app import App
from mcpgen.runtime.secrecy.redact import log_to_stderr
from mcpgen.runtime.server import server_for
from mcpgen.runtime.serving.http import web_app

SECRETS = {
    "SHOP_TOKEN": 'SEEDbearer/+="&<x1',
    "SHOP_PASS": "SEEDbasic:p@ss/wörd 2",
    "SHOP_KEY_HEADER": "SEEDkeyheader~3'`",
    "SHOP_KEY_QUERY": "SEEDkeyquery +&=%4",
    "SHOP_KEY_COOKIE": 'SEEDkeycookie;",5',
    "SHOP_CLIENT_SECRET": "SEEDclientsecret+/6",
    "SHOP_DIGEST_PASS": "SEEDdigest-7",
    "SHOP_CLIENT_KEY_PASSWORD": "SEEDkeypassword-8",
    "SHOP_HTTP_CLIENT_SECRET": "SEEDintrospection/9",
    "SHOP_STATE_KEYS": "SEEDstatekey-of-thirty-two-bytes-or-more",
}
ISSUED = "SEEDissued.access-token_10"
REFRESH = "SEEDissued.refresh-token_11"
CALLER = "SEEDcaller.bearer-token_12"
ARGUMENT = "SEEDargument pass word 13"
"""The password that a caller gives to a tool: the API may say it to that caller, but no log may."""

AUTH = {
    "bearer": {"type": "http", "scheme": "bearer", "env": {"token": "SHOP_TOKEN"}},
    "basic": {"type": "http", "scheme": "basic", "env": {"username": "SHOP_USER", "password": "SHOP_PASS"}},
    "digest": {
        "type": "http",
        "scheme": "digest",
        "env": {"username": "SHOP_USER", "password": "SHOP_DIGEST_PASS"},
    },
    "header": {"type": "apiKey", "in": "header", "name": "X-Key", "env": {"key": "SHOP_KEY_HEADER"}},
    "query": {"type": "apiKey", "in": "query", "name": "key", "env": {"key": "SHOP_KEY_QUERY"}},
    "cookie": {"type": "apiKey", "in": "cookie", "name": "sid", "env": {"key": "SHOP_KEY_COOKIE"}},
    "oauth": {
        "type": "oauth2",
        "token_url": "https://api.example.com/token",
        "env": {"token": "SHOP_NONE", "client_id": "SHOP_CLIENT_ID", "client_secret": "SHOP_CLIENT_SECRET"},
    },
}
WAYS = (
    "data text xml binary stream malformed empty-type header link redirect away problem fields html 401 403 409 422 429 "
    "500 crash-before crash-after protocol-error"
).split()
HOOKS = """
from mcp import MCPError
import mcp_types as mt

async def before_request(call, request):
    if call.arguments.get("how") == "crash-before":
        raise RuntimeError(f"{dict(request.headers)} {request.url} {call.arguments!r}")

async def after_result(call, result):
    if call.arguments.get("how") == "crash-after":
        raise ValueError([result.value, call.arguments])
    if call.arguments.get("how") == "protocol-error":
        raise MCPError(code=mt.INVALID_REQUEST, message=str(result.value), data={"said": result.value})
"""


def echo(request: httpx2.Request) -> httpx2.Response:
    """An API that says what it was sent, in the way that it is asked for."""
    path = request.url.path
    if path.endswith("/token"):
        return httpx2.Response(200, json={"access_token": ISSUED, "refresh_token": REFRESH, "expires_in": 99})
    if path.endswith("/digest") and "authorization" not in request.headers:
        challenge = 'Digest realm="shop", qop="auth", nonce="n1", algorithm=SHA-256'
        return httpx2.Response(401, headers={"WWW-Authenticate": challenge})
    whole, said = _said(request)
    how = request.url.params.get("how", "data")
    if how in _KINDS:
        kind, content = _KINDS[how](whole, said)
        return httpx2.Response(502 if how == "html" else 200, headers=kind, content=content)
    if how in ("link", "redirect", "away", "header"):
        return _in_headers(how, str(request.url), whole, said)
    if how == "problem":
        told = dict.fromkeys(("type", "title", "detail", "instance"), whole)
        return httpx2.Response(400, headers={"content-type": "application/problem+json"}, json=told)
    if how == "fields":
        errors = [{"field": value, "message": f"{name} {value}"} for name, value in said["headers"].items()]
        return httpx2.Response(422, json={"errors": errors, **said})
    if how.isdigit():
        return httpx2.Response(int(how), json={"message": whole, "code": said["authorization"], **said})
    return httpx2.Response(200, json=said)


def _said(request: httpx2.Request) -> tuple[str, dict[str, Any]]:
    """What was sent, as one text and as JSON with it in many places and forms."""
    sent = dict(request.headers.items())
    given = sent.get("authorization", "")
    decoded = base64.b64decode(given.removeprefix("Basic ")).decode() if given.startswith("Basic ") else ""
    body = request.content.decode()
    whole = f"{request.method} {request.url} {sent} {body} {decoded}"
    return whole, {
        "url": str(request.url),
        "headers": sent,
        "lines": [f"{name}: {value}" for name, value in sent.items()],
        "body": body,
        "authorization": given.partition(" ")[2],
        "decoded": decoded,
        "base64": base64.b64encode(whole.encode()).decode(),
        "json": json.dumps(sent),
        "escaped": html.escape(whole),
        "encoded": quote(whole),
        **{value: name for name, value in sent.items()},
    }


def _type(name: str) -> dict[str, str]:
    return {"content-type": name}


_KINDS: dict[str, Callable[[str, Any], tuple[dict[str, str], bytes]]] = {
    "text": lambda whole, _: (_type("text/plain"), whole.encode()),
    "xml": lambda whole, _: (_type("application/xml"), f"<a>{html.escape(whole)}</a>".encode()),
    "binary": lambda whole, _: (_type("application/octet-stream"), b"\x00\xff" + whole.encode()),
    "stream": lambda _, said: (_type("text/event-stream"), f"data: {json.dumps(said)}\n\n".encode()),
    "malformed": lambda _, said: (_type("application/json"), json.dumps(said).encode()[:-1]),
    "empty-type": lambda _, said: ({}, json.dumps(said).encode()),
    "html": lambda whole, _: (_type("text/html"), f"<html><title>{whole}</title>{whole}</html>".encode()),
}


def _in_headers(how: str, url: str, whole: str, said: dict[str, Any]) -> httpx2.Response:
    line = quote(whole, safe=" :/")[:3000]
    if how == "redirect":
        return httpx2.Response(302, headers={"location": f"/v1/x?{line}"}, json=said)
    if how == "away":
        return httpx2.Response(302, headers={"location": f"https://evil.example/?{line}"}, json=said)
    if how == "header":
        return httpx2.Response(200, headers={"x-total-count": "3", "x-echo": line}, json={})
    more = f"<{url.split('?', maxsplit=1)[0]}?how=link&q={quote_plus(whole[:1000])}>; rel=next"
    return httpx2.Response(200, headers={"link": more}, json=[])


@pytest.fixture
def package(build, op):
    params = [("query", "how", {"type": "string"}, {}), ("query", "q", {"type": "string"}, {})]
    tools = {
        f"by_{name}": op(path=f"/{name}", params=params, more={"security": [{name: []}]}) for name in AUTH
    }
    strict = {"type": "object", "additionalProperties": {"type": "integer"}}
    made = build(
        AUTH,
        HOOKS,
        **tools,
        drifting=op(
            params=params,
            data=strict,
            more={"security": [{name: [] for name in ("bearer", "query", "cookie")}]},
        ),
        log_in=op(
            method="POST",
            path="/login",
            effect="destructive",
            fields={"user": {"type": "string"}, "password": {"type": "string"}},
            body={"content_type": "application/json", "kind": "json", "required": True},
            params=params,
            more={"security": [{"bearer": []}]},
        ),
    )
    made.answer(echo)
    return made


@pytest.fixture
def sealed_key(tmp_path: Path) -> dict[str, str]:
    """A client certificate whose key has a password."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "client")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), 1, now, now + timedelta(days=1))
        .sign(key, hashes.SHA256())
        .public_bytes(serialization.Encoding.PEM)
    )
    password = serialization.BestAvailableEncryption(SECRETS["SHOP_CLIENT_KEY_PASSWORD"].encode())
    pem = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    (tmp_path / "client.pem").write_bytes(certificate)
    (tmp_path / "client.key").write_bytes(key.private_bytes(*pem, password))
    return {"SHOP_CLIENT_CERT": str(tmp_path / "client.pem"), "SHOP_CLIENT_KEY": str(tmp_path / "client.key")}


@pytest.fixture
def environ(tmp_path: Path, sealed_key: dict[str, str]) -> dict[str, str]:
    return {
        **SECRETS,
        **sealed_key,
        "SHOP_USER": "mia",
        "SHOP_CLIENT_ID": "client-id",
        "SHOP_AUDIT": str(tmp_path / "audit.jsonl"),
        "SHOP_SUMMARY": "1",
        "SHOP_METRICS": "1",
        "SHOP_ALLOW_EFFECTS": "read,write,destructive",
        "SHOP_LOG_LEVEL": "DEBUG",
        "SHOP_STATE_DIR": str(tmp_path / "state"),
        "SHOP_LOGIN_STORE": "file",
    }


@pytest.fixture
def logging_as_before() -> Iterator[None]:
    names = ("", "mcpgen", "httpx2", "httpcore2")
    before = [(logging.getLogger(name).handlers[:], logging.getLogger(name).level) for name in names]
    yield
    for name, (handlers, level) in zip(names, before, strict=True):
        logging.getLogger(name).handlers[:] = handlers
        logging.getLogger(name).setLevel(level)


def forms(secret: str) -> set[str]:
    """What to look for, written without the library's own list."""
    raw = secret.encode()
    found = {secret, quote(secret), quote(secret, safe=""), quote_plus(secret), html.escape(secret)}
    found |= {json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1], repr(secret)[1:-1]}
    found |= {
        base64.b64encode(pair).decode().rstrip("=") for pair in (raw, b"mia:" + raw, b"client-id:" + raw)
    }
    return found | {form.replace("%2F", "%2f").replace("%2B", "%2b") for form in found}


def assert_nowhere(texts: dict[str, str], secrets: set[str]) -> None:
    for where, text in texts.items():
        for secret in secrets:
            for form in forms(secret):
                at = text.find(form)
                assert at < 0, f"{secret} as {form} in {where}: …{text[max(0, at - 200) : at + 200]}…"
        for word in {word for word in text.replace('"', " ").split() if len(word) > 40}:
            for padded in (word, word[1:], word.rstrip("\\,.'")):
                try:
                    decoded = base64.b64decode(padded + "=" * (-len(padded) % 4), validate=True)
                except ValueError:
                    continue
                inside = [form for secret in secrets for form in forms(secret) if form.encode() in decoded]
                assert not inside, f"{inside} in base64 in {where}: {decoded[:200]!r}"


async def _called(client: Client, tool: str, arguments: dict[str, Any]) -> str:
    try:
        result = await client.call_tool(tool, arguments)
    except Exception as error:
        return f"{error!r} {getattr(error, 'error', '')!r}"
    blobs = [
        base64.b64decode(getattr(getattr(block, "resource", None), "blob", "")) for block in result.content
    ]
    return result.model_dump_json() + repr(blobs)


async def _agree(_: Any, params: Any) -> mt.ElicitResult:
    _questions.append(params.message)
    return mt.ElicitResult(action="accept", content={"confirm": True})


_questions: list[str] = []


def _left(
    app: App, capsys: pytest.CaptureFixture[str], environ: dict[str, str], exporter: Any
) -> dict[str, str]:
    """Everything else that has left the server."""
    from prometheus_client import generate_latest

    texts = {"metrics": generate_latest(app.observers.registry).decode()}
    app.finished()
    told = capsys.readouterr()
    texts["standard error"] = told.err
    texts["standard output"] = told.out
    texts["audit"] = Path(environ["SHOP_AUDIT"]).read_text("utf-8")
    texts["spans"] = "".join(span.to_json() for span in exporter.get_finished_spans())
    texts["settings"] = repr(app.settings)
    texts["questions"] = "\n".join(_questions)
    return texts


@pytest.mark.usefixtures("logging_as_before", "no_waiting")
def test_seeded_secrets_are_found_nowhere(package, environ, capsys, mode, spans) -> None:
    app = App.start(package.name, environ, httpx2.MockTransport(package._handle))
    log_to_stderr(app.redactor, app.settings.log_level)
    _questions.clear()
    results: dict[str, str] = {}

    async def run() -> None:
        async with Client(server_for(app), mode=mode, elicitation_callback=_agree) as client:
            for tool in sorted(app.registered):
                given = {"user": "mia", "password": ARGUMENT} if tool == "log_in" else {"q": "x"}
                for how in WAYS:
                    results[f"{tool} {how}"] = await _called(client, tool, {**given, "how": how})

    anyio.run(run)
    credentials = {*SECRETS.values(), ISSUED, REFRESH}
    sent = "".join(
        f"{request.url} {request.headers.multi_items()} {request.content!r}" for request in package.requests
    )
    for name in ("SHOP_TOKEN", "SHOP_KEY_HEADER"):
        assert SECRETS[name] in sent.replace("\\'", "'"), "the API was sent nothing to echo"
    assert ISSUED in sent
    assert '"ok":true' in results["by_bearer data"].replace(" ", "").replace("\\", "")
    assert_nowhere(results, credentials)
    left = _left(app, capsys, environ, spans)
    assert left["audit"].count("\n") >= len(results)
    assert "[redacted]" in left["audit"]
    assert "crashed" in left["standard error"]
    assert "Traceback" in left["standard error"]
    assert_nowhere(left, credentials | {ARGUMENT})
    assert ARGUMENT in results["log_in data"], "what a caller gave, the API may say to that caller"
    assert len(_questions) >= len(WAYS)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@contextmanager
def _served(app: App, port: int) -> Iterator[None]:
    web = web_app(app, server_for(app), "127.0.0.1", port)
    server = uvicorn.Server(
        uvicorn.Config(web, host="127.0.0.1", port=port, log_config=None, access_log=False)
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.005)
    try:
        yield
    finally:
        server.should_exit = True
        thread.join()


@pytest.mark.usefixtures("logging_as_before", "no_waiting")
def test_the_callers_own_token_is_found_nowhere(package, environ, capsys, mode, spans) -> None:
    port = _free_port()
    url = f"http://127.0.0.1:{port}/mcp"

    def api(request: httpx2.Request) -> httpx2.Response:
        answer = echo(request)
        if request.url.path.endswith("/introspect"):
            told = {
                "active": True,
                "sub": "mia",
                "client_id": "c",
                "aud": url,
                "scope": "",
                "exp": time.time() + 99,
            }
            return httpx2.Response(200, json=told)
        return answer

    package.answer(api)
    environ |= {
        "SHOP_FORWARD_AUTHORIZATION": "1",
        "SHOP_HTTP_URL": url,
        "SHOP_HTTP_ISSUER": "https://issuer.example",
        "SHOP_HTTP_INTROSPECTION_URL": "https://issuer.example/introspect",
        "SHOP_HTTP_CLIENT_ID": "client-id",
    }
    app = App.start(package.name, environ, httpx2.MockTransport(package._handle))
    log_to_stderr(app.redactor, app.settings.log_level)
    _questions.clear()
    results: dict[str, str] = {}

    async def run() -> None:
        headers = {"Authorization": f"Bearer {CALLER}"}
        async with (
            httpx2.AsyncClient(headers=headers, trust_env=False) as http,
            Client(streamable_http_client(url, http_client=http), mode=mode) as client,
        ):
            for tool in ("by_bearer", "by_oauth", "drifting"):
                for how in WAYS:
                    results[f"{tool} {how}"] = await _called(client, tool, {"how": how})

    with _served(app, port):
        anyio.run(run)
    assert any(request.headers.get("authorization") == f"Bearer {CALLER}" for request in package.requests)
    assert_nowhere(results, {*SECRETS.values(), CALLER})
    left = _left(app, capsys, environ, spans)
    assert_nowhere(left, {*SECRETS.values(), CALLER})
    line = json.loads(left["audit"].splitlines()[0])
    assert (line["caller"]["subject"], line["caller"]["client_id"]) == ("mia", "c")

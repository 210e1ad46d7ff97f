"""For tests of serving over HTTP: a server on a port, and beside it an authorization server and an API that play along."""

from __future__ import annotations

import base64
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

import httpx2
import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from mcpgen.runtime.app import App
from mcpgen.runtime.server import server_for
from mcpgen.runtime.serving.checks import check_serving
from mcpgen.runtime.serving.http import Runner, web_app
from mcpgen.runtime.serving.listening import listen, port_of

MODERN = "2026-07-28"


@cache
def private_key(name: str) -> Any:
    """A key by name; the first letters say of which kind."""
    if name.startswith("rsa"):
        return rsa.generate_private_key(public_exponent=65537, key_size=1024 if name == "rsa-short" else 2048)
    if name.startswith("ed"):
        return ed25519.Ed25519PrivateKey.generate()
    return ec.generate_private_key(ec.SECP256R1())


def algorithm_of(name: str) -> str:
    return "RS256" if name.startswith("rsa") else "EdDSA" if name.startswith("ed") else "ES256"


def public_jwk(name: str, **more: Any) -> dict[str, Any]:
    algorithms = jwt.algorithms.get_default_algorithms()
    public = private_key(name).public_key()
    return {**algorithms[algorithm_of(name)].to_jwk(public, as_dict=True), "kid": name} | more


class Peer(ThreadingHTTPServer):
    """An authorization server and an API in one.

    Attributes:
        jwks: its keys.
        metadata: what its metadata says besides `issuer`.
        opaque: answers to look-ups, by token.
        broken: paths that are answered 503.
        asked: the paths of all requests.
        pause: the API waits for this before it answers.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.jwks: Any = [public_jwk("ec-1")]
        self.metadata: dict[str, Any] = {"jwks_uri": f"{self.url}/jwks"}
        self.opaque: dict[str, dict[str, Any]] = {}
        self.broken: set[str] = set()
        self.asked: list[str] = []
        self.authorizations: list[str | None] = []
        self.pause: threading.Event | None = None

    def count(self, path: str) -> int:
        return self.asked.count(path)

    def claims(self, audience: str, **more: Any) -> dict[str, Any]:
        now = int(time.time())
        told = {"iss": self.url, "aud": audience, "sub": "mia", "client_id": "inspector"}
        told |= {"iat": now, "exp": now + 300, "scope": "shop.use"} | more
        return {key: value for key, value in told.items() if value is not None}

    def token(
        self, audience: str, *, key: str = "ec-1", header: dict[str, Any] | None = None, **more: Any
    ) -> str:
        headers = {"kid": key, "typ": "at+jwt"} | (header or {})
        headers = {name: value for name, value in headers.items() if value is not None}
        algorithm = headers.pop("alg", algorithm_of(key))
        return jwt.encode(self.claims(audience, **more), private_key(key), algorithm, headers)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Peer

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        self.server.asked.append(path)
        if path in self.server.broken:
            self._answer(503, {})
        elif path == "/jwks":
            self._answer(200, {"keys": self.server.jwks})
        elif path == "/.well-known/oauth-authorization-server":
            self._answer(200, {"issuer": self.server.url} | self.server.metadata)
        elif path.startswith("/api/"):
            self.server.authorizations.append(self.headers["Authorization"])
            if self.server.pause is not None:
                self.server.pause.wait(10)
            self._answer(200, {"id": 7})
        else:
            self._answer(404, {})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.asked.append(self.path)
        known = base64.b64encode(b"shop-server:shop-secret").decode()
        if self.path in self.server.broken:
            self._answer(503, {})
        elif self.headers["Authorization"] != f"Basic {known}":
            self._answer(401, {"error": "invalid_client"})
        else:
            self._answer(200, self.server.opaque.get(parse_qs(body)["token"][0], {"active": False}))

    def _answer(self, status: int, told: Any) -> None:
        content = json.dumps(told).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def peer_running() -> Iterator[Peer]:
    peer = Peer()
    thread = threading.Thread(target=lambda: peer.serve_forever(0.01), daemon=True)
    thread.start()
    yield peer
    peer.shutdown()
    peer.server_close()


@dataclass
class Served:
    """A server that runs in a thread."""

    app: App
    runner: Runner
    peer: Peer
    port: int
    thread: threading.Thread
    http: httpx2.Client = field(default_factory=lambda: httpx2.Client(trust_env=False, timeout=20))

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.base}/mcp"

    def token(self, **more: Any) -> str:
        return self.peer.token(self.url, **more)

    def post(
        self, token: str | None = None, *, tool: str = "get_thing", arguments: Any = None, **headers: str
    ) -> httpx2.Response:
        """Calls a tool as a client of 2026-07-28 does."""
        method = "tools/list" if tool == "" else "tools/call"
        given = {
            "MCP-Protocol-Version": MODERN,
            "Mcp-Method": method,
            "Accept": "application/json, text/event-stream",
        }
        given |= {"Mcp-Name": tool} if tool else {}
        given |= {"Authorization": f"Bearer {token}"} if token is not None else {}
        return self.http.post(self.url, json=modern(method, tool, arguments), headers=given | headers)

    async def call(
        self, token: str | None = None, tool: str = "get_thing", arguments: Any = None, mode: str = "auto"
    ) -> dict[str, Any]:
        """Calls a tool through the client."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        async with (
            httpx2.AsyncClient(headers=headers, trust_env=False, timeout=20) as http,
            Client(streamable_http_client(self.url, http_client=http), mode=mode) as client,
        ):
            await client.list_tools()  # it checks the result by the list, and would ask for it afterwards
            return dict((await client.call_tool(tool, arguments or {})).structured_content or {})

    def stop(self) -> None:
        if not self.app.traffic.ending:
            self.runner.handle_exit(15, None)
        self.thread.join(15)
        assert not self.thread.is_alive()


def modern(method: str, tool: str = "", arguments: Any = None) -> dict[str, Any]:
    """A request of 2026-07-28."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params: dict[str, Any] = {"_meta": meta}
    if tool:
        params |= {"name": tool, "arguments": arguments or {}}
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


@contextmanager
def serving(package: Any, peer: Peer, *, tokens: bool = True, **environ: str) -> Iterator[Served]:
    """The package served on a port of the loopback, with tokens of the peer unless told otherwise."""
    sockets = listen("127.0.0.1", 0)
    port = port_of(sockets)
    settings = {"SHOP_BASE_URL": f"{peer.url}/api"}
    if tokens:
        settings |= {"SHOP_HTTP_URL": f"http://127.0.0.1:{port}/mcp", "SHOP_HTTP_ISSUER": peer.url}
    app = App.start(package.name, settings | environ)
    check_serving(app, "http", "127.0.0.1")
    runner = Runner(app, web_app(app, server_for(app), "127.0.0.1", port))
    thread = threading.Thread(target=runner.run, args=(sockets,), daemon=True)
    thread.start()
    served = Served(app, runner, peer, port, thread)
    while not runner.started:
        time.sleep(0.005)
    try:
        yield served
    finally:
        served.http.close()
        if thread.is_alive():
            served.stop()

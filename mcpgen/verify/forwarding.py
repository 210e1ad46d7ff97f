"""Stands between the generated server and the API on loopback, and keeps what goes over the wire."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.cookiejar import CookieJar, DefaultCookiePolicy
from urllib.parse import urlsplit

import anyio.to_thread
import httpx2
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from mcpgen.preview.recording import target_of
from mcpgen.preview.routes import base_path_of
from mcpgen.runtime.auth.certificates import Certificate
from mcpgen.verify.model import Answered

_MOST_BYTES = 32 * 1024 * 1024
_SECONDS = 60.0
_OWN = frozenset(
    "connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade "
    "host content-length accept-encoding content-encoding".split()
)
"""Headers of one hop (RFC 9110, 7.6.1), and those that are not the same on the other side of this one."""


class Forwarder:
    """An ASGI application that sends every request on to the API and remembers the exchanges, in their order.

    It knows one host and one base path: whatever else it is asked for never leaves it.

    Attributes:
        problem: why the last request did not reach the API, or its answer did not come; None when it did.
    """

    def __init__(self, base_url: str, client: httpx2.Client) -> None:
        parts = urlsplit(base_url)
        self._root = f"{parts.scheme}://{parts.netloc}"
        self._base_path = base_path_of(base_url)
        self._client = client
        self.answers: list[Answered] = []
        self.problem: str | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        body = await Request(scope, receive).body()
        host = next((value for name, value in scope["headers"] if name == b"host"), b"").decode("latin-1")
        exchange = partial(self._exchange, scope["method"], target_of(scope), scope["headers"], body)
        answered = await anyio.to_thread.run_sync(exchange)
        status, headers, content = 502, list[tuple[str, str]](), b""
        if answered is not None:
            self.answers.append(answered)
            status, content = answered.status, answered.body
            headers = [(name, self._homeward(name, value, host)) for name, value in answered.headers]
        raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        if status not in (204, 304):
            raw.append((b"content-length", str(len(content)).encode()))
        await send({"type": "http.response.start", "status": status, "headers": raw})
        await send({"type": "http.response.body", "body": content})

    def _exchange(
        self, method: str, target: str, headers: list[tuple[bytes, bytes]], body: bytes
    ) -> Answered | None:
        self.problem = None
        path = target.partition("?")[0]
        if not f"{path}/".startswith(f"{self._base_path}/"):
            self.problem = f"{path} is not below {self._base_path}"
            return None
        sent = [(name, value) for name, value in headers if name.decode("latin-1") not in _OWN]
        sent.append((b"accept-encoding", b"identity"))
        deadline = time.monotonic() + _SECONDS
        try:
            with self._client.stream(method, self._root + target, headers=sent, content=body) as answer:
                content, cut = _read(answer, deadline)
                kept = [
                    (name.decode("latin-1").lower(), value.decode("latin-1"))
                    for name, value in answer.headers.raw
                    if name.decode("latin-1").lower() not in _OWN
                ]
                return Answered(method, target, body, answer.status_code, tuple(kept), content, cut)
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            self.problem = str(error) or type(error).__name__
            return None

    def _homeward(self, name: str, value: str, host: str) -> str:
        """A redirect to the API itself leads through here again."""
        if name == "location" and value.startswith(f"{self._root}/"):
            return f"http://{host}{value.removeprefix(self._root)}"
        return value


def _read(answer: httpx2.Response, deadline: float) -> tuple[bytes, bool]:
    """The body, and whether it was cut: some answers have no end."""
    content = bytearray()
    for chunk in answer.iter_bytes():
        content += chunk
        if len(content) > _MOST_BYTES or time.monotonic() > deadline:
            return bytes(content[:_MOST_BYTES]), True
    return bytes(content), False


@contextmanager
def api_client(environment: Mapping[str, str], prefix: str) -> Iterator[httpx2.Client]:
    """What the API is reached with: the client certificate and the proxies that the server would use.

    Raises:
        ValueError: the certificate cannot be used.
    """
    context = httpx2.create_ssl_context()
    file = environment.get(f"{prefix}_CLIENT_CERT")
    if file:
        key = environment.get(f"{prefix}_CLIENT_KEY") or None
        Certificate(file, key, environment.get(f"{prefix}_CLIENT_KEY_PASSWORD")).load(context)
    # What the library would add of its own, cookies among it, is not what the server sent.
    forgetful = CookieJar(DefaultCookiePolicy(allowed_domains=[]))
    with httpx2.Client(verify=context, timeout=30.0, cookies=forgetful) as client:
        client.headers.clear()
        yield client

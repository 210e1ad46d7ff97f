"""The one HTTP client of a server: made with the first request, bounded in time and size, without a memory.

It keeps no cookies (one caller's session must not leak into another's call), follows no redirect by itself
and honours the standard proxy variables.
"""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http.cookiejar import CookieJar, DefaultCookiePolicy

import anyio
import httpx2

from .certificates import Certificate
from .media import is_stream
from .payload import Payload
from .settings import Settings

_CONNECT_SECONDS = 10.0
_STREAM_SECONDS = 10.0
"""How long an event stream is listened to: it may never end by itself."""


@dataclass(slots=True)
class PreparedRequest:
    """A request as it will go out; hooks may change it. `content` is None when there is no body.

    A large body, or one with files from disk, is a `Payload`. `auth` answers a challenge of the API (digest);
    `certificate` is shown when the connection is made.
    """

    method: str
    url: str
    headers: httpx2.Headers = field(default_factory=lambda: httpx2.Headers(encoding="utf-8"))
    content: bytes | Payload | None = None
    auth: httpx2.Auth | None = None
    certificate: Certificate | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. `cut` tells that the body went on, but a limit of time or size was reached."""

    status: int
    headers: httpx2.Headers
    content: bytes
    url: str
    cut: bool = False

    @property
    def media_type(self) -> str:
        """The media type without parameters, in lower case; empty when none was sent."""
        return self.headers.get("content-type", "").split(";")[0].strip().lower()


class Unreachable(Exception):
    """No answer. `sent` tells whether the API may have seen the request."""

    def __init__(self, cause: str, *, sent: bool, timeout: bool = False) -> None:
        self.sent = sent
        self.timeout = timeout
        super().__init__(cause)


class ApiClient:
    """Sends requests over lazily opened `httpx2.AsyncClient`s: one, and one for each client certificate."""

    def __init__(
        self, settings: Settings, user_agent: str, transport: httpx2.AsyncBaseTransport | None = None
    ) -> None:
        self._settings = settings
        self._user_agent = user_agent
        self._transport = transport
        self._clients: dict[Certificate | None, httpx2.AsyncClient] = {}
        self._sessions = 0

    @asynccontextmanager
    async def session(self) -> AsyncIterator[None]:
        """Keeps the client open for as long as any MCP connection is."""
        self._sessions += 1
        try:
            yield
        finally:
            self._sessions -= 1
            if self._sessions == 0:
                clients, self._clients = self._clients, {}
                with anyio.CancelScope(shield=True):
                    for client in clients.values():
                        await client.aclose()

    def _open(self, certificate: Certificate | None) -> httpx2.AsyncClient:
        if certificate not in self._clients:
            self._clients[certificate] = httpx2.AsyncClient(
                transport=self._transport,
                verify=_tls(certificate or self._settings.certificate),
                headers={"User-Agent": self._user_agent},
                cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
                timeout=httpx2.Timeout(self._settings.timeout, connect=_CONNECT_SECONDS),
                follow_redirects=False,
            )
        return self._clients[certificate]

    async def fetch(self, request: PreparedRequest) -> Answer:
        """One request, one answer, within the limits.

        Raises:
            Unreachable: nobody answered, or not in time.
            httpx2.InvalidURL, httpx2.HTTPError: the request or the answer can't be handled at all.
        """
        client = self._open(request.certificate)
        headers = request.headers.copy()
        if isinstance(request.content, Payload):  # its length is known, so it need not be sent in HTTP chunks
            headers["Content-Length"] = str(len(request.content))
        outgoing = client.build_request(request.method, request.url, headers=headers, content=request.content)
        outgoing.method = request.method  # httpx writes methods in capitals; RFC 9110 has them case-sensitive
        try:
            response = await client.send(outgoing, stream=True, auth=request.auth)
            try:
                content, cut = await self._read(response)
            finally:
                with anyio.CancelScope(shield=True):
                    await response.aclose()
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.ProxyError) as error:
            raise Unreachable("could not be reached", sent=False) from error
        except httpx2.TimeoutException as error:
            raise Unreachable("did not answer in time", sent=True, timeout=True) from error
        except (httpx2.NetworkError, httpx2.RemoteProtocolError) as error:
            raise Unreachable("closed the connection without an answer", sent=True) from error
        url = str(outgoing.url)
        return Answer(response.status_code, response.headers, content, url, cut)

    async def _read(self, response: httpx2.Response) -> tuple[bytes, bool]:
        """The body, decoded; an endless stream is cut, and so is what exceeds the download limit."""
        endless = is_stream(response.headers.get("content-type", ""))
        patience = min(_STREAM_SECONDS, self._settings.timeout / 2) if endless else None
        chunks: list[bytes] = []
        size, limit = 0, self._settings.max_download_bytes
        with anyio.move_on_after(patience) as scope:
            async for chunk in response.aiter_bytes():
                chunks.append(chunk[: limit - size])
                size += len(chunk)
                if size > limit:
                    return b"".join(chunks), True
        return b"".join(chunks), scope.cancelled_caught


def _tls(certificate: Certificate | None) -> ssl.SSLContext | bool:
    if certificate is None:
        return True
    context = httpx2.create_ssl_context()
    certificate.load(context)
    return context

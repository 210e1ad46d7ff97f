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

from .settings import Settings

_CONNECT_SECONDS = 10.0
_STREAM_SECONDS = 10.0
"""How long an event stream is listened to: it may never end by itself."""
STREAM_TYPES = frozenset(
    {
        "text/event-stream",
        "application/x-ndjson",
        "application/ndjson",
        "application/jsonl",
        "application/x-jsonlines",
        "application/json-seq",
    }
)


@dataclass(slots=True)
class PreparedRequest:
    """A request as it will go out; hooks may change it. `content` is None when there is no body."""

    method: str
    url: str
    headers: httpx2.Headers = field(default_factory=lambda: httpx2.Headers(encoding="utf-8"))
    content: bytes | None = None


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
    """Sends requests over one lazily opened `httpx2.AsyncClient`."""

    def __init__(
        self, settings: Settings, user_agent: str, transport: httpx2.AsyncBaseTransport | None = None
    ) -> None:
        self._settings = settings
        self._user_agent = user_agent
        self._transport = transport
        self._client: httpx2.AsyncClient | None = None
        self._sessions = 0

    @asynccontextmanager
    async def session(self) -> AsyncIterator[None]:
        """Keeps the client open for as long as any MCP connection is."""
        self._sessions += 1
        try:
            yield
        finally:
            self._sessions -= 1
            if self._sessions == 0 and self._client is not None:
                client, self._client = self._client, None
                with anyio.CancelScope(shield=True):
                    await client.aclose()

    def _open(self) -> httpx2.AsyncClient:
        if self._client is None:
            self._client = httpx2.AsyncClient(
                transport=self._transport,
                verify=self._tls(),
                headers={"User-Agent": self._user_agent},
                cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
                timeout=httpx2.Timeout(self._settings.timeout, connect=_CONNECT_SECONDS),
                follow_redirects=False,
            )
        return self._client

    def _tls(self) -> ssl.SSLContext | bool:
        if not self._settings.client_cert:
            return True
        context = httpx2.create_ssl_context()
        context.load_cert_chain(self._settings.client_cert, self._settings.client_key)
        return context

    async def fetch(self, request: PreparedRequest) -> Answer:
        """One request, one answer, within the limits.

        Raises:
            Unreachable: nobody answered, or not in time.
            httpx2.InvalidURL, httpx2.HTTPError: the request or the answer can't be handled at all.
        """
        client = self._open()
        outgoing = client.build_request(
            request.method, request.url, headers=request.headers, content=request.content
        )
        outgoing.method = request.method  # httpx writes methods in capitals; RFC 9110 has them case-sensitive
        try:
            response = await client.send(outgoing, stream=True)
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
        media_type = response.headers.get("content-type", "").split(";")[0].strip().lower()
        patience = min(_STREAM_SECONDS, self._settings.timeout / 2) if media_type in STREAM_TYPES else None
        chunks: list[bytes] = []
        size, limit = 0, self._settings.max_download_bytes
        with anyio.move_on_after(patience) as scope:
            async for chunk in response.aiter_bytes():
                chunks.append(chunk[: limit - size])
                size += len(chunk)
                if size > limit:
                    return b"".join(chunks), True
        return b"".join(chunks), scope.cancelled_caught

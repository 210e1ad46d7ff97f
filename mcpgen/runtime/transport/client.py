"""The one HTTP client of a server: made with the first request, bounded in time and size, without a memory.

It keeps no cookies (one caller's session must not leak into another's call), follows no redirect by itself
and honours the standard variables for proxies and for certificates.
"""

from __future__ import annotations

import logging
import re
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

import anyio
import httpx2

from ..auth.certificates import Certificate
from ..outcomes.failures import broken
from ..requests.media import bare, is_stream
from ..requests.payload import Payload
from ..setup.settings import Settings
from .deadline import time_left
from .unreachable import NO_ANSWER, unreachable

log = logging.getLogger(__name__)

_STREAM_SECONDS = 10.0
"""How long an event stream is listened to: it may never end by itself."""
_KEPT_CONNECTIONS = 20
_DEFLATE = frozenset({"gzip", "x-gzip", "deflate"})
_CODINGS = _DEFLATE | {"br", "zstd"}
"""What the library can undo, with its extras; it leaves others as they are."""
_MEDIA_TYPE = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]{0,126}/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}")
"""RFC 6838, 4.2. It is passed on to clients as the type of a content."""


@dataclass(slots=True)
class PreparedRequest:
    """A request as it will go out; hooks may change it. `content` is None when there is no body.

    A large body, or one with files from disk, is a `Payload`. `auth` answers a challenge of the API (digest);
    `certificate` is shown when the connection is made.
    """

    method: str
    url: str
    headers: httpx2.Headers = field(default_factory=lambda: httpx2.Headers(encoding="utf-8"), repr=False)
    content: bytes | Payload | None = field(default=None, repr=False)
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
        """The media type without parameters, in lower case; empty when none was sent, or nothing that can be one."""
        kind = bare(self.headers.get("content-type", ""))
        return kind if _MEDIA_TYPE.fullmatch(kind) else ""


@dataclass(slots=True)
class Trip:
    """What is known of one request while it is on its way, and still when it ends without an answer.

    Attributes:
        sent: its first byte may have left.
        status: what the head of the answer says, once it is there.
        received: bytes of the answer's body, decoded.
    """

    sent: bool = False
    status: int | None = None
    received: int = 0

    async def watch(self, event: str, told: Mapping[str, Any]) -> None:
        """What the HTTP library says while it works (its `trace` extension). A proxy's CONNECT is not the request."""
        if event.endswith("send_request_headers.started") and told["request"].method != b"CONNECT":
            self.sent = True


class ApiClient:
    """Sends requests over lazily opened `httpx2.AsyncClient`s: one, and one for each client certificate."""

    def __init__(
        self, settings: Settings, user_agent: str, transport: httpx2.AsyncBaseTransport | None = None
    ) -> None:
        self._settings = settings
        self._user_agent = user_agent
        self._transport = transport
        self._limits = httpx2.Timeout(settings.read_timeout, connect=settings.connect_timeout, pool=None)
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
                timeout=self._limits,
                # How many there may be at a time is decided before a request comes here (`upstream`).
                limits=httpx2.Limits(max_connections=None, max_keepalive_connections=_KEPT_CONNECTIONS),
                follow_redirects=False,
            )
        return self._clients[certificate]

    async def fetch(self, request: PreparedRequest, trip: Trip | None = None) -> Answer:
        """One request, one answer, within the limits.

        Args:
            trip: is kept up to date on the way.

        Raises:
            Unreachable: nobody answered, or not in time, or not to the end.
            CallFailed: the variables for proxies or certificates can't be used.
            httpx2.InvalidURL, httpx2.HTTPError: the request or the answer can't be handled at all.
        """
        trip = Trip() if trip is None else trip
        client = self._usable(request.certificate)
        headers = request.headers.copy()
        if isinstance(request.content, Payload):  # its length is known, so it need not be sent in HTTP chunks
            headers["Content-Length"] = str(len(request.content))
        outgoing = client.build_request(
            request.method,
            request.url,
            headers=headers,
            content=request.content,
            extensions={"trace": trip.watch},
        )
        outgoing.method = request.method  # httpx writes methods in capitals; RFC 9110 has them case-sensitive
        trip.sent = self._transport is not None  # a transport of one's own need not say when it sends
        try:
            response = await client.send(outgoing, stream=True, auth=request.auth)
            trip.status = response.status_code
            try:
                _check_coding(response)
                content, cut = await self._read(response, trip)
            finally:
                with anyio.CancelScope(shield=True):
                    await response.aclose()
        except NO_ANSWER as error:
            lost = unreachable(error, self._limits, sent=trip.sent, answering=trip.status is not None)
            trip.sent = lost.sent
            raise lost from error
        return Answer(response.status_code, response.headers, content, str(outgoing.url), cut)

    def _usable(self, certificate: Certificate | None) -> httpx2.AsyncClient:
        try:
            return self._open(certificate)
        except (ValueError, OSError, ImportError, httpx2.InvalidURL) as error:
            # Not the error's text: it may hold the address of a proxy with its password.
            log.error(
                "No connection can be made (%s). Check HTTP_PROXY, HTTPS_PROXY, ALL_PROXY (a SOCKS proxy needs the "
                "package socksio), SSL_CERT_FILE and SSL_CERT_DIR.",
                type(error).__name__,
            )
            raise broken("This server is not set up to make connections. Nothing was sent.") from None

    async def _read(self, response: httpx2.Response, trip: Trip) -> tuple[bytes, bool]:
        """The body, decoded; an endless stream is cut, and so is what exceeds the download limit.

        Of a refusal that breaks off, or does not come to an end, the status is there, which is most of what it has to say.
        """
        endless = is_stream(response.headers.get("content-type", ""))
        refusal = response.status_code >= 400
        patience = min(_STREAM_SECONDS, time_left() / 2) if endless or refusal else None
        chunks: list[bytes] = []
        size, limit = 0, self._settings.max_download_bytes
        try:
            with anyio.move_on_after(patience) as scope:
                async for chunk in response.aiter_bytes():
                    chunks.append(chunk[: limit - size])
                    size += len(chunk)
                    if size > limit:
                        return b"".join(chunks), True
        except NO_ANSWER as error:
            if endless and isinstance(error, httpx2.ReadTimeout):
                return b"".join(chunks), True
            if not refusal:
                raise
            return b"", True
        finally:
            trip.received = size
        if refusal and scope.cancelled_caught:
            return b"", True
        return b"".join(chunks), scope.cancelled_caught


def _check_coding(response: httpx2.Response) -> None:
    """Refuses codings in one another where a part of the answer could be blown up without end.

    The library undoes them in one step for each part that arrives, and no limit of time or size ends a step. Deflate makes
    a thousand of one byte at most, so two of its kind are bounded; of three, or of those that know no such limit, a few
    kilobytes would hold up every other call for hours. Nobody asks for more than one (RFC 9110, 12.5.3).

    Raises:
        httpx2.DecodingError: there are such codings.
    """
    told = response.headers.get_list("content-encoding", split_commas=True)
    codings = [one for coding in told if (one := coding.strip().lower()) in _CODINGS]
    if len(codings) > 2 or (len(codings) == 2 and not _DEFLATE.issuperset(codings)):
        raise httpx2.DecodingError("codings in one another", request=response.request)


def _tls(certificate: Certificate | None) -> ssl.SSLContext | bool:
    if certificate is None:
        return True
    context = httpx2.create_ssl_context()
    certificate.load(context)
    return context

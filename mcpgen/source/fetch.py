"""Fetching a document over HTTP, within limits of size, time and place."""

from __future__ import annotations

import threading
import time
import zlib
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

import httpx2

from mcpgen.source.addresses import is_global, resolve, uses_proxy
from mcpgen.source.problem import SourceProblem

_REDIRECTS = 5
_GZIP = ("gzip", "x-gzip")
"""The only content coding (RFC 9110, 8.4.1) that is read, and only once: each can multiply the size by 1,000."""
_ACCEPT = "application/openapi+json, application/openapi+yaml, application/json, application/yaml, text/yaml, */*;q=0.5"


class _Target(NamedTuple):
    """Where a request goes: the URL to connect to, and what the host must be told to be called."""

    url: str
    headers: dict[str, str]
    extensions: dict[str, str]


def fetch(url: str, *, max_bytes: int, timeout: float, public_only: bool) -> tuple[bytes, str]:
    """The bytes behind `url` and the URL that they finally came from.

    `public_only` refuses private, loopback and link-local addresses, also behind redirects and behind a name that
    changes its address between the check and the connection.

    Raises:
        SourceProblem: the address is refused or cannot be reached, the answer is no success, too large or too slow.
    """
    return _within(timeout, lambda: _fetch(url, max_bytes, timeout, public_only))


def _within(timeout: float, work: Callable[[], tuple[bytes, str]]) -> tuple[bytes, str]:
    """Waits no longer than `timeout` seconds. A server that sends a header byte by byte keeps every single read short."""
    found: list[tuple[bytes, str] | BaseException] = []

    def run() -> None:
        try:
            found.append(work())
        except BaseException as error:  # raised again where it is waited for
            found.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(timeout)
    if not found:
        raise _too_slow(timeout)
    if isinstance(found[0], BaseException):
        raise found[0]
    return found[0]


def _fetch(url: str, max_bytes: int, timeout: float, public_only: bool) -> tuple[bytes, str]:
    deadline = time.monotonic() + timeout
    headers = {"Accept": _ACCEPT, "Accept-Encoding": "gzip"}
    try:
        with httpx2.Client(timeout=timeout, follow_redirects=False, headers=headers) as client:
            for _ in range(_REDIRECTS + 1):
                if time.monotonic() > deadline:
                    raise _too_slow(timeout)
                target = _target(url, public_only)
                request = client.stream(
                    "GET", target.url, headers=target.headers, extensions=target.extensions
                )
                with request as response:
                    if response.has_redirect_location:
                        url = urljoin(url, response.headers["location"])
                        continue
                    if response.status_code != 200:
                        status = f"{response.status_code} {response.reason_phrase}".strip()
                        raise SourceProblem(
                            "source-unreadable", f"cannot be fetched: the server answered {status}"
                        )
                    return _read(response, max_bytes, deadline, timeout), url
    except httpx2.TimeoutException:
        raise _too_slow(timeout) from None
    except (
        httpx2.HTTPError,
        httpx2.InvalidURL,
        ValueError,
    ) as error:  # a ValueError: the URL cannot be split
        reason = str(error) or type(error).__name__
        raise SourceProblem("source-unreadable", f"cannot be fetched: {reason}") from None
    raise SourceProblem("source-unreadable", f"cannot be fetched: more than {_REDIRECTS} redirects")


def _target(url: str, public_only: bool) -> _Target:
    """Looks at where a URL leads; where that matters, the connection goes to the very address that was looked at.

    A proxy resolves the name itself, so there the check can only refuse what is known to be private here.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https"):
        raise SourceProblem("source-unreadable", "cannot be fetched: it leads to something other than HTTP")
    if not public_only:
        return _Target(url, {}, {})
    found = resolve(url)
    if not all(map(is_global, found)):
        raise SourceProblem(
            "source-unreadable",
            "cannot be fetched: its host has a private address",
            hint="Allow private addresses with --allow-private if you trust the document.",
        )
    if uses_proxy(url):
        return _Target(url, {}, {})
    if not found:
        raise SourceProblem("source-unreadable", "cannot be fetched: its host is unknown")
    host, address = parts.hostname or "", f"[{found[0]}]" if ":" in found[0] else found[0]
    port = f":{parts.port}" if parts.port else ""
    named = f"[{host}]{port}" if ":" in host else f"{host}{port}"
    pinned = parts._replace(netloc=address + port).geturl()
    return _Target(pinned, {"Host": named}, {"sni_hostname": host} if parts.scheme == "https" else {})


def _read(response: httpx2.Response, max_bytes: int, deadline: float, timeout: float) -> bytes:
    """The body, decoded here: never more than `max_bytes` of it come to be, however well it was compressed."""
    coding = response.headers.get("content-encoding", "").strip().lower()
    if coding not in ("", "identity", *_GZIP):
        raise SourceProblem(
            "source-unreadable", f"cannot be fetched: its content coding {coding} is not known"
        )
    unpack = zlib.decompressobj(16 + zlib.MAX_WBITS) if coding in _GZIP else None
    chunks: list[bytes] = []
    size = 0
    try:
        for chunk in response.iter_raw():
            data = unpack.decompress(chunk, max_bytes - size + 1) if unpack is not None else chunk
            size += len(data)
            if size > max_bytes:
                raise SourceProblem("source-limit", f"is larger than {max_bytes:,} bytes")
            if time.monotonic() > deadline:
                raise _too_slow(timeout)
            chunks.append(data)
    except zlib.error:
        raise SourceProblem("source-unreadable", f"cannot be fetched: its content is not {coding}") from None
    if unpack is not None and not unpack.eof:
        raise SourceProblem("source-unreadable", "cannot be fetched: its compressed content ends too early")
    return b"".join(chunks)


def _too_slow(timeout: float) -> SourceProblem:
    return SourceProblem("source-unreadable", f"cannot be fetched within {timeout:g} seconds")

"""Fetching a document over HTTP, within limits of size, time and place."""

from __future__ import annotations

import ipaddress
import socket
import time
from urllib.parse import urljoin, urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx2

from mcpgen.source.problem import SourceProblem

_REDIRECTS = 5
_ACCEPT = "application/openapi+json, application/openapi+yaml, application/json, application/yaml, text/yaml, */*;q=0.5"


def is_public(url: str) -> bool:
    """Whether all addresses of the URL's host are reachable for everyone; False where the name is unknown."""
    parts = urlsplit(url)
    try:
        port = parts.port or (443 if parts.scheme == "https" else 80)
        found = socket.getaddrinfo(parts.hostname or "", port, type=socket.SOCK_STREAM)
        return bool(found) and all(ipaddress.ip_address(item[4][0]).is_global for item in found)
    except (OSError, ValueError, UnicodeError):
        return False


def fetch(url: str, *, max_bytes: int, timeout: float, public_only: bool) -> tuple[bytes, str]:
    """The bytes behind `url` and the URL that they finally came from.

    `public_only` refuses private, loopback and link-local addresses, also behind redirects and behind a name that
    changes its address between the check and the connection.

    Raises:
        SourceProblem: the address is refused or cannot be reached, the answer is no success, too large or too slow.
    """
    deadline = time.monotonic() + timeout
    try:
        with httpx2.Client(timeout=timeout, follow_redirects=False, headers={"Accept": _ACCEPT}) as client:
            for _ in range(_REDIRECTS + 1):
                _check_address(url, public_only)
                with client.stream("GET", url) as response:
                    if public_only:
                        _check_peer(response)
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
    except (httpx2.HTTPError, httpx2.InvalidURL, UnicodeError) as error:
        reason = str(error) or type(error).__name__
        raise SourceProblem("source-unreadable", f"cannot be fetched: {reason}") from None
    raise SourceProblem("source-unreadable", f"cannot be fetched: more than {_REDIRECTS} redirects")


def _check_address(url: str, public_only: bool) -> None:
    if urlsplit(url).scheme not in ("http", "https"):
        raise SourceProblem("source-unreadable", "cannot be fetched: it leads to something other than HTTP")
    if public_only and not is_public(url):
        raise SourceProblem(
            "source-unreadable", "cannot be fetched: its host is unknown or has a private address"
        )


def _check_peer(response: httpx2.Response) -> None:
    """Looks at the address that was really connected to, so that a name cannot change between check and use."""
    stream = response.extensions.get("network_stream")
    peer = stream.get_extra_info("server_addr") if stream is not None else None
    if peer is None or _uses_proxy(
        str(response.request.url)
    ):  # a proxy's own address is the operator's choice
        return
    if not ipaddress.ip_address(str(peer[0]).split("%")[0]).is_global:
        raise SourceProblem("source-unreadable", "cannot be fetched: its host has a private address")


def _uses_proxy(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme in getproxies() and not proxy_bypass(parts.hostname or "")


def _read(response: httpx2.Response, max_bytes: int, deadline: float, timeout: float) -> bytes:
    chunks: list[bytes] = []
    size = 0
    for chunk in response.iter_bytes():
        size += len(chunk)
        if size > max_bytes:
            raise SourceProblem("source-limit", f"is larger than {max_bytes:,} bytes")
        if time.monotonic() > deadline:
            raise _too_slow(timeout)
        chunks.append(chunk)
    return b"".join(chunks)


def _too_slow(timeout: float) -> SourceProblem:
    return SourceProblem("source-unreadable", f"cannot be fetched within {timeout:g} seconds")

"""Where the requests of a call may go: to the host of the API's address and below its path, nowhere else.

Whatever builds or changes an address, this is what looks at the result; it reads addresses with the library that
sends them, so that both understand the same by them.
"""

from __future__ import annotations

import re
from urllib.parse import unquote

import httpx2

_DEFAULT_PORTS = {"http": 80, "https": 443}
_DECODINGS = 2
"""A gateway and the server behind it may each decode once."""
_READ_DIFFERENTLY = re.compile(r"[\x00-\x1f\x7f\\]")
"""What no address holds, and what readers differ about (WHATWG URL, 4.4: some take a backslash for a slash)."""


def origin(url: str | httpx2.URL) -> tuple[str, str, int | None]:
    """Scheme, host and port (RFC 6454, 4).

    Raises:
        httpx2.InvalidURL: it is no address.
    """
    parts = httpx2.URL(url)
    return parts.scheme, parts.host, parts.port or _DEFAULT_PORTS.get(parts.scheme)


def same_origin(url: str, other: str) -> bool:
    """Whether both lead to the same host, with the same user (one in an address is a credential of its own)."""
    try:
        one, two = httpx2.URL(url), httpx2.URL(other)
        return origin(one) == origin(two) and one.userinfo == two.userinfo
    except httpx2.InvalidURL:
        return False


def within(base: str, url: str) -> bool:
    """Whether an address has the base's origin and lies below the base's path, however its reader decodes it."""
    if _READ_DIFFERENTLY.search(url) or not same_origin(base, url):
        return False
    folder, path = _path(base).rstrip("/"), _path(url)
    if path != folder and not path.startswith(folder + "/"):
        return False
    # Reading an address takes `..` out of it, so what stands behind the base is looked at as it is written.
    start = base.rstrip("/")
    return not _climbs(url.removeprefix(start) if url.startswith(start) else path)


def _path(url: str) -> str:
    return httpx2.URL(url).raw_path.decode("ascii").partition("?")[0]


def _climbs(rest: str) -> bool:
    """Whether a segment means the place above: `..`, also encoded, or with parameters that some servers cut off."""
    path = re.split(r"[?#]", rest)[0]
    for _ in range(_DECODINGS):
        path = unquote(path)
        if any(segment.partition(";")[0] == ".." for segment in re.split(r"[/\\]", path)):
            return True
    return False

"""Addresses of APIs: which texts can be one. The same rule for the spec's servers, `--server-url` and `mcpgen.toml`."""

from __future__ import annotations

import re
from urllib.parse import urljoin, urlsplit

_UNSAFE = re.compile(r"[\s\x00-\x1f\x7f\"'<>\\^`|]")


def problem_with_base_url(text: str) -> str | None:
    """Why a text is no address to put paths behind, or None when it is one.

    A user name in it would end up in files, a query or fragment would swallow the paths (RFC 3986, 3 and 7.5).
    """
    try:
        url = urlsplit(text)
        host, _ = url.hostname, url.port
    except ValueError:
        return "is no URL"
    if url.scheme not in ("http", "https"):
        return (
            f"has the scheme {url.scheme!r}; only http and https can be called"
            if url.scheme
            else "is relative"
        )
    if not host:
        return "has no host"
    if url.username is not None or url.password is not None:
        return "holds a user name or password; credentials belong into the environment"
    if url.query or url.fragment or text.rstrip().endswith(("?", "#")):
        return "has a query or fragment"
    if _UNSAFE.search(text):
        return "has characters that no URL can have"
    return None


def resolved(url: str, base: str | None) -> str | None:
    """An address, resolved against a base where it is relative; None when that gives none."""
    if problem_with_base_url(url) is None:
        return url
    if base is None or problem_with_base_url(base) is not None:
        return None
    try:
        if urlsplit(url).scheme:
            return None
        found = urljoin(base if base.endswith("/") or urlsplit(base).path else base + "/", url)
    except ValueError:
        return None
    return found if problem_with_base_url(found) is None else None

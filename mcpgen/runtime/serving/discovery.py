"""Where an authorization server keeps its keys, as it says itself (RFC 8414, OpenID Connect Discovery 1.0)."""

from __future__ import annotations

import logging
from typing import Any
from urllib.parse import urlsplit

from anyio import fail_after

from ..auth.authority import encrypted, usable
from ..auth.oauth import fetch, printable
from ..outcomes.failures import CallFailed
from ..transport.client import ApiClient, PreparedRequest
from .access import CannotVerify, parsed_object

log = logging.getLogger(__name__)

SECONDS = 5.0
"""How long one question may take: a caller is waiting."""


async def fetched(client: ApiClient, url: str) -> dict[str, Any] | None:
    """The JSON object at an address; None when there is none.

    Raises:
        CannotVerify: nobody answers, or not now.
    """
    request = PreparedRequest("GET", url)
    request.headers["Accept"] = "application/json"
    try:
        with fail_after(SECONDS):
            answer = await fetch(client, request)
    except (CallFailed, TimeoutError) as error:
        raise CannotVerify(f"{url} can't be reached") from error
    if answer.status >= 500 or answer.status == 429:
        raise CannotVerify(f"{url} answered {answer.status}")
    return parsed_object(answer.content) if answer.status == 200 and not answer.cut else None


async def jwks_url(client: ApiClient, issuer: str) -> str:
    """Where the issuer's keys are.

    Raises:
        CannotVerify: it can't be asked, or does not say.
    """
    try:
        with fail_after(SECONDS):
            return await _named_keys(client, issuer)
    except TimeoutError as error:
        raise CannotVerify(f"{issuer} does not answer in time") from error


async def _named_keys(client: ApiClient, issuer: str) -> str:
    failed: CannotVerify | None = None
    for url in metadata_urls(issuer):
        try:
            told = await fetched(client, url)
        except CannotVerify as error:
            failed = error
            continue
        if told is None:
            continue
        named, found = told.get("issuer"), told.get("jwks_uri")
        if not isinstance(named, str) or named.rstrip("/") != issuer.rstrip("/"):
            # RFC 8414, 3.3: a document of somebody else must not be used.
            log.error("%s is the metadata of another issuer: %s", url, printable(named))
        elif isinstance(found, str) and usable(found) and encrypted(found):
            return found
        else:
            log.error("%s names no address of keys that can be used", url)
    raise failed or CannotVerify(f"{issuer} has no metadata that says where its keys are")


def metadata_urls(issuer: str) -> list[str]:
    """Where the metadata can be, in the order in which MCP clients look for it too.

    The well-known part goes between host and path (RFC 8414, 3.1), or after the path (OpenID Connect Discovery 1.0, 4).
    """
    parts = urlsplit(issuer)
    base, path = f"{parts.scheme}://{parts.netloc}/.well-known", parts.path.rstrip("/")
    found = [f"{base}/oauth-authorization-server{path}", f"{base}/openid-configuration{path}"]
    if path:
        found.append(f"{issuer.rstrip('/')}/.well-known/openid-configuration")
    return found

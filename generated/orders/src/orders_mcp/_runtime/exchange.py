"""One call's exchange with the API: safe repeats, redirects within the origin, one time budget."""

from __future__ import annotations

import logging
import random
from dataclasses import replace
from urllib.parse import urlsplit

from anyio import fail_after, sleep

from .answer_headers import resolved, retry_after
from .client import Answer, ApiClient, PreparedRequest, Unreachable

log = logging.getLogger(__name__)

ATTEMPTS = 3
REPEAT_STATUSES = frozenset({408, 429, 502, 503, 504})
REDIRECT_STATUSES = frozenset({301, 302, 303, 307, 308})
_REDIRECTS = 5
_LONGEST_WAIT = 3.0
"""A longer `Retry-After` is told to the model instead of waited for."""
_BACKOFF = 0.2


async def exchange(
    client: ApiClient, request: PreparedRequest, *, repeatable: bool, timeout: float
) -> Answer:
    """Sends the request until there is an answer worth returning, and follows redirects.

    Only a request that is safe to repeat is sent again after the API may have seen it; every repeat is
    the exact same request.

    Raises:
        Unreachable: no answer within the budget.
        httpx2.HTTPError, httpx2.InvalidURL: the request or the answer can't be handled at all.
    """
    try:
        with fail_after(timeout):
            answer = await _repeat(client, request, repeatable)
            for _ in range(_REDIRECTS):
                following = _redirected(request, answer)
                if following is None:
                    break
                request = following
                answer = await _repeat(client, request, repeatable)
            return answer
    except TimeoutError as error:
        raise Unreachable("did not answer in time", sent=True, timeout=True) from error


async def _repeat(client: ApiClient, request: PreparedRequest, repeatable: bool) -> Answer:
    for attempt in range(1, ATTEMPTS + 1):
        spread = random.uniform(0.5, 1.0)  # noqa: S311 (keeps clients from repeating in step; guards nothing)
        wait = _BACKOFF * 2 ** (attempt - 1) * spread
        try:
            answer = await client.fetch(request)
        except Unreachable as error:
            safe = not error.sent or (repeatable and not error.timeout)
            if not safe or attempt == ATTEMPTS:
                raise
            log.info("attempt %d of %s failed: the API %s", attempt, request.method, error)
        else:
            asked = retry_after(answer.headers)
            again = repeatable and answer.status in REPEAT_STATUSES and (asked or 0) <= _LONGEST_WAIT
            if not again or attempt == ATTEMPTS:
                return answer
            wait = wait if asked is None else float(asked)
            log.info("attempt %d of %s was answered %d", attempt, request.method, answer.status)
        await sleep(wait)
    raise AssertionError("unreachable: the last attempt returns or raises")


def _redirected(request: PreparedRequest, answer: Answer) -> PreparedRequest | None:
    """The request that a redirect asks for, or None when there is none that may be followed.

    Only reads are followed (and 303, which asks for a read), and only to the same origin: the credentials and
    arguments of a call never leave the host that the operator chose.
    """
    location = answer.headers.get("location")
    if answer.status not in REDIRECT_STATUSES or not location:
        return None
    read = request.method in ("GET", "HEAD")
    if not read and answer.status != 303:
        return None
    target = resolved(answer.url, location)
    if target is None or _origin(target) != _origin(answer.url) or "@" in urlsplit(target).netloc:
        return None  # a user in the address would be sent as a credential of its own
    if read:
        return replace(request, url=target)
    following = replace(request, method="GET", url=target, headers=request.headers.copy(), content=None)
    following.headers.pop("content-type", None)
    return following


def _origin(url: str) -> tuple[str, str, int | None]:
    parts = urlsplit(url)
    port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    return parts.scheme, (parts.hostname or "").lower(), port

"""Redirects of the API: followed for reads, within the API's own address, and not in a circle (RFC 9110, 15.4)."""

from __future__ import annotations

import logging
from dataclasses import replace
from urllib.parse import urlsplit

from ..answers.answer_headers import resolved
from ..outcomes.failures import CallFailed, Category, Failure
from .client import Answer, PreparedRequest
from .confinement import same_origin, within

log = logging.getLogger(__name__)

REDIRECT_STATUSES = frozenset({301, 302, 303, 307, 308})
_READS = ("GET", "HEAD")
_MOST = 5


class Redirects:
    """The redirects of one exchange.

    Args:
        base: the API's address. A request that a hook has sent elsewhere is confined to the host that it chose.
        request: the first one.
    """

    def __init__(self, base: str, request: PreparedRequest) -> None:
        self._base = base if within(base, request.url) else None
        self._seen = [request.url]

    def following(self, request: PreparedRequest, answer: Answer) -> PreparedRequest | None:
        """The request that an answer asks for; None when it is no redirect, or one that is not for reads.

        Raises:
            CallFailed: it leads out of the API's address, or in a circle.
        """
        location = answer.headers.get("location")
        read = request.method in _READS
        if answer.status not in REDIRECT_STATUSES or not location or not (read or answer.status == 303):
            return None
        target = resolved(answer.url, location)
        if target is None or not same_origin(answer.url, target):
            _tell_operator(answer, target)
            raise _refused(answer, "it points to another host, which is not followed.")
        if self._base is not None and not within(self._base, target):
            _tell_operator(answer, target)
            raise _refused(answer, "it points out of the API's own address, which is not followed.")
        if read and target in self._seen:
            raise _refused(answer, "it redirects in a circle.")
        if len(self._seen) > _MOST:
            raise _refused(answer, f"it redirects more than {_MOST} times.")
        self._seen.append(target)
        if read:
            return replace(request, url=target)
        following = replace(request, method="GET", url=target, headers=request.headers.copy(), content=None)
        following.headers.pop("content-type", None)
        return following


def _refused(answer: Answer, why: str) -> CallFailed:
    message = f"The API answered {answer.status}: {why}"
    return CallFailed(Failure(Category.INTERNAL, message, status=answer.status))


def _tell_operator(answer: Answer, target: str | None) -> None:
    parts = urlsplit(target or "")
    there = f"{parts.scheme}://{parts.hostname}" if target else "something that is no address"
    log.warning("A redirect (%d) to %r is not followed.", answer.status, there)

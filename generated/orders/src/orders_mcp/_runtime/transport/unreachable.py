"""Requests that have no answer: why, in words that follow "The API", and whether it may have seen them."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator

import httpx2

from .deadline import in_seconds

_CAUSES = 12
"""How many causes of causes are looked at."""
_NEVER_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.ProxyError)
"""What ends a request before its first byte has left."""
_ENDED_TLS = (ssl.SSLEOFError, ssl.SSLZeroReturnError, ssl.SSLSyscallError)
"""The other side went away in the middle: that is no disagreement."""
NO_ANSWER = (httpx2.TimeoutException, httpx2.NetworkError, httpx2.RemoteProtocolError, httpx2.ProxyError)


class Unreachable(Exception):
    """No answer, or not all of it.

    Attributes:
        sent: whether the API may have seen the request.
        lasting: no repeat can succeed before somebody changes the set-up, as with a certificate that is not trusted.
    """

    def __init__(self, cause: str, *, sent: bool, lasting: bool = False) -> None:
        self.sent = sent
        self.lasting = lasting
        super().__init__(cause)


def unreachable(
    error: httpx2.TransportError, limits: httpx2.Timeout, *, sent: bool, answering: bool
) -> Unreachable:
    """What one of `NO_ANSWER` means.

    Args:
        limits: the limits of time that the request had.
        sent: whether its first byte may have left.
        answering: whether the answer had begun.
    """
    sent = sent and not isinstance(error, _NEVER_SENT)
    causes = list(_causes(error))
    if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in causes):
        return Unreachable("has no certificate that this server trusts", sent=sent, lasting=True)
    if any(isinstance(cause, ssl.SSLError) and not isinstance(cause, _ENDED_TLS) for cause in causes):
        return Unreachable(
            "and this server could not agree on an encrypted connection", sent=sent, lasting=True
        )
    return Unreachable(_cause(error, causes, limits, answering), sent=sent)


def _cause(
    error: httpx2.TransportError, causes: list[BaseException], limits: httpx2.Timeout, answering: bool
) -> str:
    if isinstance(error, httpx2.ConnectTimeout):
        return f"could not be reached within {in_seconds(limits.connect or 0)}"
    if isinstance(error, _NEVER_SENT):
        if any(isinstance(cause, socket.gaierror) for cause in causes):
            return "could not be found: the name of its host is not known at the moment"
        refused = any(isinstance(cause, ConnectionRefusedError) for cause in causes)
        return "refused the connection" if refused else "could not be reached"
    if isinstance(error, httpx2.WriteTimeout):
        return f"took nothing of the request for {in_seconds(limits.write or 0)}"
    if isinstance(error, httpx2.TimeoutException):
        return f"sent nothing for {in_seconds(limits.read or 0)}"
    if isinstance(error, httpx2.RemoteProtocolError) and not _ended(str(error)):
        return "gave an answer that is no HTTP"
    return f"closed the connection {'in the middle of its answer' if answering else 'without an answer'}"


def _ended(message: str) -> bool:
    """Whether the other side has ended the connection, as the HTTP library says it; all else is no HTTP."""
    lowered = message.lower()
    return "disconnected" in lowered or "closed" in lowered


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and what led to it; where several addresses were tried, what each of them led to."""
    waiting = [error]
    for _ in range(_CAUSES):
        if not waiting:
            return
        found = waiting.pop(0)
        yield found
        if isinstance(found, BaseExceptionGroup):
            waiting += found.exceptions
        cause = found.__cause__ or found.__context__
        if cause is not None:
            waiting.append(cause)

"""`Call`: what a tool function is given. `send` is the chain from values to result."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import httpx2

from .client import Answer, Unreachable
from .credentials import Credential
from .exchange import exchange
from .failures import CallFailed, Category, Failure, broken
from .operation import Operation
from .outcome import outcome
from .request import Values, build_request
from .result import Result
from .values import UNSET, JsonObject

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from .app import App

log = logging.getLogger(__name__)

_UNCERTAIN = " It is not known whether the call took effect: look before you repeat it."


class Call:
    """One call of one tool.

    Attributes:
        operation: how the catalogue describes the tool's operation.
        arguments: the arguments after repair and validation, by their published names.
        trace_id: finds this call in the log.
    """

    def __init__(
        self,
        app: App,
        operation: Operation,
        arguments: JsonObject,
        trace_id: str,
        context: ServerRequestContext[Any, Any] | None = None,
    ) -> None:
        self.app = app
        self.operation = operation
        self.arguments = arguments
        self.trace_id = trace_id
        self._context = context

    async def send(
        self,
        *,
        path: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        header: Mapping[str, Any] | None = None,
        cookie: Mapping[str, Any] | None = None,
        querystring: Any = UNSET,
        body: Any = UNSET,
        extra: Any = UNSET,
    ) -> Result[Any]:
        """Sends the operation's request and reads its answer.

        Args:
            path, query, header, cookie: wire name to value; UNSET entries are left out, null is not.
            querystring: the whole query, where the API describes it as one value.
            body: a dict of fields, or the whole value.
            extra: further fields of a dict body.

        Returns:
            A result in every case: what the API refuses, and what can't be sent, is a failure of the result.
        """
        values = Values(path or {}, query or {}, header or {}, cookie or {}, querystring, body, extra)
        try:
            return await outcome(self, await self._exchange(values))
        except CallFailed as error:
            return Result(failure=error.failure)

    async def progress(self, done: float, total: float | None = None, message: str | None = None) -> None:
        """Tells the client how far the call is; nothing happens when it has not asked for that."""
        if self._context is not None:
            await self._context.session.report_progress(done, total, message)

    async def _exchange(self, values: Values) -> Answer:
        credential = await self._credential()
        answer = await self._send_once(values, credential)
        if answer.status == 401 and credential.tokens:
            # The token was revoked or ended early. The call was turned down, not made: it can be repeated.
            for source in credential.tokens:
                source.forget()
            credential = await self._credential()
            answer = await self._send_once(values, credential)
        return answer

    async def _send_once(self, values: Values, credential: Credential) -> Answer:
        access = self.app.settings.file_access
        request = build_request(self.operation, self._base_url(), values, credential, access)
        if self.app.hooks.before_request is not None:
            await self.app.hooks.before_request(self, request)
        repeatable, timeout = self.operation.repeatable, self.app.settings.timeout
        try:
            return await exchange(self.app.client, request, repeatable=repeatable, timeout=timeout)
        except Unreachable as error:
            log.warning("%s: the API %s (%s)", self.trace_id, error, type(error.__cause__).__name__)
            raise CallFailed(_unreachable(error, repeatable)) from error
        except httpx2.DecodingError as error:
            log.warning("%s: the answer's content coding is broken: %s", self.trace_id, error)
            message = "The API answered, but its answer is damaged and can't be read."
            raise broken(message + ("" if repeatable else _UNCERTAIN)) from error
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            log.exception("%s: the request could not be made or its answer not be read", self.trace_id)
            raise broken("The request could not be made, or its answer not be read.") from error

    async def _credential(self) -> Credential:
        """The operation's credential. The caller's own header counts only when the operator wants it passed on."""
        request = getattr(self._context, "request", None)  # the HTTP request; None over standard input
        caller = request.headers.get("authorization") if request is not None else None
        return await self.app.credentials.choose(self.operation.security, caller)

    def _base_url(self) -> str:
        found = self.app.servers.url(self.operation)
        if found is None:
            log.error("%s: no address for the API is known. Set %s.", self.trace_id, self.app.servers.wanted)
            raise broken("This server has not been told where its API is. Nothing was sent.")
        return found


def _unreachable(error: Unreachable, repeatable: bool) -> Failure:
    message = f"The API {error}."
    if error.sent and not repeatable:
        message += _UNCERTAIN
    return Failure(Category.TRANSIENT, message, retryable=True)

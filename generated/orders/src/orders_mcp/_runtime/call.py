"""`Call`: what a tool function is given. `send` is the chain from values to result."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

import httpx2

from .answers.outcome import outcome
from .auth.credentials import Credential
from .bounds.projection import Selection
from .memory.idempotency import Key, with_key
from .operation import Operation
from .outcomes.failures import CallFailed, Category, Failure, broken, invalid
from .outcomes.hints import direct
from .outcomes.result import Result
from .record import Record
from .requests.request import Values, build_request
from .serving.progress import Progress
from .transport.client import Answer
from .transport.confinement import within
from .transport.exchange import Exchange
from .transport.unreachable import Unreachable
from .values import UNSET, JsonObject

if TYPE_CHECKING:
    import mcp_types as mt
    from mcp.server.context import ServerRequestContext

    from .app import App

log = logging.getLogger(__name__)


class Call:
    """One call of one tool, on its way through the chain.

    Attributes:
        operation: how the catalogue describes the tool's operation.
        policy: what the operator says about the tool.
        arguments: by their published names; repaired and validated when the tool's function sees them.
        trace_id: finds this call in the log.
        context, params: the request of the client; None where there is none, as in a replay.
        caller: who calls where there is no client: what is remembered of its calls is remembered for it.
        consent: asks the user where no client can; it gets the question, and true means yes.
        how: words a call of a tool for a hint, given its name and arguments.
        named: words a tool that is to be called again, given its name.
        notes: what the links have to say about a success.
        record: what the call has met so far.
        reports: what the client is told on the way.
        idempotency_key: what makes its request safe to repeat, where the API has such a thing.
        selection: which parts of the answer are passed on; None for all of it.
        meant: the caller says that a repeat of an equal write is meant.
        own_arguments: arguments of this server itself, which the API never sees, as they are given for the next page.
        within_bounds: the last result that was made small enough for the model.
        answer: what the client gets, when the call is through.
    """

    def __init__(
        self,
        app: App,
        operation: Operation,
        arguments: JsonObject,
        trace_id: str,
        context: ServerRequestContext[Any, Any] | None = None,
        params: mt.CallToolRequestParams | None = None,
    ) -> None:
        self.app = app
        self.operation = operation
        self.policy = app.policy(operation.tool)
        self.arguments = arguments
        self.trace_id = trace_id
        self.context = context
        self.params = params
        self.caller: str | None = None
        self.consent: Callable[[str], Awaitable[bool]] | None = None
        self.how: Callable[[str, Any], str] = direct
        self.named: Callable[[str], str] = str
        self.notes: list[str] = []
        self.record = Record()
        self.reports = Progress(context)
        self.idempotency_key: Key | None = None
        self.selection: Selection | None = None
        self.meant = False
        self.own_arguments: JsonObject = {}
        self.within_bounds: Result[Any] | None = None
        self.answer: mt.CallToolResult | None = None

    @property
    def repeatable(self) -> bool:
        """Whether sending the same request twice does no more than sending it once."""
        told = self.policy.idempotent
        return self.operation.repeatable if told is None else told

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

        Raises:
            TypeError: the tool is one of the team's own, which has no request of its own: `use` calls another tool.
        """
        if not self.operation.method:
            raise TypeError(
                f"{self.operation.tool} has no request of its own: call another tool with call.use"
            )
        values = Values(path or {}, query or {}, header or {}, cookie or {}, querystring, body, extra)
        try:
            answer = await self._exchange(values)
            return await self._outcome(answer)
        except CallFailed as error:
            return Result(failure=error.failure)

    async def use(self, tool: str, arguments: JsonObject | None = None) -> Result[Any]:
        """Calls another tool of this server, as part of this call (`own_tools.using`).

        Returns:
            Its result; a failure too, which can be returned as it is.

        Raises:
            LookupError: the server has no such tool.
            PermissionError: that tool does worse than this one says of itself.
        """
        from .own_tools.using import use

        return await use(self, tool, arguments or {})

    async def progress(self, done: float, total: float | None = None, message: str | None = None) -> None:
        """Tells the client how far the call is; nothing happens when it has not asked for that."""
        await self.reports.tell(done, total, message and self.app.redactor.text(message))

    async def _outcome(self, answer: Answer) -> Result[Any]:
        try:
            return await outcome(self, answer)
        except CallFailed as error:
            if error.failure.status is not None and self.record.accepted == answer.status:
                self.record.accepted = None  # a success by its status, but no success by what it says
            raise

    async def _exchange(self, values: Values) -> Answer:
        self.record.lost, self.record.accepted = False, None  # of what the tool's function sent before
        values, self.idempotency_key = with_key(self.operation, self.policy, values)
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
        app, base = self.app, self._base_url()
        request = build_request(self.operation, base, values, credential, app.settings.file_access)
        if not within(base, request.url):
            raise invalid("These arguments lead out of the API's address. Nothing was sent.")
        if app.hooks.before_request is not None:
            await app.hooks.before_request(self, request)
        keyed = self.idempotency_key is not None and self.policy.idempotent is not False
        retries = app.settings.retries if self.policy.retries is None else self.policy.retries
        exchange = Exchange(app.client, app.upstreams, base, self.repeatable or keyed, retries, self.record)
        try:
            return await exchange.answer(request)
        except Unreachable as error:
            log.warning("%s: the API %s (%s)", self.trace_id, error, _reason(error))
            category = Category.INTERNAL if error.lasting else Category.TRANSIENT
            raise CallFailed(Failure(category, f"The API {error}.", not error.lasting)) from error
        except httpx2.DecodingError as error:
            log.warning("%s: the answer's content coding is broken: %s", self.trace_id, error)
            raise broken("The API answered, but its answer is damaged and can't be read.") from error
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            log.exception("%s: the request could not be made or its answer not be read", self.trace_id)
            raise broken("The request could not be made, or its answer not be read.") from error

    async def _credential(self) -> Credential:
        """The operation's credential. The caller's own header counts only when the operator wants it passed on."""
        request = getattr(self.context, "request", None)  # the HTTP request; None over standard input
        caller = request.headers.get("authorization") if request is not None else None
        return await self.app.credentials.choose(self.operation.security, caller)

    def _base_url(self) -> str:
        found = self.app.servers.url(self.operation)
        if found is None:
            log.error("%s: no address for the API is known. Set %s.", self.trace_id, self.app.servers.wanted)
            raise broken("This server has not been told where its API is. Nothing was sent.")
        return found


def _reason(error: Unreachable) -> str:
    """What the HTTP library says, for the log."""
    return f"{type(error.__cause__).__name__}: {error.__cause__}"

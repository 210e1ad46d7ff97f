"""`Executor`: answers a model's tool calls through the server's own chain, reads side by side, writes in order."""

from __future__ import annotations

import logging
import os
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import cached_property
from inspect import isawaitable
from typing import Any

import httpx2
import mcp_types as mt
from anyio import CapacityLimiter, create_task_group

from ..app import App
from ..call import Call
from ..catalog import Catalog
from ..definitions.formats import APIS, FORMATS, define, request_tools
from ..definitions.model import Definition
from ..definitions.restoring import Restorer
from ..definitions.strict import StrictSchema
from ..dispatch import Dispatcher
from ..inputs.validation import close_names
from ..observe.link import observe_answer
from ..outcomes.failures import CallFailed, Category, Failure
from ..outcomes.result import Result
from ..search.search_tools import SearchTools
from ..values import JsonObject, compact_json
from .reading import read_arguments
from .shapes import SHAPE_OF_FORMAT, Shape, ToolCall, answer, read_call

log = logging.getLogger(__name__)

Confirm = Callable[[str], bool | Awaitable[bool]]
"""Asks the user the question and tells whether the answer is yes: `True`, and nothing else that counts as true."""

PARALLEL = 8
_CALLER = "executor"
_CRASH = Failure(Category.INTERNAL, "The call failed because of a fault in this program.")
_TWICE = Failure(
    Category.VALIDATION,
    "An earlier call of the same turn has this id, so this one was not made. Give every call an id of its own.",
    retryable=True,
)
_TOO_LONG = Failure(Category.INTERNAL, "The result is too long to be passed on.")
_FRAME = 4096
"""Bytes that the contract's own fields may add to what is left of an answer."""
_READING = frozenset({"find_tools", "describe_tool", "call_read_tool"})


class Executor:
    """The tools of one package for a loop around a model.

    Attributes:
        format: of `definitions.formats.FORMATS`; it says how `tools` looks, and what null means in a call.
        definitions: what is offered to the model, with what is to be known of each tool.
    """

    def __init__(
        self,
        app: App,
        *,
        format: str = "openai",
        api: str = "chat",
        confirm: Confirm | None = None,
        parallel: int = PARALLEL,
    ) -> None:
        self.format = format
        self._app = app
        self._dispatcher = Dispatcher(app)
        self._shape = SHAPE_OF_FORMAT.get(format, Shape(api))
        self._confirm = confirm
        self._limiter = CapacityLimiter(parallel)
        self._restorers: dict[str, Restorer | None] = {}
        offered = [tool for tool in app.catalog.tools if tool["name"] in app.registered]
        if app.settings.mode == "search":
            self._dispatcher.search = SearchTools(app)
            offered = self._dispatcher.search.tools
        self._offered = {tool["name"]: tool for tool in offered}
        self._api = api

    @cached_property
    def definitions(self) -> list[Definition]:
        return define(self._offered.values(), self.format, self._api)

    @property
    def tools(self) -> list[dict[str, Any]]:
        """What goes into a request as `tools`."""
        return request_tools(self.definitions, self.format)

    async def run(self, calls: Iterable[Any]) -> list[dict[str, Any]]:
        """Makes the calls of one turn and answers each, in the order given. Whatever happens, it does not raise.

        Reads that follow each other are made side by side; a write waits for all that is before it, and what is after
        it waits for the write. Only cancelling ends it early.

        Args:
            calls: in the shape of any provider, as dicts or as objects of its library.
        """
        read = [self._read(one) for one in _listed(calls)]
        answers: list[dict[str, Any]] = [{} for _ in read]
        repeated = set(_repeated(read))

        async def one(number: int) -> None:
            # A task of its own for every call: what it has told the redactor ends with it.
            async with self._limiter:
                answers[number] = await self._answer(read[number], made_before=number in repeated)

        for group in self._groups(read):
            async with create_task_group() as tasks:
                for number in group:
                    tasks.start_soon(one, number)
        return answers

    def refuse(self, calls: Iterable[Any], reason: str) -> list[dict[str, Any]]:
        """Answers calls without making them."""
        refusal = Failure(Category.BUSINESS, reason)
        return [self._refusal(self._read(one), refusal) for one in _listed(calls)]

    def _groups(self, calls: Sequence[ToolCall]) -> Iterator[list[int]]:
        """Numbers of calls that may be made at the same time."""
        group: list[int] = []
        for number, call in enumerate(calls):
            if self._reads(call.name):
                group.append(number)
                continue
            if group:
                yield group
                group = []
            yield [number]
        if group:
            yield group

    def _reads(self, name: str) -> bool:
        if self._dispatcher.search is not None:
            return name in _READING or name not in self._offered
        return name not in self._offered or self._app.catalog.effect(name) == "read"

    def _read(self, given: Any) -> ToolCall:
        try:
            return read_call(given, self._shape)
        except Exception:  # an object of somebody else's library
            log.exception("a call can't be read")
            return ToolCall(self._shape, None, "", None)

    async def _answer(self, call: ToolCall, *, made_before: bool) -> dict[str, Any]:
        try:
            if made_before:
                return self._refusal(call, _TWICE)
            if call.name not in self._offered:
                return self._refusal(call, self._unknown(call.name))
            arguments = self._arguments(call)
            found = await self._dispatcher.answer(call.name, arguments, prepare=self._prepare)
            return self._bounded(call, found)
        except CallFailed as error:
            hint = f"Call {call.name} again with its arguments as one JSON object."
            return self._refusal(call, error.failure, hint)
        except Exception:
            log.exception("a call of %.80r crashed", call.name)
            return self._refusal(call, _CRASH)

    def _arguments(self, call: ToolCall) -> JsonObject:
        arguments = read_arguments(call.arguments)
        restorer = self._restorer(call.name)
        return arguments if restorer is None else restorer.restored(arguments)

    def _restorer(self, name: str) -> Restorer | None:
        """For tools that are offered strictly: null then stands for what was left out."""
        if self.format != "openai-strict" or name not in self._offered:
            return None
        if name not in self._restorers:
            strict = StrictSchema(name, self._offered[name]["inputSchema"])
            self._restorers[name] = None if strict.problems else Restorer(strict)
        return self._restorers[name]

    def _prepare(self, call: Call) -> None:
        call.caller = _CALLER
        confirm = self._confirm
        if confirm is not None:

            async def consent(question: str) -> bool:
                told = confirm(question)
                return (await told if isawaitable(told) else told) is True  # "no" is no yes

            call.consent = consent

    def _unknown(self, name: str) -> Failure:
        if not name:
            return Failure(Category.VALIDATION, "The call names no tool. Nothing was sent.", retryable=True)
        close = close_names(name, self._offered)
        meant = f" Close: {', '.join(close)}." if close else ""
        return Failure(Category.NOT_FOUND, f"There is no tool {name[:80]!r}.{meant} Nothing was sent.")

    def _bounded(self, call: ToolCall, found: mt.CallToolResult | mt.InputRequiredResult) -> dict[str, Any]:
        text = found.content[0] if isinstance(found, mt.CallToolResult) else None
        if not isinstance(found, mt.CallToolResult) or not isinstance(text, mt.TextContent):
            raise AssertionError("a call without a client ended in a question")
        own = self._app.policy(call.name).max_result_bytes if call.name in self._app.registered else None
        longest = (own or self._app.settings.max_result_bytes) + _FRAME
        if len(text.text.encode("utf-8", "replace")) > longest:
            return self._refusal(call, _TOO_LONG)
        return answer(call, found.structured_content or {}, text.text)

    def _refusal(self, call: ToolCall, failure: Failure, hint: str | None = None) -> dict[str, Any]:
        """The answer to a call that came to nothing here."""
        trace_id, result = secrets.token_hex(8), Result[Any](failure=failure, hint=hint)
        try:
            observe_answer(self._app, call.name, {}, trace_id, None, time.perf_counter(), result=result)
        except Exception:
            log.exception("%s: nobody was told of this call", trace_id)
        envelope = self._app.redactor.value(result.envelope(trace_id))
        return answer(call, envelope, compact_json(envelope))


@asynccontextmanager
async def open_package(
    package: str,
    *,
    format: str = "openai",
    api: str = "chat",
    confirm: Confirm | None = None,
    parallel: int = PARALLEL,
    max_result_bytes: int | None = None,
    environ: Mapping[str, str] | None = None,
    transport: httpx2.AsyncBaseTransport | None = None,
) -> AsyncIterator[Executor]:
    """The executor of a generated package, with its connections open.

    Args:
        package: import name of the package that holds `catalog.json`.
        format: `openai`, `openai-strict`, `anthropic` or `gemini`.
        api: `chat` or `responses`, for the two formats of OpenAI.
        confirm: asks the user, where the settings want that; without it such calls are refused.
        parallel: reads at the same time, at least 1.
        max_result_bytes: how much of an answer reaches the model; as the settings say when left out.
        environ: settings and credentials; the process environment by default.
        transport: how the API is reached; tests pass an `httpx2.MockTransport`.

    Raises:
        ValueError: there is no such format or API.
        CatalogError: the package's catalogue can't be read.
        HooksError: the team's own code can't be used.
        SettingsError: the environment has wrong values.
    """
    for value, known in ((format, FORMATS), (api, APIS)):
        if value not in known:
            raise ValueError(f"{value!r} is not one of {', '.join(known)}")
    catalog = Catalog.load(package)
    given = dict(os.environ if environ is None else environ)
    if max_result_bytes is not None:
        given[f"{catalog.server.env_prefix}_MAX_RESULT_BYTES"] = str(max_result_bytes)
    app = App(catalog, given, transport)
    try:
        async with app.session():
            yield Executor(app, format=format, api=api, confirm=confirm, parallel=parallel)
    finally:
        app.finished()


def _listed(calls: Any) -> list[Any]:
    """The calls of a turn; a single one is a turn too, and None is an empty one."""
    if isinstance(calls, Mapping) or callable(getattr(calls, "model_dump", None)):
        return [calls]
    try:
        return list(calls or ())
    except TypeError:
        return []


def _repeated(calls: Sequence[ToolCall]) -> Iterator[int]:
    """Numbers of calls whose id an earlier one has: the API could not tell their answers apart."""
    seen: set[str] = set()
    for number, call in enumerate(calls):
        if call.id is not None and call.id in seen:
            yield number
        seen.add(call.id or "")

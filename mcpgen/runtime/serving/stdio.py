"""Serves MCP over standard input and output. Calls in flight are finished also when the input has ended."""

from __future__ import annotations

import logging
import os
import signal
import sys
from typing import Any

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from anyio.to_thread import current_default_thread_limiter
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from ..app import App
from .traffic import until
from .unreadable import answer_to

log = logging.getLogger(__name__)

Inward = SessionMessage | Exception
"""What the transport reads: a message, or why a line is none."""

_LAST_BYTES = 1.0
"""Seconds that answers which are ready get to be written."""


def serve_stdio(app: App, server: Server[Any]) -> int:
    """Serves until the input ends or a signal comes; gives the exit status."""
    anyio.run(_Stdio(app, server).serve)
    app.finished()
    return 0


class _Stdio:
    """Stands between the SDK's transport and its server and knows which requests are not answered yet.

    The SDK cancels calls when the input ends. Here the server learns of the end when everything is answered, or after
    `HTTP_DRAIN` seconds.
    """

    def __init__(self, app: App, server: Server[Any]) -> None:
        self._app = app
        self._server = server
        self._open: set[int | str] = set()
        self._ending = False
        self._through = False

    async def serve(self) -> None:
        """Serves one client."""
        to_server, requests = anyio.create_memory_object_stream[Inward]()
        answers, from_server = anyio.create_memory_object_stream[SessionMessage]()
        async with anyio.create_task_group() as signals:
            signals.start_soon(self._watch_signals, to_server)
            async with stdio_server() as (reading, writing), anyio.create_task_group() as relays:
                relays.start_soon(self._inward, reading, to_server, writing.clone())
                relays.start_soon(self._outward, from_server, writing)
                self._app.traffic.serving = True
                options = self._server.create_initialization_options()
                await self._server.run(requests, answers, options)
            signals.cancel_scope.cancel()

    async def _inward(self, reading: Any, to_server: MemoryObjectSendStream[Inward], writing: Any) -> None:
        async with writing:
            async for message in reading:
                self._note(message)
                try:
                    if isinstance(message, Exception):
                        log.warning("a line of the input is no message: %s", type(message).__name__)
                        await writing.send(SessionMessage(answer_to(message)))
                    else:
                        await to_server.send(message)
                except (anyio.ClosedResourceError, anyio.BrokenResourceError):
                    return
        self._ending = True
        await self._finish(to_server)

    async def _outward(self, from_server: MemoryObjectReceiveStream[SessionMessage], writing: Any) -> None:
        async with writing:
            async for message in from_server:
                await writing.send(message)
                answer = message.message
                if isinstance(answer, JSONRPCResponse | JSONRPCError) and answer.id is not None:
                    self._open.discard(answer.id)
        self._through = True

    def _note(self, message: Inward) -> None:
        told = message.message if isinstance(message, SessionMessage) else None
        if isinstance(told, JSONRPCRequest):
            self._open.add(told.id)
        elif isinstance(told, JSONRPCNotification) and told.method == "notifications/cancelled":
            cancelled = (told.params or {}).get("requestId")  # it is never answered
            if isinstance(cancelled, int | str):
                self._open.discard(cancelled)

    async def _finish(self, to_server: MemoryObjectSendStream[Inward]) -> None:
        if not await until(lambda: not self._open, self._app.settings.http_drain):
            log.warning("calls in flight took too long: they are cancelled")
        await to_server.aclose()

    async def _watch_signals(self, to_server: MemoryObjectSendStream[Inward]) -> None:
        """The first signal ends the server in good order. One more, or one after the end of input, ends it at once."""
        try:
            receiver = anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM)
            with receiver as received:
                async with anyio.create_task_group() as group:
                    async for number in received:
                        log.info("stopped by signal %d", number)
                        if self._ending:
                            self._leave()
                        self._ending = self._app.traffic.ending = True
                        group.start_soon(self._end, to_server)
        except NotImplementedError:  # Windows: a signal ends the process as it always does
            return

    async def _end(self, to_server: MemoryObjectSendStream[Inward]) -> None:
        await self._finish(to_server)
        await until(lambda: self._through, _LAST_BYTES)
        # The last answer is with the SDK's writer, which says nothing; but its thread can be seen. The reader has one too.
        threads = current_default_thread_limiter()
        await anyio.sleep(0.05)
        await until(lambda: threads.borrowed_tokens <= 1, _LAST_BYTES)
        self._leave()

    def _leave(self) -> None:
        """Ends the process: the SDK's reader waits for input in a thread that nothing can interrupt."""
        self._app.finished()
        sys.stderr.flush()
        os._exit(0)

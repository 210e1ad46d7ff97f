"""An API that misbehaves on demand. The first segment of the path says how: `/503/items/1` answers 503.

It is a socket server, so that it can also do what no HTTP library would: stop in the middle, say nothing, send garbage.
Every error repeats the request's credentials and a traceback, as careless APIs do.
"""

from __future__ import annotations

import asyncio
import json
import socket
import ssl
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

ITEM = {"id": "i1", "title": "Lamp", "price_cents": 1999}
SILENT_SECONDS = 20.0
"""Longer than any test waits."""


@dataclass(frozen=True)
class Asked:
    """One request as it came."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def fault(self) -> str:
        return self.path.split("/")[1]

    @property
    def place(self) -> str:
        """The path without what chooses the fault, and without the query."""
        return "/" + "/".join(self.path.partition("?")[0].split("/")[2:])


@dataclass
class Stub:
    """The requests that came, and the connections that the other side gave up before it was answered."""

    port: int = 0
    requests: list[Asked] = field(default_factory=list)
    abandoned: list[Asked] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async for request in _requests(reader):
                self.requests.append(request)
                if not await self._answer(request, reader, writer):
                    return
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _answer(
        self, request: Asked, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        """Whether the connection can be used again."""
        match request.fault:
            case "silent":
                await self._say_nothing(request, reader)
                return False
            case "drip":
                writer.write(
                    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n"
                )
                for _ in range(200):
                    writer.write(b" ")
                    await writer.drain()
                    await asyncio.sleep(0.1)
                return False
            case "stall":
                writer.write(
                    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
                )
                await writer.drain()
                await self._say_nothing(request, reader)
                return False
            case "hangup":
                return False
            case "torn":
                writer.write(
                    b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"id"'
                )
                await writer.drain()
                return False
            case "garbage":
                writer.write(b"\x00\x01 this is no HTTP \xff\xfe\r\n\r\n")
                await writer.drain()
                return False
        writer.write(response(request))
        await writer.drain()
        return True

    async def _say_nothing(self, request: Asked, reader: asyncio.StreamReader) -> None:
        try:
            if not await asyncio.wait_for(reader.read(1), SILENT_SECONDS):
                self.abandoned.append(request)
        except (TimeoutError, ConnectionError):
            self.abandoned.append(request)


async def _requests(reader: asyncio.StreamReader) -> AsyncIterator[Asked]:
    while True:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            return
        first, *lines = head.decode("latin-1").split("\r\n")
        method, path, _ = first.split(" ", 2)
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        body = await reader.readexactly(int(headers.get("content-length") or 0))
        yield Asked(method, path, headers, body)


def response(request: Asked) -> bytes:
    """The answer in bytes."""
    status, headers, body = _chosen(request)
    lines = [f"HTTP/1.1 {status} {'' if status == 299 else 'Whatever'}"]
    if status != 204:
        headers = {"Content-Length": str(len(body)), **headers}
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


def _chosen(request: Asked) -> tuple[int, dict[str, str], bytes]:
    fault = request.fault
    head, _, tail = fault.partition("-")
    if head in ("fine", "hook"):
        return _success(request)
    if fault == "loop":
        return 302, {"Location": request.path}, b""
    if fault == "elsewhere":
        return 302, {"Location": "http://elsewhere.example.net/items"}, b""
    if fault == "outside":
        return 302, {"Location": "/fine/items/i1"}, b""
    if head in _BODIES:
        return _BODIES[head]
    status = int(head)
    extra = {
        "seconds": {"Retry-After": "7"},
        "date": {"Retry-After": format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)},
    }
    headers = {"Content-Type": "application/problem+json", **extra.get(tail, {})}
    return status, headers, _problem(request, status, tail)


_BODIES: dict[str, tuple[int, dict[str, str], bytes]] = {
    "empty": (200, {}, b""),
    "nothing": (204, {}, b""),
    "html": (200, {"Content-Type": "text/html"}, b"<html><title>Hello</title><body>Welcome</body></html>"),
    "malformed": (200, {"Content-Type": "application/json"}, b'{"id": "i1", "title": '),
    "breaks": (200, {"Content-Type": "application/json"}, b'{"id": 7, "items": "none"}'),
    "299": (299, {"Content-Type": "application/json"}, json.dumps(ITEM).encode()),
    "oversized": (
        200,
        {"Content-Type": "application/json"},
        json.dumps({"id": "i1", "title": "x" * 3_000_000}).encode(),
    ),
}


def _success(request: Asked) -> tuple[int, dict[str, str], bytes]:
    as_json = {"Content-Type": "application/json"}
    match request.method, request.place:
        case "GET", "/items":
            return 200, as_json, json.dumps({"items": [ITEM], "total": 1}).encode()
        case "GET", "/report":
            return 200, {"Content-Type": "application/pdf"}, b"%PDF-1.7 report"
        case "POST", "/orders":
            return 201, as_json, b'{"id": "o1"}'
        case "POST", _:
            return 201, as_json, json.dumps(ITEM).encode()
        case "DELETE", _:
            return 204, {}, b""
    return 200, as_json, json.dumps(ITEM).encode()


def _problem(request: Asked, status: int, kind: str) -> bytes:
    """An error that says more than it should."""
    told: dict[str, Any] = {
        "title": "No",
        "status": status,
        "detail": f"It did not work. You sent {request.headers.get('authorization')}.",
        "trace": 'Traceback (most recent call last):\n  File "/srv/app/shop.py", line 1, in shop\nKeyError',
    }
    if kind == "fields":
        told["errors"] = [{"pointer": "#/title", "detail": "is too long"}]
    if kind == "rule":
        told |= {"code": "insufficient_funds", "detail": "The account has not enough funds for this."}
    return json.dumps(told).encode()


@contextmanager
def running(tls: ssl.SSLContext | None = None, stub: Stub | None = None) -> Iterator[Stub]:
    """The stub on 127.0.0.1, in a thread of its own, for as long as the block lasts."""
    stub = stub or Stub()
    started, done = threading.Event(), asyncio.Event()
    loop = asyncio.new_event_loop()

    async def main() -> None:
        server = await asyncio.start_server(stub.serve, "127.0.0.1", 0, ssl=tls, limit=1 << 20)
        stub.port = server.sockets[0].getsockname()[1]
        started.set()
        await done.wait()
        server.close()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    thread = threading.Thread(target=loop.run_until_complete, args=(main(),), daemon=True)
    thread.start()
    started.wait(10)
    try:
        yield stub
    finally:
        loop.call_soon_threadsafe(done.set)
        thread.join(10)


@contextmanager
def nobody_accepts() -> Iterator[int]:
    """A port that listens, but whose queue is full: connecting to it never ends."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        port = listener.getsockname()[1]
        waiting = []
        for _ in range(4):
            one = socket.socket()
            one.setblocking(False)
            one.connect_ex(("127.0.0.1", port))
            waiting.append(one)
        try:
            yield port
        finally:
            for one in waiting:
                one.close()


def nobody_listens() -> int:
    """A port that refuses connections."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@asynccontextmanager
async def abandoned_within(stub: Stub, seconds: float) -> AsyncIterator[None]:
    """Waits at the end of the block until one more connection was given up by the other side."""
    before = len(stub.abandoned)
    yield
    for _ in range(int(seconds * 50)):
        if len(stub.abandoned) > before:
            return
        await asyncio.sleep(0.02)
    raise AssertionError("the request to the API went on")

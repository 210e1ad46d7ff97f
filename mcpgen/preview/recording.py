"""Remembers what went over the wire between the generated server and an API."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.types import ASGIApp, Message, Receive, Scope, Send


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request as it came over the wire, and its answer.

    `target` is the raw request target: path and query exactly as they were sent. Header names are in lower case.
    """

    method: str
    target: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    status: int
    answer_type: str | None
    answer: bytes

    def header(self, name: str) -> str | None:
        """The first header of that name."""
        return next((value for key, value in self.headers if key == name.lower()), None)


class Recorder:
    """Wraps an ASGI application; `exchanges` grows with every request, in the order of the answers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self.exchanges: list[Exchange] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body, sent = bytearray(), list[Message]()

        async def receiving() -> Message:
            message = await receive()
            body.extend(message.get("body", b""))
            return message

        async def sending(message: Message) -> None:
            sent.append(message)
            if message["type"] == "http.response.body" and not message.get("more_body", False):
                self.exchanges.append(_exchange(scope, bytes(body), sent))
            await send(message)

        await self._app(scope, receiving, sending)


def target_of(scope: Scope) -> str:
    """The raw request target of an ASGI scope."""
    path, query = scope["raw_path"].decode("latin-1"), scope["query_string"].decode("latin-1")
    return f"{path}?{query}" if query else path


def _exchange(scope: Scope, body: bytes, sent: list[Message]) -> Exchange:
    start = next(message for message in sent if message["type"] == "http.response.start")
    answer = b"".join(message.get("body", b"") for message in sent if message["type"] == "http.response.body")
    answer_type = dict(_text(start.get("headers", ()))).get("content-type")
    headers = _text(scope["headers"])
    return Exchange(scope["method"], target_of(scope), headers, body, start["status"], answer_type, answer)


def _text(headers: list[tuple[bytes, bytes]]) -> tuple[tuple[str, str], ...]:
    return tuple((key.decode("latin-1").lower(), value.decode("latin-1")) for key, value in headers)

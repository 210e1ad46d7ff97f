"""A stub of the API: answers every operation of a document from its examples and schemas."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from mcpgen.ir.api import Api
from mcpgen.preview.answers import answer_to, problem
from mcpgen.preview.recording import target_of
from mcpgen.preview.routes import Router


class Stub:
    """The stub as an ASGI application. Checks nothing: it shows what is sent, not whether the API would like it."""

    def __init__(self, api: Api, base_path: str = "") -> None:
        self._api = api
        self._router = Router(api.operations, base_path)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await Request(scope, receive).body()
        target = target_of(scope)
        operation = self._router.find(scope["method"], target)
        if operation is None:
            answer = problem(404, "Not Found", f"The document has no operation {scope['method']} {target}.")
        else:
            answer = answer_to(operation, self._api.schemas)
        headers = {"content-type": answer.content_type} if answer.content_type else None
        await Response(answer.body, answer.status, headers)(scope, receive, send)

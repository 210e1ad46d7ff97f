"""The Orders API of openapi.yaml, for real: `ORDERS_API_TOKEN=… python specs/orders/backend.py --port 0`.

Prints its URL on standard output once it answers, listens on loopback only, and keeps its data in memory.
"""

from __future__ import annotations

import argparse
import hmac
import json
import os
import re
import socket
import sys
import threading
from collections.abc import Awaitable, Callable
from datetime import date
from http import HTTPStatus
from typing import Annotated, Any, Literal, TypeAlias

import uvicorn
from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route
from store import RuleError, Store
from uvicorn.config import Config

PREFIX = "/v1"
TOKEN_VARIABLE = "ORDERS_API_TOKEN"  # noqa: S105
_ORDER_ID = re.compile(r"ORD-\d{6}", re.ASCII)
_NOTE_ID = re.compile(r"NOTE-\d{4}", re.ASCII)
Handler: TypeAlias = Callable[[Request], Awaitable[Response]]


class Body(BaseModel):
    """What request bodies and queries have in common: no conversions, no unknown fields."""

    model_config = ConfigDict(strict=True, extra="forbid")


class NewRefund(Body):
    amount_cents: int = Field(ge=1)
    reason: Literal["damaged", "returned", "goodwill"]
    comment: str | None = Field(default=None, max_length=200)


class OrderAction(Body):
    action: Literal["query", "cancel", "hold"]
    reason: str | None = Field(default=None, max_length=200)
    until: AwareDatetime | None = None


Status = Literal["placed", "packed", "shipped", "delivered", "cancelled"]
_Offset = Annotated[int, BeforeValidator(lambda text: re.sub("^after-", "", text))]


class Search(BaseModel):
    """The query of `GET /orders`. A cursor is `after-N`: N orders were seen already."""

    model_config = ConfigDict(extra="forbid")
    query: str | None = Field(default=None, min_length=1, max_length=100)
    status: list[Status] = Field(default=[], max_length=5)
    placed_after: date | None = None
    limit: int = Field(default=10, ge=1, le=50)
    cursor: _Offset = Field(default=0, ge=0)


def problem(kind: str, status: int, title: str, detail: str, **facts: int) -> JSONResponse:
    """An error as RFC 9457 wants it."""
    kind_url = f"https://orders.example.com/problems/{kind}"
    content = {"type": kind_url, "title": title, "status": status, "detail": detail} | facts
    headers = {"WWW-Authenticate": "Bearer"} if status == HTTPStatus.UNAUTHORIZED else None
    return JSONResponse(content, status, headers, media_type="application/problem+json")


class Api:
    """The handlers, one per operation of openapi.yaml."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def search_orders(self, request: Request) -> Response:
        given: dict[str, Any] = dict(request.query_params)
        if "status" in given:
            given["status"] = request.query_params.getlist("status")
        wanted = Search.model_validate(given)
        after = wanted.placed_after.isoformat() if wanted.placed_after else None
        orders, total = self._store.search(wanted.query, wanted.status, after, wanted.limit, wanted.cursor)
        seen = wanted.cursor + len(orders)
        cursor = f"after-{seen}" if orders and seen < total else None
        return JSONResponse({"orders": orders, "total": total, "next_cursor": cursor})

    async def get_order(self, request: Request) -> Response:
        wish = request.query_params.get("include_tracking", "false")
        if wish not in ("true", "false"):
            raise HTTPException(HTTPStatus.BAD_REQUEST, "include_tracking must be true or false.")
        return JSONResponse(self._store.order(_order_id(request), with_tracking=wish == "true"))

    async def get_tracking(self, request: Request) -> Response:
        return JSONResponse(self._store.tracking(_order_id(request)))

    async def create_refund(self, request: Request) -> Response:
        order_id = _order_id(request)
        wanted = NewRefund.model_validate_json(await request.body())
        key = request.headers.get("idempotency-key")
        made = self._store.refund(order_id, wanted.amount_cents, wanted.reason, wanted.comment, key)
        return JSONResponse(made, HTTPStatus.CREATED)

    async def delete_order_note(self, request: Request) -> Response:
        note_id = _path_value(request, "note_id", _NOTE_ID, "NOTE-1234")
        self._store.delete_note(_order_id(request), note_id)
        return Response(status_code=HTTPStatus.NO_CONTENT)

    async def manage_order(self, request: Request) -> Response:
        order_id = _order_id(request)
        body = await request.body()
        wanted = OrderAction.model_validate_json(body)
        match wanted.action:
            case "query":
                return JSONResponse(self._store.state(order_id))
            case "cancel":
                return JSONResponse(self._store.cancel(order_id, wanted.reason))
            case "hold":
                # An explicit null lifts the hold; a field that is left out holds without an end.
                lifted = "until" in wanted.model_fields_set and wanted.until is None
                until = json.loads(body).get("until")
                hold = None if lifted else {"reason": wanted.reason, "until": until}
                return JSONResponse(self._store.hold(order_id, hold))


def _path_value(request: Request, name: str, form: re.Pattern[str], example: str) -> str:
    value = str(request.path_params[name])
    if not form.fullmatch(value):
        raise HTTPException(HTTPStatus.BAD_REQUEST, f"{name} must look like {example}.")
    return value


def _order_id(request: Request) -> str:
    return _path_value(request, "order_id", _ORDER_ID, "ORD-123456")


def _with_token(handler: Handler, token: str) -> Handler:
    """The handler, for requests that carry the token."""

    async def guarded(request: Request) -> Response:
        given = request.headers.get("authorization", "")
        if not hmac.compare_digest(given.encode(), f"Bearer {token}".encode()):
            raise HTTPException(HTTPStatus.UNAUTHORIZED, "A valid bearer token is needed.")
        return await handler(request)

    return guarded


async def _on_rule_error(request: Request, error: Exception) -> Response:
    if not isinstance(error, RuleError):
        raise error
    return problem(error.kind, error.status, error.title, error.detail, **error.facts)


async def _on_malformed(request: Request, error: Exception) -> Response:
    if not isinstance(error, ValidationError):
        raise error
    found = [f"{'.'.join(map(str, item['loc'])) or 'body'}: {item['msg']}" for item in error.errors()]
    return problem("malformed", HTTPStatus.BAD_REQUEST, "The request is malformed", "; ".join(found))


async def _on_http_error(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    phrase = HTTPStatus(error.status_code).phrase
    return problem(phrase.lower().replace(" ", "-"), error.status_code, phrase, error.detail)


def create_app(token: str, store: Store | None = None) -> Starlette:
    """The API as an ASGI application, with its data fresh unless a store is given."""
    api = Api(store or Store())
    routes = [
        ("/orders", "GET", api.search_orders),
        ("/orders/{order_id}", "GET", api.get_order),
        ("/orders/{order_id}/tracking", "GET", api.get_tracking),
        ("/orders/{order_id}/refunds", "POST", api.create_refund),
        ("/orders/{order_id}/notes/{note_id}", "DELETE", api.delete_order_note),
        ("/orders/{order_id}/manage", "POST", api.manage_order),
    ]
    mounted = [Route(path, _with_token(handler, token), methods=[method]) for path, method, handler in routes]
    handlers = {RuleError: _on_rule_error, ValidationError: _on_malformed, HTTPException: _on_http_error}
    return Starlette(routes=[Mount(PREFIX, routes=mounted)], exception_handlers=handlers)


def main() -> None:
    parser = argparse.ArgumentParser(description="Serves the example's Orders API on loopback.")
    parser.add_argument("--port", type=int, default=8080, help="0 takes a free one (default: 8080)")
    parser.add_argument(
        "--until-stdin-closes",
        action="store_true",
        help="stop when standard input ends, as it does with its parent",
    )
    options = parser.parse_args()
    token = os.environ.get(TOKEN_VARIABLE)
    if not token:
        parser.error(f"set {TOKEN_VARIABLE} to the bearer token that clients must send")
    with socket.create_server(("127.0.0.1", options.port)) as listener:
        server = uvicorn.Server(Config(create_app(token), log_level="warning"))
        if options.until_stdin_closes:
            threading.Thread(target=_stop_after_stdin, args=(server,), daemon=True).start()
        print(f"http://127.0.0.1:{listener.getsockname()[1]}{PREFIX}", flush=True)
        server.run(sockets=[listener])


def _stop_after_stdin(server: uvicorn.Server) -> None:
    sys.stdin.buffer.read()
    server.should_exit = True


if __name__ == "__main__":
    main()

"""What stands between the server and the API: sees all, changes nothing, and knows one place only."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from mcpgen.preview.serving import serving
from mcpgen.verify.forwarding import Forwarder, api_client


async def echo(request: Request) -> Response:
    body = (await request.body()).decode()
    headers = {
        name: value for name, value in request.headers.items() if name.startswith(("x-", "cookie", "user"))
    }
    answer = JSONResponse(
        {
            "target": str(request.url),
            "body": body,
            "headers": headers,
            "encoding": request.headers["accept-encoding"],
        }
    )
    answer.headers["x-answer"] = "é"
    answer.headers.append("set-cookie", "a=1")
    answer.headers.append("set-cookie", "b=2")
    return answer


async def away(request: Request) -> Response:
    there = (
        "http://elsewhere.example/v1/x"
        if "far" in request.url.query
        else f"{request.base_url}v1/echo?moved=1"
    )
    return RedirectResponse(there)


async def gone(request: Request) -> Response:
    return Response(status_code=204)


API = Starlette(
    routes=[
        Route("/v1/echo", echo, methods=["GET", "POST"]),
        Route("/v1/away", away),
        Route("/v1/gone", gone),
        Route("/secret", echo),
    ]
)


@contextmanager
def between(base: str = "/v1") -> Iterator[tuple[Forwarder, str, str]]:
    with serving(API) as root, api_client({}, "P") as client:
        forwarder = Forwarder(root + base, client)
        with serving(forwarder) as here:
            yield forwarder, here, root


def test_requests_and_answers_pass_unchanged_and_are_kept() -> None:
    with between() as (forwarder, here, root):
        reply = httpx2.post(
            f"{here}/v1/echo?a=%2F&a=2", content=b"body", headers={"x-one": "1", "user-agent": "me"}
        )
        got: dict[str, Any] = reply.json()
        assert got["target"] == f"{root}/v1/echo?a=%2F&a=2"
        assert (got["body"], got["encoding"]) == ("body", "identity")
        assert got["headers"] == {"x-one": "1", "user-agent": "me"}
        assert reply.headers.get_list("set-cookie") == ["a=1", "b=2"]
        httpx2.get(f"{here}/v1/echo")
        first, second = forwarder.answers
        assert (first.method, first.target, first.sent, first.status) == (
            "POST",
            "/v1/echo?a=%2F&a=2",
            b"body",
            200,
        )
        assert first.body == reply.content
        assert dict(first.headers)["x-answer"] == "é"
        assert b"cookie" not in second.body, "cookies are not remembered"


def test_answers_without_a_body() -> None:
    with between() as (forwarder, here, _):
        assert httpx2.get(f"{here}/v1/gone").status_code == 204
        assert httpx2.head(f"{here}/v1/echo").content == b""
        assert [one.status for one in forwarder.answers] == [204, 405] or forwarder.answers[0].status == 204


def test_a_redirect_within_the_api_leads_back_through_here() -> None:
    with between() as (forwarder, here, root):
        assert httpx2.get(f"{here}/v1/away").headers["location"] == f"{here}/v1/echo?moved=1"
        assert httpx2.get(f"{here}/v1/away?far").headers["location"] == "http://elsewhere.example/v1/x"
        assert dict(forwarder.answers[0].headers)["location"] == f"{root}/v1/echo?moved=1", "kept as it came"


@pytest.mark.parametrize("path", ["/secret", "/v1x/echo", "/"])
def test_nothing_beside_the_base_path_is_reached(path: str) -> None:
    with between() as (forwarder, here, _):
        assert httpx2.get(f"{here}{path}").status_code == 502
        assert forwarder.answers == []
        assert forwarder.problem == f"{path} is not below /v1"


def test_an_api_that_is_not_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with (
        api_client({}, "P") as client,
        serving(forwarder := Forwarder(f"http://127.0.0.1:{port}", client)) as here,
    ):
        assert httpx2.get(f"{here}/x").status_code == 502
        assert forwarder.problem
        assert forwarder.answers == []


def test_a_certificate_that_is_not_there_is_refused() -> None:
    with (
        pytest.raises(ValueError, match="there is no file"),
        api_client({"P_CLIENT_CERT": "/nowhere.pem"}, "P"),
    ):
        pass

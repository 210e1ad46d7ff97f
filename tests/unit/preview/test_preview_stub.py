"""The stub API: which operation a request is for, and what it is answered."""

import json
from typing import Any

import httpx2
import pytest

from mcpgen.diagnostics import Location
from mcpgen.ir.api import Api, MediaType, Operation, Response
from mcpgen.preview.answers import answer_to
from mcpgen.preview.recording import Recorder
from mcpgen.preview.routes import Router, base_path_of
from mcpgen.preview.serving import serving
from mcpgen.preview.stub import Stub

HERE = Location("openapi.yaml")


def operation(method: str, path: str, *responses: Response) -> Operation:
    return Operation(method=method, path=path, origin=HERE, responses=responses)


def response(status: str, *media: MediaType) -> Response:
    return Response(status=status, description="", media=media, origin=HERE)


@pytest.mark.parametrize(
    ("method", "target", "expected"),
    [
        ("GET", "/v1/pets", "GET /pets"),
        ("GET", "/v1/pets?limit=3", "GET /pets"),
        ("GET", "/v1/pets/mine", "GET /pets/mine"),
        ("GET", "/v1/pets/7", "GET /pets/{id}"),
        ("DELETE", "/v1/pets/7", "DELETE /pets/{id}"),
        ("GET", "/v1/pets/a%2Fb", "GET /pets/{id}"),
        ("GET", "/v1/pets/a%20b", "GET /pets/{id}"),
        ("POST", "/v1/pets/7:feed", "POST /pets/{id}:feed"),
        ("GET", "/v1/range/1..5", "GET /range/{from}..{to}"),
        ("GET", "/v1/caf%C3%A9", "GET /café"),
        ("GET", "/v1/search?kind=cat&q=x", "GET /search?kind=cat"),
        ("GET", "/v1/search?kind=dog", "GET /search?kind=dog"),
        ("POST", "/v1/pets", None),
        ("GET", "/v1/pets/7/", None),
        ("GET", "/pets", None),
        ("GET", "/v1", None),
    ],
)
def test_requests_find_their_operation(method: str, target: str, expected: str | None) -> None:
    keys = [
        "GET /pets", "GET /pets/{id}", "GET /pets/mine", "DELETE /pets/{id}", "POST /pets/{id}:feed", "GET /café",
        "GET /range/{from}..{to}", "GET /search?kind=cat", "GET /search?kind=dog",
    ]  # fmt: skip
    router = Router([operation(*key.split(" ")) for key in keys], "/v1/")
    found = router.find(method, target)
    assert (found and found.key) == expected


def test_base_path_is_the_path_of_the_server() -> None:
    assert base_path_of("https://api.example.com/v1/") == "/v1"
    assert base_path_of(None) == ""


PET = {
    "type": "object",
    "required": ["id"],
    "properties": {"id": {"type": "integer"}, "name": {"type": "string"}},
}


@pytest.mark.parametrize(
    ("responses", "status", "content_type", "body"),
    [
        ([response("404"), response("201", MediaType("application/json", PET))], 201, "application/json", {"id": 1, "name": "string"}),
        ([response("200", MediaType("application/json", PET, examples=({"id": 5},)))], 200, "application/json", {"id": 5}),
        ([response("200", MediaType("application/json", PET, examples=({"id": "no"},)))], 200, "application/json", {"id": 1, "name": "string"}),
        ([response("2XX", MediaType("application/vnd.pet+json", PET))], 200, "application/vnd.pet+json", {"id": 1, "name": "string"}),
        ([response("DEFAULT", MediaType("application/json", {"type": "boolean"}))], 200, "application/json", True),
        ([response("200", MediaType("text/plain", {"type": "string"}, examples=("hello",)))], 200, "text/plain", "hello"),
        ([response("200", MediaType("application/x-ndjson", None, item_schema=PET))], 200, "application/x-ndjson", {"id": 1, "name": "string"}),
        ([response("204")], 204, None, None),
        ([response("500")], 204, None, None),
    ],
)  # fmt: skip
def test_answer_is_the_documented_success(
    responses: list[Response], status: int, content_type: str | None, body: Any
) -> None:
    answer = answer_to(operation("GET", "/pet", *responses), {})
    assert (answer.status, answer.content_type) == (status, content_type)
    if body is None:
        assert answer.body == b""
    elif content_type == "text/plain":
        assert answer.body.decode() == body
    else:
        assert json.loads(answer.body) == body


def test_image_answer_is_an_image() -> None:
    media = MediaType("image/png", {"type": "string", "format": "binary"})
    assert answer_to(operation("GET", "/pet", response("200", media)), {}).body.startswith(b"\x89PNG")


def test_stub_on_loopback_answers_and_remembers() -> None:
    pets = operation("POST", "/pets/{id}", response("200", MediaType("application/json", PET)))
    recorder = Recorder(Stub(Api("Pets", "1", "3.1.0", HERE, operations=(pets,)), "/v1"))
    with serving(recorder) as url, httpx2.Client(trust_env=False) as client:
        found = client.post(f"{url}/v1/pets/a%2Fb?x=%20", content=b"body", headers={"X-Thing": "1"})
        missing = client.get(f"{url}/v1/dogs")
    assert (found.status_code, found.json()) == (200, {"id": 1, "name": "string"})
    assert (missing.status_code, missing.headers["content-type"]) == (404, "application/problem+json")
    first, second = recorder.exchanges
    assert (first.method, first.target, first.body) == ("POST", "/v1/pets/a%2Fb?x=%20", b"body")
    assert first.header("X-Thing") == "1"
    assert (first.status, json.loads(first.answer)) == (200, found.json())
    assert (second.target, second.status) == ("/v1/dogs", 404)

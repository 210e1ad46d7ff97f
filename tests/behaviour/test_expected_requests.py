"""A generated server, called in memory, sends the requests that its tests expect: every style, body, and credential."""

from __future__ import annotations

import base64
import importlib
import json
import sys
from collections.abc import Iterator
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client

from mcpgen.cases.calls import calls_of
from mcpgen.cases.credentials import made_up_credentials
from mcpgen.cases.model import CallCase, ExpectedRequest
from mcpgen.diagnostics import Collector
from mcpgen.pipeline import GenerateRequest, generate
from mcpgen.plan.model import PackagePlan

STRING: dict[str, Any] = {"type": "string"}
LIST = {"type": "array", "items": STRING}
OBJECT = {"type": "object", "properties": {"a": STRING, "b c": {"type": "integer"}, "d": {"type": "boolean"}}}
PLACES = {
    "path": ("simple", "label", "matrix"),
    "query": ("form", "spaceDelimited", "pipeDelimited", "deepObject"),
    "header": ("simple",),
    "cookie": ("form",),
}
NESTED = {
    "type": "object",
    "properties": {"text": STRING, "list": LIST, "in": OBJECT, "no": {"type": "number"}},
}
FILES = {
    "type": "object",
    "properties": {"file": {**STRING, "format": "binary"}, "note": STRING, "more": OBJECT},
}
BODIES: dict[str, tuple[str, dict[str, Any]]] = {
    "json": ("application/json", NESTED),
    "patch": ("application/merge-patch+json", NESTED),
    "form": ("application/x-www-form-urlencoded", NESTED),
    "multipart": ("multipart/form-data", FILES),
    "xml": ("application/xml", {**NESTED, "xml": {"name": "root"}}),
    "text": ("text/plain", STRING),
    "bytes": ("application/octet-stream", {}),
    "lines": ("application/x-ndjson", {"type": "array", "items": OBJECT}),
}
SCHEMES: dict[str, dict[str, Any]] = {
    "header": {"type": "apiKey", "in": "header", "name": "X-Key"},
    "query": {"type": "apiKey", "in": "query", "name": "the key"},
    "cookie": {"type": "apiKey", "in": "cookie", "name": "sid"},
    "basic": {"type": "http", "scheme": "basic"},
    "digest": {"type": "http", "scheme": "digest"},
    "bearer": {"type": "http", "scheme": "Bearer"},
    "hawk": {"type": "http", "scheme": "Hawk"},
    "oauth": {
        "type": "oauth2",
        "flows": {"clientCredentials": {"tokenUrl": "https://auth.test/token", "scopes": {}}},
    },
    "openid": {
        "type": "openIdConnect",
        "openIdConnectUrl": "https://auth.test/.well-known/openid-configuration",
    },
    "mutual": {"type": "mutualTLS"},
}
ALTERNATIVES: list[list[dict[str, list[str]]]] = [
    *([{name: []}] for name in SCHEMES if name != "mutual"),
    [{"header": [], "query": [], "cookie": [], "basic": []}],
    [{"mutual": []}, {"bearer": []}],
    [{"mutual": []}, {}],
    [{}, {"header": []}],
    [],
]
OF_LIBRARY = {"host", "accept-encoding", "connection", "content-length", "user-agent"}


def document() -> dict[str, Any]:
    """A document with an operation for each style and kind of value, each body, and each way to prove oneself."""
    answer = {"responses": {"200": {"description": "Done."}}}
    paths: dict[str, Any] = {}
    for where, styles in PLACES.items():
        for style in styles:
            for explode in (False, True):
                if style == "deepObject" and not explode:
                    continue
                listed = [
                    ("list", LIST),
                    ("object", OBJECT),
                    *([("text", STRING)] if "Del" not in style else []),
                ]
                for kind, schema in listed if style != "deepObject" else [("object", OBJECT)]:
                    name = f"{where}_{style}_{kind}_{explode}"
                    told = {
                        "name": "v",
                        "in": where,
                        "style": style,
                        "explode": explode,
                        "required": True,
                        "schema": schema,
                    }
                    path = f"/{name}/{{v}}/end" if where == "path" else f"/{name}"
                    paths[path] = {"post": {"operationId": name, "parameters": [told], **answer}}
    for name, (media, schema) in BODIES.items():
        body = {"required": name != "json", "content": {media: {"schema": schema}}}
        paths[f"/body/{name}"] = {"post": {"operationId": f"body_{name}", "requestBody": body, **answer}}
    for number, security in enumerate(ALTERNATIVES):
        own = {"name": "Idempotency-Key", "in": "header", "schema": STRING}
        entry = {"operationId": f"secure_{number}", "security": security, "parameters": [own], **answer}
        paths[f"/secure/{number}"] = {"post": entry}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Everything", "version": "1"},
        "paths": paths,
        "components": {"securitySchemes": SCHEMES},
    }


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PackagePlan]:
    """The generated project, which can be imported."""
    folder = tmp_path_factory.mktemp("expected")
    spec = folder / "spec.json"
    spec.write_text(json.dumps(document()), "utf-8")
    outcome = generate(GenerateRequest(str(spec), folder / "project"), Collector())
    assert outcome.plan is not None
    assert not outcome.refused
    patched = pytest.MonkeyPatch()
    patched.syspath_prepend(str(folder / "project" / "src"))
    yield outcome.plan
    patched.undo()
    for module in [name for name in sys.modules if name.split(".")[0] == outcome.plan.package]:
        del sys.modules[module]


class Api:
    """Remembers what it is asked, as bytes."""

    def __init__(self) -> None:
        self.seen: list[tuple[httpx2.Request, bytes]] = []

    async def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.seen.append((request, await request.aread()))
        return httpx2.Response(200)


def difference(call: CallCase, request: httpx2.Request, body: bytes) -> dict[str, Any]:
    """What is sent otherwise than expected: expected and sent, by place."""
    told: ExpectedRequest = call.request
    sent = {name.lower(): text for name, text in request.headers.items() if name.lower() not in OF_LIBRARY}
    made = {name: sent.pop(name, "") for name in told.generated}
    kind, _, boundary = sent.get("content-type", "").partition("; boundary=")
    if boundary:
        sent["content-type"] = kind
    pairs = {
        "method": (told.method, request.method),
        "target": (f"/base{told.target}", request.url.raw_path.decode("ascii")),
        "headers": (dict(told.headers), sent),
        "made": (True, all(made.values())),
        "body": (expected_body(told, boundary), body),
    }
    if told.body is not None and "json" in told.body:
        pairs["body"] = (
            json.dumps(told.body["json"], sort_keys=True),
            json.dumps(json.loads(body), sort_keys=True),
        )
    return {place: pair for place, pair in pairs.items() if pair[0] != pair[1]}


def expected_body(told: ExpectedRequest, boundary: str) -> bytes:
    """The body, letter by letter, parts with the boundary that was sent."""
    if told.body is None:
        return b""
    if "parts" not in told.body:
        return content(told.body)
    lines = b""
    names = {"content-disposition": "Content-Disposition", "content-type": "Content-Type"}
    for part in told.body["parts"]:
        head = "".join(f"{names[name]}: {text}\r\n" for name, text in part["headers"].items())
        lines += f"--{boundary}\r\n{head}\r\n".encode() + content(part) + b"\r\n"
    return lines + f"--{boundary}--\r\n".encode()


def content(told: Any) -> bytes:
    if "base64" in told:
        return base64.b64decode(told["base64"])
    if "json" in told:
        return json.dumps(told["json"], ensure_ascii=False, separators=(",", ":")).encode()
    return str(told["text"]).encode()


def test_every_call_becomes_the_request_that_is_expected(project: PackagePlan) -> None:
    credentials = made_up_credentials(project)
    settings = {
        "BASE_URL": "http://api.test/base",
        "ALLOW_EFFECTS": "read,write,destructive",
        "CONFIRM": "never",
        "POLICY": "none",
    }
    environ = {f"{project.env_prefix}_{name}": value for name, value in settings.items()} | credentials
    api = Api()
    server = importlib.import_module(f"{project.package}.server").build(
        environ=environ, transport=httpx2.MockTransport(api)
    )
    wrong: dict[str, Any] = {}

    async def run() -> int:
        made = 0
        async with Client(server) as client:
            for tool in project.tools:
                calls = calls_of(tool, project, credentials)
                assert calls, tool.name
                for call in calls:
                    made += 1
                    api.seen.clear()
                    await client.call_tool(tool.name, dict(call.arguments))
                    found = [difference(call, *one) for one in api.seen]
                    if found != [{}]:
                        wrong[f"{tool.name} {call.name}"] = found
        return made

    assert anyio.run(run) > len(project.tools)
    assert wrong == {}


def test_the_document_has_all_that_the_test_is_about(project: PackagePlan) -> None:
    assert len(project.tools) == len(document()["paths"])
    assert {tool.body.kind for tool in project.tools if tool.body} == {
        "json", "form", "multipart", "xml", "text", "binary", "ndjson",
    }  # fmt: skip

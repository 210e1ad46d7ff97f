"""A tiny generated package on disk, and a client that calls its tools against a pretended API."""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import pytest
from jsonschema import Draft202012Validator
from mcp import Client
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from mcpgen.runtime import build_server

_numbers = itertools.count()

ENVELOPE: dict[str, Any] = {
    "ok": {"type": "boolean"},
    "raw": {},
    "total": {"type": "integer"},
    "note": {"type": "string"},
    "next": {"type": "object"},
    "error": {"type": "string"},
    "category": {"type": "string"},
    "retryable": {"type": "boolean"},
    "status": {"type": "integer"},
    "trace_id": {"type": "string"},
    "hint": {"type": "string"},
}


def output_schema(data: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    properties = {**ENVELOPE, "data": dict(data)}
    return {
        "type": "object",
        "properties": properties,
        "required": ["ok"],
        "additionalProperties": False,
        **more,
    }


@dataclass
class Op:
    """One operation of a test package: parameters as `(place, wire name, schema, more)`, body fields as a schema."""

    method: str = "GET"
    path: str = "/things"
    params: list[tuple[str, str, dict[str, Any], dict[str, Any]]] = field(default_factory=list)
    body: dict[str, Any] | None = None
    fields: dict[str, Any] = field(default_factory=dict)
    whole: dict[str, Any] | None = None
    rest: dict[str, Any] | None = None
    required: list[str] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)
    effect: str = "read"
    toolset: str = "things"
    more: dict[str, Any] = field(default_factory=dict)
    output: dict[str, Any] | None = None
    defs: dict[str, Any] | None = None

    def entries(self, name: str) -> tuple[dict[str, Any], dict[str, Any], str]:
        properties: dict[str, Any] = {}
        arguments, parameters = [], []
        sent: dict[str, list[str]] = {}
        for place, wire, schema, more in self.params:
            argument = "".join(c if c.isalnum() else "_" for c in wire).lower()
            properties[argument] = schema
            arguments.append({"name": argument, "python": argument, "in": place, "wire_name": wire})
            style = "simple" if place in ("path", "header") else "form"
            parameters.append({"name": wire, "in": place, "style": style, "explode": style == "form"} | more)
            if place == "querystring":
                sent.setdefault("querystring", []).append(argument)
            else:
                sent.setdefault(place, []).append(f"{wire!r}: given.get({argument!r}, UNSET)")
        for wire, schema in self.fields.items():
            properties[wire] = schema
            arguments.append({"name": wire, "python": wire, "in": "body", "pointer": "/" + wire})
            sent.setdefault("body", []).append(f"{wire!r}: given.get({wire!r}, UNSET)")
        for wire, value in self.more.get("fixed", {}).items():
            sent.setdefault("body", []).append(f"{wire!r}: {value!r}")
        if self.rest is not None:
            properties["extra"] = self.rest
            arguments.append({"name": "extra", "python": "extra", "in": "body", "pointer": ""})
        if self.whole is not None:
            properties["body"] = self.whole
            arguments.append({"name": "body", "python": "body", "in": "body", "pointer": ""})
        parts = [f"{place}={{{', '.join(items)}}}" for place, items in sent.items() if place != "querystring"]
        parts += [f"querystring=given.get({n!r}, UNSET)" for n in sent.get("querystring", ())]
        parts += ["body=given.get('body', UNSET)"] if self.whole is not None else []
        parts += ["extra=given.get('extra', UNSET)"] if self.rest is not None else []
        source = f"async def {name}(call, **given):\n    return await call.send({', '.join(parts)})\n"
        schema = {
            "type": "object",
            "properties": properties,
            "required": self.required,
            "additionalProperties": False,
        } | ({"$defs": self.defs} if self.defs else {})
        tool = {
            "name": name,
            "title": name.replace("_", " ").capitalize(),
            "description": f"{name.replace('_', ' ').capitalize()} of the shop.",
            "inputSchema": schema,
            "outputSchema": self.output or output_schema(self.data),
            "annotations": {"readOnlyHint": self.effect == "read"},
        }
        operation = {
            "module": "things",
            "function": name,
            "toolset": self.toolset,
            "effect": self.effect,
            "idempotent": self.effect == "read",
            "method": self.method,
            "path": self.path,
            "arguments": arguments,
            "parameters": parameters,
            "body": self.body,
            "security": [],
            "accept": "application/json",
        } | self.more
        return tool, operation, source


@dataclass
class Package:
    """A generated package and the API that it talks to."""

    name: str
    root: Path
    requests: list[httpx2.Request] = field(default_factory=list)
    answers: list[Any] = field(default_factory=list)
    environ: dict[str, str] = field(default_factory=dict)

    def answer(self, *answers: Any) -> None:
        """What the API answers: responses, exceptions or functions of the request; the last one again and again."""
        self.answers = list(answers)

    def _handle(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        found = (
            self.answers.pop(0)
            if len(self.answers) > 1
            else (self.answers or [httpx2.Response(200, json={})])[0]
        )
        if callable(found):
            return found(request)
        if isinstance(found, Exception):
            raise found
        # A response object can be sent once only.
        return httpx2.Response(found.status_code, headers=found.headers, content=found.content)

    def server(self, **environ: str) -> Any:
        transport = httpx2.MockTransport(self._handle)
        return build_server(self.name, environ={**self.environ, **environ}, transport=transport)

    async def call(self, tool: str, arguments: dict[str, Any] | None = None, /, **options: Any) -> Any:
        """Calls a tool in memory and checks the result against the contract and the published schema."""
        mode = options.pop("mode", "auto")
        callback = options.pop("elicitation_callback", None)
        async with Client(self.server(**options), mode=mode, elicitation_callback=callback) as client:
            schemas = {t.name: t.output_schema for t in (await client.list_tools()).tools}
            result = await client.call_tool(tool, arguments or {})
        Draft202012Validator(schemas[tool]).validate(result.structured_content)
        assert result.is_error is not result.structured_content["ok"]
        assert json.loads(result.content[0].text) == result.structured_content
        return result

    async def told(
        self, tool: str, arguments: dict[str, Any] | None = None, /, **options: Any
    ) -> dict[str, Any]:
        return dict((await self.call(tool, arguments, **options)).structured_content)

    @property
    def sent(self) -> httpx2.Request:
        """The one request that was sent."""
        assert len(self.requests) == 1, [str(r.url) for r in self.requests]
        return self.requests[0]

    @property
    def target(self) -> str:
        return self.sent.url.raw_path.decode()


Builder = Callable[..., Package]


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Builder]:
    """Writes a package whose operations are given by tool name."""
    monkeypatch.syspath_prepend(str(tmp_path))
    made: list[str] = []

    def make(_auth: dict[str, Any] | None = None, _hooks: str | None = None, **operations: Op) -> Package:
        name = f"shop_{next(_numbers)}"
        made.append(name)
        root = tmp_path / name
        (root / "tools").mkdir(parents=True)
        (root / "__init__.py").write_text("")
        (root / "__main__.py").write_text(
            f"import sys\nfrom mcpgen.runtime import main\nsys.exit(main({name!r}))\n"
        )
        (root / "tools" / "__init__.py").write_text("")
        entries = {tool: op.entries(tool) for tool, op in sorted(operations.items())}
        sources = [source for _, _, source in entries.values()]
        (root / "tools" / "things.py").write_text("\n\n".join(["from mcpgen.runtime import UNSET", *sources]))
        if _hooks is not None:
            (root / "hooks.py").write_text(_hooks)
        catalog = {
            "schema_version": 1,
            "server": {
                "name": "shop-mcp",
                "title": "Shop",
                "version": "1.0.0",
                "instructions": "A shop.",
                "env_prefix": "SHOP",
                "base_url": "https://api.example.com/v1",
            },
            "auth": _auth or {},
            "tools": [tool for tool, _, _ in entries.values()],
            "operations": {tool: operation for tool, (_, operation, _) in entries.items()},
        }
        (root / "catalog.json").write_text(json.dumps(catalog))
        return Package(name, root)

    yield make
    for module in [m for m in sys.modules if m.split(".")[0] in made]:
        del sys.modules[module]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=["auto", "legacy"])
def mode(request: pytest.FixtureRequest) -> str:
    """Both protocol eras."""
    return str(request.param)


@pytest.fixture
def op() -> type[Op]:
    return Op


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Backoff takes no time in tests; the list holds how long it would have been."""
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr("mcpgen.runtime.transport.exchange.sleep", sleep)
    return waited


class Switched(trace.TracerProvider, trace.Tracer):
    """Spans are recorded while a test wants them, and nothing is otherwise: a process can have one provider only."""

    on = False

    def __init__(self, provider: TracerProvider) -> None:
        self._recording, self._off = provider.get_tracer("tests"), trace.NoOpTracer()

    def get_tracer(self, *_: Any, **__: Any) -> trace.Tracer:
        return self

    def start_span(self, *given: Any, **named: Any) -> trace.Span:
        return (self._recording if Switched.on else self._off).start_span(*given, **named)

    def start_as_current_span(self, *given: Any, **named: Any) -> Any:
        return (self._recording if Switched.on else self._off).start_as_current_span(*given, **named)


@pytest.fixture(scope="session")
def exporter() -> InMemorySpanExporter:
    found = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(found))
    trace.set_tracer_provider(Switched(provider))
    return found


@pytest.fixture
def spans(exporter: InMemorySpanExporter) -> Iterator[InMemorySpanExporter]:
    exporter.clear()
    Switched.on = True
    yield exporter
    Switched.on = False

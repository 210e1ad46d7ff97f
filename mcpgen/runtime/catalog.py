"""Typed views of `catalog.json`: what the generator decided about every tool.

The wire dicts of `tools/list` stay plain dicts, because nothing at start-up may cost a Python object per
tool; an `Operation` is made when its tool is first called.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from typing import Any

from pydantic_core import from_json

SCHEMA_VERSION = 1
IDEMPOTENT_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "QUERY"})
"""RFC 9110, 9.2.2; QUERY by its own RFC."""


class CatalogError(Exception):
    """The catalogue can't be read by this version of the run-time library."""


@dataclass(frozen=True, slots=True)
class ServerInfo:
    """What the server says about itself, and where its API is; `base_url` is None when nobody said."""

    name: str
    title: str
    version: str
    instructions: str
    env_prefix: str
    base_url: str | None


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a tool and where it goes: a parameter (`wire_name`) or a body place (`pointer`)."""

    name: str
    python: str
    where: str
    wire_name: str | None = None
    pointer: str | None = None

    @property
    def body_field(self) -> str | None:
        """The top-level body field that this argument is, if it is one (RFC 6901 unescaped)."""
        if self.where != "body" or not self.pointer or self.pointer.count("/") != 1:
            return None
        return self.pointer[1:].replace("~1", "/").replace("~0", "~")


@dataclass(frozen=True, slots=True)
class Parameter:
    """How one parameter is written (OpenAPI 3.2, Parameter Object)."""

    name: str
    where: str
    style: str
    explode: bool
    required: bool = False
    allow_reserved: bool = False
    content_type: str | None = None


@dataclass(frozen=True, slots=True)
class Encoding:
    """How one field of a form or multipart body is written; None is left open by the document."""

    content_type: str | None = None
    style: str | None = None
    explode: bool | None = None
    allow_reserved: bool = False
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def explicit(self) -> bool:
        """OpenAPI 3.2, Encoding Object: any of the three switches RFC 6570 style serialisation on."""
        return self.style is not None or self.explode is not None or self.allow_reserved


@dataclass(frozen=True, slots=True)
class Body:
    """The request body. `files` says which multipart fields hold files: `one` or `list`."""

    content_type: str
    kind: str
    required: bool
    encoding: Mapping[str, Encoding] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    xml: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hint:
    """What to do after a failure: another tool of this server and what to pass to it."""

    tool: str
    arguments: Mapping[str, Any]
    text: str


@dataclass(frozen=True, slots=True)
class Operation:
    """One tool's operation: everything that the request, the checks and the result need."""

    tool: str
    module: str
    function: str
    toolset: str
    effect: str
    method: str
    path: str
    idempotent: bool
    accept: str
    arguments: tuple[Argument, ...]
    parameters: Mapping[tuple[str, str], Parameter]
    body: Body | None
    fixed: Mapping[str, Any]
    security: tuple[Mapping[str, tuple[str, ...]], ...]
    servers: tuple[str, ...]
    hints: Mapping[str, Hint]
    title: str
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any]

    @property
    def flattened(self) -> bool:
        """Whether fields of the body are arguments of their own."""
        return any(a.where == "body" and a.pointer for a in self.arguments)

    @property
    def rest(self) -> Argument | None:
        """The argument that takes the body fields which have none of their own."""
        whole = (a for a in self.arguments if a.where == "body" and a.pointer == "")
        return next(whole, None) if self.flattened or self.fixed_fields else None

    @property
    def fixed_fields(self) -> dict[str, Any]:
        """Body fields that the tool sets itself; the other fixed values are parameters."""
        parameters = {name for _, name in self.parameters}
        return {name: value for name, value in self.fixed.items() if name not in parameters}

    @property
    def repeatable(self) -> bool:
        """Whether sending the same request twice does no more than sending it once."""
        return self.idempotent or self.effect == "read" or self.method in IDEMPOTENT_METHODS


class Catalog:
    """The catalogue of one generated package, loaded once."""

    def __init__(self, package: str, content: Mapping[str, Any]) -> None:
        version = content.get("schema_version")
        if version != SCHEMA_VERSION:
            raise CatalogError(f"catalog.json has version {version!r}; this library reads {SCHEMA_VERSION}")
        self.package = package
        self.tools: list[dict[str, Any]] = content["tools"]
        self.auth: Mapping[str, Mapping[str, Any]] = content.get("auth", {})
        self._operations: Mapping[str, Mapping[str, Any]] = content["operations"]
        self._server: Mapping[str, Any] = content["server"]
        self._views: dict[str, Operation] = {}

    @classmethod
    def load(cls, package: str) -> Catalog:
        """Reads `catalog.json` beside the package's `__init__.py`.

        Raises:
            CatalogError: it is missing, broken or of another version.
        """
        try:
            with _collector_paused():
                content = from_json(files(package).joinpath("catalog.json").read_bytes())
        except (OSError, ValueError) as error:
            raise CatalogError(f"catalog.json of {package} can't be read: {error}") from error
        return cls(package, content)

    @cached_property
    def server(self) -> ServerInfo:
        told = self._server
        return ServerInfo(
            name=told["name"],
            title=told.get("title") or told["name"],
            version=told.get("version") or "",
            instructions=told.get("instructions") or "",
            env_prefix=told["env_prefix"],
            base_url=told.get("base_url"),
        )

    @cached_property
    def tool_by_name(self) -> dict[str, dict[str, Any]]:
        return {tool["name"]: tool for tool in self.tools}

    @cached_property
    def toolsets(self) -> frozenset[str]:
        return frozenset(entry["toolset"] for entry in self._operations.values())

    def select(self, effects: frozenset[str], toolsets: frozenset[str] | None) -> Iterator[str]:
        """Names of the tools that these effects and toolsets allow; None is every toolset."""
        for name, entry in self._operations.items():
            if entry["effect"] in effects and (toolsets is None or entry["toolset"] in toolsets):
                yield name

    def effect(self, tool: str) -> str:
        return str(self._operations[tool]["effect"])

    def operation(self, tool: str) -> Operation:
        """The typed view of one tool's operation, made on first use.

        Raises:
            KeyError: no such tool.
        """
        if tool not in self._views:
            self._views[tool] = _operation(tool, self._operations[tool], self.tool_by_name[tool])
        return self._views[tool]


@contextmanager
def _collector_paused() -> Iterator[None]:
    """A big catalogue is a million new objects and no garbage: looking for some takes longer than reading it."""
    active = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if active:
            gc.enable()


def _operation(name: str, entry: Mapping[str, Any], tool: Mapping[str, Any]) -> Operation:
    parameters = [_parameter(told) for told in entry.get("parameters", ())]
    return Operation(
        tool=name,
        module=entry["module"],
        function=entry["function"],
        toolset=entry["toolset"],
        effect=entry["effect"],
        method=entry["method"],
        path=entry["path"],
        idempotent=bool(entry.get("idempotent", False)),
        accept=entry.get("accept") or "*/*",
        arguments=tuple(
            Argument(a["name"], a["python"], a["in"], a.get("wire_name"), a.get("pointer"))
            for a in entry.get("arguments", ())
        ),
        parameters={(p.where, p.name): p for p in parameters},
        body=_body(entry["body"]) if entry.get("body") else None,
        fixed=entry.get("fixed") or {},
        security=tuple(
            {scheme: tuple(scopes) for scheme, scopes in alternative.items()}
            for alternative in entry.get("security", ())
        ),
        servers=tuple(entry.get("servers") or ()),
        hints={
            key: Hint(told["tool"], told.get("arguments") or {}, told.get("text") or "")
            for key, told in (entry.get("hints") or {}).items()
        },
        title=tool.get("title") or name,
        input_schema=tool["inputSchema"],
        output_schema=tool["outputSchema"],
    )


_DEFAULT_STYLE = {"path": "simple", "header": "simple", "query": "form", "cookie": "form"}


def _parameter(told: Mapping[str, Any]) -> Parameter:
    style = told.get("style") or _DEFAULT_STYLE.get(told["in"], "form")
    explode = told.get("explode")
    return Parameter(
        name=told["name"],
        where=told["in"],
        style=style,
        # OpenAPI 3.2, Parameter Object: the default is true for form and cookie, else false.
        explode=style in ("form", "cookie") if explode is None else bool(explode),
        required=bool(told.get("required", False)),
        allow_reserved=bool(told.get("allow_reserved", False)),
        content_type=told.get("content_type"),
    )


def _body(told: Mapping[str, Any]) -> Body:
    return Body(
        content_type=told["content_type"],
        kind=told["kind"],
        required=bool(told.get("required", False)),
        encoding={
            name: Encoding(
                content_type=one.get("content_type"),
                style=one.get("style"),
                explode=one.get("explode"),
                allow_reserved=bool(one.get("allow_reserved", False)),
                headers=one.get("headers") or {},
            )
            for name, one in (told.get("encoding") or {}).items()
        },
        files=told.get("files") or {},
        xml=told.get("xml") or {},
    )

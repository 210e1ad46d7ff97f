"""What will be emitted, every decision made: templates and the catalogue only spell it out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mcpgen.diagnostics import Location
from mcpgen.plan.following import HintPlan, PagingPlan
from mcpgen.plan.overrides.model import UNSAID


class SpecText(str):
    """Text that came from the user's document. Templates can emit it only through an escaping filter."""

    __slots__ = ()


class Code(str):
    """Source text that mcpgen itself wrote, such as an annotation. Templates may print it as it is."""

    __slots__ = ()

    @classmethod
    def string(cls, text: str) -> Code:
        """A string literal, in double quotes unless that takes more escapes: as black writes it."""
        literal = repr(str(text))
        return cls(literal if '"' in literal else f'"{literal[1:-1]}"')


@dataclass(frozen=True, slots=True)
class ArgumentPlan:
    """One argument of a tool: its names, its place in the request, its published schema.

    `where` is `path`, `query`, `header`, `cookie`, `querystring` or `body`. `wire_name` is set for parameters,
    `pointer` (a JSON pointer into the request body; "" is the whole body, or the rest of it) for body arguments. `default` is
    what the server sends where the caller leaves the argument out; a default that the API itself applies is only in `schema`.
    """

    name: str
    python: str
    where: str
    schema: Mapping[str, Any]
    required: bool
    annotation: Code
    wire_name: str | None = None
    pointer: str | None = None
    default: Any = UNSAID

    @property
    def has_default(self) -> bool:
        return self.default is not UNSAID

    @property
    def sent_by_itself(self) -> Any:
        """The default; None where there is none."""
        return self.default if self.has_default else None

    @property
    def field(self) -> str:
        """The body field that a pointer with one token names."""
        return (self.pointer or "")[1:].replace("~1", "/").replace("~0", "~")


@dataclass(frozen=True, slots=True)
class ParameterWire:
    """How the run-time library writes one parameter (catalogue, `parameters`)."""

    name: str
    where: str
    style: str
    explode: bool
    required: bool
    allow_reserved: bool = False
    allow_empty: bool = False
    content_type: str | None = None
    inner: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BodyWire:
    """How the run-time library writes the request body (catalogue, `body`)."""

    content_type: str
    kind: str
    required: bool
    encoding: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    prefix_encoding: tuple[Mapping[str, Any], ...] = ()
    item_encoding: Mapping[str, Any] | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    xml: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """A type that a tool's result has: `schema` is in the response direction, references kept."""

    name: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Samples:
    """Values made from the spec, for examples and for the generated tests.

    `minimal` is a valid call with what is required, `full` one with every argument that can go together; None where none was
    found.
    """

    minimal: Mapping[str, Any] | None
    response_status: int
    response_media: str | None
    response_value: Any
    full: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class AnswerSample:
    """One documented answer. `status` is as in `ir.api.Response`: `200`, `4XX`, `DEFAULT`.

    Attributes:
        media: its media type, as written; None for an answer without a body.
        kind: `json`, `ndjson`, `text`, `xml`, `form`, `multipart`, `binary` or `empty`.
        value: a JSON value for it; of a stream of records, one record.
        found: whether there is a value that is small enough.
    """

    status: str
    media: str | None
    kind: str
    value: Any = None
    found: bool = False


@dataclass(frozen=True, slots=True)
class ServerVariablePlan:
    """A variable in a server's URL and the environment variable that sets it. No default: it must be set."""

    env: str
    default: str | None
    enum: tuple[str, ...]
    description: SpecText


@dataclass(frozen=True, slots=True)
class ServerPlan:
    """One server: its URL with `{variables}`, relative only when nobody knows its base; `name` can be empty."""

    url: str
    name: str
    description: SpecText
    variables: Mapping[str, ServerVariablePlan]


@dataclass(frozen=True, slots=True)
class ToolPlan:
    """One tool, complete. `key` names it for the lock: its operation, and the action where it is one of several.

    `fixed` are values that the tool sends by itself, by their names on the wire, and `fixed_where` the places of those.
    `icons` and `meta` are what the user wants the tool to have on the wire. `answers` are what the API documents.
    """

    key: str
    name: str
    function: str
    module: str
    toolset: str
    title: SpecText
    description: SpecText
    method: str
    path: str
    operation_id: str | None
    effect: str
    additive: bool | None
    idempotent: bool
    reason: str
    arguments: tuple[ArgumentPlan, ...]
    fixed: Mapping[str, Any]
    fixed_where: Mapping[str, str]
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any]
    parameters: tuple[ParameterWire, ...]
    body: BodyWire | None
    security: tuple[Mapping[str, tuple[str, ...]], ...]
    servers: tuple[ServerPlan, ...]
    accept: str
    hints: Mapping[str, tuple[HintPlan, ...]]
    result: ModelRequest | None
    samples: Samples
    origin: Location
    paging: PagingPlan | None = None
    idempotency: Mapping[str, Any] | None = None
    open_world: bool = True
    icons: tuple[Mapping[str, Any], ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)
    answers: tuple[AnswerSample, ...] = ()

    @property
    def operation_key(self) -> str:
        return f"{self.method} {self.path}"

    def arguments_in(self, where: str) -> tuple[ArgumentPlan, ...]:
        return tuple(argument for argument in self.arguments if argument.where == where)


@dataclass(frozen=True, slots=True)
class ToolsetPlan:
    """One group of tools: a module of tool functions and a module of models."""

    label: SpecText
    module: str
    description: SpecText
    tools: tuple[ToolPlan, ...]


@dataclass(frozen=True, slots=True)
class AuthPlan:
    """One security scheme as the catalogue holds it.

    Attributes:
        env: the parts of the credential and the environment variables that hold them.
        options: further variables of the scheme: where its authorization server is, what to ask of it.
        login: whether a person can log in (`python -m PACKAGE login SCHEME`).
    """

    scheme: str
    entry: Mapping[str, Any]
    env: Mapping[str, str]
    description: SpecText
    options: Mapping[str, str] = field(default_factory=dict)
    login: bool = False


@dataclass(frozen=True, slots=True)
class SkippedPlan:
    """An operation without a tool, and why; `tool` is the name that its tool would have, where it was left out by choice."""

    method: str
    path: str
    code: str
    reason: str
    tool: str | None = None


@dataclass(frozen=True, slots=True)
class PackagePlan:
    """The whole package."""

    distribution: str
    package: str
    env_prefix: str
    title: SpecText
    version: SpecText
    description: SpecText
    base_url: str | None
    auth: tuple[AuthPlan, ...]
    toolsets: tuple[ToolsetPlan, ...]
    skipped: tuple[SkippedPlan, ...]
    spec_name: SpecText
    spec_version: str
    servers: tuple[ServerPlan, ...] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    policies: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def tools(self) -> tuple[ToolPlan, ...]:
        """All tools, by name."""
        return tuple(sorted((t for s in self.toolsets for t in s.tools), key=lambda t: t.name))

    @property
    def server_variables(self) -> tuple[tuple[str, ServerVariablePlan], ...]:
        """All server variables by name, those of single operations too; the first description of each."""
        found: dict[str, ServerVariablePlan] = {}
        for server in (*self.servers, *(server for tool in self.tools for server in tool.servers)):
            for name, variable in server.variables.items():
                found.setdefault(name, variable)
        return tuple(sorted(found.items()))

    @property
    def pins(self) -> dict[str, str]:
        """Tool keys and the names that they got (the lock keeps them)."""
        return {tool.key: tool.name for tool in self.tools}

"""The `Api`: what an OpenAPI document says, in one shape for all versions. No Python names, no decisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeAlias

from mcpgen.diagnostics import Location

Schema: TypeAlias = Mapping[str, Any]
"""A JSON Schema 2020-12 object. Boolean schemas are already `{}` and `{"not": {}}`. The only references are
`{"$ref": "#/components/schemas/NAME"}`, where NAME is a key of `Api.schemas`."""

SCHEMA_PREFIX = "#/components/schemas/"


class ParameterIn(StrEnum):
    """Where a parameter travels (OpenAPI 3.2, Parameter Object, `in`)."""

    PATH = "path"
    QUERY = "query"
    HEADER = "header"
    COOKIE = "cookie"
    QUERYSTRING = "querystring"


class Style(StrEnum):
    """How a value is written (OpenAPI 3.2, Style Values). `tabDelimited` is Swagger 2.0's `tsv`."""

    SIMPLE = "simple"
    LABEL = "label"
    MATRIX = "matrix"
    FORM = "form"
    SPACE_DELIMITED = "spaceDelimited"
    PIPE_DELIMITED = "pipeDelimited"
    TAB_DELIMITED = "tabDelimited"
    DEEP_OBJECT = "deepObject"
    COOKIE = "cookie"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of an operation; path-level ones are already merged in.

    `content_type` is set when the parameter is described by `content` instead of `schema` and style. `inner` are the
    delimiters of lists inside a list, the outermost first (Swagger 2.0, Items Object, `collectionFormat`). `extensions` are the
    keys `x-mcp*`.
    """

    name: str
    where: ParameterIn
    required: bool
    schema: Schema
    style: Style
    explode: bool
    origin: Location
    allow_reserved: bool = False
    allow_empty: bool = False
    content_type: str | None = None
    description: str = ""
    deprecated: bool = False
    examples: tuple[Any, ...] = ()
    inner: tuple[str, ...] = ()
    extensions: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Encoding:
    """How one field of a form or multipart body is written. None means that the document leaves it open."""

    content_type: str | None = None
    style: Style | None = None
    explode: bool | None = None
    allow_reserved: bool = False
    headers: Mapping[str, Schema] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MediaType:
    """One media type of a body, its name as written in the document.

    `prefix_encoding` and `item_encoding` are for the unnamed parts of a multipart body, by position.
    """

    name: str
    schema: Schema | None
    item_schema: Schema | None = None
    encoding: Mapping[str, Encoding] = field(default_factory=dict)
    prefix_encoding: tuple[Encoding, ...] = ()
    item_encoding: Encoding | None = None
    examples: tuple[Any, ...] = ()

    @property
    def bare(self) -> str:
        """The type without parameters, in lower case."""
        return self.name.split(";")[0].strip().lower()


@dataclass(frozen=True, slots=True)
class RequestBody:
    required: bool
    media: tuple[MediaType, ...]
    origin: Location
    description: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """An OpenAPI link: the operation that a response leads to, and which values to pass (runtime expressions)."""

    name: str
    operation_id: str | None
    operation_ref: str | None
    parameters: Mapping[str, Any]
    description: str = ""
    request_body: Any = None


@dataclass(frozen=True, slots=True)
class Response:
    """One documented response. `status` is upper-case text: `200`, `4XX`, `DEFAULT`."""

    status: str
    description: str
    media: tuple[MediaType, ...]
    origin: Location
    headers: Mapping[str, Schema] = field(default_factory=dict)
    links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class ServerVariable:
    default: str
    enum: tuple[str, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True)
class Server:
    """A server as written: `url` can be relative and can hold `{variables}`."""

    url: str
    variables: Mapping[str, ServerVariable] = field(default_factory=dict)
    description: str = ""
    name: str = ""


SecurityRequirement: TypeAlias = Mapping[str, tuple[str, ...]]
"""One alternative: scheme name -> scopes, all of them needed together. An empty mapping means no credential."""


@dataclass(frozen=True, slots=True)
class OAuthFlow:
    """`kind` is the key in the document: `clientCredentials`, `authorizationCode`, `implicit`, `password`, ..."""

    kind: str
    token_url: str | None = None
    authorization_url: str | None = None
    refresh_url: str | None = None
    device_url: str | None = None
    scopes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SecurityScheme:
    """`type` is `apiKey`, `http`, `oauth2`, `openIdConnect` or `mutualTLS`; Swagger's `basic` is `http` here."""

    name: str
    type: str
    origin: Location
    scheme: str = ""
    location: str = ""
    parameter_name: str = ""
    bearer_format: str = ""
    flows: tuple[OAuthFlow, ...] = ()
    openid_url: str | None = None
    metadata_url: str | None = None
    description: str = ""


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation. `method` is upper-case except for methods that the document spells otherwise."""

    method: str
    path: str
    origin: Location
    operation_id: str | None = None
    summary: str = ""
    description: str = ""
    tags: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    body: RequestBody | None = None
    responses: tuple[Response, ...] = ()
    security: tuple[SecurityRequirement, ...] = ()
    servers: tuple[Server, ...] = ()
    deprecated: bool = False
    extensions: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """How people name an operation: `GET /orders/{order_id}`."""
        return f"{self.method} {self.path}"


@dataclass(frozen=True, slots=True)
class Tag:
    name: str
    summary: str = ""
    description: str = ""
    parent: str | None = None


@dataclass(frozen=True, slots=True)
class Skipped:
    """An operation of the document that did not become part of the `Api`, and why."""

    method: str
    path: str
    code: str
    reason: str
    location: Location


@dataclass(frozen=True, slots=True)
class Api:
    """Everything that the later stages know about the API."""

    title: str
    version: str
    spec_version: str
    origin: Location
    description: str = ""
    servers: tuple[Server, ...] = ()
    tags: tuple[Tag, ...] = ()
    operations: tuple[Operation, ...] = ()
    schemas: Mapping[str, Schema] = field(default_factory=dict)
    security_schemes: Mapping[str, SecurityScheme] = field(default_factory=dict)
    skipped: tuple[Skipped, ...] = ()

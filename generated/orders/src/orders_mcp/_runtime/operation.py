"""What the catalogue says about one tool's operation, as typed views."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .inputs.checking import ArgumentCheck, DataCheck
from .memory.idempotency import KeyHeader, read_key_header
from .outcomes.planned_hints import Hints, read_hints
from .paging.list_plan import Paging, read_paging
from .values import UNSET

IDEMPOTENT_METHODS = frozenset({"GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "QUERY"})
"""RFC 9110, 9.2.2; QUERY by its own RFC."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument of a tool and where it goes: a parameter (`wire_name`) or a body place (`pointer`).

    `default` is the value that is sent where the caller leaves the argument out.
    """

    name: str
    python: str
    where: str
    wire_name: str | None = None
    pointer: str | None = None
    default: Any = UNSET

    @property
    def body_field(self) -> str | None:
        """The top-level body field that this argument is, if it is one (RFC 6901 unescaped)."""
        if self.where != "body" or not self.pointer or self.pointer.count("/") != 1:
            return None
        return self.pointer[1:].replace("~1", "/").replace("~0", "~")


@dataclass(frozen=True, slots=True)
class Parameter:
    """How one parameter is written (OpenAPI 3.2, Parameter Object).

    `inner` are the delimiters of lists inside a list, the outermost first (Swagger 2.0, Items Object).
    """

    name: str
    where: str
    style: str
    explode: bool
    required: bool = False
    allow_reserved: bool = False
    content_type: str | None = None
    allow_empty: bool = False
    inner: tuple[str, ...] = ()


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
    """The request body.

    Attributes:
        encoding: by field name.
        positions: how the parts of an unnamed multipart body are written, by position; `rest_encoding` is for
            all after them (OpenAPI 3.2, `prefixEncoding`, `itemEncoding`).
        files: which multipart fields hold files: `one` or `list`. In an unnamed body the names are positions,
            and `*` is every further one.
    """

    content_type: str
    kind: str
    required: bool
    encoding: Mapping[str, Encoding] = field(default_factory=dict)
    positions: tuple[Encoding, ...] = ()
    rest_encoding: Encoding = Encoding()
    files: Mapping[str, str] = field(default_factory=dict)
    xml: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Operation:
    """One tool's operation: everything that the request, the checks and the result need.

    Attributes:
        categories: what refusals of this API mean, over anything that their status and body say. Keys are `422`,
            `4XX`, `default`, or one of them with a machine code of the API (`422:card_declined`); values are
            categories of the result contract.
        idempotency: the header that makes repeating the request safe, where the API has one.
        paging: the list that the answer is, and how it is paged.
        fields_by_name: fixed values that are fields of the body, although a parameter has their name.
    """

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
    servers: tuple[Any, ...]
    hints: Hints
    title: str
    input_schema: Mapping[str, Any]
    output_schema: Mapping[str, Any]
    argument_check: ArgumentCheck = field(compare=False)
    data_check: DataCheck = field(compare=False)
    categories: Mapping[str, str] = field(default_factory=dict)
    idempotency: KeyHeader | None = None
    paging: Paging | None = None
    fields_by_name: frozenset[str] = frozenset()

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
        parameters = {name for _, name in self.parameters} - self.fields_by_name
        return {name: value for name, value in self.fixed.items() if name not in parameters}

    @property
    def repeatable(self) -> bool:
        """Whether sending the same request twice does no more than sending it once."""
        return self.idempotent or self.effect == "read" or self.method in IDEMPOTENT_METHODS


def read_operation(name: str, entry: Mapping[str, Any], tool: Mapping[str, Any]) -> Operation:
    """The view of one entry of the catalogue's `operations`, with its wire dict from `tools`."""
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
            Argument(
                a["name"], a["python"], a["in"], a.get("wire_name"), a.get("pointer"), a.get("default", UNSET)
            )
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
        hints=read_hints(entry.get("hints")),
        title=tool.get("title") or name,
        input_schema=tool["inputSchema"],
        output_schema=tool["outputSchema"],
        argument_check=ArgumentCheck(tool["inputSchema"]),
        data_check=DataCheck(tool["outputSchema"]),
        categories=entry.get("categories") or {},
        idempotency=read_key_header(entry.get("idempotency")),
        paging=read_paging(entry.get("paging")),
        fields_by_name=frozenset(entry.get("fixed_fields", ())),
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
        allow_empty=bool(told.get("allow_empty", False)),
        inner=tuple(told.get("inner", ())),
    )


def _encoding(told: Mapping[str, Any]) -> Encoding:
    return Encoding(
        content_type=told.get("content_type"),
        style=told.get("style"),
        explode=told.get("explode"),
        allow_reserved=bool(told.get("allow_reserved", False)),
        headers=told.get("headers") or {},
    )


def _body(told: Mapping[str, Any]) -> Body:
    return Body(
        content_type=told["content_type"],
        kind=told["kind"],
        required=bool(told.get("required", False)),
        encoding={name: _encoding(one) for name, one in (told.get("encoding") or {}).items()},
        positions=tuple(_encoding(one) for one in told.get("prefix_encoding") or ()),
        rest_encoding=_encoding(told.get("item_encoding") or {}),
        files=told.get("files") or {},
        xml=told.get("xml") or {},
    )

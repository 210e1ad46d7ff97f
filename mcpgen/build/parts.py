"""The parts of an operation: parameters, bodies, responses, servers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcpgen.diagnostics import Location
from mcpgen.ir.api import (
    Encoding,
    Link,
    MediaType,
    Parameter,
    ParameterIn,
    RequestBody,
    Response,
    Server,
    ServerVariable,
    Style,
)

Json = Mapping[str, Any]


def parameter(value: Json, origin: Location) -> Parameter:
    """One parameter; one with `content` takes schema and media type from there."""
    content: Json = value.get("content", {})
    content_type = next(iter(content), None)
    media: Json = {} if content_type is None else content[content_type]
    schema = value["schema"] if content_type is None else media.get("schema", media.get("itemSchema", {}))
    return Parameter(
        name=value["name"],
        where=ParameterIn(value["in"]),
        required=value["required"],
        schema=schema,
        style=Style(value["style"]),
        explode=value["explode"],
        origin=origin,
        allow_reserved=value["allowReserved"],
        allow_empty=value["allowEmptyValue"],
        content_type=content_type,
        description=value["description"],
        deprecated=value["deprecated"],
        examples=tuple(value["examples"]),
        inner=tuple(value.get("inner", ())),
        extensions={key: item for key, item in value.items() if key.startswith("x-mcp")},
    )


def request_body(value: Json | None, origin: Location) -> RequestBody | None:
    """The request body, None where there is none."""
    if value is None:
        return None
    return RequestBody(value["required"], media_types(value["content"]), origin, value["description"])


def response(status: str, value: Json, origin: Location) -> Response:
    """One response; its status in upper case."""
    links = tuple(
        Link(
            name,
            item["operationId"],
            item["operationRef"],
            item["parameters"],
            item["description"],
            item["requestBody"],
        )
        for name, item in value.get("links", {}).items()
    )
    return Response(
        status=status.upper(),
        description=value["description"],
        media=media_types(value["content"]),
        origin=origin,
        headers=value.get("headers", {}),
        links=links,
    )


def media_types(content: Json) -> tuple[MediaType, ...]:
    """All media types, in the document's order."""
    return tuple(
        MediaType(
            name=name,
            schema=value.get("schema"),
            item_schema=value.get("itemSchema"),
            encoding={key: _encoding(item) for key, item in value.get("encoding", {}).items()},
            prefix_encoding=tuple(_encoding(item) for item in value.get("prefixEncoding", ())),
            item_encoding=_encoding(value["itemEncoding"]) if "itemEncoding" in value else None,
            examples=tuple(value["examples"]),
        )
        for name, value in content.items()
    )


def _encoding(value: Json) -> Encoding:
    style = value.get("style")
    return Encoding(
        content_type=value.get("contentType"),
        style=Style(style) if style is not None else None,
        explode=value.get("explode"),
        allow_reserved=value.get("allowReserved", False),
        headers=value.get("headers", {}),
    )


def server(value: Json) -> Server:
    """One server, as written."""
    variables = {
        name: ServerVariable(item["default"], tuple(item["enum"]), item["description"])
        for name, item in value["variables"].items()
    }
    return Server(value["url"], variables, value.get("description", ""), value.get("name", ""))

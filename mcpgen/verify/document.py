"""The two documents that Schemathesis gets: one to make calls from, one to judge answers by.

Both are made from the `Api`, so that overlays, other versions of OpenAPI, references to further files and repairs mean here what they
mean to the generator, and nothing is read from the network. Neither describes a request as it travels: Schemathesis
writes parameters down as it makes them, while a tool takes values. So the calls are made as one JSON value for each tool, whose
members are the places of a request.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from mcpgen.ir.api import Api, MediaType, Operation, Response, Schema
from mcpgen.plan.model import ArgumentPlan, ToolPlan

Json = dict[str, Any]
BODY = "body"
ARGUMENTS = "arguments"
"""The member of a call whose values are arguments by their published names."""

_VISIBLE = r"^[!-~]([ -~]*[!-~])?$"
"""What a header can carry everywhere (RFC 9110, 5.5)."""
_PLAIN = r"^[A-Za-z0-9][A-Za-z0-9_-]*$"
_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


def path_of(number: int) -> str:
    """Where the tool or operation with this number stands in a document."""
    return f"/{number}"


def method_of(operation: Operation) -> str:
    """The method that stands for an operation's in a document; those that OpenAPI 3.1 does not have are POST."""
    method = operation.method.lower()
    return method if method in _METHODS else "post"


# -- to make calls from


def calls_document(tools: Iterable[tuple[ToolPlan, Operation]], schemas: Mapping[str, Schema]) -> Json:
    """One operation for each tool, whose JSON body is a call: `{"path": {…}, "query": {…}, …, "body": …}`."""
    paths: Json = {}
    for number, (tool, operation) in enumerate(tools):
        media = {"application/json": {"schema": call_schema(tool, operation)}}
        body = {"required": True, "content": media}
        paths[path_of(number)] = {
            "post": {"requestBody": body, "responses": {"default": {"description": ""}}}
        }
    return _document(paths, schemas)


def call_schema(tool: ToolPlan, operation: Operation) -> Json:
    """The schema of a call. Places that the tool does not leave to the caller are not in it.

    What the spec says is used wherever it describes what the tool takes; an operation that is cut into several tools, and
    bodies with files, have the published schemas of their arguments instead.
    """
    parts: dict[str, Json] = {}
    for argument in tool.arguments:
        if by_name(tool, argument):
            _member(parts, ARGUMENTS, argument.name, _plain_file(argument.schema), argument.required)
        elif argument.where != BODY:
            schema = _parameter_schema(operation, argument)
            _member(parts, argument.where, argument.wire_name or "", schema, argument.required)
    required = [name for name, part in parts.items() if part["required"]]
    body = _body_schema(tool, operation)
    if body is not None:
        parts[BODY] = dict(body)
        needed = any(a.required for a in tool.arguments if a.where == BODY)
        required += [BODY] if needed or (tool.body is not None and tool.body.required) else []
    return {"type": "object", "properties": parts, "required": required, "additionalProperties": False}


def by_name(tool: ToolPlan, argument: ArgumentPlan) -> bool:
    """Whether the argument's values are made from its published schema."""
    if argument.where != BODY:
        return argument.where == "querystring"
    return (
        bool(tool.fixed)
        or tool.body is None
        or bool(tool.body.files)
        or tool.body.kind not in ("json", "form")
    )


def _member(parts: dict[str, Json], part: str, name: str, schema: Schema, required: bool) -> None:
    empty: Json = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    found = parts.setdefault(part, empty)
    found["properties"][name] = dict(schema)
    if required:
        found["required"].append(name)


def _plain_file(schema: Schema) -> Schema:
    """A file argument with its content and a name: what else can be said of one has rules that its schema cannot say."""
    members = schema.get("properties", {})
    if "content_base64" not in members:
        return schema
    name = {"type": "string", "pattern": r"^[a-z]{1,8}\.bin$"}
    properties = {"content_base64": members["content_base64"], "filename": name}
    return {**schema, "properties": properties, "additionalProperties": False}


def _parameter_schema(operation: Operation, argument: ArgumentPlan) -> Schema:
    """The spec's schema, with the parameter's examples, kept to what its place in a request can carry."""
    for parameter in operation.parameters:
        if parameter.name == argument.wire_name and parameter.where == argument.where:
            schema: Json = dict(parameter.schema)
            if parameter.examples:
                schema["examples"] = list(parameter.examples)
            return _carried(schema, argument.where)
    return argument.schema


def _carried(schema: Json, where: str) -> Json:
    free = schema.get("type") == "string" and not schema.keys() & {"pattern", "enum", "const", "format"}
    if not free or where not in ("header", "cookie", "path"):
        return schema
    least = max(1, schema.get("minLength", 1))
    return schema | {"pattern": _PLAIN if where == "path" else _VISIBLE, "minLength": least}


def _body_schema(tool: ToolPlan, operation: Operation) -> Schema | None:
    named = [argument for argument in tool.arguments if argument.where == BODY]
    if tool.body is None or operation.body is None or not named or by_name(tool, named[0]):
        return None
    for media in operation.body.media:
        if media.name == tool.body.content_type:
            schema: Json = dict(media.schema or {})
            return {"allOf": [schema], "examples": list(media.examples)} if media.examples else schema
    return None


# -- to judge answers by


def answers_document(
    operations: Iterable[Operation],
    schemas: Mapping[str, Schema],
    required: Callable[[Response], frozenset[str]],
) -> Json:
    """The documented responses of each operation. `required` gives the headers that a response must have, in lower case."""
    paths: Json = {}
    for number, operation in enumerate(operations):
        responses = {
            one.status.lower() if one.status == "DEFAULT" else one.status: _response(one, required(one))
            for one in operation.responses
        }
        paths[path_of(number)] = {method_of(operation): {"responses": responses}}
    return _document(paths, schemas)


def _response(response: Response, required: frozenset[str]) -> Json:
    headers = {
        name: {"required": name.lower() in required, "schema": dict(schema)}
        for name, schema in response.headers.items()
        # OpenAPI 3.2, Response Object: a header of that name is ignored.
        if name.lower() != "content-type"
    }
    content = {media.name: _media(media) for media in response.media}
    return {"description": "", "headers": headers, **({"content": content} if content else {})}


def _media(media: MediaType) -> Json:
    """Only JSON is judged by its schema: what a schema means for other types is up to who reads them."""
    is_json = media.bare == "application/json" or media.bare.endswith("+json")
    return {"schema": dict(media.schema)} if is_json and media.schema else {}


def _document(paths: Json, schemas: Mapping[str, Schema]) -> Json:
    return {
        "openapi": "3.1.0",
        "info": {"title": "", "version": ""},
        "paths": paths,
        "components": {"schemas": dict(schemas)},
    }


def operations_of(api: Api) -> dict[str, Operation]:
    """The operations by their key, which the tools have too."""
    return {operation.key: operation for operation in api.operations}

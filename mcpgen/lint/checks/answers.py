"""Answers that nobody describes, that are no JSON, or that have no end; operations that are on their way out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mcpgen.diagnostics import Severity
from mcpgen.ir.api import MediaType, Operation, Response
from mcpgen.lint.context import Context, found
from mcpgen.lint.model import Finding, Question, Tool
from mcpgen.lint.words import name_words

_JSON = (
    "json",
    "form",
    "multipart",
    "text/plain",
    "text/csv",
    "octet-stream",
    "image/",
    "audio/",
    "video/",
    "pdf",
    "zip",
    "event-stream",
    "*/*",
)
"""Parts of the media types that a generated server handles without guessing."""
_LIMITS = frozenset(
    "limit size count first last max page per_page top take length number rows num cursor offset skip token start after before from".split()
)


def check_answers(context: Context) -> Iterator[Finding]:
    for tool in context.subject.tools:
        yield from _unbounded(tool)
    for tool in context.subject.first_of_each_operation:
        operation = tool.operation
        if operation is None:
            continue
        yield from _schema(operation, tool)
        yield from _media(operation, tool)
        if operation.deprecated:
            yield found(
                "operation-deprecated", f"{operation.key} is deprecated", operation.origin, tool=tool.name
            )
        if operation.body is not None and operation.method in ("GET", "HEAD"):
            message = f"{operation.method} {operation.path} has a body"
            yield found("method-body", message, operation.body.origin, tool=tool.name)


def _success(operation: Operation) -> list[Response]:
    good = [item for item in operation.responses if item.status.startswith("2")]
    return good or [item for item in operation.responses if item.status == "DEFAULT"]


def _schema(operation: Operation, tool: Tool) -> Iterator[Finding]:
    """A read that says nothing of its answer is worth a warning; a write can well answer with nothing."""
    good = _success(operation)
    if any(item.status in ("204", "205", "202", "304") for item in good) or operation.method == "HEAD":
        return
    media = [item for response in good for item in response.media]
    place = good[0].origin if good else operation.origin
    question = Question(place, "content", f"What comes back from {operation.key}?")
    if not good:
        message = f"{operation.key} describes no success"
        yield found("response-schema-missing", message, place, tool=tool.name, repair=question)
    elif not media and (tool.effect == "read" or operation.method == "POST") and tool.effect != "destructive":
        severity = Severity.WARNING if tool.effect == "read" else Severity.INFO
        message = f"the answer of {operation.key} has no content"
        yield found(
            "response-schema-missing", message, place, tool=tool.name, severity=severity, repair=question
        )
    elif media and all("json" in item.bare and not item.schema and not item.item_schema for item in media):
        message = f"the JSON that {operation.key} answers with has no schema"
        yield found("response-schema-missing", message, place, tool=tool.name, repair=question)


def _media(operation: Operation, tool: Tool) -> Iterator[Finding]:
    for media, what, place in (
        (operation.body.media if operation.body is not None else (), "takes", operation.origin),
        (
            tuple(item for response in _success(operation) for item in response.media),
            "answers with",
            operation.origin,
        ),
    ):
        if media and not any(_handled(item) for item in media):
            message = f"{operation.key} {what} `{media[0].bare}` and no JSON"
            yield found("media-not-json", message, place, tool=tool.name)


def _handled(media: MediaType) -> bool:
    return any(part in media.bare for part in _JSON)


def _unbounded(tool: Tool) -> Iterator[Finding]:
    if tool.effect != "read" or tool.entry.get("method") != "GET" or _pages(tool):
        return
    words = {word for argument in tool.arguments for word in name_words(argument.name)}
    if words & _LIMITS or tool.path.rstrip("/").endswith("}"):
        return
    output = tool.definition.get("outputSchema") or {}
    data = (output.get("properties") or {}).get("data") or {}
    if _is_list(data, output):
        message = f"`{tool.name}` lists without pages or a limit"
        yield found("list-unbounded", message, tool.location, tool=tool.name)


def _pages(tool: Tool) -> bool:
    paging = tool.entry.get("paging")
    return isinstance(paging, Mapping) and paging.get("kind") is not None


def _is_list(data: Any, output: Mapping[str, Any]) -> bool:
    """Whether data is a list of objects, or an object with nothing else in it."""
    from mcpgen.lint.subject import followed

    schema = followed(data, output)
    if schema.get("type") == "array":
        items = followed(schema.get("items"), output)
        return items.get("type") in ("object", None) and "enum" not in items
    properties = schema.get("properties") or {}
    if schema.get("type") != "object" or len(properties) != 1:
        return False
    return followed(next(iter(properties.values())), output).get("type") == "array"

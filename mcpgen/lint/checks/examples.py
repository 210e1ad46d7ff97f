"""Examples that are missing where a call is hard to make up, and examples that would be refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpgen.diagnostics import Location
from mcpgen.ir.api import Api, Operation, Schema
from mcpgen.lint.context import Context, found
from mcpgen.lint.elements import only_marks
from mcpgen.lint.model import Finding
from mcpgen.plan.examples.checking import Checker

_REQUIRED = 3
_CHECKED = 1_000
"""Examples that are checked in one document: validating takes time, and the first ones tell enough."""


def check_examples(context: Context) -> Iterator[Finding]:
    for tool in context.subject.tools:
        required = [argument.name for argument in tool.arguments if argument.required]
        shown = context.elements[tool.name].example > 0 and not only_marks(tool.description)
        if len(required) >= _REQUIRED and not shown:
            message = f"`{tool.name}` needs {len(required)} values and has no example"
            yield found("example-missing", message, tool.location, tool=tool.name)
    if context.subject.api is not None:
        yield from _invalid(context.subject.api)


def _invalid(api: Api) -> Iterator[Finding]:
    checker = Checker(api.schemas, "request")
    left = _CHECKED
    for operation in api.operations:
        for value, schema, what, place in _examples(operation):
            if left == 0:
                return
            left -= 1
            if not checker.fits(value, schema):
                yield found("example-invalid", f"the example of {what} breaks its schema", place)


def _examples(operation: Operation) -> Iterator[tuple[Any, Schema, str, Location]]:
    """The examples of parameters and bodies. Those of responses are no model for a call."""
    for parameter in operation.parameters:
        for value in parameter.examples if parameter.content_type is None else ():
            yield value, parameter.schema, f"`{parameter.name}`", parameter.origin
    for media in operation.body.media if operation.body is not None else ():
        for value in media.examples if media.schema is not None and "json" in media.bare else ():
            assert operation.body is not None
            yield value, media.schema or {}, f"the body of {operation.key}", operation.body.origin

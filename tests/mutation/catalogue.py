"""Faults of the catalogue: what the generator decided about each tool, decided wrongly.

Left out is what changes nothing at run time: `explode` and `style` of a value that is no list and no object, and what
the catalogue holds for people and for `mcpgen` itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from .faults import REMOVED, DataFault, data_fault

_EFFECTS = ("read", "write", "destructive")
_PLACES = {
    "path": "query",
    "query": "header",
    "header": "query",
    "cookie": "header",
    "body": "query",
    "querystring": "query",
}
_STYLES = {
    "simple": "matrix",
    "form": "pipeDelimited",
    "matrix": "simple",
    "label": "simple",
    "deepObject": "form",
}
_KINDS = {
    "json": "form",
    "form": "json",
    "multipart": "json",
    "text": "json",
    "binary": "text",
    "xml": "json",
}
_CATEGORIES = ("validation", "permission", "not_found", "business", "transient", "internal")
_CONSTRAINTS = (
    "enum", "const", "pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
    "multipleOf", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "type", "additionalProperties",
)  # fmt: skip
_DEEP = 3
_LISTED = {
    "method": "swapped method",
    "location": "wrong location",
    "body": "dropped parameter",
    "fixed": "dropped parameter",
    "auth": "dropped credential",
    "hint": "dropped hint",
    "category": "wrong category",
    "effect": "opened gate",
}
"""The names that `listed` has for kinds of faults here."""


def catalogue_faults(content: Mapping[str, Any]) -> list[DataFault]:
    """Every fault that is tried, in a fixed order.

    Args:
        content: of `catalog.json`.
    """
    found = [data_fault(content, *fault) for fault in _auth(content.get("auth", {}))]
    for name, operation in content["operations"].items():
        steps = ("operations", name)
        schemas = _schemas(content, name)
        told = (
            *_operation(operation),
            *_parameters(operation, schemas),
            *_body(operation),
            *_advice(operation),
        )
        found += [data_fault(content, kind, (*steps, *rest), *value) for kind, rest, *value in told]
    for number, tool in enumerate(content["tools"]):
        found += [
            data_fault(content, kind, ("tools", number, *rest), *value) for kind, rest, *value in _tool(tool)
        ]
    return found


_Told = tuple[Any, ...]
"""The kind of fault, the steps from there, and the other value, unless it is removed."""


def _schemas(content: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    tool = next(tool for tool in content["tools"] if tool["name"] == name)
    schemas: Mapping[str, Any] = tool["inputSchema"].get("properties", {})
    return schemas


def _operation(operation: Mapping[str, Any]) -> Iterator[_Told]:
    method = operation["method"]
    yield "method", ("method",), "POST" if method == "GET" else "GET"
    yield "method", ("method",), "DELETE" if method in ("PUT", "PATCH") else "PUT"
    yield "path", ("path",), operation["path"] + "/x"
    for effect in _EFFECTS:
        if effect != operation["effect"]:
            yield "effect", ("effect",), effect
    yield "idempotent", ("idempotent",), not operation.get("idempotent", False)
    yield "accept", ("accept",)
    if operation.get("security"):
        yield "auth", ("security",), []
        for number, alternative in enumerate(operation["security"]):
            if len(operation["security"]) > 1:
                yield "auth", ("security", number)
            for scheme in alternative:
                yield "auth", ("security", number, scheme)
    if operation.get("servers"):
        yield "server", ("servers",)


def _parameters(operation: Mapping[str, Any], schemas: Mapping[str, Any]) -> Iterator[_Told]:
    structured = {
        (argument["in"], argument.get("wire_name"))
        for argument in operation.get("arguments", ())
        if not _is_scalar(schemas.get(argument["name"], {}))
    }
    for number, parameter in enumerate(operation.get("parameters", ())):
        steps = ("parameters", number)
        yield "location", (*steps, "in"), _PLACES[parameter["in"]]
        if (parameter["in"], parameter["name"]) in structured:
            yield "style", (*steps, "style"), _STYLES.get(parameter.get("style", "form"), "form")
            yield "style", (*steps, "explode"), not parameter.get("explode", False)
        for name in ("allow_reserved", "content_type", "inner"):
            if parameter.get(name):
                yield "style", (*steps, name)
    for number, argument in enumerate(operation.get("arguments", ())):
        yield "location", ("arguments", number)
        if "default" in argument:
            yield "default", ("arguments", number, "default")


def _is_scalar(schema: Mapping[str, Any]) -> bool:
    return isinstance(schema.get("type"), str) and schema["type"] not in ("array", "object")


def _body(operation: Mapping[str, Any]) -> Iterator[_Told]:
    body = operation.get("body")
    if body:
        yield "body", ("body",), None
        yield "body", ("body", "content_type"), "text/csv"
        yield "body", ("body", "kind"), _KINDS.get(body["kind"], "json")
        for name in body.get("encoding") or {}:
            yield "body", ("body", "encoding", name)
        for name in body.get("files") or {}:
            yield "body", ("body", "files", name)
    for name in operation.get("fixed") or {}:
        yield "fixed", ("fixed", name)


def _advice(operation: Mapping[str, Any]) -> Iterator[_Told]:
    for name in operation.get("hints") or {}:
        yield "hint", ("hints", name)
    for name, category in (operation.get("categories") or {}).items():
        other = _CATEGORIES[(_CATEGORIES.index(category) + 1) % len(_CATEGORIES)]
        yield "category", ("categories", name), other
    if operation.get("idempotency"):
        yield "key", ("idempotency",)
    for name in operation.get("paging") or {}:
        yield "paging", ("paging", name)
    if operation.get("paging"):
        yield "paging", ("paging",)


def _tool(tool: Mapping[str, Any]) -> Iterator[_Told]:
    for name, value in tool.get("annotations", {}).items():
        if isinstance(value, bool) and name != "openWorldHint":
            yield "annotation", ("annotations", name), not value
    schema = tool["inputSchema"]
    yield "schema", ("inputSchema", "additionalProperties"), True
    for number in range(len(schema.get("required", ()))):
        yield "schema", ("inputSchema", "required", number)
    for name, inner in schema.get("properties", {}).items():
        yield "schema", ("inputSchema", "properties", name)
        for rest in _constraints(inner, _DEEP):
            yield "schema", ("inputSchema", "properties", name, *rest)
    yield "schema", ("outputSchema", "properties", "ok")
    yield "schema", ("outputSchema", "required")


def _constraints(schema: Any, deep: int) -> Iterator[tuple[str, ...]]:
    if not isinstance(schema, Mapping) or not deep:
        return
    for name in _CONSTRAINTS:
        if name in schema:
            yield (name,)
    for name, inner in schema.get("properties", {}).items():
        for rest in _constraints(inner, deep - 1):
            yield ("properties", name, *rest)
    for rest in _constraints(schema.get("items"), deep - 1):
        yield ("items", *rest)


def _auth(schemes: Mapping[str, Any]) -> Iterator[_Told]:
    for name, scheme in schemes.items():
        for key, other in (("scheme", "basic"), ("in", "cookie"), ("name", "X-Other")):
            if scheme.get(key) and scheme[key] != other:
                yield "auth", ("auth", name, key), other
        for purpose, variable in scheme.get("env", {}).items():
            yield "auth", ("auth", name, "env", purpose), f"{variable}_OTHER"


def listed_fault(fault: DataFault) -> DataFault | None:
    """A fault of the catalogue under the name that `listed` has for it; None where it has none."""
    if fault.value == REMOVED and fault.operator == "location":
        return replace(fault, operator="dropped parameter")
    if fault.operator == "body" and fault.steps[-1] != "body":
        return None  # another kind of body; `dropped` is the body that is missing
    name = _LISTED.get(fault.operator)
    return None if name is None else replace(fault, operator=name)

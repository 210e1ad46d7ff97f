"""What is linted, from a planned spec or from a generated project."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mcpgen.diagnostics import Location
from mcpgen.ir.api import Api, Operation
from mcpgen.lint.fields import FieldFinder
from mcpgen.lint.model import Argument, Subject, Tool
from mcpgen.source.model import SourceTree, join


def of_spec(target: str, tree: SourceTree, api: Api, catalog: Mapping[str, Any]) -> Subject:
    """The subject for a spec: `catalog` is what it would become."""
    operations = {(operation.method, operation.path): operation for operation in api.operations}
    finder = FieldFinder(tree)
    tools = []
    for definition in catalog["tools"]:
        entry = catalog["operations"][definition["name"]]
        operation = operations[entry["method"], entry["path"]]
        arguments = tuple(_spec_arguments(definition, entry, operation, finder))
        tools.append(Tool(definition, entry, operation.origin, arguments, operation))
    documents = tuple((document.name, document.value) for document in tree.documents)
    return Subject(target, tuple(tools), tree.node.location, documents, api, tree)


def of_project(target: str, file: str, catalog: Mapping[str, Any]) -> Subject:
    """The subject for a generated project; `file` is its catalogue."""
    tools = []
    for index, definition in enumerate(catalog["tools"]):
        pointer = join("/tools", index)
        place = Location(file, pointer)
        entry = catalog["operations"].get(definition["name"], {})
        properties = join(pointer, "inputSchema", "properties")
        arguments = tuple(
            Argument(name, schema, required, Location(file, join(properties, name)), _where(entry, name))
            for name, schema, required in arguments_of(definition)
        )
        tools.append(Tool(definition, entry, place, arguments))
    shown = {"server": catalog.get("server", {}), "tools": catalog["tools"]}
    return Subject(target, tuple(tools), Location(file), ((file, shown),))


def arguments_of(definition: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any], bool]]:
    """Name, schema and whether it is required, for each argument of a tool as `tools/list` gives it."""
    schema = definition.get("inputSchema") or {}
    required = schema.get("required") or ()
    for name, value in (schema.get("properties") or {}).items():
        yield name, followed(value, schema), name in required


def followed(value: Any, root: Mapping[str, Any]) -> Mapping[str, Any]:
    """A schema with its reference into `$defs` followed; what stands beside the reference stays on top."""
    seen = set()
    while isinstance(value, Mapping) and isinstance(value.get("$ref"), str) and value["$ref"] not in seen:
        seen.add(value["$ref"])
        defs = root.get("$defs") or {}
        beside = {key: item for key, item in value.items() if key != "$ref"}
        value = {**defs.get(value["$ref"].removeprefix("#/$defs/"), {}), **beside}
    return value if isinstance(value, Mapping) else {}


def _where(entry: Mapping[str, Any], name: str) -> str:
    return next((str(one["in"]) for one in entry.get("arguments", ()) if one["name"] == name), "")


def _spec_arguments(
    definition: Mapping[str, Any], entry: Mapping[str, Any], operation: Operation, finder: FieldFinder
) -> Iterator[Argument]:
    """The arguments with the places of their parameters and body fields in the spec."""
    wires = {argument["name"]: argument for argument in entry["arguments"]}
    parameters = {(item.where.value, item.name): item.origin for item in operation.parameters}
    for name, schema, required in arguments_of(definition):
        wire = wires.get(name, {})
        where = str(wire.get("in", ""))
        if where == "body" and operation.body is not None:
            place = finder.find(operation.body.origin, str(wire["pointer"]))
        else:
            place = parameters.get((where, str(wire.get("wire_name", name))), operation.origin)
        yield Argument(name, schema, required, place, where)

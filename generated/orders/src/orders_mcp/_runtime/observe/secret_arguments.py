"""Which arguments of a tool are secret by what the API's description says, whatever they are called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..operation import Operation
from ..schemas import SchemaReader

_MOST_NODES = 20_000


def secret_arguments(operation: Operation) -> frozenset[str]:
    """Names of arguments and of fields in them.

    They have `format: password` (OpenAPI 3.2, Data Type Format) or `writeOnly` (JSON Schema, validation, 9.4), or are
    sent as cookies.
    """
    cookies = {argument.name for argument in operation.arguments if argument.where == "cookie"}
    return frozenset(cookies | set(_marked(operation.input_schema)))


def _marked(root: Mapping[str, Any]) -> Iterator[str]:
    reader = SchemaReader(root)
    waiting: list[Any] = [root]
    for _ in range(_MOST_NODES):
        if not waiting:
            return
        node = waiting.pop()
        if isinstance(node, list):
            waiting += node
        elif isinstance(node, Mapping):
            waiting += node.values()
            properties = node.get("properties")
            if isinstance(properties, Mapping):
                yield from (name for name, schema in properties.items() if _secret(reader, schema))


def _secret(reader: SchemaReader, schema: Any) -> bool:
    told = reader.resolve(schema)
    branches = [told]
    for keyword in ("allOf", "anyOf", "oneOf"):
        found = told.get(keyword)
        if isinstance(found, list):
            branches += map(reader.resolve, found)
    return any(branch.get("format") == "password" or branch.get("writeOnly") is True for branch in branches)

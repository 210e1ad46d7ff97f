"""How much work the validator has with a document: it opens compositions again and again, as often as they are named."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpgen.source.model import tokens

MOST = 50_000
"""Schemas that the validator may visit while it collects the properties of compositions; that takes about two seconds."""

_LISTS = ("allOf", "anyOf", "oneOf")


def fans_out(document: Any) -> bool:
    """Whether compositions of a document expand to more than `MOST` schemas (`A: allOf [B, B]`, `B: allOf [C, C]`, ...)."""
    visits = _Visits(document)
    total = 0
    try:
        for part in _composed(document):
            total += visits.of(part)
            if total > MOST:
                return True
    except RecursionError:
        return True
    return False


def _composed(document: Any) -> Iterator[Any]:
    """The parts of every `allOf`."""
    waiting = [document]
    while waiting:
        node = waiting.pop()
        if isinstance(node, dict):
            parts = node.get("allOf")
            yield from parts if isinstance(parts, list) else ()
            waiting.extend(node.values())
        elif isinstance(node, list):
            waiting.extend(node)


class _Visits:
    """Counts the schemas that are opened for one, each as often as it is named; a circle counts once."""

    def __init__(self, document: Any) -> None:
        self._document = document
        self._known: dict[int, int] = {}

    def of(self, schema: Any) -> int:
        if not isinstance(schema, dict):
            return 1
        known = self._known.get(id(schema))
        if known is None:
            self._known[id(schema)] = 1
            known = self._known[id(schema)] = min(MOST + 1, 1 + sum(map(self.of, self._inner(schema))))
        return known

    def _inner(self, schema: dict[str, Any]) -> Iterator[Any]:
        reference = schema.get("$ref")
        if isinstance(reference, str) and reference.startswith("#/"):
            yield self._at(reference[1:])
        for key in _LISTS:
            parts = schema.get(key)
            yield from parts if isinstance(parts, list) else ()
        for key in ("items", "not"):
            if key in schema:
                yield schema[key]

    def _at(self, pointer: str) -> Any:
        node = self._document
        for key in tokens(pointer):
            if not isinstance(node, dict) or key not in node:
                return None
            node = node[key]
        return node

"""Finds where a field of a request body is written, through references and compositions."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.diagnostics import Location, Unsupported
from mcpgen.source.model import Node, SourceTree, tokens

_DEPTH = 12
_STEPS = 200
"""Schemas that are looked through for one field: compositions can fan out."""


class FieldFinder:
    """Looks for body fields in the documents of one spec. What was found once is remembered."""

    def __init__(self, tree: SourceTree) -> None:
        self._tree = tree
        self._known: dict[tuple[Location, str], Location] = {}

    def find(self, body: Location, pointer: str) -> Location:
        """The place of the body's field that `pointer` names, or of the body where it can't be found."""
        key = body, pointer
        if key not in self._known:
            self._known[key] = self._find(body, pointer)
        return self._known[key]

    def _find(self, body: Location, pointer: str) -> Location:
        names = tokens(pointer)
        try:
            start = self._resolved(self._tree.at(body.file, body.pointer))
        except (KeyError, Unsupported):
            return body
        if not names or start is None:
            return body
        field = self._form_field(start, names[0])
        if field is not None:
            return field.location
        budget = [_STEPS]
        for schema in self._schemas(start):
            found = self._property(schema, names[0], _DEPTH, budget)
            if found is not None:
                return found.location
        return body

    def _schemas(self, body: Node) -> Iterator[Node]:
        """The schemas of a body: of each media type, or its own in Swagger 2.0."""
        content = body.get("content")
        for _, media in content.entries() if content is not None else ():
            schema = media.get("schema")
            if schema is not None:
                yield schema
        own = body.get("schema")
        if own is not None:
            yield own

    def _form_field(self, body: Node, name: str) -> Node | None:
        """A form field of Swagger 2.0, which is a parameter of its own; the first one stands for the body."""
        if not isinstance(body.value, dict) or body.value.get("in") != "formData":
            return None
        entries = self._tree.at(body.file, body.pointer.rpartition("/")[0])
        for entry in (*entries.elements(), body):
            node = self._resolved(entry)
            if node is not None and isinstance(node.value, dict) and node.value.get("name") == name:
                return node
        return None

    def _property(self, schema: Node, name: str, depth: int, budget: list[int]) -> Node | None:
        budget[0] -= 1
        node = self._resolved(schema) if budget[0] > 0 and depth > 0 else None
        if node is None:
            return None
        properties = node.get("properties")
        found = properties.get(name) if properties is not None else None
        if found is not None:
            return found
        for keyword in ("allOf", "oneOf", "anyOf"):
            members = node.get(keyword)
            for member in members.elements() if members is not None else ():
                found = self._property(member, name, depth - 1, budget)
                if found is not None:
                    return found
        return None

    def _resolved(self, node: Node) -> Node | None:
        """The value behind a node's references; None where they lead nowhere."""
        for _ in range(_DEPTH):
            reference = node.value.get("$ref") if isinstance(node.value, dict) else None
            if not isinstance(reference, str):
                return node
            try:
                node = self._tree.resolve(reference, node)
            except Unsupported:
                return None
        return None

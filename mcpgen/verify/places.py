"""Where the spec says what an answer breaks."""

from __future__ import annotations

from mcpgen.diagnostics import Location, Unsupported
from mcpgen.ir.api import Operation, Response
from mcpgen.ir.references import referenced
from mcpgen.source.document import Node
from mcpgen.source.pointer import escape
from mcpgen.source.tree import SourceTree
from mcpgen.verify.judging import Fault
from mcpgen.verify.model import Kind

_SCHEMAS = ("/components/schemas/", "/definitions/")
"""Where named schemas stand: in OpenAPI 3, and in Swagger 2.0."""


class Places:
    """Finds places in the user's files."""

    def __init__(self, tree: SourceTree) -> None:
        self._tree = tree

    def of_operation(self, operation: Operation) -> Location:
        return self._tree.locate(operation.origin)

    def of_fault(self, fault: Fault, operation: Operation, status: int) -> Location:
        """The schema that is broken where it has a name, else the response, else the operation."""
        response = response_for(operation, status)
        if response is None or fault.kind in (Kind.STATUS, Kind.SERVER_ERROR):
            return self.of_operation(operation)
        pointer = fault.pointer or _from_schema(response, fault)
        return self._named_schema(pointer) or self._inside(response, fault.pointer)

    def required_headers(self, response: Response) -> frozenset[str]:
        """The headers that a response has to have, in lower case; the `Api` does not say which."""
        node = self._target(response.origin)
        headers = node.get("headers") if node is not None else None
        found = set()
        for name, header in headers.entries() if headers is not None else ():
            target = self._followed(header)
            if target is not None and isinstance(target.value, dict) and target.value.get("required") is True:
                found.add(name.lower())
        return frozenset(found)

    def _named_schema(self, pointer: str) -> Location | None:
        start, _, rest = pointer.partition("/components/schemas/")
        if start or not rest:
            return None
        steps = rest.split("/")
        for prefix in _SCHEMAS:
            # What was brought together from several places has no place of its own: the named schema is the nearest.
            for end in (len(steps), 1):
                found = self._existing(Location(self._tree.root.name, prefix + "/".join(steps[:end])))
                if found is not None:
                    return found
        return None

    def _inside(self, response: Response, pointer: str) -> Location:
        """A schema that is written in the response: `/paths/~10/get/responses/200` leads to the response."""
        tail = "".join(f"/{token}" for token in pointer.split("/")[6:])
        target = self._target(response.origin)
        start = target.location if target is not None else response.origin
        found = self._existing(Location(start.file, start.pointer + tail)) if tail else None
        return found or self._tree.locate(start)

    def _existing(self, place: Location) -> Location | None:
        node = self._target(place)
        return None if node is None else self._tree.locate(place)

    def _target(self, place: Location) -> Node | None:
        try:
            return self._followed(self._tree.at(place.file, place.pointer))
        except (KeyError, Unsupported):
            return None

    def _followed(self, node: Node) -> Node | None:
        """What a reference leads to, over a few steps."""
        for _ in range(5):
            reference = node.value.get("$ref") if isinstance(node.value, dict) else None
            if not isinstance(reference, str):
                return node
            try:
                node = self._tree.resolve(reference, node)
            except Unsupported:
                return None
        return node


def _from_schema(response: Response, fault: Fault) -> str:
    """The pointer of a broken schema that is part of a named one, which the response refers to."""
    for media in response.media:
        name = referenced(media.schema or {})
        if name is not None and fault.kind is Kind.BODY:
            return "".join(f"/{escape(step)}" for step in ("components", "schemas", name, *fault.steps))
    return ""


def response_for(operation: Operation, status: int) -> Response | None:
    """The documented response for a status: its own, that of its class, or the default (OpenAPI 3.2, Responses Object)."""
    documented = {response.status: response for response in operation.responses}
    keys = (str(status), f"{status // 100}XX", "DEFAULT")
    return next((documented[key] for key in keys if key in documented), None)

"""Request bodies, responses and links of OpenAPI 3 (OpenAPI 3.2, Request Body, Response and Link Objects)."""

from __future__ import annotations

import re

from mcpgen.diagnostics import Unsupported
from mcpgen.source.model import Node, join
from mcpgen.spec.content import ContentLifter
from mcpgen.spec.context import Context
from mcpgen.spec.model import Json
from mcpgen.spec.notes import Notes

_STATUS = re.compile(r"(?:[1-5](?:\d\d|[xX]{2})|default)\Z", re.IGNORECASE)


def is_status(key: str, entry: Node, notes: Notes) -> bool:
    """Whether an entry of `responses` is one; says so where it is neither that nor an extension."""
    if key.startswith("x-"):
        return False
    if _STATUS.match(key):
        return True
    notes.add(
        "spec-repaired",
        f"`{key}` is no HTTP status; the response is left out",
        entry.location,
        kind="responses without an HTTP status",
    )
    return False


class MessageLifter:
    """Lifts bodies and responses; shared ones once."""

    def __init__(self, context: Context, content: ContentLifter) -> None:
        self.context = context
        self.content = content
        self._bodies: dict[tuple[str, str, str], Json] = {}
        self._responses: dict[tuple[str, str, str], Json] = {}

    def body(self, operation: Node, pointer: str) -> Json | None:
        """The request body, None where the operation has none or its `content` is empty.

        Raises:
            Unsupported: it cannot be found, and nobody can say whether the operation works without it.
        """
        place = operation.get("requestBody")
        if place is None or place.value is None:
            return None
        node = self.context.follow(place)
        if not isinstance(node.value, dict):
            raise Unsupported("operation-skipped", "its request body is not an object", node.location)
        self.context.origins[join(pointer, "requestBody")] = node.location
        text = self.context.text(node, "description")
        key = node.file, node.pointer, text
        if key not in self._bodies:
            self._bodies[key] = {
                "required": self.context.flag(node, "required"),
                "description": text,
                "content": self.content.content(node),
            }
        body = self._bodies[key]
        if body["content"]:
            return body
        if body["required"] and self._names_content(node):
            raise Unsupported(
                "operation-skipped",
                "it needs a request body, of which no media type can be read",
                node.location,
            )
        return None

    def _names_content(self, node: Node) -> bool:
        place = self.context.get(node, "content")
        return place is not None and any(not name.startswith("x-") for name, _ in place.entries())

    def responses(self, operation: Node, pointer: str) -> Json:
        """Status -> response, in order. A broken one keeps its status and loses its content."""
        place = self.context.get(operation, "responses")
        found: Json = {}
        for status, entry in place.entries() if place is not None else ():
            if not is_status(status, entry, self.context.notes):
                continue
            found[status], node = self._response(entry)
            self.context.origins[join(pointer, "responses", status)] = node.location
        return found

    def _response(self, entry: Node) -> tuple[Json, Node]:
        node = self.context.content(entry)
        if node is None or not isinstance(node.value, dict):
            return {"description": "", "content": {}}, entry
        text = self.context.text(node, "description") or self.context.text(node, "summary")
        key = node.file, node.pointer, text
        if key not in self._responses:
            self._responses[key] = {
                "description": text,
                "headers": self.content.headers(node),
                "content": self.content.content(node),
                "links": self._links(node),
            }
        return self._responses[key], node

    def _links(self, node: Node) -> Json:
        place = self.context.get(node, "links")
        found: Json = {}
        for name, entry in place.entries() if place is not None else ():
            link = self.context.content(entry)
            if link is None or not isinstance(link.value, dict):
                continue
            parameters = link.value.get("parameters")
            found[name] = {
                "operationId": self.context.text(link, "operationId") or None,
                "operationRef": self.context.text(link, "operationRef") or None,
                "parameters": parameters if isinstance(parameters, dict) else {},
                "description": self.context.text(link, "description"),
                "requestBody": link.value.get("requestBody"),
            }
        return found

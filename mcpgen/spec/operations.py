"""Path items and operations (OpenAPI 3.2, Path Item and Operation Objects)."""

from __future__ import annotations

from collections.abc import Collection

from mcpgen.diagnostics import Location, Unsupported
from mcpgen.ir.api import Skipped
from mcpgen.source.model import Node, join
from mcpgen.spec.content import ContentLifter
from mcpgen.spec.context import Context, extensions, reference_of
from mcpgen.spec.messages import MessageLifter
from mcpgen.spec.metadata import MetadataLifter
from mcpgen.spec.model import Json
from mcpgen.spec.parameter_lists import ParameterLists
from mcpgen.spec.path_items import Entry, leaves_base, operations
from mcpgen.spec.swagger2 import Swagger2Lifter
from mcpgen.spec.tokens import is_token
from mcpgen.spec.versions import Version


class OperationLifter:
    """Lifts all operations; each fails alone."""

    def __init__(self, context: Context, content: ContentLifter, metadata: MetadataLifter) -> None:
        self.context = context
        self.metadata = metadata
        self.swagger2 = context.version is Version.V2
        self.skipped: list[Skipped] = []
        self.count = 0
        self._messages = MessageLifter(context, content)
        self._older = Swagger2Lifter(context, content)
        self._parameters = ParameterLists(context, content, metadata)
        self._security = metadata.security(context.tree.node)

    def paths(self, paths: Node) -> Json:
        """Path -> method -> operation."""
        found: Json = {}
        # What is written rightly comes first, so that it wins whatever the order of the document is.
        for key, entry in sorted(paths.entries(), key=lambda item: not item[0].startswith("/")):
            path = key
            if path.startswith("x-") or path == "$ref":
                continue
            if not path.startswith("/"):
                self.context.notes.add(
                    "spec-repaired",
                    f"the path `{path}` must begin with a slash; it is read as `/{path}`",
                    entry.location,
                )
                path = "/" + path
            lifted = self._path_item(path, entry, found.get(path, ()))
            if lifted:
                found.setdefault(path, {}).update(lifted)
        return found

    def _path_item(self, path: str, entry: Node, taken: Collection[str]) -> Json:
        """The operations of a path item, without those whose methods are `taken`."""
        try:
            parts = self._parts(entry)
        except Unsupported as problem:
            broken = list(operations([entry], self.context.notes, swagger2=self.swagger2))
            for method, node, _ in broken or [Entry("*", entry)]:
                self._skip(method, path, node.location, problem)
            return {}
        found: Json = {}
        for method, node, reason in operations(parts, self.context.notes, swagger2=self.swagger2):
            self.count += 1
            try:
                if reason or method in taken:
                    why = reason or f"the path {path} already has this operation"
                    raise Unsupported("operation-skipped", why, node.location)
                found[method] = self._operation(method, path, parts, self.context.follow(node))
            except Unsupported as problem:
                self._skip(method, path, node.location, problem)
        return found

    def _parts(self, entry: Node) -> list[Node]:
        """A path item and the one that it refers to; what stands beside the reference comes first, and wins.

        Raises:
            Unsupported: the reference is broken, or this is no path item.
        """
        parts: list[Node] = []
        node = entry
        for _ in range(8):
            if not isinstance(node.value, dict):
                if node.value is None:
                    return parts
                raise Unsupported("operation-skipped", "its path item is not an object", node.location)
            parts.append(node)
            reference = reference_of(node.value)
            if reference is None:
                return parts
            node = self.context.tree.resolve(reference, node)
        raise Unsupported(
            "reference-cycle", f"the path item's reference `{reference}` leads in a circle", entry.location
        )

    def _skip(self, method: str, path: str, location: Location, problem: Unsupported) -> None:
        reason = problem.message
        self.skipped.append(Skipped(method, path, "operation-skipped", reason, problem.location or location))
        self.context.notes.add(
            "operation-skipped",
            f"{method} {path} is skipped: {reason}",
            problem.location or location,
            hint=problem.hint,
        )

    def _operation(self, method: str, path: str, parts: list[Node], node: Node) -> Json:
        if not isinstance(node.value, dict):
            raise Unsupported("operation-skipped", "the operation is not an object", node.location)
        if not is_token(method):
            raise Unsupported("operation-skipped", f"{method!r} is no HTTP method", node.location)
        if leaves_base(path):
            raise Unsupported(
                "operation-skipped", "the path has `.` or `..` segments, which lead elsewhere", node.location
            )
        pointer = join("/paths", path, method)
        listed = self._parameters.lift(path, [*reversed(parts), node], pointer)
        if self.swagger2:
            body = self._older.body(node, listed.bodies, listed.form, pointer)
            responses = self._older.responses(node, pointer)
        else:
            body = self._messages.body(node, pointer)
            if body is None:
                body = self._older.body(node, listed.bodies, listed.form, pointer)
            responses = self._messages.responses(node, pointer)
        self.context.origins[pointer] = node.location
        operation = {
            "operationId": self.context.text(node, "operationId").strip() or None,
            "summary": self._inherited(parts, node, "summary"),
            "description": self._inherited(parts, node, "description"),
            "tags": self._tags(node),
            "deprecated": self.context.flag(node, "deprecated"),
            "parameters": listed.parameters,
            "responses": responses,
            "security": self._with_keys(self._effective_security(node), listed.keys),
            "servers": self._servers(parts, node),
            **extensions(node.value),
        }
        self._callbacks(method, path, node)
        return {**operation, "requestBody": body} if body is not None else operation

    def _inherited(self, parts: list[Node], node: Node, key: str) -> str:
        """The operation's text, else its path's."""
        return next((text for place in (node, *parts) if (text := self.context.text(place, key))), "")

    def _tags(self, node: Node) -> list[str]:
        place = self.context.get(node, "tags")
        value = place.value if place is not None else []
        value = [value] if isinstance(value, str) else value
        return (
            list(dict.fromkeys(str(tag) for tag in value if isinstance(tag, (str, int))))
            if isinstance(value, list)
            else []
        )

    def _servers(self, parts: list[Node], node: Node) -> list[Json]:
        if self.swagger2:
            return []
        for place in (node, *parts):
            servers = self.metadata.servers(place)
            if servers is not None:
                return servers
        return []

    def _effective_security(self, node: Node) -> list[dict[str, list[str]]]:
        own = self.metadata.security(node)
        return own if own is not None else self._security or []

    @staticmethod
    def _with_keys(security: list[dict[str, list[str]]], keys: dict[str, bool]) -> list[dict[str, list[str]]]:
        """Adds the schemes whose keys the operation lists as parameters, so that a key that is no argument is still sent.

        A required key belongs to every alternative; an optional one is an alternative where nothing else is asked for.
        """
        for name, required in keys.items():
            if any(name in alternative for alternative in security):
                continue
            if required:
                security = [{**alternative, name: []} for alternative in security or [{}]]
            elif not security:
                security = [{name: []}, {}]
        return security

    def _callbacks(self, method: str, path: str, node: Node) -> None:
        place = node.get("callbacks")
        names = (
            [name for name, _ in place.entries() if not name.startswith("x-")] if place is not None else []
        )
        if names:
            self.context.notes.add(
                "operation-not-a-tool",
                f"{method} {path} announces calls that the API makes ({', '.join(names[:5])}); they are not tools",
                (place or node).location,
                kind="operations with callbacks",
            )

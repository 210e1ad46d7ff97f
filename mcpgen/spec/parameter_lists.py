"""The parameters of one operation: its own and its path's, merged, checked against the path, without what is no argument."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from mcpgen.diagnostics import Unsupported
from mcpgen.ir.methods import METHOD_OVERRIDES
from mcpgen.source.model import Node, join
from mcpgen.spec.content import ContentLifter
from mcpgen.spec.context import Context, reference_of
from mcpgen.spec.metadata import MetadataLifter
from mcpgen.spec.model import Json
from mcpgen.spec.parameters import ParameterLifter
from mcpgen.spec.versions import Version

_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")
_MOST_PLACEHOLDERS = 200
"""In one path. Each becomes an argument, and each message about one names the whole path."""
NO_ARGUMENTS = frozenset(
    {"accept", "content-type", "authorization"}  # OpenAPI 3.2, Parameter Object
    | {"host", "content-length", "transfer-encoding", "connection", "upgrade"}  # the connection's own
    # RFC 9110, 7.6.1 and 10.1.1
    | {"keep-alive", "te", "trailer", "expect", "proxy-connection", "proxy-authorization"}
    # A caller of a reading tool could delete with the first three, and leave the path with the others.
    | {"x-http-method-override", "x-http-method", "x-method-override", "x-original-url", "x-rewrite-url"}
)
"""Header parameters that no caller sets; generated servers do not send them (`runtime.requests.headers`)."""


@dataclass(slots=True)
class Listed:
    """The result for one operation. `bodies` and `form` are Swagger 2.0's; `keys` are apiKey schemes -> required."""

    parameters: list[Json] = field(default_factory=list)
    bodies: list[Node] = field(default_factory=list)
    form: list[Node] = field(default_factory=list)
    keys: dict[str, bool] = field(default_factory=dict)


class ParameterLists:
    """Puts together the parameters of operations."""

    def __init__(self, context: Context, content: ContentLifter, metadata: MetadataLifter) -> None:
        self.context = context
        self.metadata = metadata
        self._lifter = ParameterLifter(context, content)

    def lift(self, path: str, places: list[Node], pointer: str) -> Listed:
        """The parameters of `places`, the more general first: later ones override by place and name.

        Raises:
            Unsupported: one is broken that the operation may need, or the path has too many placeholders.
        """
        listed = Listed()
        found: dict[tuple[str, str], tuple[Json, Node]] = {}
        fields: dict[str, Node] = {}
        placeholders = list(dict.fromkeys(_PLACEHOLDER.findall(path)))
        if len(placeholders) > _MOST_PLACEHOLDERS:
            raise Unsupported(
                "operation-skipped",
                f"its path has {len(placeholders):,} placeholders, and {_MOST_PLACEHOLDERS} is the most",
                places[-1].location,
            )
        for place in places:
            seen: set[tuple[str, str]] = set()
            for node in self._entries(place):
                where = node.value.get("in") if isinstance(node.value, dict) else None
                if where == "body":
                    listed.bodies.append(self._older(node))
                elif where == "formData" and node.value.get("name"):
                    fields[str(node.value["name"])] = self._older(node)
                else:
                    self._add(node, found, seen, placeholders)
        listed.form = list(fields.values())
        for parameter, node in self._against_path(path, placeholders, found, places[-1]):
            if self._is_argument(parameter, node, listed):
                self.context.origins[join(pointer, "parameters", len(listed.parameters))] = node.location
                listed.parameters.append(parameter)
        return listed

    def _older(self, node: Node) -> Node:
        """A body as a parameter: Swagger 2.0's way, and a slip with a clear meaning in later versions."""
        if self.context.version is not Version.V2:
            self.context.notes.add(
                "spec-repaired",
                f"a parameter `in: {node.value['in']}` is read as a request body, as in Swagger 2.0",
                node.location,
                kind="parameters that are request bodies",
            )
        return node

    def _entries(self, place: Node) -> list[Node]:
        """The parameters of a place, references followed.

        Raises:
            Unsupported: a reference is broken; nobody can say whether the operation works without that parameter.
        """
        holder = self.context.get(place, "parameters")
        if holder is None:
            return []
        entries = list(holder.elements())
        if isinstance(holder.value, dict):  # names as keys, as under `components`
            entries = [node for _, node in holder.entries() if isinstance(node.value, dict)]
        return [
            self.context.follow(entry) if reference_of(entry.value) is not None else entry
            for entry in entries
        ]

    def _add(
        self,
        node: Node,
        found: dict[tuple[str, str], tuple[Json, Node]],
        seen: set[tuple[str, str]],
        placeholders: list[str],
    ) -> None:
        if (
            isinstance(node.value, dict)
            and node.value.get("in") is None
            and node.value.get("name") in placeholders
        ):
            self.context.notes.add(
                "spec-repaired",
                f"the parameter `{node.value['name']}` does not say `in`; the path names it",
                node.location,
            )
            node = Node({**node.value, "in": "path"}, node.file, node.pointer + "/in")
        try:
            parameter = self._lifter.lift(node)
        except Unsupported as problem:
            if isinstance(node.value, dict) and node.value.get("required") is True:
                raise
            self.context.notes.unsupported(problem)
            return
        name = parameter["name"].lower() if parameter["in"] == "header" else parameter["name"]
        key = parameter["in"], name
        if key in seen:
            self.context.notes.add(
                "spec-repaired",
                f"the {parameter['in']} parameter `{parameter['name']}` is listed twice; the last one counts",
                node.location,
                kind="parameters that are listed twice",
            )
        seen.add(key)
        found[key] = parameter, node

    def _against_path(
        self,
        path: str,
        placeholders: list[str],
        found: dict[tuple[str, str], tuple[Json, Node]],
        operation: Node,
    ) -> list[tuple[Json, Node]]:
        """Makes path parameters and placeholders agree (OpenAPI 3.2, "Path Templating").

        One parameter without a placeholder and one placeholder without a parameter are the same thing under two names.
        """
        declared = {name for where, name in found if where == "path"}
        before_query = _PLACEHOLDER.findall(path.partition("?")[0])
        missing = [name for name in placeholders if name not in declared and name in before_query]
        orphans = [name for name in declared if name not in placeholders]
        items = dict(found)
        if len(missing) == len(orphans) == 1:
            parameter, node = items.pop(("path", orphans[0]))
            items["path", missing[0]] = {**parameter, "name": missing[0]}, node
            self._repaired(
                f"{path} has the placeholder `{{{missing[0]}}}`, but describes `{orphans[0]}`; they are one",
                node,
            )
            missing, orphans = [], []
        for name in sorted(orphans):
            _, node = items.pop(("path", name))
            self._repaired(f"the path parameter `{name}` is not in the path {path}; it is left out", node)
        for name in missing:
            self._repaired(
                f"the placeholder `{{{name}}}` of {path} is not described; it is read as text", operation
            )
            items["path", name] = _undeclared(name), operation
        return list(items.values())

    def _repaired(self, message: str, node: Node) -> None:
        self.context.notes.add("spec-repaired", message, node.location)

    def _is_argument(self, parameter: Json, node: Node, listed: Listed) -> bool:
        """Whether a caller gives the parameter's value (OpenAPI 3.2, Parameter Object, `name`)."""
        where, name = parameter["in"], parameter["name"]
        if where == "header" and name.lower() in NO_ARGUMENTS:
            self._ignored(
                f"the header `{name}` is set by the request itself, not by callers", node, f"headers `{name}`"
            )
            return False
        if where == "query" and name.lower() in METHOD_OVERRIDES and not _only_value(parameter):
            self._ignored(
                f"the query parameter `{name}` changes the method of the request, which no caller does",
                node,
                f"parameters `{name}` that change the method",
            )
            return False
        scheme = self.metadata.key_scheme(where, name)
        if scheme is not None:
            self._ignored(
                f"the {where} parameter `{name}` is the key of the security scheme `{scheme}`, not an argument",
                node,
                f"parameters `{name}` that are keys of security schemes",
            )
            listed.keys[scheme] = listed.keys.get(scheme, False) or parameter["required"]
            return False
        return True

    def _ignored(self, message: str, node: Node, kind: str) -> None:
        self.context.notes.add("parameter-ignored", message, node.location, kind=kind, shown=1)


def _only_value(parameter: Json) -> bool:
    """Whether a parameter is always sent with the same value: then the document says what the operation really is."""
    schema = parameter["schema"]
    return bool(parameter["required"]) and ("const" in schema or len(schema.get("enum", ())) == 1)


def _undeclared(name: str) -> Json:
    return {
        "name": name,
        "in": "path",
        "required": True,
        "description": "",
        "deprecated": False,
        "allowReserved": False,
        "allowEmptyValue": False,
        "examples": [],
        "schema": {"type": "string"},
        "style": "simple",
        "explode": False,
    }

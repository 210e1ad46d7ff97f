"""Info, tags, servers and security: what surrounds the operations."""

from __future__ import annotations

from typing import Any

from mcpgen.diagnostics import Unsupported
from mcpgen.source.model import Node, join
from mcpgen.spec.context import Context
from mcpgen.spec.model import Json
from mcpgen.spec.tokens import is_token

_FLOWS_2 = {
    "implicit": "implicit",
    "password": "password",
    "application": "clientCredentials",
    "accessCode": "authorizationCode",
}
_TYPES = frozenset({"apiKey", "http", "oauth2", "openIdConnect", "mutualTLS"})


class MetadataLifter:
    """Lifts the parts of a document that are not about single operations."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.schemes: dict[str, Json] = {}

    # -- info, tags, servers

    def info(self) -> Json:
        """Title, version and texts; a document without them gets neutral ones."""
        node = self.context.get(self.context.tree.node, "info") or Node(
            {}, self.context.tree.root.name, "/info"
        )
        return {
            "title": self.context.text(node, "title").strip(),
            "summary": self.context.text(node, "summary"),
            "description": self.context.text(node, "description"),
            "version": self.context.text(node, "version").strip(),
        }

    def tags(self) -> list[Json]:
        """The declared tags, in order (OpenAPI 3.2, Tag Object)."""
        place = self.context.get(self.context.tree.node, "tags")
        found: dict[str, Json] = {}
        for entry in place.elements() if place is not None else ():
            node = self.context.content(entry)
            if node is None:
                continue
            name = node.value if isinstance(node.value, str) else self.context.text(node, "name")
            if name and name not in found:
                texts = {key: self.context.text(node, key) for key in ("summary", "description")}
                found[name] = {"name": name, **texts, "parent": self.context.text(node, "parent") or None}
        return list(found.values())

    def servers(self, node: Node) -> list[Json] | None:
        """The servers at a place, None where it names none."""
        place = self.context.get(node, "servers")
        if place is None:
            return None
        entries = [place] if isinstance(place.value, dict) else list(place.elements())
        found = []
        for entry in entries:
            server = self.context.content(entry)
            if server is None:
                continue
            if isinstance(server.value, str):
                server = Node({"url": server.value}, server.file, server.pointer)
            url = self.context.text(server, "url").strip()
            if url:
                found.append(
                    {
                        "url": url,
                        "variables": self._variables(server),
                        "description": self.context.text(server, "description"),
                        "name": self.context.text(server, "name"),
                    }
                )
        return found or None

    def _variables(self, server: Node) -> Json:
        place = self.context.get(server, "variables")
        found: Json = {}
        for name, entry in place.entries() if place is not None else ():
            node = self.context.content(entry)
            if node is None:
                continue
            values = node.value.get("enum") if isinstance(node.value, dict) else None
            enum = [str(value) for value in values] if isinstance(values, list) else []
            default = self.context.text(node, "default")
            if not default and isinstance(node.value, dict) and "default" not in node.value and enum:
                default = enum[0]
            found[name] = {
                "default": default,
                "enum": enum,
                "description": self.context.text(node, "description"),
            }
        return found

    # -- security

    def security_schemes(self, place: Node | None) -> dict[str, Json]:
        """All usable schemes by name. An unusable one is reported; requirements that name it lose it."""
        for name, entry in place.entries() if place is not None else ():
            if not isinstance(entry.value, dict):  # an extension; a scheme's name can begin with `x-` too
                continue
            try:
                self.schemes[name] = self._scheme(self.context.follow(entry), name)
            except Unsupported as problem:
                self.context.notes.unsupported(problem)
        return self.schemes

    def _scheme(self, node: Node, name: str) -> Json:
        kind = self.context.text(node, "type")
        result: Json = {"type": kind, "description": self.context.text(node, "description")}
        self.context.origins[join("/components/securitySchemes", name)] = node.location
        if kind == "basic":  # Swagger 2.0
            return {**result, "type": "http", "scheme": "basic"}
        if kind not in _TYPES:
            raise self._unsupported(node, name, f"has the unknown type {kind!r}")
        if kind == "apiKey":
            where, key = self.context.text(node, "in"), self.context.text(node, "name")
            if where not in ("header", "query", "cookie") or not key:
                raise self._unsupported(node, name, "does not say where its key goes")
            if where != "query" and not is_token(key):
                raise self._unsupported(node, name, f"has a key whose name {key!r} no {where} can have")
            return {**result, "in": where, "name": key}
        if kind == "http":
            scheme = self.context.text(node, "scheme")
            if not scheme:
                raise self._unsupported(node, name, "does not name its HTTP scheme")
            if not is_token(scheme):
                raise self._unsupported(node, name, f"names {scheme!r}, which is no HTTP scheme")
            return {**result, "scheme": scheme, "bearerFormat": self.context.text(node, "bearerFormat")}
        if kind == "openIdConnect":
            return {**result, "openIdConnectUrl": self.context.text(node, "openIdConnectUrl") or None}
        if kind == "oauth2":
            metadata = self.context.text(node, "oauth2MetadataUrl") or None  # OpenAPI 3.2
            return {**result, "flows": self._flows(node), "oauth2MetadataUrl": metadata}
        return result

    def _unsupported(self, node: Node, name: str, what: str) -> Unsupported:
        return Unsupported("security-unsupported", f"the security scheme `{name}` {what}", node.location)

    def _flows(self, node: Node) -> Json:
        flow = _FLOWS_2.get(self.context.text(node, "flow"))
        if flow is not None:  # Swagger 2.0
            return {flow: self._flow(node)}
        place = self.context.get(node, "flows")
        found = {}
        for kind, entry in place.entries() if place is not None else ():
            if not kind.startswith("x-") and isinstance(entry.value, dict):
                found[kind] = self._flow(entry)
        return found

    def _flow(self, node: Node) -> Json:
        scopes = self.context.get(node, "scopes")
        written = scopes.value if scopes is not None and isinstance(scopes.value, dict) else {}
        urls = {
            key: self.context.text(node, key) or None
            for key in ("tokenUrl", "authorizationUrl", "refreshUrl", "deviceAuthorizationUrl")
        }
        return {
            **urls,
            "scopes": {name: str(text) for name, text in written.items() if not name.startswith("x-")},
        }

    def security(self, node: Node) -> list[dict[str, list[str]]] | None:
        """The alternatives at a place, None where it says nothing."""
        place = self.context.get(node, "security")
        if place is None:
            return None
        entries = [place] if isinstance(place.value, dict) else list(place.elements())
        found: list[dict[str, list[str]]] = []
        for entry in entries:
            if not isinstance(entry.value, dict):
                continue
            needed = {name: _scopes(scopes) for name, scopes in entry.value.items() if name in self.schemes}
            for name in entry.value:
                if name not in self.schemes:
                    self.context.notes.add(
                        "security-unsupported",
                        f"security names `{name}`, which is not a usable security scheme of the document; it is left out",
                        entry.location,
                        kind=f"uses of the security scheme `{name}`, which is not usable",
                        shown=1,
                    )
            if (needed or not entry.value) and needed not in found:
                found.append(needed)
        return found

    def key_scheme(self, where: str, name: str) -> str | None:
        """The apiKey scheme that a parameter is the key of; header names are the same in any case (RFC 9110, 5.1)."""
        for scheme, value in self.schemes.items():
            if value["type"] != "apiKey" or value["in"] != where:
                continue
            if value["name"] == name or (where == "header" and value["name"].lower() == name.lower()):
                return scheme
        return None


def _scopes(value: Any) -> list[str]:
    return [str(scope) for scope in value] if isinstance(value, list) else []

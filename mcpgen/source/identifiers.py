"""Names that documents give to their own parts: `$self`, `$id`, `$anchor`, `$dynamicAnchor`.

OpenAPI 3.2, section "Establishing the Base URI"; JSON Schema 2020-12 core, section 8.2. Documents without such names,
nearly all, cost one look at their text.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urldefrag

from mcpgen.source.document import Document
from mcpgen.source.joining import joined
from mcpgen.source.pointer import escape, join

_DATA = frozenset({"example", "examples", "default", "enum", "const", "value"})
_NAMED = frozenset(
    {"properties", "patternProperties", "dependentSchemas", "schemas", "$defs", "definitions"}
    | {
        "responses",
        "parameters",
        "headers",
        "requestBodies",
        "callbacks",
        "pathItems",
        "mediaTypes",
        "paths",
        "content",
    }
)

Place = tuple[str, str]
"""A document's name and a pointer into it."""


class Identifiers:
    """An index over the documents that were loaded."""

    def __init__(self) -> None:
        self._resources: dict[str, Place] = {}
        self._bases: dict[Place, str] = {}
        self._anchors: dict[tuple[str, str, str], str] = {}
        self._dynamic: dict[Place, dict[str, Place]] = {}
        self._known: set[str] = set()
        self._unusable: list[str] = []

    def add(self, document: Document, data: bytes) -> list[str]:
        """Indexes a document; `data` is what it was parsed from. Returns pointers to the names that are no URI."""
        self._unusable = []
        if not any(word in data for word in (b"$self", b"$id", b"nchor", "$".encode("utf-16-le"))):
            return []
        self._known.add(document.name)
        base = document.uri
        if isinstance(document.value, dict) and isinstance(document.value.get("$self"), str):
            own = self._base(base, document.value["$self"], "/$self")
            if own is not None:
                base = own
                self._resources.setdefault(base, (document.name, ""))
        self._bases[document.name, ""] = base
        stack: list[tuple[Any, str, str, str, bool]] = [(document.value, "", "", base, False)]
        while stack:
            value, pointer, resource, base, named = stack.pop()
            if isinstance(value, dict) and not named:
                resource, base = self._names(document.name, value, pointer, resource, base)
            entries = value.items() if isinstance(value, dict) else enumerate(value)
            for key, item in entries:
                if isinstance(item, (dict, list)) and (named or key not in _DATA):
                    inner = not named and key in _NAMED
                    stack.append((item, f"{pointer}/{escape(str(key))}", resource, base, inner))
        return self._unusable

    def _base(self, base: str, written: str, pointer: str) -> str | None:
        """The URI that a name makes with the one around it, without a fragment."""
        found = joined(base, written)
        if found is None:
            self._unusable.append(pointer)
            return None
        return urldefrag(found).url

    def _names(
        self, file: str, value: dict[str, Any], pointer: str, resource: str, base: str
    ) -> tuple[str, str]:
        identifier = value.get("$id")
        own = self._base(base, identifier, join(pointer, "$id")) if isinstance(identifier, str) else None
        if own is not None:
            resource, base = pointer, own
            self._bases[file, pointer] = base
            self._resources.setdefault(base, (file, pointer))
        for keyword in ("$anchor", "$dynamicAnchor"):
            name = value.get(keyword)
            if isinstance(name, str):
                self._anchors.setdefault((file, resource, name), pointer)
                if keyword == "$dynamicAnchor":
                    self._dynamic.setdefault((file, resource), {}).setdefault(name, (file, pointer))
        return resource, base

    def enclosing(self, file: str, pointer: str) -> tuple[str, str] | None:
        """The resource around a place: its pointer and its base URI; None where the document names nothing."""
        if file not in self._known:
            return None
        while (file, pointer) not in self._bases:
            pointer = pointer.rpartition("/")[0]
        return pointer, self._bases[file, pointer]

    def dynamic(self, file: str, pointer: str) -> dict[str, Place]:
        """The dynamic anchors of the resource around a place."""
        scope = self.enclosing(file, pointer) if self._dynamic else None
        return self._dynamic.get((file, scope[0]), {}) if scope is not None else {}

    def resource(self, uri: str) -> Place | None:
        """The place that calls itself `uri`."""
        return self._resources.get(uri)

    def anchor(self, file: str, resource: str, name: str) -> str | None:
        """The pointer of an anchor: of the resource, else the only one of that name in the document."""
        found = self._anchors.get((file, resource, name))
        if found is not None:
            return found
        same = {
            place for (other, _, anchor), place in self._anchors.items() if other == file and anchor == name
        }
        return same.pop() if len(same) == 1 else None

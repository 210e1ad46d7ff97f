"""Names that documents give to their own parts: `$self`, `$id`, `$anchor`, `$dynamicAnchor`.

OpenAPI 3.2, section "Establishing the Base URI"; JSON Schema 2020-12 core, section 8.2. Documents without such names,
nearly all, cost one look at their text.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urldefrag, urljoin

from mcpgen.source.document import Document
from mcpgen.source.pointer import escape

_DATA = frozenset({"example", "examples", "default", "enum", "const", "value"})
_NAMED = frozenset({"properties", "patternProperties", "schemas", "$defs", "definitions"})

Place = tuple[str, str]
"""A document's name and a pointer into it."""


class Identifiers:
    """An index over the documents that were loaded."""

    def __init__(self) -> None:
        self._resources: dict[str, Place] = {}
        self._bases: dict[Place, str] = {}
        self._anchors: dict[tuple[str, str, str], str] = {}
        self._known: set[str] = set()

    def add(self, document: Document, data: bytes) -> None:
        """Indexes a document; `data` is what it was parsed from."""
        if not any(word in data for word in (b"$self", b"$id", b"nchor", "$".encode("utf-16-le"))):
            return
        self._known.add(document.name)
        base = document.uri
        if isinstance(document.value, dict) and isinstance(document.value.get("$self"), str):
            base = urldefrag(urljoin(base, document.value["$self"])).url
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

    def _names(
        self, file: str, value: dict[str, Any], pointer: str, resource: str, base: str
    ) -> tuple[str, str]:
        identifier = value.get("$id")
        if isinstance(identifier, str):
            resource, base = pointer, urldefrag(urljoin(base, identifier)).url
            self._bases[file, pointer] = base
            self._resources.setdefault(base, (file, pointer))
        for keyword in ("$anchor", "$dynamicAnchor"):
            name = value.get(keyword)
            if isinstance(name, str):
                self._anchors.setdefault((file, resource, name), pointer)
        return resource, base

    def enclosing(self, file: str, pointer: str) -> tuple[str, str] | None:
        """The resource around a place: its pointer and its base URI; None where the document names nothing."""
        if file not in self._known:
            return None
        while (file, pointer) not in self._bases:
            pointer = pointer.rpartition("/")[0]
        return pointer, self._bases[file, pointer]

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

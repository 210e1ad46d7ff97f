"""What all parts of the stage share: the documents, the version, diagnostics, and following references."""

from __future__ import annotations

from typing import Any

from mcpgen.diagnostics import Location, Unsupported
from mcpgen.source.model import Node, SourceTree
from mcpgen.spec.notes import Notes
from mcpgen.spec.versions import Version, dialect_of, written_version

_CHAIN = 64  # references in a row


class Context:
    """Shared by the lifters of one run."""

    def __init__(self, tree: SourceTree, version: Version, notes: Notes) -> None:
        self.tree = tree
        self.version = version
        self.notes = notes
        self.origins: dict[str, Location] = {}
        self._dialects: dict[str, Version] = {tree.root.name: version}

    def dialect(self, file: str) -> Version:
        """The version that a file is written in: its own where it says one, else the root's."""
        known = self._dialects.get(file)
        if known is None:
            own = written_version(self.tree.document(file).value)
            known = self._dialects[file] = (dialect_of(own) if own else None) or self.version
        return known

    def follow(self, node: Node) -> Node:
        """Goes along `$ref` until there is content.

        A `description` beside the reference replaces the target's (OpenAPI 3.1, Reference Object); older versions ignore it
        formally, but there it can only mean the same.

        Raises:
            Unsupported: the way is broken, forbidden, or a circle.
        """
        start, text = node, None
        for _ in range(_CHAIN):
            reference = reference_of(node.value)
            if reference is None:
                if text is not None and isinstance(node.value, dict):
                    return Node({**node.value, "description": text}, node.file, node.pointer)
                return node
            own = node.value.get("description")
            text = own if text is None and isinstance(own, str) and own else text
            node = self.tree.resolve(reference, node)
        raise Unsupported(
            "reference-cycle", f"the reference `{start.value['$ref']}` leads in a circle", start.location
        )

    def content(self, node: Node | None) -> Node | None:
        """A place that may hold a reference instead of content, as whole maps and lists do in some documents.

        A broken one is reported and read as absent; None stays None.
        """
        if node is None or reference_of(node.value) is None:
            return node
        try:
            return self.follow(node)
        except Unsupported as problem:
            self.notes.unsupported(problem)
            return None

    def get(self, node: Node, key: str) -> Node | None:
        """The content under `key`, None where it is absent, null or broken."""
        found = self.content(node.get(key))
        return None if found is None or found.value is None else found

    def text(self, node: Node, key: str) -> str:
        """A text such as a description: numbers as written, references to text followed, anything else empty."""
        value = node.value.get(key) if isinstance(node.value, dict) else None
        if isinstance(value, str):
            return value
        if isinstance(value, dict) and "$ref" in value:
            found = self.get(node, key)
            value = found.value if found is not None else None
        if isinstance(value, (str, int, float)) and not isinstance(value, bool):
            return str(value)
        return ""

    def flag(self, node: Node, key: str) -> bool:
        """A boolean; the words "true" and "false" in quotes can only mean the booleans."""
        value = node.value.get(key) if isinstance(node.value, dict) else None
        if isinstance(value, bool) or value is None:
            return bool(value)
        location = node.child(key).location
        meaning = truth(value)
        read = "left out" if meaning is None else f"read as {str(meaning).lower()}"
        self.notes.add(
            "spec-repaired",
            f"`{key}` must be true or false; {value!r} is {read}",
            location,
            kind="booleans in quotes",
        )
        return bool(meaning)


def reference_of(value: Any) -> str | None:
    """The `$ref` of an object that is a reference."""
    if isinstance(value, dict):
        reference = value.get("$ref")
        if isinstance(reference, str):
            return reference
    return None


def truth(value: Any) -> bool | None:
    """What a text means as a boolean, None where it means nothing."""
    if isinstance(value, str) and value.strip().lower() in ("true", "false"):
        return value.strip().lower() == "true"
    return None


def extensions(value: dict[str, Any]) -> dict[str, Any]:
    """The vendor extensions of an object (OpenAPI 3.2, Specification Extensions)."""
    return {key: item for key, item in value.items() if isinstance(key, str) and key.startswith("x-")}

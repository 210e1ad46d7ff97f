"""The documents of one API description, and references between them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, unquote

from mcpgen.diagnostics import Collector, Location, Unsupported
from mcpgen.source.access import LocalAccess
from mcpgen.source.document import Document, Node
from mcpgen.source.fetch import fetch
from mcpgen.source.files import read_file, shown_name
from mcpgen.source.identifiers import Identifiers, Place
from mcpgen.source.joining import joined, split
from mcpgen.source.options import SourceOptions
from mcpgen.source.parse import parse
from mcpgen.source.pointer import meant, spellings
from mcpgen.source.problem import SourceProblem

_HOPS = 20  # references that a pointer may pass through on its way


class SourceTree:
    """The root document, and every further document that a reference leads to, read when first needed."""

    def __init__(self, root_name: str, options: SourceOptions, diagnostics: Collector) -> None:
        self._root_name = root_name
        self._options = options
        self._diagnostics = diagnostics
        self._documents: dict[str, Document] = {}
        self._by_address: dict[str, str] = {}
        self._failures: dict[str, Unsupported] = {}
        self._identifiers = Identifiers()
        self._bytes_left = options.max_bytes
        self._access = LocalAccess(None, with_parent=False)
        self._private_ok = False

    @property
    def root(self) -> Document:
        return self._documents[self._root_name]

    @property
    def node(self) -> Node:
        """The root value with its place."""
        return Node(self.root.value, self._root_name, "")

    @property
    def documents(self) -> tuple[Document, ...]:
        """All documents read so far, the root first."""
        return tuple(self._documents.values())

    def document(self, name: str) -> Document:
        return self._documents[name]

    def open(self, uri: str) -> Document:
        """The document at a URI, under the rules for references.

        Raises:
            Unsupported: it is forbidden or cannot be read.
        """
        return self._load(uri, self.root)

    def further(self) -> list[tuple[str, str]]:
        """Name and digest of each document besides the root, for a record that is the same on every machine."""
        root = self.root
        folder = root.path.parent if root.path is not None else Path.cwd()
        return sorted(
            (document.record_name(folder), document.digest)
            for document in self.documents
            if document is not root
        )

    def allow(self, access: LocalAccess, *, private_addresses: bool) -> None:
        """Sets where references may lead; called once, when the root is known."""
        self._access = access
        self._private_ok = private_addresses

    def add(self, name: str, data: bytes, *, path: Path | None = None, url: str | None = None) -> Document:
        """Parses a document and takes it into the tree.

        A copy of the root in its own folder is the root: descriptions are published under a second name, and their parts
        refer to the first.

        Raises:
            SourceProblem: it cannot be parsed.
        """
        digest = hashlib.sha256(data).hexdigest()
        root = self._documents.get(self._root_name)
        if root is not None and path is not None and root.digest == digest and _same_folder(root.path, path):
            self._by_address[str(path)] = root.name
            return root
        parsed = parse(data, prefer_yaml=name.lower().endswith((".yaml", ".yml")))
        document = Document(name, parsed.value, parsed.positions, digest, len(data), path, url)
        for position, sentence in parsed.notes:
            line, column = position or (None, None)
            self._diagnostics.add("spec-repaired", sentence, Location(name, "", line, column))
        self._bytes_left -= len(data)
        self._documents[name] = document
        self._by_address[url or str(path)] = name
        self._index(document, data)
        return document

    def replace_root(self, document: Document, data: bytes) -> None:
        """Puts a changed root in the place of the one that was read, before any reference is followed; `data` is what changed it."""
        self._documents[self._root_name] = document
        had_names = self._identifiers.enclosing(self._root_name, "") is not None
        self._identifiers = Identifiers()
        self._index(document, b"$id" if had_names else data)

    def _index(self, document: Document, data: bytes) -> None:
        for pointer in self._identifiers.add(document, data):
            message = "the name that a part of the document gives itself is no URI; it is left out"
            self._diagnostics.add("spec-repaired", message, Location(document.name, pointer))

    def locate(self, location: Location) -> Location:
        """The place in the user's file, with line and column, where its document is known."""
        document = self._documents.get(location.file)
        if location.line is not None or document is None:
            return location
        return document.locate(location.pointer)

    def dynamic_anchors(self, node: Node) -> dict[str, Place]:
        """The `$dynamicAnchor`s of the schema resource around a place: name -> where it stands."""
        return self._identifiers.dynamic(node.file, node.pointer)

    def at(self, file: str, pointer: str) -> Node:
        """The value at a place that is known to exist."""
        node = self._walk(file, "", pointer, 0)
        if node is None:
            raise KeyError(f"{file}#{pointer}")
        return node

    def resolve(self, reference: str, base: Node | Location) -> Node:
        """The value that `reference`, written at `base`, names. One step: a reference found there is not followed.

        Raises:
            Unsupported: it leads nowhere (`reference-broken`) or to a forbidden place (`reference-refused`).
        """
        return self._resolve(reference, base.file, base.pointer, _HOPS)

    def _resolve(self, reference: str, file: str, pointer: str, hops: int) -> Node:
        address, _, fragment = reference.partition("#")
        problem: Unsupported | None = None
        for find in self._candidates(address, file, pointer):
            try:
                target_file, start = find()
                return self._within(target_file, start, fragment, reference, hops)
            except Unsupported as found:
                problem = problem or found
        location = Location(file, pointer)
        if problem is None or problem.location is not None:
            raise problem or self._broken(reference, location)
        raise Unsupported(problem.code, problem.message, location, problem.hint)

    def _candidates(self, address: str, file: str, pointer: str) -> list[Callable[[], Place]]:
        """Where `address` can lead, the best reading first: by declared identifiers, then by place."""
        scope = self._identifiers.enclosing(file, pointer)
        if not address:
            inner = [scope[0]] if scope is not None and scope[0] else []
            return [partial(_at, file, start) for start in (*inner, "")]
        uri = joined(scope[1], address) if scope is not None else address
        named = self._identifiers.resource(uri) if uri is not None else None
        by_name: list[Callable[[], Place]] = [lambda: named] if named is not None else []
        return [*by_name, lambda: (self._load(address, self._documents[file]).name, "")]

    def _broken(
        self, reference: str, location: Location | None, why: str = "it leads nowhere"
    ) -> Unsupported:
        return Unsupported("reference-broken", f"the reference `{reference}` is broken: {why}", location)

    # -- inside a document

    def _within(self, file: str, start: str, fragment: str, reference: str, hops: int) -> Node:
        if fragment in ("", "/") or fragment.startswith("/"):
            for spelling in spellings("" if fragment == "/" else fragment):
                node = self._walk(file, start, spelling, hops)
                if node is not None:
                    return node
        else:
            place = self._identifiers.anchor(file, start, unquote(fragment))
            # `#components/schemas/X` lacks its first slash; it can only mean the pointer.
            node = self._walk(file, "", place if place is not None else "/" + unquote(fragment), hops)
            if node is not None:
                return node
        where = "" if file == self._root_name else f" in {file}"
        hint = meant(self._documents[file].value, start + unquote(fragment))
        raise Unsupported("reference-broken", f"the reference `{reference}` leads nowhere{where}", hint=hint)

    def _walk(self, file: str, start: str, pointer: str, hops: int) -> Node | None:
        """Follows a pointer from `start`, through references that lie on the way."""
        node = Node(self._documents[file].value, file, "")
        for raw in (start + pointer).split("/")[1:]:
            step = node.step(raw)
            while (
                step is None
                and hops > 0
                and isinstance(node.value, dict)
                and isinstance(node.value.get("$ref"), str)
            ):
                hops -= 1
                node = self._resolve(node.value["$ref"], node.file, node.pointer, hops)
                step = node.step(raw)
            if step is None:
                return None
            node = step
        return node

    # -- further documents

    def _load(self, address: str, base: Document) -> Document:
        """The document at `address`, relative to `base`.

        Raises:
            Unsupported: without a location; the caller knows it.
        """
        target = joined(base.url or "", address)
        parts = split(target) if target is not None else None
        if target is None or parts is None:
            raise self._broken(address, None, "it is no URI")
        scheme = parts.scheme.lower()
        if scheme in ("http", "https") or target.startswith("//"):
            key, read = target, self._load_remote
        else:
            key, read = str(self._path(address, parts, base)), self._load_file
        known = self._by_address.get(key)
        if known is not None:
            return self._documents[known]
        if key in self._failures:
            raise self._failures[key]
        try:
            return read(key, address)
        except Unsupported as problem:
            self._failures[key] = problem
            raise

    def _path(self, address: str, parts: SplitResult, base: Document) -> Path:
        if len(parts.scheme) > 1 and parts.scheme != "file":
            raise Unsupported(
                "reference-broken", f"the reference `{address}` is broken: {parts.scheme}: is not supported"
            )
        folder = base.path.parent if base.path is not None else Path.cwd()
        try:
            if parts.scheme == "file":
                return Path(unquote(parts.path)).resolve()
            literal = (folder / address).resolve()
            return literal if literal.exists() else (folder / unquote(parts.path)).resolve()
        except (OSError, ValueError, RuntimeError):
            raise self._broken(address, None, "it is not a usable path") from None

    def _load_file(self, key: str, address: str) -> Document:
        path = Path(key)
        if not self._access.allows(path):
            raise Unsupported(
                "reference-refused",
                f"the reference to `{address}` leads outside the folder of the document",
                hint="Allow the folder with --allow-outside if you trust the document.",
            )
        name = shown_name(path, self.root.path, self._root_name)
        try:
            return self.add(name, read_file(path, self._bytes_left), path=path)
        except SourceProblem as problem:
            raise self._unreadable(address, name, problem) from None

    def _load_remote(self, key: str, address: str) -> Document:
        if not self._options.allow_remote:
            raise Unsupported(
                "reference-refused",
                f"the reference to `{address}` leads to the network",
                hint="Allow it with --allow-remote, or download the document.",
            )
        limits: dict[str, Any] = {"max_bytes": self._bytes_left, "timeout": self._options.timeout_seconds}
        try:
            data, final = fetch(key, public_only=not self._private_ok, **limits)
            document = self.add(final, data, url=final)
        except SourceProblem as problem:
            raise self._unreadable(address, key, problem) from None
        self._by_address[key] = document.name
        return document

    def _unreadable(self, address: str, name: str, problem: SourceProblem) -> Unsupported:
        place = f":{problem.position[0]}:{problem.position[1]}" if problem.position else ""
        return Unsupported(
            "reference-broken",
            f"the reference to `{address}` is broken: {name}{place} {problem.message}",
            hint=problem.hint,
        )


def _same_folder(first: Path | None, second: Path) -> bool:
    return first is not None and first.parent == second.parent


def _at(file: str, start: str) -> Place:
    return file, start

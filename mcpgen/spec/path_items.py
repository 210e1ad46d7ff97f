"""What a path item holds: its operations, and what looks like one and is none (OpenAPI 3.2, Path Item Object)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mcpgen.source.model import Node
from mcpgen.spec.notes import Notes

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
_OTHER = frozenset({"$ref", "summary", "description", "servers", "parameters", "additionalOperations"})
_SIGNS = frozenset({"responses", "operationId"})
_DOTS = re.compile(r"(?:\.|%2e){1,2}", re.IGNORECASE)


class Entry(NamedTuple):
    """An operation's method and place. `reason` says why it is none, where that is so."""

    method: str
    node: Node
    reason: str = ""


def leaves_base(path: str) -> bool:
    """Whether a path has segments that clients resolve away (RFC 3986, 5.2.4), and so can lead outside the server's URL."""
    return any(_DOTS.fullmatch(segment) for segment in re.split(r"[/\\]", path.partition("?")[0]))


def operations(parts: Sequence[Node], notes: Notes, *, swagger2: bool) -> Iterator[Entry]:
    """The operations of a path item and of those that it refers to; the first of `parts` wins.

    Nothing that looks like an operation goes without a word: a second one for the same method, and one under a name that is
    no method, come with a reason.
    """
    seen: set[str] = set()
    for part in parts:
        written = part.value if isinstance(part.value, dict) else {}
        for key, node in part.entries():
            lower = key.lower()
            if lower not in METHODS or (key == "query" and swagger2):
                if _looks_like_operation(key, node):
                    yield Entry(key, node, f"`{key}` is no method that a path item can have")
            elif key.upper() in seen or (key != lower and lower in written):
                yield Entry(key.upper(), node, f"the path already has the operation `{lower}`")
            else:
                seen.add(key.upper())
                yield Entry(key.upper(), node)
        extra = part.get("additionalOperations")
        for key, node in extra.entries() if extra is not None else ():
            method = _additional(key, node, notes)
            if method is None:
                continue
            if method in seen:
                yield Entry(method, node, f"the path already has the operation `{method}`")
            else:
                seen.add(method)
                yield Entry(method, node)


def _looks_like_operation(key: str, node: Node) -> bool:
    if key in _OTHER or key.startswith("x-"):
        return False
    return isinstance(node.value, dict) and bool(_SIGNS & node.value.keys())


def _additional(key: str, node: Node, notes: Notes) -> str | None:
    """The method that an entry of `additionalOperations` means: as written, because methods tell case apart.

    Methods with a field of their own must not be here (OpenAPI 3.2, Path Item Object); their name can only mean them.
    """
    if key.startswith("x-") and not isinstance(node.value, dict):
        return None
    if key.lower() not in METHODS:
        return key
    notes.add(
        "spec-repaired",
        f"`{key}` must stand in the path item itself, not in `additionalOperations`; it is read as `{key.lower()}`",
        node.location,
    )
    return key.upper()

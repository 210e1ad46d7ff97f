"""One document that was read, and one value inside it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol
from urllib.parse import urlsplit

from mcpgen.diagnostics import Location
from mcpgen.source.pointer import escape, tokens, unescape

Position = tuple[int, int]
"""Line and column, both counting from 1."""


class Positions(Protocol):
    """Finds where a value is written. Answers come from the text, only when someone asks."""

    def find(self, keys: Sequence[str]) -> Position | None:
        """The place of the value behind `keys`, or of the deepest part of the way that exists."""


class Origins(Protocol):
    """Finds where a value of a document was written that other files have changed (see `overlays`)."""

    def find(self, keys: Sequence[str]) -> Location:
        """The place in a user's file of the value behind `keys`, or of the deepest part of the way that exists."""


@dataclass(frozen=True, slots=True)
class Document:
    """One file, URL or standard input, parsed.

    `name` is how diagnostics call it and the key in the tree; `path` is set for files, `url` for what came over
    the network; `digest` is the SHA-256 of the bytes, `size` their number. `value` is shared and must never be changed.
    `origins` is set where the value is no longer what the file says, and then knows what stands where.
    """

    name: str
    value: Any
    positions: Positions
    digest: str
    size: int
    path: Path | None = None
    url: str | None = None
    origins: Origins | None = None

    def locate(self, pointer: str) -> Location:
        """The place in the user's file of what is behind a pointer into `value`, with line and column."""
        if self.origins is not None:
            return self.origins.find(tokens(pointer))
        return Location(self.name, pointer, *(self.positions.find(tokens(pointer)) or (None, None)))

    @property
    def uri(self) -> str:
        """The base URI that references start from; empty for standard input (RFC 3986, section 5.1.3)."""
        return self.url or (self.path.as_uri() if self.path is not None else "")

    def record_name(self, folder: Path) -> str:
        """How to record a further document: relative to the root's `folder` or the one around it; else its last part alone.

        A URL goes without credentials and query, which can hold secrets.
        """
        if self.url is not None:
            parts = urlsplit(self.url)
            return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
        if self.path is None:
            return self.name
        near = self.path.is_relative_to(folder.parent) and folder.parent != folder.parent.parent
        return Path(os.path.relpath(self.path, folder)).as_posix() if near else self.path.name


class Node(NamedTuple):
    """A value together with the place where it was found."""

    value: Any
    file: str
    pointer: str

    @property
    def location(self) -> Location:
        return Location(self.file, self.pointer)

    def child(self, key: str | int) -> Node:
        """The value under `key`, which must exist."""
        return Node(self.value[key], self.file, f"{self.pointer}/{escape(str(key))}")

    def step(self, raw: str) -> Node | None:
        """What lies behind one token of a JSON pointer, None where there is nothing."""
        value, key = self.value, unescape(raw)
        if isinstance(value, dict) and key in value:
            return Node(value[key], self.file, f"{self.pointer}/{escape(key)}")
        if isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            return Node(value[int(key)], self.file, f"{self.pointer}/{int(key)}")
        return None

    def get(self, key: str) -> Node | None:
        """The value under `key` of a mapping, None where this is no mapping or has no such key."""
        if isinstance(self.value, dict) and key in self.value:
            return Node(self.value[key], self.file, f"{self.pointer}/{escape(key)}")
        return None

    def entries(self) -> Iterator[tuple[str, Node]]:
        """The entries of a mapping in order; nothing for anything else."""
        if isinstance(self.value, dict):
            for key, value in self.value.items():
                yield key, Node(value, self.file, f"{self.pointer}/{escape(key)}")

    def elements(self) -> Iterator[Node]:
        """The elements of a list in order; nothing for anything else."""
        if isinstance(self.value, list):
            for index, value in enumerate(self.value):
                yield Node(value, self.file, f"{self.pointer}/{index}")

"""Where the values of a changed document came from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mcpgen.diagnostics import Location
from mcpgen.source.document import Document
from mcpgen.source.pointer import join


@dataclass(frozen=True, slots=True)
class Origin:
    """A value's place in the document that it was written in, and those of its entries that came from elsewhere.

    `entries` are exceptions: an entry that is not among them stands below the value's own place. A list whose elements were
    moved has all of them in `elements`.
    """

    document: Document
    pointer: str
    entries: Mapping[str, Origin] = field(default_factory=dict)
    elements: tuple[Origin, ...] | None = None

    def child(self, key: str | int) -> Origin:
        """The origin of an entry or an element."""
        if isinstance(key, int) and self.elements is not None:
            return self.elements[key]
        known = self.entries.get(str(key))
        return known if known is not None else Origin(self.document, join(self.pointer, key))

    def find(self, keys: Sequence[str]) -> Location:
        """The place in a user's file of what is behind `keys`, or of the deepest part of the way that exists."""
        origin = self
        for key in keys:
            if origin.elements is None:
                origin = origin.child(key)
            elif key.isdecimal() and int(key) < len(origin.elements):
                origin = origin.elements[int(key)]
            else:
                break
        return origin.location

    @property
    def location(self) -> Location:
        return self.document.locate(self.pointer)

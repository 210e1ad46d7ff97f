"""What the catalogue says about the pages of a tool's list, as a typed view."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class Paging:
    """How a list is paged. Pointers are JSON pointers into the answer, "" is the whole of it.

    Attributes:
        kind: `cursor`, `offset`, `page` or `link` (the address of the next page); None for a list without pages.
        items: the list itself; None where it is not known.
        argument: the argument that moves on, `size` the one that says how many items a page has: names, or JSON
            pointers into the arguments. `limit` is the size where none is given.
        first: the number of the first page or item.
        next: the next cursor, number or address; `next_header` is a header that holds the cursor.
        item: the cursor, as a pointer into the last item.
        more, last: whether there is more, whether this is the last page.
        total, pages, remaining: how many items and pages there are, and how many items are left.
        at, per_page: where the answer says it is, and how many items its pages have.
    """

    kind: str | None = None
    items: str | None = None
    argument: str | None = None
    size: str | None = None
    limit: int | None = None
    first: int | None = None
    next: str | None = None
    next_header: str | None = None
    item: str | None = None
    more: str | None = None
    last: str | None = None
    total: str | None = None
    total_header: str | None = None
    pages: str | None = None
    remaining: str | None = None
    at: str | None = None
    per_page: str | None = None

    @property
    def base(self) -> int:
        """The number of the first page or item: pages are counted from 1, items from 0, unless something else is said."""
        if self.first is not None:
            return self.first
        return 1 if self.kind == "page" and not self.unsure else 0

    @property
    def unsure(self) -> bool:
        """Whether nobody has said where pages are counted from, and the name leaves it open: an index."""
        return self.kind == "page" and self.first is None and "index" in (self.argument or "").lower()


def read_paging(entry: Mapping[str, Any] | None) -> Paging | None:
    """The view of one entry; names that this version does not know are passed over."""
    if entry is None:
        return None
    known = {field.name for field in fields(Paging)}
    return Paging(**{name: value for name, value in entry.items() if name in known})

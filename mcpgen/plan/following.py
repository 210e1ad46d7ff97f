"""What comes after a call: the tool that helps next, and the next page of a list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class HintPlan:
    """A tool of the same server that helps after a call, and what to pass to it.

    Attributes:
        arguments: by name, values or words for them.
        same: arguments of that tool that take the value which an argument of this call has.
        values: arguments of that tool that take a value of the answer: `body#/id`, `header.Location`, `statusCode`.
        again: which arguments of this tool to change when it is called again, and where the result of that tool has
            them; "" where that is not known.
        when: an argument of this call that the failure has to be about.
        text: what to say after the call of that tool.
    """

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    same: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    again: Mapping[str, str] = field(default_factory=dict)
    when: str | None = None
    text: str = ""

    def entry(self) -> dict[str, Any]:
        """The hint as the catalogue holds it: what says nothing is left out."""
        return {key: value for key, value in asdict(self).items() if value}


@dataclass(frozen=True, slots=True)
class PagingPlan:
    """How a list is paged. The pointers are JSON pointers (RFC 6901) into the answer, "" is the whole of it.

    Attributes:
        kind: `cursor`, `offset`, `page` or `link` (the address of the next page); None for a list without pages.
        items: the list itself; None where it is not known.
        argument: the argument that moves on; where it is inside an argument, a JSON pointer into the arguments.
        size: the argument that says how many items a page has; `limit` is its default.
        first: the number of the first page or item.
        next: the next cursor, number or address. For numbers, nothing there means no more.
        next_header: the header that holds the next cursor.
        item: the cursor as a pointer into the last item.
        more, last: whether there is more, whether this is the last page.
        total, pages, remaining: how many items and pages there are, and how many items are left.
        at, per_page: where the answer says it is, and how many items it has at most.
    """

    items: str | None = None
    kind: str | None = None
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

    def entry(self) -> dict[str, Any]:
        """The plan as the catalogue holds it: what says nothing is left out."""
        return {key: value for key, value in asdict(self).items() if value is not None}

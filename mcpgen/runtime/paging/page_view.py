"""What one answer tells about its page: which items it has, where they stand, whether there is more."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..answers.answer_headers import whole_number
from ..pointers import argument_at, found_at
from ..transport.client import Answer
from ..values import UNSET, JsonObject, Unset
from .list_plan import Paging
from .page_links import PageLinks, page_links

_MOST = 10**15
_TOTAL_HEADERS = (
    "x-total-count",
    "x-total",
    "x-wp-total",
    "x-pagination-total-count",
    "total-count",
    "x-total-items",
)
_CONTENT_RANGE = re.compile(r"(?!bytes)(?:[\w-]{1,40}[ =])?(?:\d{1,15}-\d{1,15}|\*)/(\d{1,15})")
"""A range of items (RFC 9110, 14.4, with a unit other than bytes)."""


def number(value: Any) -> int | None:
    """A whole number that something can be counted by, also when it is written as text."""
    if isinstance(value, str):
        return whole_number(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST else None


@dataclass(frozen=True)  # no slots: cached properties need a place
class PageView:
    """One answer to one call, seen as a page."""

    paging: Paging
    arguments: JsonObject
    answer: Answer
    value: Any

    @cached_property
    def items(self) -> list[Any] | None:
        """The items of this page; None where the answer does not show which they are."""
        if self.paging.items is None:
            return None
        found = found_at(self.value, self.paging.items)
        if isinstance(found, list):
            return found
        # Where nothing is found, some APIs leave the list out of their answer.
        left_out = found is None or (isinstance(found, Unset) and self.value == {})
        return [] if left_out and isinstance(self.value, dict) else None

    def told(self, pointer: str | None) -> Any:
        """What the answer has at a planned place; UNSET where nothing is planned or there."""
        return found_at(self.value, pointer) if pointer is not None else UNSET

    @cached_property
    def total(self) -> int | None:
        """How many items there are on all pages. A number that the page itself belies is none."""
        found = number(self.told(self.paging.total))
        if found is None and self.paging.total_header is not None:
            found = whole_number(self.answer.headers.get(self.paging.total_header, ""))
        found = total_header(self.answer) if found is None else found
        if found is None and self.items and self.moved is False:
            left = number(self.told(self.paging.remaining))
            found = None if left is None else len(self.items) + left
        at_least = (self.start or 0) + len(self.items or ())
        return None if found is not None and self.items and found < at_least else found

    @cached_property
    def size(self) -> int | None:
        """How many items a page has at most."""
        if self.paging.size is not None:
            given = argument_at(self.arguments, self.paging.size)
            asked = self.paging.limit if isinstance(given, Unset) else number(given)
        else:
            asked = self.paging.limit
        told = number(self.told(self.paging.per_page))
        return (told or asked) or None

    @cached_property
    def number(self) -> int | None:
        """The number of this page, or of its first item."""
        given = argument_at(self.arguments, self.paging.argument or "")
        if not isinstance(given, Unset) and given is not None:
            return number(given)
        told = number(self.told(self.paging.at))
        return self.paging.base if told is None else told

    @property
    def moved(self) -> bool:
        """Whether this is a later page than the first."""
        if self.paging.argument is None:
            return False
        given = argument_at(self.arguments, self.paging.argument)
        if self.paging.kind == "cursor":
            return not isinstance(given, Unset) and given not in (None, "")
        return self.number is not None and self.number > self.paging.base

    @cached_property
    def start(self) -> int | None:
        """How many items stand before this page; None where that can't be said."""
        if self.paging.kind not in ("offset", "page") or self.number is None:
            return None
        before = self.number - self.paging.base
        if self.paging.unsure:  # counted from 1: the worst that comes of it is a last page that is empty
            before = max(0, self.number - 1)
        if before < 0:
            return None
        if self.paging.kind == "offset" or before == 0:
            return before
        return None if self.size is None else before * self.size

    @cached_property
    def links(self) -> PageLinks:
        return page_links(self.answer.headers.get("link", ""))

    @cached_property
    def flag(self) -> bool | None:
        """Whether the answer says in so many words that there is more."""
        for pointer, meaning in ((self.paging.more, True), (self.paging.last, False)):
            told = self.told(pointer)
            if isinstance(told, bool):
                return told is meaning
        return None


def total_header(answer: Answer) -> int | None:
    """The number of items in one of the usual headers."""
    for name in _TOTAL_HEADERS:
        found = whole_number(answer.headers.get(name, ""))
        if found is not None:
            return found
    ranged = _CONTENT_RANGE.fullmatch(answer.headers.get("content-range", "").strip()[:100])
    return None if ranged is None else int(ranged[1])

"""Decides how a list is paged: both sides, the arguments and the answer, have to say so."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from mcpgen.plan.following import PagingPlan
from mcpgen.plan.paging.answer import Answer, Place, pointer
from mcpgen.plan.paging.cursors import Cursor, find_cursor
from mcpgen.plan.paging.names import (
    AT_OFFSET,
    AT_PAGE,
    LAST,
    MORE,
    NEXT_LINK,
    NEXT_NUMBER,
    OFFSET,
    PAGE,
    PAGE_INDEX,
    PAGES,
    PER_PAGE,
    REMAINING,
    SCIM,
    SPRING,
    TOTAL,
    TOTAL_MAYBE,
    ZERO_BASED,
    header_names,
)
from mcpgen.plan.paging.request import Leaf, Request, first_number

_NUMBERS = frozenset({"integer", "number"})
_SCALARS = _NUMBERS | {"string"}
_ALL = re.compile(r"\b(total|overall|altogether|all|matching|matched|available|found)\b", re.IGNORECASE)
_HERE = re.compile(
    r"\b(per page|(this|current|each) (page|response|set|batch)|page size|returned|in the (page|response))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Found:
    """What the answer says about its pages; None where it says nothing."""

    total: Place | None
    total_header: str | None
    pages: Place | None
    more: Place | None
    last: Place | None
    link: Place | None
    linked: bool
    """Whether a `Link` header is documented, which every answer is searched for anyway."""

    @property
    def anything(self) -> bool:
        """Whether the answer itself can tell if there is more."""
        return any((self.total, self.total_header, self.pages, self.more, self.last, self.link))


def detect(request: Request, answer: Answer, headers: Iterable[str]) -> PagingPlan | None:
    """How an operation pages; a plan without a kind for a list that does not; None for what is no list.

    Args:
        headers: the names of those that the documented success answer has.
    """
    found = _look(answer, tuple(headers), paged=request.movable)
    items = None if answer.items is None else pointer(answer.items)
    cursor = find_cursor(request, answer, tuple(headers), more=found.more is not None)
    if cursor is not None and (items is not None or cursor.certain):
        return _by_cursor(cursor, items, request, answer, found)
    if items is None:
        return None
    for kind, leaf, sure in _by_preference(request, answer):
        # A full page is a sign of a next one, where no other can be expected.
        clear = answer.sure and (leaf.among(sure) or leaf.counts_items)
        alone = request.size is not None and clear and not found.linked and not request.cursors
        if found.anything or alone:
            return _by_number(kind, leaf, items, request, answer, found)
    told = PagingPlan(items=items, total=_of(found.total), total_header=found.total_header)
    if found.link is not None and request.movable and "string" in found.link.types:
        return replace(told, kind="link", next=found.link.pointer)
    return told if answer.envelope else None


def _by_preference(request: Request, answer: Answer) -> list[tuple[str, Leaf, frozenset[str]]]:
    """The numbers that could move on, those that the answer repeats first."""
    offsets = [("offset", leaf, OFFSET) for leaf in request.offsets]
    pages = [("page", leaf, PAGE) for leaf in request.pages]
    by_page = _first(answer, AT_PAGE | PAGES, _SCALARS) and not _first(answer, AT_OFFSET, _SCALARS)
    return pages + offsets if by_page else offsets + pages


def _by_cursor(
    cursor: Cursor, items: str | None, request: Request, answer: Answer, found: Found
) -> PagingPlan:
    return PagingPlan(
        kind="cursor",
        items=items,
        argument=cursor.leaf.argument,
        size=request.size.argument if request.size else None,
        limit=_default(request.size) if cursor.item is not None and found.more is None else None,
        next=cursor.next,
        next_header=cursor.header,
        item=cursor.item,
        more=_of(found.more),
        last=_of(found.last),
        total=_of(found.total),
        total_header=found.total_header,
        remaining=_of(_first(answer, REMAINING, _NUMBERS)),
    )


def _by_number(
    kind: str, leaf: Leaf, items: str, request: Request, answer: Answer, found: Found
) -> PagingPlan:
    size = request.size
    at = _first(answer, AT_OFFSET if kind == "offset" else AT_PAGE, _SCALARS)
    per_page = _first(answer, PER_PAGE, _SCALARS) or _spring_size(answer)
    return PagingPlan(
        kind=kind,
        items=items,
        argument=leaf.argument,
        size=size.argument if size else None,
        limit=_default(size),
        first=_base(kind, leaf, answer),
        next=_of(found.link),
        more=_of(found.more),
        last=_of(found.last),
        total=_of(found.total),
        total_header=found.total_header,
        pages=_of(found.pages),
        at=_of(at) if at is not found.total else None,
        per_page=_of(per_page),
    )


def _default(size: Leaf | None) -> int | None:
    """How many items a page has when nobody asks for a number."""
    default = size.schema.get("default") if size is not None else None
    return default if isinstance(default, int) and not isinstance(default, bool) and default > 0 else None


def _base(kind: str, leaf: Leaf, answer: Answer) -> int | None:
    """The number of the first page or item; None where an index of pages could begin at 0 as well as at 1."""
    told = first_number(leaf.schema)
    if told is not None:
        return told
    names = {place.name for place in answer.fields}
    if kind == "page":
        return 0 if names & ZERO_BASED else None if leaf.among(PAGE_INDEX) else 1
    return 1 if leaf.among(SCIM) and "totalresults" in names else 0


def _look(answer: Answer, headers: tuple[str, ...], *, paged: bool) -> Found:
    total_header = next((name for name in headers if header_names(name) & TOTAL), None)
    return Found(
        total=_total(answer, paged),
        total_header=total_header,
        pages=_first(answer, PAGES, _SCALARS),
        more=_first(answer, MORE, frozenset({"boolean"})),
        last=_first(answer, LAST, frozenset({"boolean"})),
        link=_link(answer),
        linked=any(name.lower() == "link" for name in headers),
    )


def _total(answer: Answer, paged: bool) -> Place | None:
    """The field that counts all items. A bare `count` or `size` can also be that of this page."""

    def counts(place: Place) -> bool:
        exact = "integer" in place.types or not place.types
        spelt = paged and bool(place.types & _SCALARS)
        here = not place.name.startswith("total") and bool(_HERE.search(_text(place)))
        return (exact or spelt) and not here

    def value_of_total(place: Place) -> bool:
        return place.name == "value" and place.parent == "total" and "integer" in place.types

    sure = _nearest(place for place in answer.fields if place.name in TOTAL and counts(place))
    sure = sure or _nearest(filter(value_of_total, answer.fields))
    return sure or _nearest(
        place
        for place in answer.fields
        if place.name in TOTAL_MAYBE and counts(place) and _is_of_all(place, answer)
    )


def _is_of_all(place: Place, answer: Answer) -> bool:
    """Whether the words, or what stands beside it, tell that a count is that of all items."""
    if _ALL.search(_text(place)):
        return True
    beside = {
        other.name for other in answer.fields if other.path[:-1] == place.path[:-1] and other is not place
    }
    return bool(beside & (PER_PAGE | PAGES)) or {"next", "previous"} <= beside


def _link(answer: Answer) -> Place | None:
    """The field with the address of the next page, or with its number."""

    def leads(place: Place) -> bool:
        if place.name in NEXT_NUMBER and place.types & _NUMBERS:
            return True
        if not (place.types & _SCALARS or not place.schema):
            return False
        return place.name in NEXT_LINK or (place.name in ("href", "url", "uri") and place.parent in NEXT_LINK)

    return _nearest(filter(leads, answer.fields))


def _spring_size(answer: Answer) -> Place | None:
    """Spring's `page.size` is that of a page; a `size` elsewhere can be anything."""
    spring = any(place.name in SPRING for place in answer.fields)
    return _nearest(
        place
        for place in answer.fields
        if place.name == "size"
        and place.types & _NUMBERS
        and (spring or place.parent in ("page", "pageable"))
    )


def _first(answer: Answer, names: frozenset[str], types: frozenset[str]) -> Place | None:
    return _nearest(place for place in answer.fields if place.name in names and place.types & types)


def _nearest(places: Iterable[Place]) -> Place | None:
    return min(places, key=lambda place: len(place.path), default=None)


def _of(place: Place | None) -> str | None:
    return None if place is None else place.pointer


def _text(place: Place) -> str:
    return str(place.schema.get("description") or "")[:300]

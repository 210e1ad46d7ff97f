"""The arguments that fetch the next page of a list, when there is one."""

from __future__ import annotations

from typing import Any

from ..inputs.arguments import repaired
from ..operation import Operation
from ..outcomes.failures import CallFailed
from ..pointers import argument_at, found_at, with_argument
from ..values import JsonObject, Unset
from .page_links import is_address, linked_arguments
from .page_view import PageView, number

_LONGEST_CURSOR = 4096
_NO_CURSORS = ("", "0", "-1", "null", "None")
"""What APIs write where there is no next page, or what would begin anew."""


def next_page(operation: Operation, view: PageView) -> JsonObject | None:
    """The arguments of this call, changed so that they fetch the next page; they keep the published schema.

    None when there is no next page, or when nobody can say.
    """
    by_field = _by_cursor if view.paging.kind == "cursor" else _by_number
    found = _by_header(operation, view) or by_field(operation, view)
    if found is None:
        return None
    try:
        checked = repaired(operation.tool, operation.argument_check, found).arguments
    except (CallFailed, RecursionError):
        return None
    return checked if checked != view.arguments else None


def _by_header(operation: Operation, view: PageView) -> JsonObject | None:
    link = view.links.next
    return (
        None if link is None else linked_arguments(operation, view.arguments, view.answer, link, view.paging)
    )


def _by_cursor(operation: Operation, view: PageView) -> JsonObject | None:
    """The cursor of the answer for the argument that takes it."""
    paging, flag = view.paging, view.flag
    if paging.argument is None or flag is False or (view.items == [] and not flag):
        return None
    if paging.item is not None and flag is None and _is_short(view):
        return None
    cursor = _cursor(view)
    if isinstance(cursor, str) and is_address(cursor):
        return linked_arguments(operation, view.arguments, view.answer, cursor, paging)
    given = argument_at(view.arguments, paging.argument)
    if cursor is None or (not isinstance(given, Unset) and str(cursor) == str(given)):
        return None
    return with_argument(view.arguments, paging.argument, cursor)


def _is_short(view: PageView) -> bool:
    """Whether fewer items came than were asked for."""
    return view.size is not None and view.items is not None and len(view.items) < view.size


def _cursor(view: PageView) -> str | int | None:
    paging = view.paging
    if paging.item is not None:
        found = found_at(view.items[-1], paging.item) if view.items else None
    else:
        found = view.told(paging.next)
        if isinstance(found, Unset) and paging.next_header is not None:
            found = view.answer.headers.get(paging.next_header)
    if isinstance(found, str):
        return found if found not in _NO_CURSORS and len(found) <= _LONGEST_CURSOR else None
    return found if isinstance(found, int) and not isinstance(found, bool) and found > 0 else None


def _by_number(operation: Operation, view: PageView) -> JsonObject | None:
    """The address that the answer gives, else the next offset or page number, when the answer goes on."""
    paging, told = view.paging, view.told(view.paging.next)
    if view.items == [] or (paging.kind != "link" and view.flag is False):
        return None
    if isinstance(told, str) and is_address(told):
        found = linked_arguments(operation, view.arguments, view.answer, told, paging)
        if found is not None:
            return found
    if paging.kind not in ("offset", "page") or paging.argument is None or view.number is None:
        return None
    following = number(told)
    if following is not None:
        return with_argument(view.arguments, paging.argument, following) if following > view.number else None
    if view.items is None or not _goes_on(view, told):
        return None
    step = 1 if paging.kind == "page" else len(view.items)
    return with_argument(view.arguments, paging.argument, view.number + step)


def _goes_on(view: PageView, told: Any) -> bool:
    """Whether there is a next page: what the answer says, else what its numbers say, else whether the page is full."""
    flag = view.flag
    if flag is not None:
        return flag
    if not isinstance(told, Unset):
        return bool(told)
    if view.links.pages:
        return view.links.next is not None
    count = len(view.items or ())
    if view.total is not None and view.start is not None:
        return view.start + count < view.total
    pages = number(view.told(view.paging.pages))
    if pages is not None and view.paging.kind == "page" and view.number is not None:
        return view.number - view.paging.base + 1 < pages
    if view.paging.next is not None or view.total is not None:
        return False
    return view.size is not None and count >= view.size

"""What an answer says about the rest of a list: how many there are, what this page is, and the arguments for the next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..transport.client import Answer
from ..values import JsonObject
from .list_plan import Paging
from .next_page import next_page
from .page_notes import page_note
from .page_view import PageView

if TYPE_CHECKING:
    from ..call import Call

_WHOLE = Paging(items="")
_UNKNOWN = Paging()


@dataclass(frozen=True, slots=True)
class Page:
    """What there is to say about one page; None and () where there is nothing."""

    total: int | None = None
    next: JsonObject | None = None
    notes: tuple[str, ...] = ()


def page_of(call: Call, answer: Answer, value: Any) -> Page:
    """The page that an answer is. Only what reads has a next page: repeating a write with other arguments is another write."""
    operation = call.operation
    planned = operation.paging or (_WHOLE if isinstance(value, list) else _UNKNOWN)
    view = PageView(planned, call.arguments, answer, value)
    if operation.effect != "read":
        return Page(total=view.total)
    following = next_page(operation, view)
    note = page_note(operation, view, call.app.redactor, goes_on=following is not None)
    return Page(view.total, following, () if note is None else (note,))

"""A few words on a page of a list: which items it has, or that nothing was found and what was looked for."""

from __future__ import annotations

from typing import Any

from ..operation import Operation
from ..pointers import argument_steps
from ..secrecy.redact import Redactor
from ..values import compact_json
from .page_view import PageView

_LONGEST_VALUE = 60
_MOST_FILTERS = 6
_NO_FILTERS = frozenset(
    "limit offset page pagesize pagenumber perpage size cursor pagetoken nextpagetoken continue start skip top count "
    "sort order orderby orderdir sortby sortorder sortdir sortdirection direction ordering fields select expand include "
    "projection embed pretty format lang language locale view apiversion startat maxresults after before".split()
)
"""Arguments that say how a list is given, not what is in it."""


def page_note(operation: Operation, view: PageView, redactor: Redactor, *, goes_on: bool) -> str | None:
    """The note; None where there is nothing to say."""
    if view.items is None:
        return None
    if view.items:
        return _range(view)
    if goes_on:
        return "This page is empty, but the list goes on."
    if view.total:
        return f"There is nothing on this page; there are {view.total} in all."
    if view.moved:
        return "There is nothing on this page."
    filters = _filters(operation, view, redactor)
    return f"Nothing matches {', '.join(filters)}." if filters else "The list is empty."


def _range(view: PageView) -> str | None:
    """Which items these are, where they are not all."""
    count, start, total = len(view.items or ()), view.start, view.total
    if start is None or total is None or count >= total or view.paging.unsure:
        return None
    which = f"Items {start + 1} to {start + count}" if count > 1 else f"Item {start + 1}"
    return f"{which} of {total}."


def _filters(operation: Operation, view: PageView, redactor: Redactor) -> list[str]:
    """What was looked for: `status "open"`. No paths, no headers, nothing that is secret by its name."""
    paging = view.paging
    moving = {
        argument_steps(argument)[0] for argument in (paging.argument, paging.size) if argument is not None
    }
    found = []
    for argument in operation.arguments:
        value = view.arguments.get(argument.name)
        told = value is not None and argument.where in ("query", "body", "querystring")
        folded = "".join(c for c in argument.name.lower() if c.isalnum())
        if told and argument.name not in moving and folded not in _NO_FILTERS:
            found += _shown(argument.name, value, redactor)
    left = len(found) - _MOST_FILTERS
    return [*found[:_MOST_FILTERS], *([f"{left} more"] if left > 0 else [])]


def _shown(name: str, value: Any, redactor: Redactor) -> list[str]:
    """An argument and its value, masked and cut."""
    if redactor.names.hide(name, value):
        return []
    try:
        text = redactor.text(compact_json(_named(value, redactor)))
    except (TypeError, ValueError, RecursionError):
        return [name]
    short = text if len(text) <= _LONGEST_VALUE else text[: _LONGEST_VALUE - 1] + "…"
    return [f"{name} {short}"]


def _named(value: Any, redactor: Redactor) -> Any:
    """A value without the fields that are secret by their names."""
    if isinstance(value, dict):
        return {name: part for name, part in value.items() if not redactor.names.hide(name, part)}
    return value

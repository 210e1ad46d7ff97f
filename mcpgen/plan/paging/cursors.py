"""Finds the cursor of a list: the argument that takes it, and the field of the answer that gives it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mcpgen.plan.paging.answer import Answer, Place
from mcpgen.plan.paging.names import CURSOR, NEXT_CURSOR, NEXT_LINK, folded, header_names
from mcpgen.plan.paging.request import Leaf, Request

_SCALARS = frozenset({"string", "integer", "number"})
_AFTER = frozenset({"after", "startingafter", "startafter", "afterid", "startid", "lastid"})
"""Arguments that take the id of the last item of the page before."""
_BY_NAME = 8.5
_CLEAR = 5.0
"""From this score on a field and an argument belong to each other."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """The argument, and where its next value is: a pointer into the answer, a header, or a field of the last item."""

    leaf: Leaf
    next: str | None = None
    header: str | None = None
    item: str | None = None
    certain: bool = False
    """Whether the two have the same name, so that it is a cursor whatever else the answer holds."""


def find_cursor(request: Request, answer: Answer, headers: tuple[str, ...], *, more: bool) -> Cursor | None:
    """The cursor, where both sides have it.

    Args:
        more: whether the answer says if there is more; the id of an item is a cursor only beside that.
    """
    scored = [
        (_score(leaf, place), -index, leaf, place)
        for index, leaf in enumerate((*request.cursors, *request.cursor_texts))
        for place in answer.fields
    ]
    score, _, leaf, place = max(scored, key=lambda found: found[:2], default=(0.0, 0, None, None))
    if leaf is not None and place is not None and score >= _CLEAR:
        return Cursor(leaf, next=place.pointer, certain=score > _BY_NAME)
    for leaf in request.cursors:
        for name in headers:
            if header_names(name) & (NEXT_CURSOR - NEXT_LINK):
                return Cursor(leaf, header=name)
        for name in _item_fields(leaf, answer, more):
            return Cursor(leaf, item="/" + name.replace("~", "~0").replace("/", "~1"))
    return None


def _item_fields(leaf: Leaf, answer: Answer, more: bool) -> Iterator[str]:
    """Fields of an item that say where to go on after it."""
    properties = answer.item.get("properties") or {}
    if "cursor" in leaf.names:
        yield from (name for name in properties if folded(name) == "cursor")
    if more and leaf.among(_AFTER):
        yield from (name for name in properties if folded(name) == "id")


def _score(leaf: Leaf, place: Place) -> float:
    """How sure it is that a field of the answer is the next value of an argument."""
    name, parent = place.name, place.parent
    if not place.types <= _SCALARS or not _fits(leaf, place):
        return 0.0
    strong = leaf.among(CURSOR)
    if not strong and "string" not in place.types:
        return 0.0
    best = max(_by_name(spelt, name, parent, strong) for spelt in leaf.names)
    if strong:
        best = max(best, _by_meaning(leaf, name, parent))
    return best - len(place.path) / 100


def _by_name(argument: str, name: str, parent: str, strong: bool) -> float:
    """`page_token` and `next_page_token`, `after` and `next.after`, `cursor` and `cursor.next`."""
    bare = argument.removeprefix("start").removeprefix("page") or argument
    if name in ("next" + argument, "next" + bare, "nextpage" + bare):
        return 10.0
    if (parent, name) in (
        ("next", argument),
        ("nextpage", argument),
        (argument, "next"),
        ("cursors", argument),
    ):
        return 10.0
    if name != argument:
        return 0.0
    if strong:
        return 3.0 if name.startswith("start") else 9.0  # `startCursor` of an answer is where this page began
    return 6.0 if name == "offset" else 0.0


def _by_meaning(leaf: Leaf, name: str, parent: str) -> float:
    """Any argument that is surely a cursor with any field that is surely the next one."""
    if name == "lastid":
        return 8.0 if leaf.among(_AFTER) else 0.0
    if name in NEXT_CURSOR:
        return 6.0 if name in NEXT_LINK else 7.0
    if name in NEXT_LINK:
        return 5.5
    return 5.5 if name in ("href", "url", "uri") and parent in NEXT_LINK else 0.0


def _fits(leaf: Leaf, place: Place) -> bool:
    """A number can be written into a text, a text into no number."""
    return not leaf.types or not place.types or "string" in leaf.types or bool(leaf.types & place.types)

"""The address of the next page, in a `Link` header or in the answer, as arguments of the same tool."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote, urlsplit

from ..answers.answer_headers import resolved
from ..operation import Operation
from ..pointers import with_argument
from ..transport.client import Answer
from ..values import JsonObject
from .list_plan import Paging

_LONGEST_LINK = 16 << 10
_LINK = re.compile(r"<([^<>]*)>([^<]*)")
_REL = re.compile(r';[ \t]*rel[ \t]*=[ \t]*(?:"([^"]*)"|([^\s";,]+))', re.IGNORECASE)
_NOTHING_THERE = re.compile(r';[ \t]*results[ \t]*=[ \t]*"?false\b', re.IGNORECASE)
_PAGES = frozenset({"next", "prev", "previous", "first", "last"})
_MOST_PARAMETERS = 500
_FIELD = re.compile(r"([^\[\]]+)\[([^\[\]]+)\]")


@dataclass(frozen=True, slots=True)
class PageLinks:
    """The `Link` header of an answer: where the next page is, and whether it speaks of pages at all."""

    next: str | None = None
    pages: bool = False


def page_links(header: str) -> PageLinks:
    """The links to other pages (RFC 8288). Some APIs always give a next one, and say beside it that it holds no results."""
    found, pages = None, False
    for target, parameters in _LINK.findall(header[:_LONGEST_LINK]):
        relation = _REL.search(parameters)
        relations = set((relation[1] or relation[2] or "").lower().split()) if relation is not None else set()
        pages = pages or not _PAGES.isdisjoint(relations)
        if found is None and "next" in relations and not _NOTHING_THERE.search(parameters):
            found = str(target)
    return PageLinks(found, pages)


def is_address(text: str) -> bool:
    """Whether a text leads somewhere, as an address or as a query of one, and is no cursor."""
    return text.startswith(("http://", "https://", "?")) or (text.startswith("/") and "?" in text)


def linked_arguments(
    operation: Operation, arguments: JsonObject, answer: Answer, link: str, paging: Paging | None
) -> JsonObject | None:
    """The arguments that an address stands for.

    None unless it is that of the same resource, and everything that changes in its query is an argument of this tool. What
    else stands in the query is passed over where the argument that moves on is in it and counts pages or items.
    """
    target = resolved(answer.url, link[:_LONGEST_LINK])
    if target is None or operation.method != "GET":
        return None
    there, here = urlsplit(target), urlsplit(answer.url)
    if unquote(there.path).rstrip("/") != unquote(here.path).rstrip("/"):
        return None
    try:
        known = set(parse_qsl(here.query, keep_blank_values=True, max_num_fields=_MOST_PARAMETERS))
        told = parse_qsl(there.query, keep_blank_values=True, max_num_fields=_MOST_PARAMETERS)
    except ValueError:
        return None
    changed: dict[str, str] = {}
    foreign = False
    for name, text in told:
        if (name, text) not in known:
            argument = _argument(operation, name)
            foreign = foreign or argument is None or argument in changed
            changed |= {} if argument is None else {argument: text}
    moved = paging is not None and paging.kind in ("offset", "page") and paging.argument in changed
    if not changed or (foreign and not moved):
        return None
    for argument, text in changed.items():
        arguments = with_argument(arguments, argument, text)
    return arguments


def _argument(operation: Operation, wire: str) -> str | None:
    """The argument that a name in a query is: its own, or a field of one that is an object (`page[number]`)."""
    by_wire = {
        argument.wire_name: argument.name for argument in operation.arguments if argument.where == "query"
    }
    if wire in by_wire:
        return by_wire[wire]
    field = _FIELD.fullmatch(wire)
    if field is None or field[1] not in by_wire:
        return None
    name = field[2].replace("~", "~0").replace("/", "~1")
    return f"/{by_wire[field[1]]}/{name}"

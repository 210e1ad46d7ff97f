"""What an answer says about the rest of a list: how many there are, and the arguments for the next page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from .answer_headers import resolved, whole_number
from .client import Answer
from .operation import Operation
from .values import JsonObject

_LONGEST_LINK = 16 << 10
_LINK = re.compile(r"<([^<>]*)>([^<]*)")
_REL = re.compile(r';[ \t]*rel[ \t]*=[ \t]*(?:"([^"]*)"|([^\s";,]+))', re.IGNORECASE)


def announced_total(answer: Answer) -> int | None:
    """The number in `X-Total-Count`, the usual header for it."""
    return whole_number(answer.headers.get("x-total-count", ""))


def next_page(operation: Operation, arguments: Mapping[str, Any], answer: Answer) -> JsonObject | None:
    """The arguments that fetch the next page, when the answer links to it (RFC 8288, `rel="next"`).

    None unless the link is the same resource and every parameter that differs is an argument of this tool.
    """
    link = _next_link(answer.headers.get("link", ""))
    target = None if link is None else resolved(answer.url, link)
    if target is None or operation.method != "GET":
        return None
    there, here = urlsplit(target), urlsplit(answer.url)
    if there.path != here.path:
        return None
    by_wire = {a.wire_name: a.name for a in operation.arguments if a.where == "query"}
    known = parse_qsl(here.query, keep_blank_values=True)
    changed: JsonObject = {}
    for name, text in parse_qsl(there.query, keep_blank_values=True):
        if (name, text) in known:
            continue
        if name not in by_wire or by_wire[name] in changed:
            return None
        changed[by_wire[name]] = _typed(operation, by_wire[name], text)
    return {**arguments, **changed} if changed else None


def _next_link(header: str) -> str | None:
    for target, parameters in _LINK.findall(header[:_LONGEST_LINK]):
        relation = _REL.search(parameters)
        if relation is not None and "next" in (relation[1] or relation[2] or "").lower().split():
            return str(target)
    return None


def _typed(operation: Operation, argument: str, text: str) -> int | str:
    schema = operation.input_schema.get("properties", {}).get(argument, {})
    number = whole_number(text) if schema.get("type") == "integer" else None
    return text if number is None else number

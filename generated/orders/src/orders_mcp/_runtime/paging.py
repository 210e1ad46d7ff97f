"""What an answer says about the rest of a list: how many there are, and the arguments for the next page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urljoin, urlsplit

from .client import Answer
from .operation import Operation
from .values import JsonObject

_LINK = re.compile(r"<([^>]*)>([^<]*)")
_NEXT = re.compile(r';\s*rel\s*=\s*(?:"(?:[^"]*\s)?next(?:\s[^"]*)?"|next\b)', re.IGNORECASE)


def announced_total(answer: Answer) -> int | None:
    """The number in `X-Total-Count`, the usual header for it."""
    text = answer.headers.get("x-total-count", "").strip()
    return int(text) if text.isascii() and text.isdigit() else None


def next_page(operation: Operation, arguments: Mapping[str, Any], answer: Answer) -> JsonObject | None:
    """The arguments that fetch the next page, when the answer links to it (RFC 8288, `rel="next"`).

    None unless the link is the same resource and every parameter that differs is an argument of this tool.
    """
    link = _next_link(answer.headers.get("link", ""))
    if link is None or operation.method != "GET":
        return None
    there, here = urlsplit(urljoin(answer.url, link)), urlsplit(answer.url)
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
    return next((target for target, rest in _LINK.findall(header) if _NEXT.search(rest)), None)


def _typed(operation: Operation, argument: str, text: str) -> int | str:
    schema = operation.input_schema.get("properties", {}).get(argument, {})
    return int(text) if schema.get("type") == "integer" and text.isascii() and text.isdigit() else text

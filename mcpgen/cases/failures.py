"""What a failure has to be for a tool: its category, whether a retry helps, which tool its hint names.

Written from the result contract and from RFC 9110, apart from the run-time library: where the two differ, a generated
test fails. Where what an API says in its words and codes decides as well, nothing is promised.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from http import HTTPStatus
from typing import Any, Protocol

from mcpgen.plan.model import ToolPlan

TEXT = "Sample text"
"""What all texts of a refusal become, so that its status alone says what it means."""

_CATEGORIES = {
    "validation": {400, 413, 416, 422},
    "permission": {401, 403, 407, 419, 440, 498},
    "not_found": {404, 410},
    "transient": {408, 420, 425, 429, 502, 503, 504, 520, 521, 522, 523, 524, 529},
    "internal": {405, 406, 411, 417, 421, 426},
}
"""RFC 9110, 15.5 and 15.6, the registry of status codes, and what gateways and frameworks send without registration."""
_DEPENDENT = frozenset({414, 415, 428, 431})
"""Whether the caller can mend these depends on the arguments of the tool."""
_NAMED = frozenset({404, 405, 406, 410})
"""A body that names an argument makes these a matter of that argument."""
_REPEATABLE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "QUERY"})
"""RFC 9110, 9.2.2."""
_REFUSALS = ("validation", "not_found", "business")
_CONFLICTS = (409, 412, 428)
_LOST = frozenset({502, 504})
_BROKEN_OFF = frozenset({302, 500, 520, 524, 598, 599})


class Hint(Protocol):
    """What matters of a planned hint: the tool that it names, and where that one's arguments come from."""

    @property
    def tool(self) -> str: ...

    @property
    def same(self) -> Mapping[str, str]: ...


def repeatable(tool: ToolPlan) -> bool:
    """Whether sending the request twice does no more than sending it once."""
    return tool.idempotent or tool.effect == "read" or tool.method in _REPEATABLE


def category_of(tool: ToolPlan, status: int, body: Any) -> str | None:
    """The category of an answer that is no success; None where its status does not decide.

    Args:
        body: what the API says, with neutral texts.
    """
    if status in _DEPENDENT or (status in _NAMED and _names_arguments(tool, body)):
        return None
    for category, statuses in _CATEGORIES.items():
        if status in statuses:
            return category
    if 400 <= status < 500:
        return "business"
    return "transient" if status == 500 and repeatable(tool) else "internal"


def neutral(value: Any) -> Any:
    """A body whose texts and waits say nothing of their own, in the form that the document has for it."""
    if isinstance(value, str):
        return TEXT
    if isinstance(value, list):
        return [neutral(item) for item in value]
    if isinstance(value, dict):
        return {name: neutral(inner) for name, inner in value.items() if not _plain(name).startswith("retry")}
    return value


def hint_of(
    tool: ToolPlan,
    status: int,
    category: str,
    body: Any,
    arguments: Mapping[str, Any],
    registered: Collection[str],
) -> str | None:
    """The tool that the hint after a failure names; None where none is promised.

    Args:
        arguments: of the call; a hint that passes them on needs them.
        registered: all tools of the server.
    """
    unknown = tool.hints.get("unknown", ())
    if tool.effect != "read" and (
        status in _LOST or (status in _BROKEN_OFF and not repeatable(tool))
    ):  # a write that may have been done is looked at, not simply repeated
        seen = _first(unknown, arguments, registered)
        return seen or (tool.name if status in _LOST and repeatable(tool) else None)
    references = tool.hints.get("reference", ()) if category in _REFUSALS else ()
    if any(_mentions(status, body, hint.when or "") for hint in references):
        return None
    found = [
        hint for key in (str(status), f"{status // 100}XX", category) for hint in tool.hints.get(key, ())
    ]
    found += unknown if status in _CONFLICTS else ()
    found += references if status == 404 and len(references) == 1 else ()
    own = tool.name if category in ("transient", "validation") else None
    return _first(found, arguments, registered) or own


def _first(hints: Iterable[Hint], arguments: Mapping[str, Any], registered: Collection[str]) -> str | None:
    """The first that can be carried out: the tool is there, and this call has what is passed on to it."""
    for hint in hints:
        if hint.tool in registered and all(source in arguments for source in hint.same.values()):
            return hint.tool
    return None


def _mentions(status: int, body: Any, argument: str) -> bool:
    try:
        reason = HTTPStatus(status).phrase
    except ValueError:
        reason = ""
    text = f"The API answered {status} {reason}: {json.dumps(body, ensure_ascii=False)}"
    return re.search(rf"(?<!\w){re.escape(argument)}(?!\w)", text, re.IGNORECASE) is not None


def _names_arguments(tool: ToolPlan, body: Any) -> bool:
    known = {_plain(name) for one in tool.arguments for name in (one.name, one.wire_name or one.field)}
    return not known.isdisjoint(_names(body))


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield _plain(name)
            yield from _names(inner)
    elif isinstance(value, list):
        for item in value:
            yield from _names(item)


def _plain(name: str) -> str:
    return "".join(c for c in name.lower() if c.isalnum())

"""An API's own words for a model: within bounds, on one line, without what must not be passed on."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..secrecy.redact import Redactor
from ..visible import without_unseen

LONGEST = 600
"""Characters of an API's words in one message."""
_LONGEST_PART = 300
_MOST_PARTS = 12
_LOOKED_AT = 4096
"""How much of a text is searched for what must not be passed on; the rest is not passed on anyway."""

# None of these patterns can be tried twice over the same text: an answer is as long as its sender likes.
_TRACE = re.compile(
    r"Traceback \(most recent call last\)|^[ \t]*at [\w$.<>]+\(.*\)|^[ \t]*at [^\n()]{1,200} \([^\n()]*:\d+\)"
    r"|^[ \t]*at \S+:\d+:\d+$|\bat [\w$.]+\([\w$]+\.(?:java|kt|scala):\d|^[ \t]*File \".*\", line \d+"
    r"|\bgoroutine \d{1,9} \[|^#\d{1,3} /",
    re.MULTILINE,
)
_PRIVATE_HOST = re.compile(
    r"\b(?:https?://)?(?:(?:localhost|127(?:\.\d{1,3}){3}|10(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}"
    r"|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}|169\.254(?:\.\d{1,3}){2})(?::\d{1,5})?\b"
    r"|(?<![\w.-])[\w.-]+\.(?:internal|local|localdomain|intranet|lan)(?::\d{1,5})?\b)"
)
_PATH = re.compile(
    r"(?<![\w:/.])/(?:home|root|usr|var|srv|opt|app|etc|tmp|Users)/[^\s\"',;)]+|\b[A-Za-z]:\\[^\s\"',;)]+"
)


def quoted(text: str, redactor: Redactor) -> str:
    """One thing that an API says, on one line, as it can be quoted.

    Secrets are masked before anything is cut, lest a part of one is left, and again when hidden characters that
    stood inside of one are gone.
    """
    lines = map(without_unseen, redactor.quotation(text)[:_LOOKED_AT].splitlines())
    return bounded(" ".join(safe(redactor.quotation("\n".join(lines))).split()), LONGEST)


def joined(parts: Iterable[str]) -> str:
    """Several of them in one message, each once; what has no room is counted."""
    told = [part for part in dict.fromkeys(parts) if part]
    shown: list[str] = []
    room = LONGEST - len(" (and 99 more)")
    for part in told[:_MOST_PARTS]:
        short = part if len(told) == 1 else bounded(part, _LONGEST_PART)
        room -= len(short) + 2
        if shown and room < 0:
            break
        shown.append(short)
    more = len(told) - len(shown)
    return bounded("; ".join(shown) + (f" (and {more} more)" if more else ""), LONGEST)


def bounded(text: str, limit: int) -> str:
    """The text within a limit, with a mark where it is cut."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def safe(text: str) -> str:
    """Without tracebacks, private hosts and file paths of the API's machines."""
    text = text[:_LOOKED_AT]
    trace = _TRACE.search(text)
    if trace:
        text = text[: trace.start()]
    return _PATH.sub("[path]", _PRIVATE_HOST.sub("[host]", text))

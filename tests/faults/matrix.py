"""The matrix of outcomes: which tool meets which fault, and what its result has to be."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from jsonschema import Draft202012Validator

TOKEN = "seeded-secret-4f7a"
CALLS: dict[str, dict[str, Any]] = {
    "search_items": {"query": "lamp", "limit": 5},
    "get_item": {"item_id": "i1"},
    "download_report": {},
    "create_item": {"title": "Lamp"},
    "place_order": {"item_id": "i1", "amount": 2},
    "replace_item": {"item_id": "i1", "title": "Lamp"},
    "delete_item": {"item_id": "i1"},
}
"""One call of each kind: list, item, file, a write that must not be sent twice, one with a key of its own for each call, and two that may be."""
READS = frozenset({"search_items", "get_item", "download_report"})
REPEATABLE = frozenset(CALLS) - {"create_item", "place_order"}

FAST = {"RETRIES": "1", "TIMEOUT": "30", "CONNECT_TIMEOUT": "5", "READ_TIMEOUT": "15", "FAILURE_WINDOW": "0"}


@dataclass(frozen=True)
class Expected:
    """What a result has to say. `says` is found in `error` or `note`, `hint` in `hint`; both are patterns."""

    ok: bool
    category: str | None = None
    status: int | None = None
    says: str | None = None
    hint: str | None = None

    @property
    def retryable(self) -> bool | None:
        """It follows from the category: a correction or a wait can help, or nothing can."""
        return None if self.ok else self.category in ("validation", "transient")


@dataclass(frozen=True)
class Outcome:
    """One way in which a call can end.

    `at` is where the API is: the name of a fault of the stub, or something that is no stub at all (see `run`).
    """

    name: str
    at: str
    expected: Callable[[str], Expected]
    environ: Mapping[str, str] = field(default_factory=dict)


def fine(says: str | None = None) -> Callable[[str], Expected]:
    return lambda _: Expected(True, says=says)


def fails(category: str, status: int | None = None, **more: Any) -> Callable[[str], Expected]:
    return lambda _: Expected(False, category, status, **more)


def lost(says: str) -> Callable[[str], Expected]:
    """No answer after the request was sent: whether a write took effect can't be known."""

    def expected(tool: str) -> Expected:
        unknown = "not known whether" if tool not in READS else says
        return Expected(False, "transient", says=unknown)

    return expected


def answered(says: str) -> Callable[[str], Expected]:
    """An answer that breaks what its schema promises: given as it is, and the note says so."""
    return lambda tool: Expected(True, says=None if tool in ("delete_item", "download_report") else says)


def oversized(tool: str) -> Expected:
    """A read can ask for less. A write has been carried out: it is no failure that its answer is too large."""
    if tool in READS:
        return Expected(False, "validation", says="larger than")
    return Expected(True, says="larger than")


def server_error(tool: str) -> Expected:
    """A 500 may be gone the next time, but nobody knows what the first one has left behind."""
    return Expected(False, "transient" if tool in REPEATABLE else "internal", 500)


def hook_after(tool: str) -> Expected:
    """The API has done it already: the model must not do it again."""
    return Expected(False, "internal", says=None if tool in READS else "carried out")


WAIT = r"[Ww]ait \d+ seconds"
STATUSES = {
    400: "validation",
    401: "permission",
    402: "business",
    403: "permission",
    405: "internal",
    406: "internal",
    409: "business",
    412: "business",
    413: "validation",
    415: "internal",
    418: "business",
    422: "validation",
    423: "business",
    451: "business",
    501: "internal",
    599: "internal",
}

OUTCOMES = (
    Outcome("documented success", "fine", fine()),
    Outcome("204", "nothing", fine()),
    Outcome("200 without a body", "empty", fine()),
    Outcome("undocumented 299", "299", fine()),
    Outcome("HTML instead of JSON", "html", answered("")),
    Outcome("malformed JSON", "malformed", answered("JSON")),
    Outcome("breaks its schema", "breaks", answered("differs from the API's description")),
    Outcome("oversized body", "oversized", oversized, {"MAX_DOWNLOAD_BYTES": "1000000"}),
    *(Outcome(str(status), str(status), fails(kind, status)) for status, kind in STATUSES.items()),
    Outcome(
        "404",
        "404",
        lambda tool: Expected(False, "not_found", 404, hint="search_items" if tool == "get_item" else None),
    ),
    Outcome("410", "410", fails("not_found", 410)),
    Outcome("422 with a field", "422-fields", lambda tool: Expected(False, "validation", 422, says="title")),
    Outcome("422 for a rule", "422-rule", fails("business", 422, says="enough funds")),
    Outcome("400 for a rule", "400-rule", fails("business", 400, says="enough funds")),
    Outcome("429", "429", fails("transient", 429, hint=WAIT)),
    Outcome(
        "429, seconds", "429-seconds", fails("transient", 429, hint=r"[Ww]ait 7 seconds"), {"TIMEOUT": "6"}
    ),
    Outcome(
        "429, date", "429-date", fails("transient", 429, hint=r"[Ww]ait (5\d|6\d) seconds"), {"TIMEOUT": "6"}
    ),
    Outcome("500", "500", server_error),
    *(Outcome(str(status), str(status), fails("transient", status)) for status in (502, 503, 504)),
    Outcome(
        "503, seconds", "503-seconds", fails("transient", 503, hint=r"[Ww]ait 7 seconds"), {"TIMEOUT": "6"}
    ),
    Outcome(
        "connect timeout",
        "!unaccepted",
        fails("transient", says="could not be reached"),
        {"CONNECT_TIMEOUT": "0.4"},
    ),
    Outcome("read timeout", "silent", lost("nothing for|did not answer"), {"READ_TIMEOUT": "0.4"}),
    Outcome("read timeout in the body", "stall", lost("nothing for|did not answer"), {"READ_TIMEOUT": "0.4"}),
    Outcome("total budget", "drip", lost("did not answer within"), {"TIMEOUT": "1"}),
    Outcome("connection refused", "!refused", fails("transient", says="could not be reached|refused")),
    Outcome("unknown host", "!unknown-host", fails("transient", says="could not be (reached|found)")),
    Outcome("TLS with an unknown authority", "!tls", fails("internal", says="secure|TLS|certificate")),
    Outcome("connection closed", "hangup", lost("closed the connection")),
    Outcome("closed in the body", "torn", lost("closed the connection")),
    Outcome("no HTTP", "garbage", lost("closed the connection|can't be read|no HTTP")),
    Outcome("redirect loop", "loop", fails("internal", 302)),
    Outcome("redirect to another host", "elsewhere", fails("internal", 302)),
    Outcome("redirect out of the base path", "outside", fails("internal", 302)),
    Outcome("crash in before_request", "hook-before", fails("internal")),
    Outcome("crash in after_result", "hook-after", hook_after),
)


@dataclass(frozen=True)
class Answer:
    """A result as the client got it."""

    is_error: bool
    text: str
    structured: dict[str, Any]


def faults(
    tool: str, answer: Answer, expected: Expected, tools: Mapping[str, Mapping[str, Any]]
) -> list[str]:
    """What is wrong with a result; `tools` are the wire dicts of the server by name."""
    told = answer.structured
    found = [
        f"{what} is {told.get(what)!r}, not {wanted!r}"
        for what, wanted in (
            ("ok", expected.ok),
            ("category", expected.category),
            ("retryable", expected.retryable),
            ("status", expected.status),
        )
        if told.get(what) != wanted
    ]
    if answer.is_error is told.get("ok"):
        found.append(f"isError is {answer.is_error}")
    if json.loads(answer.text) != told:
        found.append("the text is another object")
    found += [e.message[:100] for e in Draft202012Validator(tools[tool]["outputSchema"]).iter_errors(told)]
    words = f"{told.get('error', '')} {told.get('note', '')}"
    if expected.says is not None and not re.search(expected.says, words):
        found.append(f"{expected.says!r} is not in {words!r}")
    hint = told.get("hint", "")
    if expected.hint is not None and not re.search(expected.hint, hint):
        found.append(f"{expected.hint!r} is not in the hint {hint!r}")
    found += _hint_faults(hint, tools)
    found += [f"leaks {word!r}" for word in (TOKEN, "Traceback", "/srv/app") if word in answer.text]
    return found


_BANNED = re.compile(r"https?://|\b[A-Z]+_[A-Z_]+\b|\bpip\b|\bcurl\b|\bexport\b|\$|\.toml|\.env")
_CALL = re.compile(r"[Cc]all (\w+) with (\{.*?\})(?=[. ]|$)")


def _hint_faults(hint: str, tools: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """A hint is a step that the model can take: a tool of this server with arguments that it has, or a wait."""
    found = [f"the hint says {word!r}" for word in _BANNED.findall(hint)]
    for name, arguments in _CALL.findall(hint):
        if name not in tools:
            found.append(f"the hint names {name}, which is no tool")
            continue
        schema, given = tools[name]["inputSchema"], json.loads(arguments)
        if not set(given) <= set(schema["properties"]) or not set(schema.get("required", ())) <= set(given):
            found.append(f"the hint calls {name} with {arguments}")
    return found

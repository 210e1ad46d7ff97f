"""A transcript of tool calls for people: what was called, what went over the wire, what came of it.

Gives styled lines; whether and how styles become colours is up to whoever prints them.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from mcpgen.plan.model import ToolPlan
from mcpgen.preview.recording import Exchange
from mcpgen.preview.session import Called

_UNTOLD = frozenset({"host", "user-agent", "connection", "accept-encoding", "content-length", "accept"})
_SECRET = ("authorization", "cookie", "key", "token", "secret")
_WIDTH = 100
_MANY_LINES = 24


class Style(Enum):
    """What a line is, so that it can be coloured."""

    TITLE = auto()
    PLAIN = auto()
    CALL = auto()
    WIRE = auto()
    SUCCESS = auto()
    FAILURE = auto()
    HINT = auto()


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a transcript, as it comes from the API and its description: unsafe to print as it is."""

    text: str
    style: Style = Style.PLAIN

    @property
    def printable(self) -> str:
        """The text with nothing in it that could steer a terminal or hide."""
        return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in self.text)


def tool_lines(tools: Sequence[ToolPlan]) -> Iterator[Line]:
    """The tools as a table: name, effect, operation."""
    name = max((len(tool.name) for tool in tools), default=0)
    for tool in tools:
        fixed = "".join(f" {key}={json.dumps(value)}" for key, value in tool.fixed.items())
        yield Line(f"  {tool.name:<{name}}  {tool.effect:<11}  {tool.operation_key}{fixed}")


def call_lines(called: Called, exchanges: Iterable[Exchange], *, whole: bool = False) -> Iterator[Line]:
    """One call: the arguments, every request and its answer, and the result. `whole` cuts nothing."""
    yield Line(f"> {called.name} {json.dumps(called.arguments, ensure_ascii=False)}", Style.CALL)
    for question in called.questions:
        first, *others = question.splitlines() or [""]
        yield from _wrapped(first, "  ? asks the user: ", Style.HINT)
        for line in filter(str.strip, others):
            yield from _wrapped(line, "      ", Style.HINT)
    sent = list(exchanges)
    for exchange in sent:
        yield from _exchange_lines(exchange, whole=whole)
    if not sent:
        yield Line("  (nothing was sent to the API)", Style.WIRE)
    yield from _outcome_lines(called, whole=whole)


def _exchange_lines(exchange: Exchange, *, whole: bool) -> Iterator[Line]:
    yield Line(f"  -> {exchange.method} {exchange.target}", Style.WIRE)
    for name, value in exchange.headers:
        if whole or name not in _UNTOLD:
            yield Line(f"     {name}: {_masked(name, value)}", Style.WIRE)
    if exchange.body:
        yield from _cut(_body_lines(exchange.body), "     ", Style.WIRE, whole=whole)
    size = f", {len(exchange.answer)} bytes" if exchange.answer else ", empty"
    yield Line(f"  <- {exchange.status} {exchange.answer_type or ''}".rstrip() + size, Style.WIRE)


def _masked(name: str, value: str) -> str:
    """A header's value without its secret: transcripts end up in tickets and chats."""
    if not any(word in name for word in _SECRET) or name.startswith("idempotency"):
        return value
    scheme, space, rest = value.partition(" ")
    return f"{scheme} ***" if space and rest else "***"


def _body_lines(body: bytes) -> list[str]:
    try:
        return body.decode().splitlines()
    except UnicodeDecodeError:
        return [f"({len(body)} bytes, not text)"]


def _outcome_lines(called: Called, *, whole: bool) -> Iterator[Line]:
    if called.protocol_error is not None:
        yield from _wrapped(called.protocol_error, "  = refused: ", Style.FAILURE)
        return
    outcome = called.outcome
    if called.ok:
        about = "".join(f", {name} {outcome[name]}" for name in ("total",) if name in outcome)
        yield Line(f"  = ok{about}", Style.SUCCESS)
        field = "data" if "data" in outcome else "raw"
        yield from _cut(_pretty(outcome.get(field)), "    ", Style.PLAIN, whole=whole)
        for name in ("note", "next"):
            if name in outcome:
                yield from _wrapped(_text(outcome[name]), f"  = {name}: ", Style.HINT)
        return
    about = f"{outcome.get('category', 'failed')}" + (
        f" ({outcome['status']})" if "status" in outcome else ""
    )
    retry = "can be retried" if outcome.get("retryable") else "not to be retried"
    yield Line(f"  = failed: {about}, {retry}", Style.FAILURE)
    yield from _wrapped(_text(outcome.get("error")), "    ", Style.PLAIN)
    if "hint" in outcome:
        yield from _wrapped(_text(outcome["hint"]), "  = hint: ", Style.HINT)


def _pretty(value: Any) -> list[str]:
    """JSON, one line for what is short, indented otherwise."""
    compact = json.dumps(value, ensure_ascii=False)
    if len(compact) <= _WIDTH:
        return [compact]
    if isinstance(value, Mapping):
        return [
            "{",
            *_members((f"{json.dumps(key, ensure_ascii=False)}: ", item) for key, item in value.items()),
            "}",
        ]
    if isinstance(value, list):
        return ["[", *_members(("", item) for item in value), "]"]
    return [compact]


def _members(entries: Iterable[tuple[str, Any]]) -> list[str]:
    found: list[str] = []
    for label, value in entries:
        first, *others = _pretty(value)
        found += [f"  {label}{first}", *(f"  {line}" for line in others)]
        found[-1] += ","
    if found:
        found[-1] = found[-1][:-1]
    return found


def _cut(lines: Sequence[str], indent: str, style: Style, *, whole: bool) -> Iterator[Line]:
    """The lines, the middle left out when they are many."""
    limit = len(lines) if whole or len(lines) <= _MANY_LINES else _MANY_LINES
    for line in lines[:limit]:
        yield Line(
            indent + (line if whole or len(line) <= 4 * _WIDTH else line[: 4 * _WIDTH] + " ..."), style
        )
    if limit < len(lines):
        yield Line(f"{indent}... ({len(lines) - limit} more lines)", style)


def _wrapped(text: str, label: str, style: Style) -> Iterator[Line]:
    blank = " " * len(label)
    for line in textwrap.wrap(text, _WIDTH, initial_indent=label, subsequent_indent=blank) or [
        label.rstrip()
    ]:
        yield Line(line, style)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

"""`Ended`: one call that is over, as everything that observes calls sees it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import mcp_types as mt

from ..operation import Operation
from ..outcomes.result import Result
from ..record import Record
from ..secrecy.secret_names import SecretNames

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext


class Outcome(StrEnum):
    """How a call ended. `asked`: with a question to the user, whose answer is another call (2026-07-28)."""

    OK = "ok"
    ERROR = "error"
    ASKED = "asked"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Ended:
    """One call that is over.

    Attributes:
        tool: as it was called; for a tool that does not exist, what the client wrote.
        effect: None for a tool that does not exist.
        operation: None where no tool of the API was called: a search tool, or one that does not exist.
        arguments: as the client gave them.
        names: what is secret in these arguments by its name.
        started: seconds since the epoch.
        seconds: how long it took, a question to the user in the older era included.
        code: the JSON-RPC error code, when the protocol refused the call.
        traceparent: the W3C trace context that the call belongs to, when there is one.
    """

    tool: str
    effect: str | None
    operation: Operation | None
    arguments: Mapping[str, Any]
    names: SecretNames
    trace_id: str
    outcome: Outcome
    started: float
    seconds: float
    record: Record = field(default_factory=Record)
    result: Result[Any] | None = None
    answer: mt.CallToolResult | None = None
    code: int | None = None
    traceparent: str | None = None
    context: ServerRequestContext[Any, Any] | None = None

    @property
    def category(self) -> str | None:
        """The category of a failure."""
        failure = None if self.result is None else self.result.failure
        return None if failure is None else str(failure.category)

    @property
    def text_length(self) -> int:
        """Characters of the answer's text: how much work it is to look at its result."""
        first = self.answer.content[0] if self.answer is not None and self.answer.content else None
        return len(first.text) if isinstance(first, mt.TextContent) else 0


def outcome_of(result: Result[Any]) -> Outcome:
    return Outcome.OK if result.ok else Outcome.ERROR

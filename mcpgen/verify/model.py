"""What `mcpgen verify` is asked for, what it sees, and what it finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from mcpgen.diagnostics import Location


@dataclass(frozen=True, slots=True)
class Wanted:
    """How a project is verified.

    Attributes:
        base_url: the real API, base path included.
        effects: which kinds of tools may be called: `read`, `write`, `destructive`.
        tools: patterns of names (`*` and `?`); empty for all tools.
        seconds: how long calls are made, in all.
        max_calls: how many calls are made, in all; None for any number.
        cases: how many calls of one tool are made.
        seed: decides which values are made.
        rate: requests a second at most; 0 for any number.
    """

    base_url: str
    effects: tuple[str, ...] = ("read",)
    tools: tuple[str, ...] = ()
    seconds: float = 60.0
    max_calls: int | None = None
    cases: int = 5
    seed: int = 0
    rate: float = 0.0


@dataclass(frozen=True, slots=True)
class Answered:
    """One request that reached the API, and its answer as the API gave it.

    `target` is path and query as they were sent. Names of headers are in lower case; `body` is without content encoding.
    `cut` is set where the answer had no end, or was too large to be kept.
    """

    method: str
    target: str
    sent: bytes
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    cut: bool = False


class Kind(StrEnum):
    """What kind of drift it is. The first eight are judged by Schemathesis."""

    SERVER_ERROR = "server-error"
    STATUS = "undocumented-status"
    CONTENT_TYPE = "undocumented-content-type"
    NO_CONTENT_TYPE = "missing-content-type"
    UNREADABLE = "unreadable-body"
    BODY = "body-breaks-schema"
    HEADER_MISSING = "missing-header"
    HEADER = "header-breaks-schema"
    REFUSES_VALID = "refuses-valid-calls"
    TOOL = "tool-fault"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Finding:
    """One way in which an operation differs from the spec.

    Attributes:
        detail: one line: what came, and what is documented.
        place: where the spec says otherwise.
        status: of the answer; None where there was none.
        arguments: of the first call that showed it.
        request: method, target and body of that call, without credentials.
        same: what else tells it from other findings of its kind, without the values of one answer.
        count: how many calls showed it.
    """

    kind: Kind
    detail: str
    place: Location | None
    status: int | None
    arguments: Mapping[str, Any]
    request: str
    same: str = ""
    count: int = 1

    @property
    def key(self) -> tuple[Any, ...]:
        """Findings that agree in this are one."""
        where = self.place and (self.place.file, self.place.pointer)
        return self.kind, self.status, where, self.same


class Verdict(StrEnum):
    CONFORMS = "conforms"
    DRIFTS = "drifts"
    UNPROVEN = "unproven"
    NOT_CALLED = "not called"


@dataclass(frozen=True, slots=True)
class ToolReport:
    """What came of one tool.

    Attributes:
        calls: how many were made.
        statuses: how often which status came back.
        reason: why the tool was not called, or nothing is proven; empty else.
        remarks: what is worth knowing and no drift.
    """

    tool: str
    operation: str
    effect: str
    place: Location
    verdict: Verdict
    calls: int = 0
    statuses: Mapping[int, int] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    reason: str = ""
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """What came of the whole run. `ended` says why it ended early, where it did."""

    project: str
    base_url: str
    seed: int
    effects: tuple[str, ...]
    calls: int
    tools: tuple[ToolReport, ...]
    skipped: tuple[tuple[str, str], ...] = ()
    ended: str = ""

    def count(self, verdict: Verdict) -> int:
        """How many tools have the verdict."""
        return sum(tool.verdict is verdict for tool in self.tools)

    @property
    def drifted(self) -> bool:
        return self.count(Verdict.DRIFTS) > 0


class Stopped(Exception):
    """Nothing can be said: the API cannot be reached, or refuses all credentials. The text is for people."""

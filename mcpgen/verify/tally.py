"""What is known of one tool while calls are made, and what it comes to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from mcpgen.diagnostics import Location
from mcpgen.ir.api import Operation
from mcpgen.plan.model import ToolPlan
from mcpgen.verify.model import Finding, Kind, ToolReport, Verdict

REFUSALS = frozenset({400, 406, 415, 422})
"""Statuses that say that a request is wrong in itself; all others can have reasons that no schema knows."""


@dataclass(slots=True)
class Tally:
    """One tool, and what its calls showed so far.

    Attributes:
        queue: arguments of the calls to make; None before they are made.
        not_sent: what the tool said to calls that it refused by itself.
        unasked: calls that were answered without asking the API.
        unjudged: why answers could not be held against the spec.
        refused: the first call that the API refused as wrong in itself.
        reason: why the tool cannot be called; empty where it can.
    """

    tool: ToolPlan
    operation: Operation
    place: Location
    queue: list[dict[str, Any]] | None = None
    calls: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    findings: dict[tuple[Any, ...], Finding] = field(default_factory=dict)
    not_sent: list[str] = field(default_factory=list)
    unjudged: list[str] = field(default_factory=list)
    unasked: int = 0
    refused: Finding | None = None
    reason: str = ""

    def find(self, finding: Finding) -> None:
        """Notes a finding; the first example of each is kept."""
        known = self.findings.get(finding.key)
        self.findings[finding.key] = finding if known is None else replace(known, count=known.count + 1)

    def note_refusal(self, status: int, arguments: Mapping[str, Any], request: str) -> None:
        """Notes that the API refused a call that fits the spec."""
        if self.refused is None:
            detail = "Every call that fits the spec is refused; the spec does not say what the API wants."
            self.refused = Finding(Kind.REFUSES_VALID, detail, self.place, status, arguments, request)

    @property
    def succeeded(self) -> bool:
        return any(200 <= status < 300 for status in self.statuses)

    def report(self) -> ToolReport:
        """What it comes to.

        A refusal of single calls is no drift, since a schema cannot say every rule. It is one where nothing was accepted, and every
        answer said that the request is wrong in itself.
        """
        findings = list(self.findings.values())
        if self.refused is not None and set(self.statuses) <= REFUSALS:
            findings.append(replace(self.refused, count=self.statuses.total()))
        verdict, reason = self._verdict(findings)
        return ToolReport(
            tool=self.tool.name,
            operation=self.tool.operation_key,
            effect=self.tool.effect,
            place=self.place,
            verdict=verdict,
            calls=self.calls,
            statuses=dict(sorted(self.statuses.items())),
            findings=tuple(findings),
            reason=reason,
            remarks=tuple(self._remarks()),
        )

    def _verdict(self, findings: list[Finding]) -> tuple[Verdict, str]:
        if findings:
            return Verdict.DRIFTS, ""
        if self.unjudged and len(self.unjudged) == self.statuses.total():
            return Verdict.UNPROVEN, f"no answer could be judged: {self.unjudged[0]}"
        if self.succeeded:
            return Verdict.CONFORMS, ""
        if self.statuses:
            return Verdict.UNPROVEN, f"only {', '.join(map(str, sorted(self.statuses)))} seen"
        if self.unasked:
            return Verdict.UNPROVEN, "every call was answered without asking the API"
        if self.not_sent:
            return Verdict.UNPROVEN, f"the tool sent nothing: {self.not_sent[0]}"
        if self.calls:
            return Verdict.UNPROVEN, "the API gave no answer"
        return Verdict.NOT_CALLED, self.reason or "the budget ended before"

    def _remarks(self) -> list[str]:
        found = []
        refusals = sum(self.statuses[status] for status in REFUSALS)
        if refusals and not set(self.statuses) <= REFUSALS:
            found.append(f"{refusals} of {self.calls} calls that fit the spec were refused by the API")
        if self.not_sent and self.statuses:
            found.append(
                f"{len(self.not_sent)} of {self.calls} calls were refused by the tool: {self.not_sent[0]}"
            )
        if self.unjudged:
            found.append(f"{len(self.unjudged)} answers could not be judged: {self.unjudged[0]}")
        if self.statuses[429]:
            found.append(f"{self.statuses[429]} calls met the API's limit of requests (429)")
        return found

"""Runs the checks and the scores: a subject in, a report out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from mcpgen.diagnostics import Diagnostic, Location, Severity
from mcpgen.lint.checks import CHECKS
from mcpgen.lint.context import context_of
from mcpgen.lint.contract_scores import contract_scores
from mcpgen.lint.model import Finding, Report, Subject
from mcpgen.lint.prompt import Prompt, check_prompt
from mcpgen.lint.reading import findings_of
from mcpgen.lint.scores import overall_score, tool_scores

_ORDER = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.INFO: 2}


def lint(
    subject: Subject,
    *,
    diagnostics: Iterable[Diagnostic] = (),
    locate: Callable[[Location], Location] = lambda place: place,
    prompt: Prompt | None = None,
    ignored: Iterable[str] = (),
) -> Report:
    """Looks at a spec or a project.

    Args:
        subject: what is looked at.
        diagnostics: what reading it has said already.
        locate: fills in line and column.
        prompt: a host's system prompt to hold against the tools.
        ignored: codes to leave out, of the score too.
    """
    context = context_of(subject)
    found = [finding for check in CHECKS for finding in check(context)]
    found += findings_of(diagnostics, found, subject.root)
    if prompt is not None:
        found += check_prompt(prompt, subject.tools)
    left_out = set(ignored)
    kept = [finding for finding in _merged(found) if finding.code not in left_out]
    tools = tool_scores(context, kept)
    contract = contract_scores(context, kept) if subject.api is not None else None
    located = sorted((replace(finding, location=locate(finding.location)) for finding in kept), key=_place)
    return Report(
        subject.target,
        tuple(located),
        overall_score(context, kept, tools, contract),
        tools,
        context.counter.name,
    )


def _merged(found: Iterable[Finding]) -> Iterator[Finding]:
    """What is said twice of the same place, once: several tools can share a parameter."""
    merged: dict[tuple[str, str, Location], Finding] = {}
    for finding in found:
        key = finding.code, finding.message, finding.location
        known = merged.setdefault(key, finding)
        if known.tool != finding.tool:
            merged[key] = replace(known, tool=None)
    return iter(merged.values())


def _place(finding: Finding) -> tuple[str, int, int, int, str, str]:
    place = finding.location
    return (
        place.file,
        place.line or 0,
        place.column or 0,
        _ORDER[finding.severity],
        finding.code,
        finding.message,
    )

"""The report as JSON, and as Markdown for a comment in a pull request."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from mcpgen.diagnostics import Location
from mcpgen.verify.model import Finding, Report, ToolReport, Verdict

SCHEMA_VERSION = 1
_MOST_IN_A_COMMENT = 50


def report_object(report: Report) -> dict[str, Any]:
    """The report for programs. Keys are only ever added."""
    return {
        "schema_version": SCHEMA_VERSION,
        "project": report.project,
        "base_url": report.base_url,
        "seed": report.seed,
        "effects": list(report.effects),
        "calls": report.calls,
        "ended_early": report.ended or None,
        "summary": {verdict.value.replace(" ", "_"): report.count(verdict) for verdict in Verdict},
        "tools": [_tool(tool) for tool in report.tools],
        "skipped": [{"operation": operation, "reason": reason} for operation, reason in report.skipped],
    }


def _tool(tool: ToolReport) -> dict[str, Any]:
    return {
        "tool": tool.tool,
        "operation": tool.operation,
        "effect": tool.effect,
        "place": _place(tool.place),
        "verdict": tool.verdict.value,
        "reason": tool.reason or None,
        "calls": tool.calls,
        "statuses": {str(status): count for status, count in tool.statuses.items()},
        "findings": [_finding(finding) for finding in tool.findings],
        "remarks": list(tool.remarks),
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "kind": finding.kind.value,
        "detail": finding.detail,
        "status": finding.status,
        "count": finding.count,
        "place": _place(finding.place),
        "arguments": dict(finding.arguments),
        "request": finding.request,
    }


def _place(place: Location | None) -> dict[str, Any] | None:
    if place is None:
        return None
    return {"file": place.file, "line": place.line, "column": place.column, "pointer": place.pointer}


def summary(report: Report) -> str:
    """One line: how many tools have which verdict."""
    counts = [f"{report.count(verdict)} {verdict}" for verdict in Verdict if report.count(verdict)]
    count = f"{report.calls} call" + ("" if report.calls == 1 else "s")
    return f"{report.project} at {report.base_url}: {', '.join(counts) or 'no tools'}; {count}, seed {report.seed}."


def place_text(place: Location | None) -> str:
    """`file:line`, as editors jump to it."""
    if place is None:
        return ""
    return place.file if place.line is None else f"{place.file}:{place.line}"


def markdown(report: Report) -> str:
    """The report as Markdown (GitHub's dialect): findings first, then every tool in a table that is folded away."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield "## API drift" if report.drifted else "## No API drift"
    yield ""
    yield _escaped(summary(report))
    if report.ended:
        yield ""
        yield f"Ended {_escaped(report.ended)}."
    found = [(tool, finding) for tool in report.tools for finding in tool.findings]
    for tool, finding in found[:_MOST_IN_A_COMMENT]:
        yield ""
        yield f"### {_code(tool.operation)}: {_escaped(finding.kind.value)}"
        yield ""
        times = f" ({finding.count} calls)" if finding.count > 1 else ""
        yield f"{_escaped(finding.detail)}{times} Spec: {_code(place_text(finding.place))}."
        yield ""
        yield f"- tool: {_code(tool.tool)} with {_code(json.dumps(finding.arguments, ensure_ascii=False))}"
        yield f"- request: {_code(finding.request)}"
    if len(found) > _MOST_IN_A_COMMENT:
        yield ""
        yield f"… and {len(found) - _MOST_IN_A_COMMENT} more findings."
    yield ""
    yield f"<details><summary>All {len(report.tools)} tools</summary>"
    yield ""
    yield "| tool | operation | verdict | calls | statuses | |"
    yield "|---|---|---|---:|---|---|"
    for tool in report.tools:
        notes = "; ".join(filter(None, (tool.reason, *tool.remarks)))
        cells = (_code(tool.tool), _code(tool.operation), tool.verdict.value, str(tool.calls))
        yield f"| {' | '.join(cells)} | {statuses_text(tool)} | {_escaped(notes)} |"
    yield ""
    yield "</details>"


def statuses_text(tool: ToolReport) -> str:
    """How often which status came back: `200 ×4, 404`."""
    return ", ".join(
        f"{status} ×{count}" if count > 1 else str(status) for status, count in tool.statuses.items()
    )


def _line(text: str) -> str:
    line = " ".join(text.split())
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in line)


def _escaped(text: str) -> str:
    """Text with nothing that Markdown or HTML would read; `@` would call people."""
    return "".join(f"&#{ord(char)};" if char in "\\`*_{}[]<>()#+!|~@&$" else char for char in _line(text))


def _code(text: str) -> str:
    """A code span that also fits a table: its fence is longer than any run of backticks in it (CommonMark, 6.1)."""
    line = _line(text).replace("|", "\\|") or " "
    longest = max((len(run) for run in "".join(c if c == "`" else " " for c in line).split()), default=0)
    fence = "`" * (longest + 1)
    pad = " " if longest else ""
    return f"{fence}{pad}{line}{pad}{fence}"

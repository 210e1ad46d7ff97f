"""Findings about definitions as diagnostics: one for each tool that is not what it could be, one for all of a kind else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mcpgen.diagnostics import Collector, Location
from mcpgen.runtime.definitions.model import Finding, Kind

_CODES = {Kind.NOT_STRICT: "definition-not-strict", Kind.LOOSENED: "definition-loosened"}
_TOGETHER = {
    Kind.WORDED: "{what}: the format has no keyword for it; the descriptions say it, and calls are checked ({where})",
    Kind.NULL_IS_ABSENT: "null means left out, so null itself cannot be given ({where})",
    Kind.CLOSED: "objects that say nothing of further fields admit none ({where})",
    Kind.SHORTENED: "descriptions were cut to what the API takes ({where})",
}
_SHOWN = 3


def report(
    findings: Sequence[Finding], file: str, numbers: Mapping[str, int], diagnostics: Collector
) -> None:
    """Adds the diagnostics.

    Args:
        file: the project's catalogue.
        numbers: where in it each tool is.
    """
    for kind, code in _CODES.items():
        for tool, found in _by_tool(findings, kind).items():
            first, rest = found[0], len(found) - 1
            more = f" (and {rest} more reasons)" if rest else ""
            what = "not strict: " if kind is Kind.NOT_STRICT else "left out, but calls are checked: "
            message = f"{tool}: {what}{first.pointer or 'the whole'}: {first.text}{more}"
            diagnostics.add(code, message, _place(first, file, numbers))
    for finding in findings:
        if finding.kind is Kind.REFUSED:
            message = f"{finding.tool}: {finding.text}" if finding.tool else finding.text
            diagnostics.add("definition-refused", message, _place(finding, file, numbers))
    for kind, text in _TOGETHER.items():
        tools = _by_tool(findings, kind)
        if tools:
            what = ", ".join(sorted({one.text for found in tools.values() for one in found}))
            message = text.format(what=what, where=_where(tools))
            diagnostics.add("definition-changed", message, Location(file))


def _by_tool(findings: Sequence[Finding], kind: Kind) -> dict[str, list[Finding]]:
    found: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.kind is kind:
            found.setdefault(finding.tool, []).append(finding)
    return found


def _where(tools: Mapping[str, Sequence[Finding]]) -> str:
    shown = [f"{tool} {found[0].pointer}".rstrip() for tool, found in tools.items()][:_SHOWN]
    rest = len(tools) - len(shown)
    return ", ".join(shown) + (f" and {rest} more tools" if rest else "")


def _place(finding: Finding, file: str, numbers: Mapping[str, int]) -> Location:
    if finding.tool not in numbers:
        return Location(file)
    return Location(file, f"/tools/{numbers[finding.tool]}/inputSchema{finding.pointer}")

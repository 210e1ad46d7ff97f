"""Lines for the changelog of a generated project."""

from __future__ import annotations

from collections.abc import Sequence

from mcpgen.diff.grouping import Group, grouped
from mcpgen.diff.model import Change, Kind, Level, Report, Severity
from mcpgen.diff.wording import code_span, markdown_line

_SHOWN = 40
_TITLES = {
    "effects": "Changed effects",
    Severity.BREAKING: "Breaking",
    Severity.WARNING: "To be checked",
    Severity.INFO: "Other changes",
}


def changelog_entry(report: Report) -> str:
    """Markdown lines, ending in a line break: what has other effects, what breaks, what to check, what is new.

    No heading of a version and no date; an empty text where nothing changed. Changes of texts are one line.
    """
    effects = list(report.effects)
    parts = [_section(_TITLES["effects"], effects)]
    for severity in Severity:
        rest = [
            change
            for change in report.changes
            if change.severity is severity and change.kind is not Kind.EFFECT and not _is_text(change)
        ]
        lines = _section(_TITLES[severity], rest)
        parts.append(lines)
    texts = sorted({change.tool for change in report.changes if _is_text(change)})
    if texts:
        names = ", ".join(code_span(name) for name in texts[:_SHOWN])
        more = f" and {len(texts) - _SHOWN} more tools" if len(texts) > _SHOWN else ""
        parts.append([f"- Other texts for {names}{more}."])
    blocks = ["\n".join(lines) for lines in parts if lines]
    return "\n\n".join(blocks) + "\n" if blocks else ""


def _is_text(change: Change) -> bool:
    return change.level is Level.PATCH and change.kind is Kind.TEXT and "deprecated" not in change.code


def _section(title: str, changes: Sequence[Change]) -> list[str]:
    if not changes:
        return []
    groups = grouped(changes)
    lines = [f"### {title}", ""]
    lines += [f"- {_line(group)}" for group in groups[:_SHOWN]]
    if len(groups) > _SHOWN:
        lines.append(f"- and {len(groups) - _SHOWN:,} more")
    return lines


def _line(group: Group) -> str:
    text = markdown_line(group.change)
    return f"{group.names}: {text}" if group.change.tool else text

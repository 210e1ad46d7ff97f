"""A report as Markdown for a pull request. Long lists are folded, and the whole fits into a comment."""

from __future__ import annotations

from collections.abc import Sequence

from mcpgen.diff.grouping import Group, grouped
from mcpgen.diff.model import Change, Kind, Report, Severity
from mcpgen.diff.wording import cell, code_span, markdown_line, prose

_OPEN, _MOST = 25, 150
"""Rows that are shown at once, and rows of a section at most."""
_LIMIT = 60_000
"""Characters; GitHub takes comments up to 65,536."""
_TITLES = {
    Severity.BREAKING: "Breaking",
    Severity.WARNING: "To be checked",
    Severity.INFO: "Other changes",
}


def markdown(report: Report, version: tuple[str, str] | None = None) -> str:
    """The report, ending in a line break; `version` is the old one and the suggested one."""
    if not report.changes:
        return "## Tools: no changes\n"
    counts = report.counts
    named = [
        f"{counts[severity]:,} {title.lower()}" for severity, title in _TITLES.items() if counts[severity]
    ]
    step = "" if version is None else f": {code_span(version[0])} → {code_span(version[1])}"
    blocks = [
        f"## Tools: {', '.join(named)}",
        f"{report.tools[0]:,} → {report.tools[1]:,} tools. Suggested version: **{report.level.name.lower()}**{step}",
    ]
    blocks += _effects(report.effects)
    for severity, title in _TITLES.items():
        changes = [one for one in report.changes if one.severity is severity and one.kind is not Kind.EFFECT]
        blocks += _section(title, changes, folded=severity is Severity.INFO)
    return _bounded(blocks)


def _effects(changes: Sequence[Change]) -> list[str]:
    if not changes:
        return []
    head = "> [!CAUTION]\n> **What tools do to the world has changed:**\n>"
    lines = [
        f"> - {code_span(one.tool)}: {code_span(str(one.before))} → {code_span(str(one.after))}. {prose(one.reason)}"
        for one in changes[:_OPEN]
    ]
    more = [f"> - and {len(changes) - _OPEN:,} more"] if len(changes) > _OPEN else []
    return ["\n".join([head, *lines, *more])]


def _section(title: str, changes: Sequence[Change], *, folded: bool) -> list[str]:
    if not changes:
        return []
    shown = 0 if folded else _OPEN
    groups = grouped(changes)
    blocks = [f"### {title} ({len(changes):,})"]
    if groups[:shown]:
        blocks.append(_table(groups[:shown]))
    rest = groups[shown:_MOST]
    if rest:
        label = f"{len(rest):,} more" if shown else f"{len(rest):,} kinds of change"
        blocks += [f"<details><summary>{label}</summary>", _table(rest), "</details>"]
    if len(groups) > _MOST:
        blocks.append(f"And {len(groups) - _MOST:,} more, which are not listed here.")
    return blocks


def _table(groups: Sequence[Group]) -> str:
    rows = [
        f"| {cell(one.names)} | {cell(markdown_line(one.change))} | {cell(prose(one.change.reason))} |"
        for one in groups
    ]
    return "\n".join(["| tool | change | why |", "|---|---|---|", *rows])


def _bounded(blocks: Sequence[str]) -> str:
    """Whole blocks, as long as they fit; what does not is named."""
    text = ""
    for index, block in enumerate(blocks):
        if len(text) + len(block) > _LIMIT and index > 1:
            open_ = text.count("<details>") - text.count("</details>")
            return text + "</details>\n\n" * open_ + "The rest is too long for a comment.\n"
        text += block + "\n\n"
    return text.rstrip("\n") + "\n"

"""The changelog of a generated project, in the form of Keep a Changelog 1.1.0: what is new stands above what was.

A version has no date, so that the same update gives the same text everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from mcpgen.diff.grouping import Group, grouped
from mcpgen.diff.model import Change, Kind, Level, Report, Severity
from mcpgen.diff.wording import code_span, markdown_line

_SHOWN = 40
UNRELEASED = "Unreleased"
"""The heading of what has no version, or none that can be counted."""


class Section(StrEnum):
    """The kinds of change of Keep a Changelog that an update can bring; what asks most of a caller comes first."""

    CHANGED = "Changed"
    REMOVED = "Removed"
    SECURITY = "Security"
    DEPRECATED = "Deprecated"
    ADDED = "Added"


_PREFIXES = {Severity.BREAKING: "Breaking: ", Severity.WARNING: "To be checked: ", Severity.INFO: ""}
_PARTS = re.compile(r"(?:tool|argument|(?:argument|result)-(?:property|body))-(?P<what>added|removed)")
_HEADING = re.compile(r"^## +\[?(?P<name>[^\]\s]+).*$", re.MULTILINE)
"""`## 1.0.0`, `## [1.0.0] - 2024-05-01`, `## [Unreleased]`."""


def changelog_entry(report: Report) -> str:
    """Markdown lines, ending in a line break: a section for each kind of change, what breaks callers first in each.

    No heading of a version; an empty text where nothing changed. Changes of effects lead; changes of texts are one line.
    """
    severities = list(Severity)
    texts = sorted({change.tool for change in report.changes if _is_text(change)})
    others = [change for change in report.changes if not _is_text(change)]
    others.sort(key=lambda one: (one.kind is not Kind.EFFECT, severities.index(one.severity)))
    blocks = []
    for section in Section:
        lines = _lines([change for change in others if _section(change) is section])
        if texts and section is Section.CHANGED:
            names = ", ".join(code_span(name) for name in texts[:_SHOWN])
            more = f" and {len(texts) - _SHOWN} more tools" if len(texts) > _SHOWN else ""
            lines.append(f"- Other texts for {names}{more}.")
        if lines:
            blocks.append("\n".join([f"### {section}", "", *lines]) + "\n")
    return "\n".join(blocks)


def with_entry(changelog: str, version: str, entry: str) -> str:
    """A changelog with an entry on top, below what the team keeps under `Unreleased`.

    Where the version has a heading already, the entry's lines go under it, each to the others of its kind.
    """
    headings = list(_HEADING.finditer(changelog))
    ends = [*(heading.start() for heading in headings[1:]), len(changelog)]
    for heading, end in zip(headings, ends, strict=False):
        if heading["name"].lower() == version.lower():
            body = _joined(changelog[heading.end() : end], entry)
            rest = changelog[end:]
            return f"{changelog[: heading.end()]}\n\n{body}" + (f"\n{rest}" if rest else "")
    earlier = [one.start() for one in headings if one["name"].lower() != UNRELEASED.lower()]
    place = earlier[0] if earlier else len(changelog)
    head, rest = changelog[:place].rstrip(), changelog[place:]
    start = f"{head}\n\n" if head else ""
    return f"{start}## {version}\n\n{entry}" + (f"\n{rest}" if rest else "")


def _joined(body: str, entry: str) -> str:
    """What stands under a heading, with the lines of an entry."""
    text = body.strip() + "\n" if body.strip() else ""
    for block in re.split(r"^(?=### )", entry, flags=re.MULTILINE):
        title, _, lines = block.strip().partition("\n\n")
        if not title:
            continue
        known = re.search(rf"^{re.escape(title)}\n\n", text, re.MULTILINE)
        if known:
            text = f"{text[: known.end()]}{lines}\n{text[known.end() :]}"
        else:
            text += ("\n" if text else "") + f"{title}\n\n{lines}\n"
    return text


def _section(change: Change) -> Section:
    if change.kind is Kind.AUTH:
        return Section.SECURITY
    if change.code in ("deprecated", "argument-deprecated"):
        return Section.DEPRECATED
    if found := _PARTS.match(change.code):
        return Section.ADDED if found["what"] == "added" else Section.REMOVED
    return Section.CHANGED


def _is_text(change: Change) -> bool:
    return change.level is Level.PATCH and change.kind is Kind.TEXT and "deprecated" not in change.code


def _lines(changes: Sequence[Change]) -> list[str]:
    groups = grouped(changes)
    lines = [f"- {_PREFIXES[group.change.severity]}{_line(group)}" for group in groups[:_SHOWN]]
    if len(groups) > _SHOWN:
        lines.append(f"- and {len(groups) - _SHOWN:,} more")
    return lines


def _line(group: Group) -> str:
    text = markdown_line(group.change)
    return f"{group.names}: {text}" if group.change.tool else text

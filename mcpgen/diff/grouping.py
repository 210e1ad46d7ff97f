"""The same change of many tools, drawn together: one schema of a document is in the arguments and results of many."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mcpgen.diff.model import Change
from mcpgen.diff.wording import code_span, line

_NAMED = 5


@dataclass(frozen=True, slots=True)
class Group:
    """Changes that differ in their tool only: the first of them, and all tools."""

    change: Change
    tools: tuple[str, ...]

    @property
    def names(self) -> str:
        """The tools in Markdown, or the first of many."""
        if not self.change.tool:
            return "the server"
        rest = len(self.tools) - _NAMED
        shown = ", ".join(code_span(name) for name in self.tools[:_NAMED])
        return f"{shown} and {rest:,} more tools" if rest > 0 else shown


def grouped(changes: Iterable[Change]) -> list[Group]:
    """The changes in their order, each with all tools that it happened to."""
    groups: dict[tuple[str, str, str], list[Change]] = {}
    for change in changes:
        # What is of the server stays apart from what is of a tool.
        key = (f"{change.code} {bool(change.tool)}", line(change), change.reason)
        groups.setdefault(key, []).append(change)
    return [Group(found[0], tuple(dict.fromkeys(one.tool for one in found))) for found in groups.values()]

"""Tools that came, went or changed their name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mcpgen.diff.matching import Matched
from mcpgen.diff.model import Change, Kind, Severity
from mcpgen.diff.view import View

_ARTICLES = {"read": "It only reads.", "write": "It writes.", "destructive": "It is destructive."}


def tool_changes(matched: Matched, skipped: Iterable[Mapping[str, Any]]) -> Iterator[Change]:
    """Added, removed and renamed tools; `skipped` are the operations that the new document has and mcpgen left out."""
    left_out = {(one["operation"]["method"], one["operation"]["path"]): one["reason"] for one in skipped}
    splits = {(view.operation["method"], view.operation["path"]) for view in matched.added}
    renamed = {pair.old.name for pair in matched.pairs if pair.old.name != pair.new.name}
    gone = {view.name for view in matched.removed} | renamed
    for view in matched.removed:
        yield _removed(view, left_out, splits)
    for view in matched.added:
        yield _added(view)
        if view.name in gone:
            yield _reused(view)
    for pair in matched.pairs:
        if pair.old.name == pair.new.name:
            continue
        reason = "Callers, prompts and permissions know the tool by its old name."
        names = {"before": pair.old.name, "after": pair.new.name}
        yield pair.change("tool-renamed", Kind.TOOL, Severity.BREAKING, reason, **names)
        if pair.new.name in gone:
            yield _reused(pair.new)


def _added(view: View) -> Change:
    reason = f"Nothing that exists changes. {_ARTICLES[view.effect]}"
    return Change("tool-added", view.name, Kind.TOOL, Severity.INFO, reason, after=view.label)


def _removed(
    view: View, left_out: Mapping[tuple[str, str], str], splits: Iterable[tuple[str, str]]
) -> Change:
    route = (view.operation["method"], view.operation["path"])
    why = ""
    if route in left_out:
        why = f" The document still has the operation, but it can't become a tool: {left_out[route]}"
    elif route in splits:
        why = " Its operation is cut into other tools now, by what they do."
    reason = f"Calls of it fail.{why}"
    return Change("tool-removed", view.name, Kind.TOOL, Severity.BREAKING, reason, before=view.label)


def _reused(view: View) -> Change:
    reason = "A caller that knows the old tool of this name now calls another operation, without an error."
    return Change("tool-name-reused", view.name, Kind.TOOL, Severity.BREAKING, reason, after=view.label)

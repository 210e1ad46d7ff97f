"""Two catalogues in, one report out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mcpgen.diff.access import auth_changes, scheme_changes
from mcpgen.diff.arguments import argument_changes
from mcpgen.diff.behaviour import behaviour_changes, server_changes
from mcpgen.diff.effects import effect_changes
from mcpgen.diff.matching import match
from mcpgen.diff.model import Change, Kind, Report, Severity
from mcpgen.diff.results import result_changes
from mcpgen.diff.texts import text_changes
from mcpgen.diff.tools import tool_changes
from mcpgen.diff.view import Pair, views

_SEVERITIES = list(Severity)
_KINDS = list(Kind)


def compare(old: Mapping[str, Any], new: Mapping[str, Any]) -> Report:
    """What changed for callers from one catalogue to the other. Both have the shape of `catalog.json`."""
    before, after = views(old), views(new)
    matched = match(before, after)
    found = [
        *tool_changes(matched, new.get("skipped", ())),
        *scheme_changes(old["auth"], new["auth"]),
        *server_changes(old, new),
    ]
    for pair in matched.pairs:
        found += _pair_changes(pair)
    return Report(tuple(sorted(found, key=_order)), (len(before), len(after)))


def _pair_changes(pair: Pair) -> Iterator[Change]:
    if pair.old == pair.new:
        return
    yield from effect_changes(pair)
    yield from argument_changes(pair)
    yield from result_changes(pair)
    yield from auth_changes(pair)
    yield from behaviour_changes(pair)
    yield from text_changes(pair)


def _order(change: Change) -> tuple[Any, ...]:
    first = change.kind is not Kind.EFFECT
    severity, kind = _SEVERITIES.index(change.severity), _KINDS.index(change.kind)
    return first, severity, change.tool, kind, change.where, change.code

"""Changes of what a tool does to the world. Nothing matters more to whoever allowed it."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.diff.model import Change, Kind, Severity
from mcpgen.diff.view import Pair

_ORDER = ("read", "write", "destructive")


def effect_changes(pair: Pair) -> Iterator[Change]:
    """A read that writes, a write that destroys: breaking. The other way round: to be checked by a person."""
    before, after = pair.old.effect, pair.new.effect
    if before == after:
        return
    reason = pair.new.operation["reason"]
    raised = _ORDER.index(after) > _ORDER.index(before)
    if raised:
        code, severity = "effect-raised", Severity.BREAKING
        text = f"What was allowed as a {before} now is a {after} operation; allow-lists and confirmations have to be looked at."
    else:
        code, severity = "effect-lowered", Severity.WARNING
        text = f"Gates that held it back as a {before} operation let it through now; check that it only is a {after}."
    yield pair.change(
        code, Kind.EFFECT, severity, f"{text} Why: {reason}", where="", before=before, after=after
    )

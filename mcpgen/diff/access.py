"""Credentials: what a tool asks for, and what the schemes are.

Who holds credentials for one old alternative must be able to go on with one of the new ones. OpenAPI 3.2, Security
Requirement Object: the alternatives are a choice; the schemes of one are needed together; an empty one asks for none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mcpgen.diff.model import Change, Kind, Severity
from mcpgen.diff.view import Pair

Alternative = Mapping[str, Sequence[str]]


def auth_changes(pair: Pair) -> Iterator[Change]:
    """Changes of one tool's security."""
    old, new = pair.old.operation["security"], pair.new.operation["security"]
    if old == new:
        return
    before, after = old or [{}], new or [{}]
    shown = {"before": old, "after": new}
    lost = [one for one in before if not any(_suffices(one, other) for other in after)]
    if lost:
        yield _lost(pair, lost, before, after, shown)
    elif {} in after and {} not in before:
        reason = "Calls work without credentials. Check that this is meant."
        yield pair.change("auth-removed", Kind.AUTH, Severity.INFO, reason, **shown)
    elif any(set(one) == set(other) and one != other for one in before for other in after):
        reason = "The credentials that worked still do."
        yield pair.change("auth-scope-removed", Kind.AUTH, Severity.INFO, reason, **shown)
    elif any(other not in before for other in after):
        reason = "The credentials that worked still do."
        yield pair.change("auth-alternative-added", Kind.AUTH, Severity.INFO, reason, **shown)


def _suffices(held: Alternative, asked: Alternative) -> bool:
    """Whether credentials for one alternative do for another."""
    return all(name in held and set(scopes) <= set(held[name]) for name, scopes in asked.items())


def _lost(
    pair: Pair,
    lost: Sequence[Alternative],
    before: Sequence[Alternative],
    after: Sequence[Alternative],
    shown: Mapping[str, Any],
) -> Change:
    severity = Severity.BREAKING
    if {} in lost and len(before) == 1:
        code, reason = "auth-added", "Calls without credentials are refused; the operator has to set them."
    elif all(any(set(other) <= set(one) for other in after) for one in lost):
        code, reason = "auth-scope-added", "Tokens that were given the old scopes only are refused."
    else:
        code, reason = (
            "auth-alternative-removed",
            "Operators who hold credentials for the old way only are refused.",
        )
    return pair.change(code, Kind.AUTH, severity, reason, **shown)


def scheme_changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    """Changes of the schemes themselves; which tools need them is said for each tool."""
    for name in sorted({*old, *new}):
        if name not in old:
            yield _scheme(
                "auth-scheme-added", Severity.INFO, "Which tools need it is said there.", after=name
            )
        elif name not in new:
            yield _scheme(
                "auth-scheme-removed", Severity.INFO, "What the tools need is said there.", before=name
            )
        elif old[name] != new[name]:
            yield from _one_scheme(name, old[name], new[name])


def _one_scheme(name: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    kind = ("type", "scheme", "in", "name")
    was, now = ({key: one[key] for key in kind if key in one} for one in (old, new))
    if was != now:
        reason = "The credentials that worked are of another kind, or are sent elsewhere in the request."
        yield _scheme("auth-scheme-changed", Severity.BREAKING, reason, before={name: was}, after={name: now})
    for key in ("env", "options"):
        if old.get(key, {}) != new.get(key, {}):
            reason = "Operators set the old variables; the server reads the new ones."
            more = {"before": old.get(key), "after": new.get(key)}
            yield _scheme("auth-variables-changed", Severity.BREAKING, reason, **more)
    rest = [key for key in sorted({*old, *new} - {*kind, "env", "options"}) if old.get(key) != new.get(key)]
    if rest:
        reason = f"Scheme {name}: {', '.join(rest)}. Check the new values before a secret is sent there."
        before, after = {k: old[k] for k in rest if k in old}, {k: new[k] for k in rest if k in new}
        yield _scheme("auth-address-changed", Severity.WARNING, reason, before=before, after=after)


def _scheme(code: str, severity: Severity, reason: str, **more: Any) -> Change:
    return Change(code, "", Kind.AUTH, severity, reason, **more)

"""Changes of what a tool takes.

An argument is the same one when it goes to the same place of the request under the same name there, whatever a caller
calls it. Path parameters are the same by their position, since their names mean nothing to the API.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from mcpgen.diff.judging import argument_verdict, pointer, schema_change, without_details
from mcpgen.diff.model import Change, Kind, Severity
from mcpgen.diff.schemas import compare_schemas
from mcpgen.diff.texts import says_deprecated
from mcpgen.diff.view import Pair, View

_LOOSE_FROM = 3
"""`properties`, an argument, and one level of its schema: from there on, the projection may have loosened."""
_NAMES = 8
_PARAMETER = re.compile(r"\{([^{}]*)\}")


@dataclass(slots=True)
class _Arguments:
    """The arguments of both sides: those that are the same, and those of one side only."""

    same: list[tuple[Mapping[str, Any], Mapping[str, Any]]] = field(default_factory=list)
    removed: list[Mapping[str, Any]] = field(default_factory=list)
    added: list[Mapping[str, Any]] = field(default_factory=list)


def argument_changes(pair: Pair) -> Iterator[Change]:
    """Differences of the input schemas."""
    if pair.old.wire["inputSchema"] == pair.new.wire["inputSchema"] and (
        pair.old.operation["arguments"] == pair.new.operation["arguments"]
    ):
        return
    found = _matched(pair)
    for old, new in found.same:
        yield from _same(pair, old, new)
    for argument in found.removed:
        reason = "Calls with it are refused now: a tool takes no arguments that it doesn't know."
        yield _presence(pair, "argument-removed", Severity.BREAKING, reason, argument)
    required = pair.new.wire["inputSchema"].get("required", ())
    for argument in found.added:
        if argument["name"] in required:
            reason = "Calls that leave it out are refused now."
            yield _presence(pair, "argument-added-required", Severity.BREAKING, reason, argument)
        else:
            reason = "Calls may leave it out."
            yield _presence(pair, "argument-added", Severity.INFO, reason, argument)
    yield from _root(pair)
    yield from _texts(pair, found)


def _matched(pair: Pair) -> _Arguments:
    """Pairs by place and wire name; then the same name in another place; then another spelling of the same name."""
    found = _Arguments()
    old = {_identity(one, pair.old): one for one in pair.old.operation["arguments"]}
    new = {_identity(one, pair.new): one for one in pair.new.operation["arguments"]}
    for key in [key for key in old if key in new]:
        found.same.append((old.pop(key), new.pop(key)))
    for rule in (_by_name, _by_spelling):
        before, after = _unique(old, rule), _unique(new, rule)
        for value in [value for value in before if value in after]:
            found.same.append((old.pop(before[value]), new.pop(after[value])))
    found.removed, found.added = list(old.values()), list(new.values())
    return found


def _identity(argument: Mapping[str, Any], view: View) -> tuple[str, str]:
    where = argument["in"]
    name = argument.get("pointer", argument.get("wire_name", ""))
    if where == "path":
        names = _PARAMETER.findall(view.operation["path"])
        return where, str(names.index(name)) if name in names else name
    return where, name.lower() if where == "header" else name


def _by_name(argument: Mapping[str, Any]) -> str:
    return str(argument["name"])


def _by_spelling(argument: Mapping[str, Any]) -> str:
    return re.sub(r"[^a-z0-9]", "", str(argument["name"]).lower()) + f" {argument['in']}"


def _unique(arguments: Mapping[tuple[str, str], Mapping[str, Any]], rule: Any) -> dict[str, tuple[str, str]]:
    groups: dict[str, list[tuple[str, str]]] = {}
    for key, argument in arguments.items():
        groups.setdefault(rule(argument), []).append(key)
    return {value: keys[0] for value, keys in groups.items() if len(keys) == 1}


def _same(pair: Pair, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    place = ("properties", new["name"])
    names = {"where": pointer(place), "before": old["name"], "after": new["name"]}
    if old["name"] != new["name"]:
        reason = "Calls with the old name are refused now."
        yield pair.change("argument-renamed", Kind.ARGUMENT, Severity.BREAKING, reason, **names)
    if old["in"] != new["in"]:
        reason = "The server puts it where it belongs; callers see no difference."
        moved = {"where": pointer(place), "before": old["in"], "after": new["in"]}
        yield pair.change("argument-moved", Kind.ARGUMENT, Severity.INFO, reason, **moved)
    was, now = (
        argument["name"] in view.wire["inputSchema"].get("required", ())
        for argument, view in ((old, pair.old), (new, pair.new))
    )
    if now and not was:
        reason = "Calls that leave it out are refused now."
        where = pointer(place)
        yield pair.change("argument-became-required", Kind.ARGUMENT, Severity.BREAKING, reason, where=where)
    elif was and not now:
        reason = "Every call that was valid still is."
        where = pointer(place)
        yield pair.change("argument-became-optional", Kind.ARGUMENT, Severity.INFO, reason, where=where)
    yield from _schemas(pair, old, new, place)


def _schemas(
    pair: Pair, old: Mapping[str, Any], new: Mapping[str, Any], place: tuple[str, str]
) -> Iterator[Change]:
    roots = pair.old.wire["inputSchema"], pair.new.wire["inputSchema"]
    before, after = (
        root.get("properties", {}).get(one["name"], {}) for root, one in zip(roots, (old, new), strict=True)
    )
    deltas = compare_schemas(before, after, roots[0], roots[1], path=place, loose_from=_LOOSE_FROM)
    kept, details = without_details(deltas)
    for delta in (*kept, *details):
        verdict = argument_verdict(delta, parameter=new["in"] != "body")
        yield schema_change(pair, Kind.ARGUMENT, delta, verdict)


def _presence(pair: Pair, code: str, severity: Severity, reason: str, argument: Mapping[str, Any]) -> Change:
    where = pointer(("properties", argument["name"]))
    side = "before" if code == "argument-removed" else "after"
    return pair.change(code, Kind.ARGUMENT, severity, reason, where=where, **{side: argument["name"]})


def _root(pair: Pair) -> Iterator[Change]:
    """Conditions on all arguments together."""
    before, after = (
        {
            key: value
            for key, value in view.wire["inputSchema"].items()
            if key not in ("properties", "required")
        }
        for view in (pair.old, pair.new)
    )
    for delta in compare_schemas(before, after, before, after):
        yield schema_change(pair, Kind.ARGUMENT, delta, argument_verdict(delta, parameter=False))


def _texts(pair: Pair, found: _Arguments) -> Iterator[Change]:
    """Other descriptions, drawn together; deprecation for each argument."""
    changed = []
    for old, new in found.same:
        before = _description(pair.old, old)
        after = _description(pair.new, new)
        was, now = says_deprecated(before), says_deprecated(after)
        if was != now:
            code = "argument-deprecated" if now else "argument-undeprecated"
            where = pointer(("properties", new["name"]))
            reason = "It still works, but may go." if now else "It is there to stay again."
            yield pair.change(code, Kind.ARGUMENT, Severity.INFO, reason, where=where)
        elif before != after:
            changed.append(new["name"])
    if changed:
        rest = [f"and {len(changed) - _NAMES} more"] if len(changed) > _NAMES else []
        reason = "Models read them to fill in arguments; nothing that worked stops working."
        after_ = [*changed[:_NAMES], *rest]
        yield pair.change("argument-texts", Kind.TEXT, Severity.INFO, reason, after=after_)


def _description(view: View, argument: Mapping[str, Any]) -> str:
    schema = view.wire["inputSchema"].get("properties", {}).get(argument["name"], {})
    return str(schema.get("description", "")) if isinstance(schema, Mapping) else ""

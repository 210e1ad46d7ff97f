"""What surrounds a call: annotations, paging, keys, formats, addresses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mcpgen.diff.model import Change, Kind, Severity
from mcpgen.diff.view import Pair

_PROJECT = ("name", "package", "env_prefix")


def behaviour_changes(pair: Pair) -> Iterator[Change]:
    """Changes of one tool that its schemas do not show."""
    yield from _safety(pair)
    yield from _annotations(pair)
    for key, kept in (("paging", "Callers pass and read other things to go on."), ("idempotency", "")):
        yield from _presence(pair, key, kept)
    yield from _request(pair)


def _safety(pair: Pair) -> Iterator[Change]:
    old, new = pair.old.operation, pair.new.operation
    if old["idempotent"] != new["idempotent"]:
        if new["idempotent"]:
            reason = "What a client may do more: send a call again."
            yield pair.change("idempotent", Kind.ANNOTATION, Severity.INFO, reason, before=False, after=True)
        else:
            reason = "Clients that send a call again after a lost answer do it twice."
            yield pair.change(
                "not-idempotent", Kind.ANNOTATION, Severity.WARNING, reason, before=True, after=False
            )
    writes = pair.old.effect == pair.new.effect == "write"
    if writes and bool(old["additive"]) != bool(new["additive"]):
        code = "additive" if new["additive"] else "not-additive"
        severity = Severity.INFO if new["additive"] else Severity.WARNING
        reason = "It is `destructiveHint`, by which clients decide what to ask their user."
        yield pair.change(
            code, Kind.ANNOTATION, severity, reason, before=old["additive"], after=new["additive"]
        )


def _annotations(pair: Pair) -> Iterator[Change]:
    """Annotations that are not explained by the effect; what a team edited in its catalogue is among them."""
    known = {"title", "readOnlyHint", "idempotentHint", "destructiveHint"}
    old, new = pair.old.wire.get("annotations", {}), pair.new.wire.get("annotations", {})
    for key in sorted({*old, *new} - known):
        if old.get(key) != new.get(key):
            before, after = {key: old.get(key)}, {key: new.get(key)}
            reason = "A hint to clients; nothing that worked stops working."
            yield pair.change(
                "annotation-changed", Kind.ANNOTATION, Severity.INFO, reason, before=before, after=after
            )


def _presence(pair: Pair, key: str, reason: str) -> Iterator[Change]:
    old, new = pair.old.operation.get(key), pair.new.operation.get(key)
    if old == new:
        return
    values = {"before": old, "after": new}
    if old is None:
        text = "Calls that worked still do."
        yield pair.change(f"{key}-added", Kind.BEHAVIOUR, Severity.INFO, text, **values)
    elif new is None:
        text = {
            "paging": "Callers that went on with `next` get no further.",
            "idempotency": "A call that is sent again can be done twice.",
        }[key]
        yield pair.change(f"{key}-removed", Kind.BEHAVIOUR, Severity.WARNING, text, **values)
    else:
        severity = Severity.WARNING if reason else Severity.INFO
        text = reason or "The server does it by itself; callers see no difference."
        yield pair.change(f"{key}-changed", Kind.BEHAVIOUR, severity, text, **values)


def _request(pair: Pair) -> Iterator[Change]:
    """What stands between the call and the API."""
    old, new = pair.old.operation, pair.new.operation
    was, now = f"{old['method']} {old['path']}", f"{new['method']} {new['path']}"
    if was != now:
        yield _hidden(pair, "operation-moved", was, now)
    for code, key in (("operation-id-changed", "operation_id"), ("answer-format-changed", "accept")):
        if old.get(key) != new.get(key):
            yield _hidden(pair, code, old.get(key), new.get(key))
    types = [(one.get("body") or {}).get("content_type") for one in (old, new)]
    if types[0] != types[1] and None not in types:
        yield _hidden(pair, "request-format-changed", *types)
    yield from _serialization(pair)
    if pair.old.fixed != pair.new.fixed:
        reason = "The tool asks the API for something else than before."
        values = {"before": dict(pair.old.fixed), "after": dict(pair.new.fixed)}
        yield pair.change("fixed-values-changed", Kind.BEHAVIOUR, Severity.BREAKING, reason, **values)
    before, after = old.get("servers"), new.get("servers")
    if before != after:
        reason = "Calls go to another address, with the same credentials. Check it."
        yield pair.change(
            "operation-server-changed", Kind.SERVER, Severity.WARNING, reason, before=before, after=after
        )


def _hidden(pair: Pair, code: str, before: Any, after: Any) -> Change:
    """What the server does by itself."""
    reason = "The server does it by itself; callers see no difference."
    return pair.change(code, Kind.BEHAVIOUR, Severity.INFO, reason, before=before, after=after)


def _serialization(pair: Pair) -> Iterator[Change]:
    before, after = (_written(view.operation) for view in (pair.old, pair.new))
    both = [key for key in before if key in after and before[key] != after[key]]
    if both:
        yield _hidden(
            pair, "serialization-changed", [before[key] for key in both], [after[key] for key in both]
        )


def _written(operation: Mapping[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    """How each parameter is written, by place and name."""
    return {
        (one["in"], one["name"]): {
            key: value for key, value in one.items() if key not in ("required", "inner")
        }
        for one in operation.get("parameters", ())
    }


def server_changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    """Addresses and names of the whole server."""

    def change(code: str, severity: Severity, reason: str, before: Any, after: Any) -> Change:
        return Change(code, "", Kind.SERVER, severity, reason, before=before, after=after)

    was, now = old["server"], new["server"]
    if was.get("base_url") != now.get("base_url"):
        reason = "Servers that don't set an address of their own call another one, with the same credentials."
        yield change("base-url-changed", Severity.WARNING, reason, was.get("base_url"), now.get("base_url"))
    if was.get("servers") != now.get("servers"):
        reason = "Operators who choose among them by variable may have to look again."
        yield change("servers-changed", Severity.INFO, reason, was.get("servers"), now.get("servers"))
    names = [{key: one["project"].get(key) for key in _PROJECT} for one in (old, new)]
    if names[0] != names[1]:
        reason = "The command that starts the server, or the variables that set it up, have other names."
        yield change("project-renamed", Severity.BREAKING, reason, *names)

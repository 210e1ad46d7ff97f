"""What a difference of schemas means: arguments may only admit more, results may only promise more.

The rules follow those that oasdiff publishes, except where a tool's caller is affected otherwise (see the reasons).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mcpgen.diff.model import Change, Kind, Severity
from mcpgen.diff.schemas import Delta, Way
from mcpgen.diff.view import Pair

_BREAKING, _WARNING, _INFO = Severity.BREAKING, Severity.WARNING, Severity.INFO
Verdict = tuple[Severity, str]

_ARGUMENTS: Mapping[Way, Verdict] = {
    Way.NARROWED: (_BREAKING, "Calls that were valid are refused now."),
    Way.WIDENED: (_INFO, "Every call that was valid still is."),
    Way.CHANGED: (_BREAKING, "It can't be shown that every call that was valid still is."),
    Way.UNSURE: (_WARNING, "Calls stay valid, but may mean something else."),
    Way.NOTE: (_INFO, "Every call that was valid still is."),
}
_RESULTS: Mapping[Way, Verdict] = {
    Way.NARROWED: (_INFO, "Results keep what was promised."),
    Way.WIDENED: (_BREAKING, "Results can be what callers were promised not to see."),
    Way.CHANGED: (_BREAKING, "It can't be shown that results keep what was promised."),
    Way.UNSURE: (_WARNING, "Nothing promised it, but callers may rely on it."),
    Way.NOTE: (_INFO, "Results keep what was promised."),
}
_LIMIT = "Mostly the API refused such calls before; where it did not, calls that worked are refused now."
_PATTERN = "Whether patterns admit the same texts can't be decided; texts that were valid may be refused now."
_FORMAT = "The server sends values of any form, but the API may refuse those that it took before."
_ARGUMENT_RULES: Mapping[str, Verdict] = {
    "limit-set": (_WARNING, _LIMIT),
    "pattern-changed": (_WARNING, _PATTERN),
    "property-added-required": (_BREAKING, "Calls that leave it out are refused now."),
    "property-became-required": (_BREAKING, "Calls that leave it out are refused now."),
    "detail-gained": (
        _WARNING,
        "The server checks more before it sends; what the API admits may be the same.",
    ),
    "enum-value-removed": (_BREAKING, "Calls with such a value are refused now."),
    **dict.fromkeys(("format-added", "format-changed", "format-narrowed"), (_BREAKING, _FORMAT)),
    "nullable-removed": (_BREAKING, "Calls with null are refused now."),
}
_PATTERN_OF_RESULTS = "A pattern describes texts; callers that read them don't depend on it."
_RESULT_RULES: Mapping[str, Verdict] = {
    "enum-value-added": (_WARNING, "Callers that handle each value meet one that they don't know."),
    "enum-removed": (_WARNING, "Callers that handle each value may meet others."),
    "pattern-removed": (_INFO, _PATTERN_OF_RESULTS),
    "pattern-changed": (_INFO, _PATTERN_OF_RESULTS),
    "pattern-generalized": (_INFO, _PATTERN_OF_RESULTS),
    "property-became-optional": (_BREAKING, "Callers that read it may not find it."),
    "nullable-added": (_BREAKING, "Callers that read it may find null."),
    "others-opened": (_INFO, "Callers ignore properties that they don't know."),
    "detail-lost": (_WARNING, "The promise is gone; what the API answers may be the same."),
    "body-removed": (_BREAKING, "Callers that read the data find null."),
    "body-added": (_INFO, "Callers found null before, so that they don't rely on it."),
}
_DEFAULT = "Calls that leave it out may mean something else now."


def argument_verdict(delta: Delta, *, parameter: bool) -> Verdict:
    """What a difference of arguments means; `parameter` is false for what is sent in a body."""
    if delta.code.startswith("default-"):
        if parameter and len(delta.path) <= 2:
            return _BREAKING, _DEFAULT
        return (
            (_WARNING, _DEFAULT) if delta.code == "default-changed" else (_INFO, "It says what was the case.")
        )
    if delta.code == "property-removed" and delta.way is not Way.UNSURE:
        if delta.way is Way.WIDENED:
            return _WARNING, "Calls with it stay valid; the API may ignore it, or refuse it."
        return _BREAKING, "Calls with it are refused now."
    if delta.code == "property-added-required" and delta.way is Way.NOTE:
        return _ARGUMENTS[Way.NOTE]
    return _ARGUMENT_RULES.get(delta.code, _ARGUMENTS[delta.way])


def result_verdict(delta: Delta) -> Verdict:
    """What a difference of results means."""
    if delta.code == "property-removed":
        if delta.way is Way.UNSURE:
            return _RESULTS[Way.UNSURE]
        return _BREAKING, "Callers that read it don't find it."
    if delta.code.startswith("default-"):
        return _INFO, "Results keep what was promised."
    return _RESULT_RULES.get(delta.code, _RESULTS[delta.way])


def pointer(path: Sequence[str]) -> str:
    """The JSON pointer for tokens (RFC 6901)."""
    return "".join(f"/{token.replace('~', '~0').replace('/', '~1')}" for token in path)


def schema_change(pair: Pair, kind: Kind, delta: Delta, verdict: Verdict) -> Change:
    """The change for a difference."""
    code = f"{kind}-{delta.code}"
    severity, reason = verdict
    return pair.change(
        code, kind, severity, reason, where=pointer(delta.path), before=delta.before, after=delta.after
    )


def without_details(deltas: Sequence[Delta]) -> tuple[list[Delta], list[Delta]]:
    """The differences, with what says more or less of the same kind drawn together: large schemas have hundreds."""
    kept: list[Delta] = []
    details: dict[str, list[Delta]] = {}
    for delta in deltas:
        if delta.code in ("detail-lost", "detail-gained"):
            details.setdefault(delta.code, []).append(delta)
        else:
            kept.append(delta)
    return kept, [_joined(group) for _, group in sorted(details.items())]


def _joined(group: Sequence[Delta]) -> Delta:
    first = group[0]
    if len(group) == 1:
        return first
    places = f"{len(group)} places"
    before, after = (places, None) if first.code == "detail-lost" else (None, places)
    return Delta(first.code, first.way, first.path, before, after)

"""What models and people read: titles, descriptions, deprecation, the toolset."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.diff.model import Change, Kind, Severity
from mcpgen.diff.view import Pair

DEPRECATED = ("Deprecated.", "Veraltet.", "Obsoleta.", "非推奨です。", "Устарело.", "已弃用。")
"""How a generated description says that something is deprecated."""


def says_deprecated(text: str) -> bool:
    """Whether a description says that its tool or argument is deprecated."""
    return any(word in text for word in DEPRECATED)


def text_changes(pair: Pair) -> Iterator[Change]:
    """Titles and descriptions are not part of the contract, but they decide which tool a model picks."""
    old, new = pair.old.wire, pair.new.wire
    was, now = says_deprecated(old["description"]), says_deprecated(new["description"])
    if was != now:
        code = "deprecated" if now else "undeprecated"
        reason = "It still works, but may go." if now else "It is there to stay again."
        yield pair.change(code, Kind.TEXT, Severity.INFO, reason)
    for key in ("title", "description"):
        if old[key] != new[key]:
            reason = "Models read it to choose a tool; nothing that worked stops working."
            texts = {"before": old[key], "after": new[key]}
            yield pair.change(f"{key}-changed", Kind.TEXT, Severity.INFO, reason, **texts)
    before, after = pair.old.operation["toolset"], pair.new.operation["toolset"]
    if before != after:
        reason = "Servers that register only some toolsets may lose or gain it."
        yield pair.change("toolset-moved", Kind.TOOLSET, Severity.INFO, reason, before=before, after=after)

"""What a tool can't do and how it fails: pages, scopes, documented failures, repeated calls, work that is done later."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from mcpgen.ir.api import Operation, Schema
from mcpgen.plan.following import PagingPlan
from mcpgen.plan.texts.failures import failures_text
from mcpgen.plan.texts.phrases import Phrases
from mcpgen.plan.texts.words import ended

_SCOPES = 2
_SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE", "QUERY"})
"""Methods that everybody knows to change nothing (RFC 9110, 9.2.1)."""


def limits_text(
    operation: Operation,
    *,
    paging: PagingPlan | None,
    properties: Mapping[str, Any],
    status: int,
    destructive: bool,
    repeated: str,
    reads: bool,
    schemas: Mapping[str, Schema],
    shared: Collection[str],
    known: str,
    phrases: Phrases,
) -> list[str]:
    """Sentences on limits and failures, the more important first; only what the document says.

    Args:
        repeated: what a second call does: a key of `repeat` in the catalogue, "" where nobody needs to know.
        reads: whether the call changes nothing.
        shared: texts of failures, and scopes, that nearly all operations have.
        known: what the description says already.
    """
    scopes = _scopes(operation, shared)
    said = "idempoten" in known.lower()
    found = [
        phrases["destructive"] if destructive else "",
        ended(phrases[f"repeat.{repeated}"], phrases["stop"]) if repeated == "adds" and not said else "",
        failures_text(operation, shared, known, schemas, phrases),
        ended(phrases["later"], phrases["stop"]) if status == 202 and "async" not in known.lower() else "",
        _pages(paging, properties, phrases),
        ended(phrases.say("scope", text=scopes), phrases["stop"]) if scopes else "",
        (
            ended(phrases[f"repeat.{repeated}"], phrases["stop"])
            if repeated not in ("", "adds") and not said
            else ""
        ),
    ]
    kept = [text for text in found if text]
    if reads and (operation.method not in _SAFE or len(kept) <= bool(found[2])):
        kept.append(ended(phrases["reads"], phrases["stop"]))
    return kept


def _pages(paging: PagingPlan | None, properties: Mapping[str, Any], phrases: Phrases) -> str:
    """How many items a page has, where the schema of the argument says it."""
    if paging is None or paging.size is None:
        return ""
    schema = properties.get(paging.size)
    schema = schema if isinstance(schema, Mapping) else {}
    limit, default = schema.get("maximum"), schema.get("default", paging.limit)
    if _is_count(limit):
        key = "pages_default" if _is_count(default) and default != limit else "pages"
        return ended(phrases.say(key, limit=limit, default=default), phrases["stop"])
    if _is_count(default):
        return ended(phrases.say("pages_unbounded", default=default), phrases["stop"])
    return ""


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value < 1_000_000


def _scopes(operation: Operation, shared: Collection[str]) -> str:
    """The scopes of an operation with one way to authorize it; those that all operations need say nothing."""
    wanted = {tuple(scopes) for way in operation.security for scopes in way.values() if scopes}
    if len(wanted) != 1:
        return ""
    scopes = tuple(scope for scope in next(iter(wanted)) if scope.lower() != "none")
    text = ", ".join(f"`{scope}`" for scope in scopes)
    return text if len(scopes) <= _SCOPES and text not in shared and len(text) <= 80 else ""


def shared_scopes(operation: Operation) -> str:
    """The scopes of an operation as one text, for counting how many operations share them."""
    return _scopes(operation, ())

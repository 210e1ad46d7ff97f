"""Why a query finds nothing: where its way ends."""

from __future__ import annotations

import difflib
from typing import Any

from jsonpath_rfc9535 import JSONPathError, JSONPathNode, JSONPathQuery
from jsonpath_rfc9535.selectors import NameSelector

from mcpgen.source.overlays.jsonpath import TooMuchWork


def why_nothing(query: JSONPathQuery, root: Any) -> str | None:
    """The last part of the way that exists, and what was probably meant to come next; None where that says nothing."""
    try:
        for length in range(len(query.segments) - 1, -1, -1):
            found = JSONPathQuery(env=query.env, segments=query.segments[:length]).find_one(root)
            if found is not None:
                return _missing(found, query, length)
    except (TooMuchWork, JSONPathError):
        pass  # a hint is not worth an error
    return None


def _missing(found: JSONPathNode, query: JSONPathQuery, length: int) -> str | None:
    segment, value = query.segments[length], found.value
    if not isinstance(value, dict) or not segment.selectors:
        return None
    selector = segment.selectors[0]
    if len(segment.selectors) > 1 or not isinstance(selector, NameSelector):
        return None
    if isinstance(value.get("$ref"), str):
        return f"`{found.path()}` is a reference to `{value['$ref']}`, and overlays do not follow references."
    close = difflib.get_close_matches(selector.name, list(value), n=1)
    meant = f" Did you mean `{close[0]}`?" if close else ""
    return f"`{found.path()}` has no `{selector.name}`.{meant}"

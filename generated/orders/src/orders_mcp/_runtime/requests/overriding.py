"""Names by which a caller could change the method of a request: frameworks read them from the query and from bodies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..outcomes.failures import invalid

OVERRIDING = frozenset({"_method", "x-http-method-override", "x-http-method", "x-method-override"})
"""Rails and Laravel read the first, Express and others also the rest. A caller of a reading tool could delete with them."""


def refuse_overriding(names: Iterable[str], fixed: Mapping[str, object]) -> None:
    """Refuses free keys that would make another request of this one. A value that the tool itself sets is part of it.

    Raises:
        CallFailed: there is such a name.
    """
    for name in names:
        if name.lower() in OVERRIDING and name not in fixed:
            raise invalid(f"`{name}` can't be sent: it would change what the call does.")

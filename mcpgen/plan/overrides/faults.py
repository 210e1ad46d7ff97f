"""What is wrong with what is said about operations: told where it stands, and in the end the run is refused."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable

from mcpgen.diagnostics import Collector, Location, Refused
from mcpgen.plan.overrides.model import Said

Locate = Callable[[tuple[str, ...]], Location | None]


class Faults:
    """Gathers the faults of one run. `locate` gives the line of a place in the configuration."""

    def __init__(self, diagnostics: Collector, locate: Locate = lambda place: None) -> None:
        self._diagnostics = diagnostics
        self._locate = locate
        self._found = False

    def add(self, said: Said | None, message: str) -> None:
        """One fault. What the configuration says wrongly is `config-invalid`, what the document does `extension-invalid`."""
        self._found = True
        where = said or Said()
        if where.configured:
            self._diagnostics.add("config-invalid", message, self._locate(where.place))
        else:
            self._diagnostics.add("extension-invalid", message, where.location)

    def warn(self, said: Said | None, code: str, message: str) -> None:
        """Something that is followed all the same."""
        where = said or Said()
        location = self._locate(where.place) if where.configured else where.location
        self._diagnostics.add(code, message, location)

    def close(self) -> None:
        """The end of planning.

        Raises:
            Refused: there were faults.
        """
        if self._found:
            raise Refused("what is said about operations is wrong")


def close_to(name: str, known: Iterable[str], *, most: int = 3) -> str:
    """` Did you mean X or Y?`, or what there is, where nothing is close."""
    names = list(known)
    folded = {one.lower(): one for one in names}
    close = [folded[hit] for hit in difflib.get_close_matches(name.lower(), list(folded), n=most, cutoff=0.6)]
    if close:
        return f" Did you mean {' or '.join(close)}?"
    if not names:
        return ""
    shown = ", ".join(names[:8])
    return f" Known are: {shown}{', …' if len(names) > 8 else ''}."

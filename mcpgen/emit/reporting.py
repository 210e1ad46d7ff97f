"""What the user hears of a change set."""

from __future__ import annotations

from mcpgen.diagnostics import Collector, Location
from mcpgen.emit.changes import CONFLICT, FOREIGN
from mcpgen.emit.merging import Conflict
from mcpgen.emit.model import Action, Change, ChangeSet

_SHOWN = 120
_CHOICES = "--conflicts inline, ours or theirs decides"
_HINTS = {
    CONFLICT: f"Nothing was written; {_CHOICES}.",
    FOREIGN: f"Choose another folder, or move them away; {_CHOICES} about ordinary files.",
}

_LEFT = "Nothing that is generated uses it any more: take out of it what you need, then delete it."


def report(changes: ChangeSet, diagnostics: Collector, place: Location) -> bool:
    """Says what is in the way, and what was kept; tells whether anything is in the way."""
    conflicts = changes.of(Action.CONFLICT)
    for change in conflicts:
        for conflict in change.conflicts:
            location = Location(f"{place.file}/{change.path}", line=conflict.line, column=1)
            diagnostics.add(CONFLICT, _sentence(conflict), location, hint=_HINTS[CONFLICT])
    foreign = [change for change in conflicts if change.code == FOREIGN]
    if foreign:
        names = ", ".join(f"{change.path} ({change.reason})" for change in foreign)
        count = "1 file is" if len(foreign) == 1 else f"{len(foreign)} files are"
        diagnostics.add(FOREIGN, f"{count} in the way: {names}.", place, hint=_HINTS[FOREIGN])
    for change in changes:
        if change.code is not None and change.action is not Action.CONFLICT:
            location = Location(f"{place.file}/{change.path}")
            hint = _LEFT if change.action is Action.KEPT else None
            diagnostics.add(change.code, _kept(change), location, hint=hint)
        for conflict in change.conflicts:
            if conflict.gone and change.action is not Action.CONFLICT:
                location = Location(f"{place.file}/{change.path}", line=conflict.line, column=1)
                diagnostics.add("output-dropped", _dropped(conflict), location)
    return bool(conflicts)


def _dropped(conflict: Conflict) -> str:
    return f"An edit went with {conflict.place}, which is no longer generated; yours was: {_shown(conflict.ours)}."


def _kept(change: Change) -> str:
    end = "; it was left alone" if change.action is Action.KEPT else ""
    return f"The file {change.reason}{end}."


def _sentence(conflict: Conflict) -> str:
    if conflict.reason:
        return f"{conflict.reason[:1].upper()}{conflict.reason[1:]}."
    if conflict.gone:
        return f"{conflict.place} is no longer generated, and an edit of yours would go with it: {_shown(conflict.ours)}."
    where = f" in {conflict.place}" if conflict.place else ""
    ours, theirs = _shown(conflict.ours), _shown(conflict.theirs)
    return f"An edit and a new text overlap{where}; yours: {ours}; generated: {theirs}."


def _shown(text: str) -> str:
    text = " ".join(text.split())
    if not text:
        return "(removed)"
    return f"`{text if len(text) <= _SHOWN else text[:_SHOWN] + '…'}`"

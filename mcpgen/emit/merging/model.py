"""What merging gives: a text, and the places where it could not decide."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Choice(StrEnum):
    """What happens where an edit and a new text overlap; without a choice, nothing is written.

    `INLINE` leaves both in the file, between markers; `OURS` takes the team's side, `THEIRS` the generated one.
    """

    INLINE = "inline"
    OURS = "ours"
    THEIRS = "theirs"


@dataclass(frozen=True, slots=True)
class Conflict:
    """One overlap.

    Attributes:
        line: where it begins in the team's file, from 1.
        place: what it is in, such as a function's name or a JSON pointer; empty for a plain text.
        ours: the team's side; empty where it removed the place.
        theirs: the generated side; empty where it is no longer generated.
        reason: what is wrong when it is not an overlap.
        gone: the place is an entry of a tool that is gone, and goes with every choice.
    """

    line: int
    place: str
    ours: str
    theirs: str
    reason: str = ""
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Merged:
    """A merged text.

    Where there are conflicts, the text has what `choice` said, and the team's side when there was no choice. `kept` names
    what is no longer generated, but stays because it was edited.
    """

    text: str
    conflicts: tuple[Conflict, ...] = ()
    kept: tuple[str, ...] = field(default=())


class Unstructured(Exception):
    """A text is not in the form that the merge by structure needs; it is merged by lines instead."""

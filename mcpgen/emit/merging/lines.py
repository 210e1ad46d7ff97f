"""Merges texts three ways, line by line.

`merge3` finds which lines all three texts share. What lies between two shared places was changed by one side, by both
in the same way, or by both in different ways. In the last case the two changes are looked at again: where they touch
different lines they only stand side by side, and both are carried out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from merge3 import Merge3

from mcpgen.emit.merging.model import Choice, Conflict, Merged

OURS, MIDDLE, THEIRS = "<<<<<<< yours\n", "=======\n", ">>>>>>> generated\n"
_BEGIN, _END = "<<<<<<< ", ">>>>>>> "


class _Matcher(SequenceMatcher[str]):
    """Without the shortcut for frequent lines, which finds no shared blank lines in a long text."""

    def __init__(self, isjunk: object, a: Sequence[str], b: Sequence[str], autojunk: bool = False) -> None:
        super().__init__(None, a, b, autojunk=False)


class _Gap(NamedTuple):
    """What lies between two shared places of three texts, then the shared lines that follow, as those of ours."""

    base: slice
    ours: slice
    theirs: slice
    shared: slice


def same(line: str) -> str:
    """The line itself: how lines are compared when the base is a text."""
    return line


def merge_lines(
    base: Sequence[str],
    ours: Sequence[str],
    theirs: Sequence[str],
    choice: Choice | None,
    *,
    key: Callable[[str], str] = same,
    start: int = 1,
    place: str = "",
) -> Merged:
    """Merges lines, each with its end.

    Args:
        base: the keys of the lines that both sides started from.
        ours: the team's lines.
        theirs: the newly generated lines.
        choice: what is taken where both sides changed the same lines.
        key: what a line is compared by; `base` may be known by its keys only.
        start: the number of the first of the team's lines.
        place: what the lines are, for conflicts.
    """
    left, right = [key(line) for line in ours], [key(line) for line in theirs]
    text: list[str] = []
    conflicts: list[Conflict] = []
    for gap in _gaps(base, left, right):
        before, mine, new = base[gap.base], left[gap.ours], right[gap.theirs]
        if mine in (new, before):
            text += theirs[gap.theirs] if mine == before else ours[gap.ours]
        elif new == before:
            text += ours[gap.ours]
        else:
            both = _side_by_side(before, mine, new, ours[gap.ours], theirs[gap.theirs])
            if both is None:
                conflict = Conflict(
                    start + gap.ours.start, place, "".join(ours[gap.ours]), "".join(theirs[gap.theirs])
                )
                conflicts.append(conflict)
                both = chosen(ours[gap.ours], theirs[gap.theirs], choice)
            text += both
        text += ours[gap.shared]
    return Merged("".join(text), tuple(conflicts))


def chosen(ours: Sequence[str], theirs: Sequence[str], choice: Choice | None) -> list[str]:
    """The lines that stand for an overlap."""
    if choice is Choice.THEIRS:
        return list(theirs)
    if choice is Choice.INLINE:
        return [OURS, *_ended(ours), MIDDLE, *_ended(theirs), THEIRS]
    return list(ours)


def lines_of(text: str) -> list[str]:
    """The lines of a text, each with its end. Only a line feed ends a line, as for Python and for editors."""
    *lines, last = text.split("\n")
    return [f"{line}\n" for line in lines] + ([last] if last else [])


def has_markers(text: str) -> bool:
    """Whether a text still holds an overlap that nobody has decided."""
    return marked_line(text) is not None


def marked_line(text: str) -> int | None:
    """The line of the first overlap that nobody has decided, of an update or of a merge of branches; None without one."""
    lines = lines_of(text)
    begin = next((number for number, line in enumerate(lines, 1) if line.startswith(_BEGIN)), None)
    return begin if any(line.startswith(_END) for line in lines) else None


def _ended(lines: Sequence[str]) -> list[str]:
    return [line if line.endswith("\n") else f"{line}\n" for line in lines]


def _gaps(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> Iterator[_Gap]:
    z = a = b = 0
    matcher: Any = _Matcher  # merge3 asks for plain tuples where difflib gives named ones
    merge = Merge3(base, ours, theirs, sequence_matcher=matcher)
    for z_start, z_end, a_start, a_end, b_start, b_end in merge.find_sync_regions():
        yield _Gap(slice(z, z_start), slice(a, a_start), slice(b, b_start), slice(a_start, a_end))
        z, a, b = z_end, a_end, b_end


def _side_by_side(
    base: Sequence[str],
    left: Sequence[str],
    right: Sequence[str],
    ours: Sequence[str],
    theirs: Sequence[str],
) -> list[str] | None:
    """Both changes, when no line of the base takes part in both and not both add lines at one place; else None."""
    mine, new = _edits(base, left), _edits(base, right)
    if any(_overlap(x, y) for x in mine for y in new):
        return None
    edits = sorted([(*edit, ours) for edit in mine] + [(*edit, theirs) for edit in new], key=lambda e: e[:2])
    same_lines = {i: ours[j] for i, j in _shared(base, left)} | {
        i: theirs[j] for i, j in _shared(base, right)
    }
    found: list[str] = []
    position = 0
    for start, end, first, last, lines in edits:
        found += [same_lines[i] for i in range(position, start)]
        found += lines[first:last]
        position = end
    return found + [same_lines[i] for i in range(position, len(base))]


def _edits(base: Sequence[str], other: Sequence[str]) -> list[tuple[int, int, int, int]]:
    matcher = _Matcher(None, base, other)
    return [(i1, i2, j1, j2) for tag, i1, i2, j1, j2 in matcher.get_opcodes() if tag != "equal"]


def _shared(base: Sequence[str], other: Sequence[str]) -> Iterator[tuple[int, int]]:
    for i, j, size in _Matcher(None, base, other).get_matching_blocks():
        yield from ((i + k, j + k) for k in range(size))


def _overlap(x: tuple[int, int, int, int], y: tuple[int, int, int, int]) -> bool:
    if x[0] == x[1] and y[0] == y[1]:
        return x[0] == y[0]
    return x[0] < y[1] and y[0] < x[1]

"""The order of named things that were added, removed and moved on two sides."""

from __future__ import annotations

from collections.abc import Sequence


def merged_order(base: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> list[str]:
    """All keys of three sequences without repeats in one order.

    It is the new order, unless the team moved something: then it is the team's. What the other side has more comes
    after what it came after there.
    """
    before, mine = set(base), set(ours)
    moved = [key for key in ours if key in before] != [key for key in base if key in mine]
    frame, other = (ours, theirs) if moved else (theirs, ours)
    found = list(frame)
    for sequence in (other, base):
        known = set(found)
        after = -1
        for key in sequence:
            if key in known:
                after = found.index(key)
            else:
                after += 1
                found.insert(after, key)
    return found

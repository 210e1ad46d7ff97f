"""Merges Python modules three ways, definition by definition.

Two functions that come, go or change beside each other have nothing to do with each other, though their lines touch.
So each definition is merged by itself, under its name; one that the team renamed is recognised and keeps the team's name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from difflib import SequenceMatcher

from mcpgen.emit.merging.imports import merge_head
from mcpgen.emit.merging.lines import chosen, lines_of, merge_lines
from mcpgen.emit.merging.model import Choice, Conflict, Merged
from mcpgen.emit.merging.order import merged_order
from mcpgen.emit.merging.pieces import FOLLOWING, HEAD, Piece, named, pieces

_ALIKE = 0.6
"""From this share of equal lines on, a new definition is an old one under another name."""


def merge_python(base: str, ours: str, theirs: str, choice: Choice | None) -> Merged:
    """Merges modules.

    Raises:
        Unstructured: one of the texts can't be cut into definitions.
    """
    before, mine, new = pieces(base), pieces(ours), pieces(theirs)
    given = dict(renamings(before, mine))
    mine = dict(_under_old_names(mine, {new: old for old, new in given.items()}))
    results = {
        key: _merge_piece(key, before.get(key), mine.get(key), new.get(key), choice, renamed=key in given)
        for key in merged_order(list(before), list(mine), list(new))
    }
    texts = [named(one.text, given[key]) if key in given else one.text for key, one in results.items()]
    return Merged(
        _joined(texts),
        tuple(conflict for one in results.values() for conflict in one.conflicts),
        tuple(name for one in results.values() for name in one.kept),
    )


def _merge_piece(
    key: str,
    base: Piece | None,
    ours: Piece | None,
    theirs: Piece | None,
    choice: Choice | None,
    *,
    renamed: bool,
) -> Merged:
    if base is not None and ours is not None and theirs is not None:
        merge = merge_head if key == HEAD else merge_lines
        return merge(base.lines, ours.lines, theirs.lines, choice, start=ours.line, place=key)
    if ours is None and theirs is None:
        return Merged("")
    if base is None and (ours is None or theirs is None or ours.text == theirs.text):
        return Merged((ours or theirs or Piece(key, ())).text)
    if theirs is None and base is not None and ours is not None:
        untouched = ours.text == base.text and not renamed
        return Merged("") if untouched else Merged(ours.text, kept=(key,) if ours.defines else ())
    if ours is None and base is not None and theirs is not None and theirs.text == base.text:
        return Merged("")
    left, right = ours or Piece(key, ()), theirs or Piece(key, ())
    text = "".join(chosen(left.lines, right.lines, choice))
    return Merged(text, (Conflict(left.line, key, left.text, right.text),))


def renamings(base: Mapping[str, Piece], ours: Mapping[str, Piece]) -> Iterator[tuple[str, str]]:
    """Old name and new name of definitions that the team renamed: what is most alike, each once."""
    lost = [piece for key, piece in base.items() if key not in ours and piece.defines]
    added = [piece for key, piece in ours.items() if key not in base and piece.defines]
    rated = [(_likeness(old, new), old.key, new.key) for old in lost for new in added]
    taken: set[str] = set()
    for rate, old, new in sorted(rated, key=lambda entry: -entry[0]):
        if rate >= _ALIKE and not {f"-{old}", f"+{new}"} & taken:
            taken |= {f"-{old}", f"+{new}"}
            yield old, new


def _under_old_names(ours: Mapping[str, Piece], old: Mapping[str, str]) -> Iterator[tuple[str, Piece]]:
    """The team's pieces as if it had renamed nothing."""
    for key, piece in ours.items():
        name = key.removesuffix(FOLLOWING)
        if name not in old:
            yield key, piece
        elif piece.defines:
            yield old[name], replace(piece, lines=tuple(lines_of(named(piece.text, old[name]))))
        else:
            yield f"{old[name]}{FOLLOWING}", piece


def _likeness(old: Piece, new: Piece) -> float:
    other = lines_of(named(new.text, old.key))
    return SequenceMatcher(None, old.lines, other, autojunk=False).ratio()


def _joined(texts: Iterable[str]) -> str:
    """The pieces one after the other; a definition that comes first keeps no empty lines before it."""
    found = ""
    for text in texts:
        if found and text and not found.endswith("\n"):
            found += "\n"
        found += text if found else text.lstrip("\n")
    return found

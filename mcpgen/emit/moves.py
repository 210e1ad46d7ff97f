"""Finds what moved between files from one run to the next, so that the team's edits move along.

A tag that is renamed renames a module; an operation that gets another tag moves one function; a class that a second toolset
uses moves to the shared models. The names of tools and classes stay, and by them it is seen. A file of the run-time library
that has moved in another version of mcpgen is known by its lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import PurePosixPath

from mcpgen.emit.merging.model import Unstructured
from mcpgen.emit.merging.needs import Module, imports_for, names_used, with_imports
from mcpgen.emit.merging.pieces import HEAD, Piece, pieces
from mcpgen.emit.merging.python import renamings

_MOVED = ("tools", "models")
"""The folders of a package whose modules follow the API."""
_TESTS = "tests"


_ALIKE = 0.6
"""From this share of equal lines on, a new run-time file is an old one in another place."""
_TELLING = 8
"""Lines; shorter files are alike by chance."""


@dataclass(frozen=True, slots=True)
class Texts:
    """One file on two sides: the last generated text, and the team's; None where the team has deleted it."""

    base: str
    ours: str | None


def renamed_modules(
    base: Mapping[PurePosixPath, str], theirs: Mapping[PurePosixPath, str]
) -> dict[PurePosixPath, PurePosixPath]:
    """New path -> old path of modules that are generated under another name: half of what they define is the same."""
    gone = [path for path in base if path not in theirs and _follows(path)]
    new = [path for path in theirs if path not in base and _follows(path)]
    if not gone or not new:
        return {}
    defined = {path: _definitions(theirs[path]) for path in new}
    found: dict[PurePosixPath, PurePosixPath] = {}
    for path in sorted(gone):
        names = _definitions(base[path])
        rated = [
            (len(names & defined[other]), other)
            for other in new
            if other.parent.name == path.parent.name and other not in found
        ]
        count, best = max(rated, key=lambda entry: (entry[0], str(entry[1])), default=(0, path))
        if count and 2 * count >= len(names):
            found[best] = path
    return found


def _follows(path: PurePosixPath) -> bool:
    """Whether a file is a module of the package that follows the API."""
    return path.parent.name in _MOVED and path.parts[0] != _TESTS


def renamed_tests(
    base: Mapping[PurePosixPath, str],
    theirs: Mapping[PurePosixPath, str],
    modules: Mapping[PurePosixPath, PurePosixPath],
) -> dict[PurePosixPath, PurePosixPath]:
    """New path -> old path of what tests tools that are elsewhere now.

    The test module of a toolset follows the module of its tools, of which `modules` says where it went. The case file of a
    tool has the tool's name, whatever its toolset is.
    """
    found: dict[PurePosixPath, PurePosixPath] = {}
    for new, old in modules.items():
        after, before = (PurePosixPath(_TESTS, "tools", f"test_{path.name}") for path in (new, old))
        if new.parent.name == "tools" and after in theirs and before in base and before not in theirs:
            found[after] = before
    gone = {path.name: path for path in base if path not in theirs and _is_case(path)}
    found |= {
        path: gone[path.name] for path in theirs if path not in base and _is_case(path) and path.name in gone
    }
    return found


def _is_case(path: PurePosixPath) -> bool:
    return path.parts[:2] == (_TESTS, "cases") and len(path.parts) == 4


def renamed_package(
    base: Mapping[PurePosixPath, str], theirs: Mapping[PurePosixPath, str], old: str | None, new: str | None
) -> dict[PurePosixPath, PurePosixPath]:
    """New path -> old path of the files of a package that the configuration gives another name."""
    if old is None or new is None or old == new:
        return {}
    before, after = PurePosixPath("src", old), PurePosixPath("src", new)
    pairs = ((path, before / path.relative_to(after)) for path in theirs if path.is_relative_to(after))
    return {path: source for path, source in pairs if source in base}


def moved_vendored(
    gone: Mapping[PurePosixPath, Sequence[str]], new: Mapping[PurePosixPath, Sequence[str]]
) -> dict[PurePosixPath, PurePosixPath]:
    """New path -> old path of run-time files that another version of mcpgen has elsewhere: their lines are mostly the same.

    Both have the keys of the lines of each file. Of several that are alike, the most alike is taken, then one of the same name.
    """
    rated = []
    for old, lines in gone.items():
        for path, others in new.items():
            matcher = SequenceMatcher(None, lines, others, autojunk=False)
            if len(lines) >= _TELLING and matcher.quick_ratio() >= _ALIKE and matcher.ratio() >= _ALIKE:
                rated.append((-matcher.ratio(), old.name != path.name, path, old))
    found: dict[PurePosixPath, PurePosixPath] = {}
    for _, _, path, old in sorted(rated):
        if path not in found and old not in found.values():
            found[path] = old
    return found


def with_moved_definitions(
    sides: Mapping[PurePosixPath, Texts], theirs: Mapping[PurePosixPath, str]
) -> dict[PurePosixPath, Texts]:
    """The files, by the paths that they have now, whose texts look different once edited definitions have moved.

    A definition that the team changed, and that is generated in another module now, is taken out of its old module and
    put into the new one, in the base and in the team's text: then each module merges by itself.
    """
    changed: dict[PurePosixPath, Texts] = {}
    for path, side in sides.items():
        if side.ours is None or side.ours == side.base or not _follows(path):
            continue
        if not _pieces(side.ours):
            continue  # it is no Python now: what is in it can't be told
        moving = dict(_moving(path, side, sides, theirs))
        given = dict(renamings(_pieces(side.base), _pieces(side.ours)))
        moved = {given.get(name, name): target.stem for name, target in moving.items()}
        for name, target in moving.items():
            head = _head(theirs[target])
            before, mine = changed.get(path, side), changed.get(target, sides.get(target, Texts(head, head)))
            if mine.ours is not None:
                changed |= _carried(
                    name, given.get(name, name), (path, before), (target, mine), theirs, moved
                )
    return changed


def _moving(
    path: PurePosixPath,
    side: Texts,
    sides: Mapping[PurePosixPath, Texts],
    theirs: Mapping[PurePosixPath, str],
) -> Iterator[tuple[str, PurePosixPath]]:
    """Name and new module of each definition of a module that the team changed and that is generated elsewhere now."""
    base, ours = _pieces(side.base), _pieces(side.ours or "")
    staying = _definitions(theirs.get(path, ""))
    for name, piece in base.items():
        mine = ours.get(name)
        if not piece.defines or name in staying or (mine is not None and mine.text == piece.text):
            continue
        targets = [
            other
            for other, text in theirs.items()
            if other != path and other.parent == path.parent and name in _definitions(text)
        ]
        if len(targets) == 1 and name not in _definitions(sides.get(targets[0], Texts("", "")).base):
            yield name, targets[0]


def _carried(
    name: str,
    given: str,
    source: tuple[PurePosixPath, Texts],
    target: tuple[PurePosixPath, Texts],
    theirs: Mapping[PurePosixPath, str],
    moved: Mapping[str, str],
) -> dict[PurePosixPath, Texts]:
    """Both files after a definition went from one to the other, under the name that the team gave it, with imports of what
    it uses. Nothing where it can't go: then it stays where it is, and the report says so.
    """
    (path, here), (place, there) = source, target
    base, ours = _pieces(here.base), _pieces(here.ours or "")
    piece, mine = base.pop(name), ours.pop(given, None)
    if mine is None:
        return {path: Texts(_text(base), _text(ours)), place: replace(there, base=there.base + piece.text)}
    old = Module(path.stem, here.base, here.ours or "", theirs.get(path, ""))
    new = Module(place.stem, there.base, there.ours or "", theirs[place])
    needed = imports_for(mine.text, old, new, moved)
    calls_back = any(given in names_used(one.text) for key, one in ours.items() if one != base.get(key))
    if needed is None or (calls_back and any(one.startswith(f"from .{path.stem} ") for one in needed)):
        return {}
    left = with_imports(_text(ours), [f"from .{place.stem} import {given}"] if calls_back else [])
    grown = with_imports((there.ours or "") + mine.text, needed)
    return {path: Texts(_text(base), left), place: Texts(there.base + piece.text, grown)}


def _head(text: str) -> str:
    """What a module that is new has before its first definition: nobody has edited it yet."""
    found = _pieces(text).get(HEAD)
    return found.text if found else ""


def _text(found: Mapping[str, Piece]) -> str:
    return "".join(piece.text for piece in found.values())


def _definitions(text: str) -> set[str]:
    return {key for key, piece in _pieces(text).items() if piece.defines}


def _pieces(text: str) -> dict[str, Piece]:
    try:
        return pieces(text)
    except Unstructured:
        return {}

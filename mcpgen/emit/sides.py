"""The two sides of every locked file: what was generated last, and what the team has, wherever the file is now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from mcpgen.emit.lock import LockedFile
from mcpgen.emit.merging.lines import lines_of
from mcpgen.emit.model import FormattedFile, Ownership, digest
from mcpgen.emit.moves import (
    Texts,
    moved_vendored,
    renamed_modules,
    renamed_package,
    renamed_tests,
    with_moved_definitions,
)
from mcpgen.emit.pristine import line_key
from mcpgen.emit.project import Project, obstacle, text_of, unix


@dataclass(frozen=True, slots=True)
class Side:
    """One locked file.

    Attributes:
        source: where it was in the last run.
        entry: what the lock says of it; None where a definition moved in or out, so that its digest says nothing.
        base: the text that was generated last, or None where that is not known.
        ours: what is on disk; None where it was deleted.
        keys: the keys of the lines of a vendored file.
    """

    source: PurePosixPath
    entry: LockedFile | None
    base: str | None
    ours: bytes | None
    keys: tuple[str, ...] | None = None

    def untouched(self, data: bytes) -> bool:
        """Whether some bytes are what was generated last."""
        if self.entry is None:
            return self.base is not None and text_of(unix(data)) == self.base
        return self.entry.sha256 in {digest(data), digest(unix(data))}

    def was(self, file: FormattedFile) -> bool:
        """Whether a file is generated as it was the last time."""
        return self.entry is not None and self.entry.sha256 == file.sha256


def sides_of(
    planned: Mapping[PurePosixPath, FormattedFile], project: Project, package: str | None
) -> dict[PurePosixPath, Side]:
    """The sides of all locked files by the path that they have now; files that are no longer planned keep theirs.

    Raises:
        OSError: a file is there but cannot be read.
    """
    base = {path: project.pristine.text(path, entry.sha256) or "" for path, entry in project.files.items()}
    theirs = {path: text_of(file.data) for path, file in planned.items()}
    names = renamed_package(base, theirs, project.package, package)
    names |= renamed_modules({p: t for p, t in base.items() if p not in names.values()}, theirs)
    names |= renamed_tests(base, theirs, names)
    found: dict[PurePosixPath, Side] = {}
    for path, entry in project.files.items():
        if ".." not in path.parts and not path.is_absolute():
            found[path] = _side(path, entry, project)
    names |= _moved_vendored(found, planned)
    for path, source in names.items():
        if source in found and project.read(path) is None:
            found[path] = found.pop(source)
    modules = {
        path: text
        for path, text in theirs.items()
        if path.suffix == ".py" and (path in found or project.read(path) is None)
    }
    return found | _moved(found, modules)


def _side(path: PurePosixPath, entry: LockedFile, project: Project) -> Side:
    ours = None if obstacle(path, project.output) else project.read(path)
    keys = project.pristine.keys(path, entry.sha256) if entry.ownership is Ownership.VENDORED else None
    return Side(path, entry, project.pristine.text(path, entry.sha256), ours, keys)


def _moved_vendored(
    sides: Mapping[PurePosixPath, Side], planned: Mapping[PurePosixPath, FormattedFile]
) -> dict[PurePosixPath, PurePosixPath]:
    """New path -> old path of files of the run-time library that the team has edited, and that are elsewhere now."""
    gone = {
        path: side.keys
        for path, side in sides.items()
        if path not in planned and side.keys and side.ours is not None and not side.untouched(side.ours)
    }
    if not gone:
        return {}
    new = {
        path: [line_key(line) for line in lines_of(text_of(file.data))]
        for path, file in planned.items()
        if file.ownership is Ownership.VENDORED and path not in sides
    }
    return moved_vendored(gone, new)


def _moved(
    sides: Mapping[PurePosixPath, Side], theirs: Mapping[PurePosixPath, str]
) -> dict[PurePosixPath, Side]:
    """The sides that look different because a definition moved."""
    texts = {
        path: Texts(side.base, None if side.ours is None else text_of(unix(side.ours)))
        for path, side in sides.items()
        if side.base is not None and path.suffix == ".py"
    }
    found: dict[PurePosixPath, Side] = {}
    for path, text in with_moved_definitions(texts, theirs).items():
        source = sides[path].source if path in sides else path
        ours = None if text.ours is None else text.ours.encode("utf-8", "surrogateescape")
        found[path] = Side(source, None, text.base, ours)
    return found

"""Compares what is planned with what is on disk and with the lock. Reads the disk, changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath

from mcpgen.emit.lock import LOCK_NAME, Lock, LockedFile
from mcpgen.emit.model import Action, Change, ChangeSet, FormattedFile, Ownership, digest

EDITED = "output-edited"
FOREIGN = "output-not-ours"
KEPT = "output-kept"


def check_paths(files: Iterable[FormattedFile]) -> None:
    """Makes sure that no planned path can leave the output folder or meet another one.

    Names ignore case here, because some file systems do.

    Raises:
        ValueError: a path is absolute, climbs, is the lock, or is planned twice. That is a bug of the planner.
    """
    seen: set[str] = set()
    for file in files:
        text = str(file.path)
        strange = "\\" in text or ":" in text or "\0" in text
        if file.path.is_absolute() or ".." in file.path.parts or not file.path.parts or strange:
            raise ValueError(f"planned path leaves the output folder: {text!r}")
        if text.casefold() in seen or text.casefold() == LOCK_NAME:
            raise ValueError(f"path is planned twice: {text!r}")
        seen.add(text.casefold())


def compare(files: Sequence[FormattedFile], output: Path, lock: Lock | None, *, force: bool) -> ChangeSet:
    """Decides for every planned and every locked file what happens to it.

    With `force`, files that were edited or that are not ours are replaced; the team's own files never are.

    Raises:
        OSError: a file is there but cannot be read.
    """
    locked = lock.files if lock else {}
    entries = [_planned(file, output, locked.get(file.path), force=force) for file in files]
    planned = {file.path for file in files}
    for path, entry in locked.items():
        if path not in planned and entry.ownership is not Ownership.USER:
            gone = _no_longer_planned(path, output, entry, force=force)
            if gone is not None:
                entries.append(gone)
    return ChangeSet(tuple(sorted(entries, key=lambda entry: entry.path)))


def compare_lock(data: bytes, output: Path) -> Change:
    """What happens to the lock itself: it was read before, so it is ours or not there."""
    path = PurePosixPath(LOCK_NAME)
    old = _read(output / LOCK_NAME)
    if old == data:
        return Change(path, Action.IDENTICAL, Ownership.GENERATED)
    return Change(path, Action.CREATE if old is None else Action.REPLACE, Ownership.GENERATED, data)


def _planned(file: FormattedFile, output: Path, entry: LockedFile | None, *, force: bool) -> Change:
    def change(action: Action, code: str | None = None, reason: str = "") -> Change:
        data = file.data if action in {Action.CREATE, Action.REPLACE} else None
        return Change(file.path, action, file.ownership, data, code, reason)

    obstacle = _obstacle(file.path, output)
    if obstacle is not None:
        return change(Action.CONFLICT, FOREIGN, obstacle)
    old = _read(output / file.path)
    if file.ownership is Ownership.USER:
        if old is not None:
            return change(Action.KEPT, reason="is yours")
        if entry is not None and not force:
            return change(Action.KEPT, reason="was deleted by its owner")
    if old is None:
        return change(Action.CREATE)
    return change(*_over(old, file, entry, force=force))


def _over(
    old: bytes, file: FormattedFile, entry: LockedFile | None, *, force: bool
) -> tuple[Action, str | None, str]:
    """What happens to one of our files where `old` is on disk."""
    if _unix(old) == file.data:
        return Action.IDENTICAL, None, ""
    if force or (entry is not None and _untouched(old, entry)):
        return Action.REPLACE, None, ""
    if entry is None or entry.ownership is Ownership.USER:
        return Action.CONFLICT, FOREIGN, "was not written by mcpgen"
    return Action.CONFLICT, EDITED, "was edited by hand"


def _no_longer_planned(path: PurePosixPath, output: Path, entry: LockedFile, *, force: bool) -> Change | None:
    if ".." in path.parts or path.is_absolute() or _obstacle(path, output) is not None:
        return None  # the lock was tampered with, or the place is something else by now
    old = _read(output / path)
    if old is None:
        return None
    if force or _untouched(old, entry):
        return Change(path, Action.REMOVE, entry.ownership, reason="is no longer generated")
    return Change(
        path, Action.KEPT, entry.ownership, code=KEPT, reason="is no longer generated, but was edited by hand"
    )


def _obstacle(path: PurePosixPath, output: Path) -> str | None:
    """Why a file cannot be written at a place inside the output folder, whoever wrote what is there.

    Symbolic links are never followed: they can lead out of the folder.
    """
    place = output
    for part in path.parts[:-1]:
        place = place / part
        if place.is_symlink():
            return f"would be written through the symbolic link {place.relative_to(output).as_posix()}"
        if place.exists() and not place.is_dir():
            return f"needs {place.relative_to(output).as_posix()} to be a folder"
    target = output / path
    if target.is_symlink():
        return "is a symbolic link"
    if target.exists() and not target.is_file():
        return "is a folder" if target.is_dir() else "is not a regular file"
    return None


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _untouched(data: bytes, entry: LockedFile) -> bool:
    return entry.sha256 in {digest(data), digest(_unix(data))}


def _unix(data: bytes) -> bytes:
    """Version control may check text files out with other line ends; that is not an edit."""
    return data.replace(b"\r\n", b"\n")

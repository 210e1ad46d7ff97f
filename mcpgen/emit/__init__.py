"""The last stage: rendered files become formatted files, a change set, and bytes on disk."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from types import MappingProxyType

from mcpgen.diagnostics import Collector, Location, Refused
from mcpgen.emit.cache import Cache, located, portable, read_cache, write_cache
from mcpgen.emit.changes import FOREIGN, Comparison, check_paths
from mcpgen.emit.journal import unfinished
from mcpgen.emit.lock import LOCK_NAME, Lock, LockInfo, next_lock, read_lock, spec_name
from mcpgen.emit.merging import Choice, Conflict
from mcpgen.emit.model import Action, Change, ChangeSet, FormattedFile, Ownership, RenderedFile
from mcpgen.emit.pristine import PRISTINE_NAME, generated_catalog, next_pristine, pack, read_pristine
from mcpgen.emit.project import Project, obstacle
from mcpgen.emit.reporting import report
from mcpgen.emit.sources import Sources, found_from, sources_of
from mcpgen.emit.writer import apply, tidy

__all__ = [
    "Action",
    "Cache",
    "Change",
    "ChangeSet",
    "Choice",
    "Conflict",
    "Conflicted",
    "FormattedFile",
    "Lock",
    "LockInfo",
    "Ownership",
    "RenderedFile",
    "Sources",
    "apply",
    "found_from",
    "generated_catalog",
    "located",
    "portable",
    "read_cache",
    "read_lock",
    "read_pristine",
    "sources_of",
    "spec_name",
    "write",
    "write_cache",
]


NOTHING: Mapping[PurePosixPath, str] = MappingProxyType({})


class Conflicted(Refused):
    """Something is in the way; `changes` say what."""

    def __init__(self, changes: ChangeSet) -> None:
        super().__init__("files are in the way")
        self.changes = changes


def write(
    files: Sequence[RenderedFile],
    output: Path,
    *,
    lock: LockInfo,
    diagnostics: Collector,
    choice: Choice | None = None,
    restore: Collection[PurePosixPath] = (),
    rebased: Mapping[PurePosixPath, str] = NOTHING,
    dry_run: bool = False,
) -> ChangeSet:
    """Brings the output folder to the planned state, completely or not at all. Edits are merged.

    `choice` says what happens where an edit and a new text overlap. `restore` are deleted files that are made again.
    `rebased` are texts that count as what was generated last, where that takes an edit up. With `dry_run` nothing is written; conflicts are then errors in the collector and entries of the result.

    Raises:
        Conflicted: edits overlap with new texts, or files that are not ours are in the way.
        Refused: generated code does not parse, or the folder cannot be written. Nothing has changed on disk, ever.
    """
    from mcpgen.emit.format import format_files  # black takes long to load

    formatted = format_files(files, diagnostics)
    check_paths(formatted)
    target = output.resolve() if output.is_symlink() else output
    place = Location(str(output))
    try:
        if target.exists() and not target.is_dir():
            raise diagnostics.refuse("output-unwritable", "The output is a file, not a folder.", place)
        _recover(target, place, diagnostics, dry_run=dry_run)
        changes = _compare(formatted, target, lock, diagnostics, choice, restore, rebased)
        conflict = report(changes, diagnostics, place)
        if conflict and not dry_run:
            raise Conflicted(changes)
        if not dry_run:
            apply(changes.entries, target)
    except OSError as error:
        notes = "".join(f"; {note}" for note in getattr(error, "__notes__", ()))
        message = f"The output cannot be written: {error.strerror or error}{notes}."
        raise diagnostics.refuse("output-unwritable", message, place) from error
    return changes


def _recover(target: Path, place: Location, diagnostics: Collector, *, dry_run: bool) -> None:
    """A project that an earlier run left half-written is put back first."""
    if dry_run:
        if unfinished(target):
            message = "An earlier run was interrupted while it was writing."
            raise diagnostics.refuse(
                "output-unwritable", message, place, hint="Run mcpgen update to put that right."
            )
    elif tidy(target):
        diagnostics.add(
            "output-recovered", "An earlier run was interrupted while it was writing; it was undone.", place
        )


def _compare(
    files: Sequence[FormattedFile],
    output: Path,
    info: LockInfo,
    diagnostics: Collector,
    choice: Choice | None,
    restore: Collection[PurePosixPath],
    rebased: Mapping[PurePosixPath, str],
) -> ChangeSet:
    old = read_lock(output, diagnostics)
    if old is not None and restore:
        old = replace(old, files={path: entry for path, entry in old.files.items() if path not in restore})
    project = Project(output, old, read_pristine(output))
    changes = Comparison(project, choice, rebased).changes(files, info.project.get("package"))
    kept = [change.path for change in changes.of(Action.KEPT)]
    pristine = next_pristine(files, kept, project.pristine)
    lock = next_lock(info, files, changes, old)
    noting = old is not None and old.without_deletions().render() == lock.without_deletions().render()
    own = [replace(_own(LOCK_NAME, lock.render(), project), noting=noting)]
    same = pristine == project.pristine and project.read(PurePosixPath(PRISTINE_NAME)) is not None
    if not same:  # another build of the compressor may give other bytes for the same content
        own.append(_own(PRISTINE_NAME, pack(pristine), project))
    return ChangeSet(tuple(sorted((*changes, *own), key=lambda entry: entry.path)))


def _own(name: str, data: bytes, project: Project) -> Change:
    """What happens to one of mcpgen's own files: they are read before, so they are ours or not there."""
    path = PurePosixPath(name)
    in_the_way = obstacle(path, project.output)
    if in_the_way is not None:
        return Change(path, Action.CONFLICT, Ownership.GENERATED, code=FOREIGN, reason=in_the_way)
    old = project.read(path)
    if old == data:
        return Change(path, Action.IDENTICAL, Ownership.GENERATED)
    return Change(path, Action.CREATE if old is None else Action.REPLACE, Ownership.GENERATED, data)

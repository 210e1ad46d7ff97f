"""The last stage: rendered files become formatted files, a change set, and bytes on disk."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mcpgen.diagnostics import Collector, Location, Refused
from mcpgen.emit.changes import check_paths, compare, compare_lock
from mcpgen.emit.format import format_files
from mcpgen.emit.lock import Lock, LockInfo, next_lock, read_lock, spec_name
from mcpgen.emit.model import Action, Change, ChangeSet, FormattedFile, Ownership, RenderedFile
from mcpgen.emit.writer import apply

__all__ = [
    "Action",
    "Change",
    "ChangeSet",
    "FormattedFile",
    "Lock",
    "LockInfo",
    "Ownership",
    "RenderedFile",
    "format_files",
    "read_lock",
    "spec_name",
    "write",
]

_CONFLICTS = {
    "output-edited": (
        ("was", "were", "edited by hand and would be overwritten"),
        "Move your changes to a file that is yours, or pass --force to overwrite them.",
    ),
    "output-not-ours": (
        ("is", "are", "in the way"),
        "Choose another folder, move them away, or pass --force to overwrite ordinary files.",
    ),
}


def write(
    files: Sequence[RenderedFile],
    output: Path,
    *,
    lock: LockInfo,
    diagnostics: Collector,
    force: bool = False,
    dry_run: bool = False,
) -> ChangeSet:
    """Brings the output folder to the planned state, completely or not at all.

    With `dry_run` nothing is written; conflicts are then errors in the collector and entries of the result.

    Raises:
        Refused: generated code does not parse, files that are not ours or were edited are in the way, or the folder
            cannot be written. Nothing has changed on disk.
    """
    formatted = format_files(files, diagnostics)
    check_paths(formatted)
    target = output.resolve() if output.is_symlink() else output
    place = Location(str(output))
    try:
        if target.exists() and not target.is_dir():
            raise diagnostics.refuse("output-unwritable", "The output is a file, not a folder.", place)
        changes = _compare(formatted, target, lock, diagnostics, force=force)
        conflict = _report(changes, diagnostics, place)
        if conflict and not dry_run:
            raise Refused("files are in the way")
        if not dry_run:
            apply(changes.entries, target)
    except OSError as error:
        notes = "".join(f"; {note}" for note in getattr(error, "__notes__", ()))
        message = f"The output cannot be written: {error.strerror or error}{notes}."
        raise diagnostics.refuse("output-unwritable", message, place) from error
    return changes


def _compare(
    files: Sequence[FormattedFile], output: Path, info: LockInfo, diagnostics: Collector, *, force: bool
) -> ChangeSet:
    old = read_lock(output, diagnostics, force=force)
    changes = compare(files, output, old, force=force)
    planned = {file.path for file in files}
    kept = [change.path for change in changes.of(Action.KEPT) if change.path not in planned]
    own = compare_lock(next_lock(info, files, kept, old).render(), output)
    return ChangeSet(tuple(sorted((*changes, own), key=lambda entry: entry.path)))


def _report(changes: ChangeSet, diagnostics: Collector, place: Location) -> bool:
    """Says which files are in the way, all in one diagnostic for each reason; tells whether there are any."""
    conflicts = changes.of(Action.CONFLICT)
    for code, ((one, many, what), hint) in _CONFLICTS.items():
        found = [change for change in conflicts if change.code == code]
        if found:
            names = ", ".join(
                str(c.path) if code == "output-edited" else f"{c.path} ({c.reason})" for c in found
            )
            count = f"1 file {one}" if len(found) == 1 else f"{len(found)} files {many}"
            diagnostics.add(code, f"{count} {what}: {names}.", place, hint=hint)
    for change in changes.of(Action.KEPT):
        if change.code is not None:
            location = Location(f"{place.file}/{change.path}")
            diagnostics.add(change.code, f"The file {change.reason}; it was left alone.", location)
    return bool(conflicts)

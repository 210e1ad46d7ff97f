"""Writes over a project so that it is the old or the new one, even when the process is killed in between.

Everything is prepared in a folder of its own: the new files, copies of the files that they replace, and at last
a journal that lists them. While there is a journal, the run is unfinished and can be undone from it; when the
journal is gone, the run is finished. So undoing is the same for an error, an interrupt, and the next run after a kill.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any

from mcpgen.emit.model import Action, Change, digest

try:
    import fcntl
except ImportError:  # not a POSIX system: two runs at the same time are the user's to avoid
    fcntl = None  # type: ignore[assignment]

RUN_FOLDER = ".mcpgen/run"
_JOURNAL = "journal.json"


class Busy(OSError):
    """Another run is writing the same project."""


class EditedMeanwhile(OSError):
    """A file was changed after an interrupted run, which cannot be undone without losing that change."""


@dataclass(frozen=True, slots=True)
class _Step:
    """One file: SHA-256 before (None: it was not there) and after (None: it is removed)."""

    path: PurePosixPath
    before: str | None
    after: str | None


@contextmanager
def claimed(folder: Path) -> Iterator[None]:
    """Keeps other runs out of a folder that exists, for as long as this process lives.

    Raises:
        Busy: another run is at work.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "claim").open("w") as file:
        _claim(file)
        yield


def _claim(file: IO[str]) -> None:
    if fcntl is not None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Busy("another run of mcpgen is writing this project") from None


def unfinished(output: Path) -> bool:
    """Whether a run over a project was interrupted, so that it is neither the old nor the new one."""
    return (output / RUN_FOLDER / _JOURNAL).exists()


def recover(output: Path) -> bool:
    """Undoes what an interrupted run left; tells whether there was anything.

    Raises:
        Busy: the run is still going on.
        EditedMeanwhile: a file was changed since.
        OSError: something cannot be put back.
    """
    folder = output / RUN_FOLDER
    if not folder.is_dir():
        return False
    with claimed(folder):
        found = unfinished(output)
        if found:
            _undo(output, folder)
    shutil.rmtree(folder, ignore_errors=True)
    return found


def update(changes: Sequence[Change], output: Path) -> None:
    """Carries out changes in a folder that exists.

    Raises:
        Busy: another run is at work.
        OSError: something could not be written. The folder is as it was before; where even that failed, a note says so.
    """
    folder = output / RUN_FOLDER
    with claimed(folder):
        try:
            steps = [_prepare(change, output, folder) for change in changes]
            _write_journal(steps, output, folder)
            for step in steps:
                _carry_out(step, output, folder)
            (folder / _JOURNAL).unlink()
        except BaseException as error:
            _undo_after(error, output, folder)
            raise
    shutil.rmtree(folder, ignore_errors=True)
    remove_empty_folders(changes, output)


def _prepare(change: Change, output: Path, folder: Path) -> _Step:
    target, before = output / change.path, None
    if target.exists():
        saved = folder / "old" / change.path
        saved.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(target, saved)
        before = digest(saved.read_bytes())
    if change.action is Action.REMOVE:
        return _Step(change.path, before, None)
    data = change.data or b""
    new = folder / "new" / change.path
    new.parent.mkdir(parents=True, exist_ok=True)
    new.write_bytes(data)
    if before is not None:
        shutil.copymode(target, new)
    return _Step(change.path, before, digest(data))


def _write_journal(steps: Sequence[_Step], output: Path, folder: Path) -> None:
    parents = {parent for step in steps for parent in step.path.parents[:-1]}
    document = {
        "folders": sorted(str(parent) for parent in parents if not (output / parent).exists()),
        "steps": [[str(step.path), step.before, step.after] for step in steps],
    }
    draft = folder / f"{_JOURNAL}.new"
    draft.write_text(json.dumps(document), encoding="utf-8")
    os.replace(draft, folder / _JOURNAL)


def _carry_out(step: _Step, output: Path, folder: Path) -> None:
    target = output / step.path
    if step.after is None:
        target.unlink(missing_ok=True)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    os.replace(folder / "new" / step.path, target)


def _undo_after(error: BaseException, output: Path, folder: Path) -> None:
    """Undoes a run that failed. A user who interrupts once more does not get half of it: it is begun again."""
    while True:
        try:
            if (folder / _JOURNAL).exists():
                _undo(output, folder)
            shutil.rmtree(folder, ignore_errors=True)
        except KeyboardInterrupt:
            continue
        except OSError as problem:
            error.add_note(f"{problem}: the files before the run are in {folder / 'old'}")
        return


def _undo(output: Path, folder: Path) -> None:
    """Puts everything back that a journal lists. Done twice, or on half of it, it gives the same."""
    journal: dict[str, Any] = json.loads((folder / _JOURNAL).read_bytes())
    steps = [_Step(PurePosixPath(path), before, after) for path, before, after in journal["steps"]]
    for step in steps:
        now = _digest_of(output / step.path)
        if now not in {step.before, step.after, None}:
            problem = f"{step.path} was changed after a run of mcpgen was interrupted"
            raise EditedMeanwhile(
                f"{problem}; undo that change, or delete {RUN_FOLDER} to give up the other files"
            )
    for step in reversed(steps):
        target, saved = output / step.path, folder / "old" / step.path
        if step.before is None:
            target.unlink(missing_ok=True)
        elif saved.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            os.replace(saved, target)
    for name in sorted(journal["folders"], reverse=True):
        made = output / name
        if made.is_dir() and not any(made.iterdir()):
            made.rmdir()
    (folder / _JOURNAL).unlink()


def _digest_of(path: Path) -> str | None:
    try:
        return digest(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return None


def remove_empty_folders(changes: Sequence[Change], output: Path) -> None:
    """Removes folders that a run emptied, up to the output; Python's caches do not count as content."""
    for change in changes:
        if change.action is Action.REMOVE:
            for parent in change.path.parents[:-1]:
                folder = output / parent
                if folder.is_dir() and {entry.name for entry in folder.iterdir()} <= {"__pycache__"}:
                    shutil.rmtree(folder, ignore_errors=True)

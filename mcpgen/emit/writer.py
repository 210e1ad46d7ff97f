"""Writes a change set to disk: all of it, or nothing.

Everything new is written beside its target first; only then are files moved into place, each with one rename. When
anything fails or the user interrupts, what was moved is moved back.
"""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from mcpgen.emit.model import Action, Change


def apply(changes: Sequence[Change], output: Path) -> None:
    """Carries out the entries that touch the disk.

    Raises:
        OSError: something could not be written. The folder is as it was before; where even that failed, a note on
            the exception says where the old files are.
    """
    writes = [change for change in changes if change.action in {Action.CREATE, Action.REPLACE, Action.REMOVE}]
    if not writes:
        return
    if output.exists():
        _update(writes, output)
    else:
        _create(writes, output)


def _create(changes: Sequence[Change], output: Path) -> None:
    """A new folder is built beside its place and renamed into it, so that it is never seen half-written."""
    missing = [parent for parent in output.parents if not parent.exists()]
    stage = output.parent / f".{output.name}.mcpgen-{secrets.token_hex(4)}"
    try:
        stage.mkdir(parents=True)
        for change in changes:
            _write(stage / change.path, change)
        os.rename(stage, output)
    except BaseException:
        shutil.rmtree(stage, ignore_errors=True)
        for parent in missing:
            with suppress(OSError):
                parent.rmdir()
        raise


def _update(changes: Sequence[Change], output: Path) -> None:
    stage = output / f".mcpgen-{secrets.token_hex(4)}"
    transaction = _Transaction(output, stage / "old")
    try:
        stage.mkdir()
        for change in changes:
            if change.data is not None:
                _write(stage / "new" / change.path, change)
        for change in changes:
            if change.action is Action.REMOVE:
                transaction.remove(change)
            else:
                transaction.put(change, stage / "new" / change.path)
    except BaseException as error:
        if transaction.roll_back():
            shutil.rmtree(stage, ignore_errors=True)
        else:
            error.add_note(f"the files before the run are in {stage / 'old'}")
        raise
    shutil.rmtree(stage, ignore_errors=True)
    _remove_empty_folders(changes, output)


class _Transaction:
    """Moves files into place and remembers how to undo it.

    Every step is noted before it is done, and undoing a step that was not done is harmless: an interrupt can come
    between any two instructions.
    """

    def __init__(self, output: Path, backup: Path) -> None:
        self._output = output
        self._backup = backup
        self._undo: list[Callable[[], None]] = []

    def put(self, change: Change, new: Path) -> None:
        target = self._output / change.path
        for parent in reversed(target.parents):
            if parent.is_relative_to(self._output) and not parent.exists():
                self._undo.append(_rmdir(parent))
                parent.mkdir()
        if change.action is Action.REPLACE:
            saved = self._saved(change)
            shutil.copy2(target, saved)
            shutil.copymode(target, new)
            self._undo.append(_move(saved, target))
        else:
            self._undo.append(_unlink(target))
        os.replace(new, target)

    def remove(self, change: Change) -> None:
        target, saved = self._output / change.path, self._saved(change)
        self._undo.append(_move(saved, target))
        os.replace(target, saved)

    def roll_back(self) -> bool:
        """Undoes all steps, the last one first; tells whether every one could be undone.

        A user who interrupts once more does not get half of it: the step is repeated.
        """
        complete = True
        remaining = list(self._undo)
        while remaining:
            try:
                remaining[-1]()
            except KeyboardInterrupt:
                continue
            except OSError:
                complete = False
            remaining.pop()
        return complete

    def _saved(self, change: Change) -> Path:
        saved = self._backup / change.path
        saved.parent.mkdir(parents=True, exist_ok=True)
        return saved


def _move(saved: Path, target: Path) -> Callable[[], None]:
    def undo() -> None:
        if saved.exists():
            os.replace(saved, target)

    return undo


def _unlink(target: Path) -> Callable[[], None]:
    return lambda: target.unlink(missing_ok=True)


def _rmdir(folder: Path) -> Callable[[], None]:
    def undo() -> None:
        if folder.exists():
            folder.rmdir()

    return undo


def _write(path: Path, change: Change) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(change.data or b"")


def _remove_empty_folders(changes: Sequence[Change], output: Path) -> None:
    """Removes folders that this run emptied, up to the output; Python's caches do not count as content."""
    for change in changes:
        if change.action is Action.REMOVE:
            for parent in change.path.parents[:-1]:
                folder = output / parent
                if folder.is_dir() and {entry.name for entry in folder.iterdir()} <= {"__pycache__"}:
                    shutil.rmtree(folder, ignore_errors=True)

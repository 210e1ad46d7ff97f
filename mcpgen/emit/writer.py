"""Writes a change set to disk: all of it, or nothing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from mcpgen.emit.journal import claimed, recover, update
from mcpgen.emit.model import WRITING, Change


def apply(changes: Sequence[Change], output: Path) -> None:
    """Carries out the entries that touch the disk.

    Raises:
        OSError: something could not be written. The folder is as it was before; where even that failed, a note on
            the exception says where the old files are.
    """
    writes = [change for change in changes if change.action in WRITING]
    if not writes:
        return
    if output.exists():
        update(writes, output)
    else:
        _create(writes, output)


def tidy(output: Path) -> bool:
    """Undoes or removes what a run left that was killed; tells whether the project had to be put back.

    Raises:
        OSError: that is not possible now.
    """
    stage = _stage(output)
    if stage.exists():
        with claimed(stage):  # not while another run is building there
            shutil.rmtree(stage, ignore_errors=True)
    return output.exists() and recover(output)


def _stage(output: Path) -> Path:
    return output.parent / f".{output.name}.mcpgen"


def _create(changes: Sequence[Change], output: Path) -> None:
    """A new folder is built beside its place and renamed into it, so that it is never seen half-written."""
    missing = [parent for parent in output.parents if not parent.exists()]
    stage = _stage(output)
    try:
        with claimed(stage):
            for change in changes:
                path = stage / "new" / change.path
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(change.data or b"")
            os.rename(stage / "new", output)
    except BaseException:
        shutil.rmtree(stage, ignore_errors=True)
        for parent in missing:
            with suppress(OSError):
                parent.rmdir()
        raise
    shutil.rmtree(stage, ignore_errors=True)

"""Replaces one file that belongs to somebody else, in one step."""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path


class ChangedMeanwhile(Exception):
    """The file is no longer what it was when the change was planned; nothing was written."""


def replace_file(path: Path, before: bytes | None, after: bytes, *, mode: int = 0o644) -> None:
    """Gives a file new content, so that a reader sees the old or the new one, never half of it.

    A symbolic link stays one: the file that it leads to is replaced. Permissions are kept.

    Args:
        path: its folder is made when it is missing.
        before: the content that the change was made for; None for a file that must not exist yet.
        after: the new content.
        mode: the permissions of a file that is new.

    Raises:
        ChangedMeanwhile: the content is another one now.
        OSError: it cannot be written; the file is as it was.
    """
    target = Path(os.path.realpath(path))
    target.parent.mkdir(parents=True, exist_ok=True)
    stage = target.parent / f".{target.name}.mcpgen-{secrets.token_hex(4)}"
    try:
        # Made with the permissions that it ends up with, so that nobody else can read it in between.
        wanted = stat.S_IMODE(target.stat().st_mode) if target.exists() else mode
        with os.fdopen(os.open(stage, os.O_WRONLY | os.O_CREAT | os.O_EXCL, wanted), "wb") as file:
            file.write(after)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            stage.chmod(wanted)
        if (target.read_bytes() if target.exists() else None) != before:
            raise ChangedMeanwhile
        os.replace(stage, target)
    except BaseException:
        with suppress(OSError):
            stage.unlink(missing_ok=True)
        raise

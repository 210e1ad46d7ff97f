"""Which local files a document may refer to.

A description that came from someone else must not pull in the reader's private files, yet real descriptions of several
files often keep shared parts in a folder beside their own (`../common/schemas.yaml`). The rule: the folder of the root
document with everything below it, and its parent folder with everything below, unless that parent is the root of the
file system, the user's home or a folder above it, or writable by everyone (as `/tmp` is). Hidden files and folders are never
part of it. Links are followed before the check.
"""

from __future__ import annotations

import stat
from collections.abc import Sequence
from pathlib import Path


class LocalAccess:
    """Decides about paths; `folder` is None where the root is no local file, and then nothing local is allowed."""

    def __init__(self, folder: Path | None, *, with_parent: bool, extra: Sequence[Path] = ()) -> None:
        self._extra = tuple(path.resolve() for path in extra)
        self._trees: tuple[Path, ...] = ()
        if folder is not None:
            folder = folder.resolve()
            parent = folder.parent
            self._trees = (folder, parent) if with_parent and _is_project_folder(parent) else (folder,)

    def allows(self, path: Path) -> bool:
        """Whether the resolved `path` may be read."""
        if any(path.is_relative_to(allowed) for allowed in self._extra):
            return True
        return any(
            path.is_relative_to(tree)
            and not any(part.startswith(".") for part in path.relative_to(tree).parts)
            for tree in self._trees
        )


def _is_project_folder(folder: Path) -> bool:
    if folder == folder.parent:
        return False
    try:
        if Path.home().resolve().is_relative_to(folder):
            return False
        return not folder.stat().st_mode & stat.S_IWOTH
    except (OSError, RuntimeError):  # no home, or a folder that cannot be looked at
        return False

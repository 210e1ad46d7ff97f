"""A small project for tests of writing: emitting it, and reading what is there."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from mcpgen.diagnostics import Collector
from mcpgen.emit import ChangeSet, Choice, LockInfo, Ownership, RenderedFile, write

INFO = LockInfo("mcpgen 0.0.0", "api.yaml", "ab" * 32, "cd" * 32, {"GET /b": "get_b", "GET /a": "get_a"})
OWNERS = {"hooks.py": Ownership.USER, "_runtime/core.py": Ownership.VENDORED}
OWN = {"mcpgen.lock", ".mcpgen/pristine.xz"}
FIRST = {
    "README.md": "one\n",
    "tools/a.py": "x = 1\n",
    "_runtime/core.py": "y  =  1\n",
    "hooks.py": "mine = 0\n",
}


def emit(
    files: Mapping[str, str],
    output: Path,
    diagnostics: Collector | None = None,
    *,
    choice: Choice | None = None,
    restore: str | None = None,
    dry_run: bool = False,
) -> ChangeSet:
    """Writes files; `restore` is a deleted one that is made again."""
    planned = [
        RenderedFile(PurePosixPath(p), t, OWNERS.get(p, Ownership.GENERATED)) for p, t in files.items()
    ]
    return write(
        planned,
        output,
        lock=INFO,
        diagnostics=Collector() if diagnostics is None else diagnostics,
        choice=choice,
        restore=[] if restore is None else [PurePosixPath(restore)],
        dry_run=dry_run,
    )


def tree(folder: Path) -> dict[str, bytes]:
    """All files below a folder."""
    return {
        p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()
    }


def actions(changes: ChangeSet) -> dict[str, str]:
    """What happens to each file."""
    return {str(change.path): str(change.action) for change in changes}


def codes(diagnostics: Collector) -> list[str]:
    """The codes of all diagnostics."""
    return [diagnostic.code for diagnostic in diagnostics]

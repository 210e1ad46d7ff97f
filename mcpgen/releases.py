"""What an update means for the generated project's own version and changelog.

Both are the team's as much as ours: an entry is put above the earlier ones, and a version that the team has set itself
is what the next one is counted from.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from mcpgen.diagnostics import Collector, Refused
from mcpgen.diff import Report, changelog_entry, compare
from mcpgen.emit import Lock, generated_catalog, read_lock, read_pristine
from mcpgen.render.views import FIRST_VERSION

CHANGELOG = PurePosixPath("CHANGELOG.md")
PYPROJECT = PurePosixPath("pyproject.toml")
_FIRST_TEXT = f"""# Changes

What changed for callers, the newest first. `mcpgen update` adds to it.

## {FIRST_VERSION}

- The first version.
"""
_VERSION = re.compile(r'^version = "(?P<version>[^"\n]*)"$', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Release:
    """The version and the changelog of a project after a run.

    `rebased` has the last `pyproject.toml` with the version that the team has set, where the run gives it another.
    """

    version: str
    changelog: str
    rebased: Mapping[PurePosixPath, str] = field(default_factory=dict)


def next_release(output: Path, catalog: Mapping[str, Any]) -> Release:
    """What a run with this catalogue makes of the version and the changelog of the project in a folder.

    Raises:
        OSError: the project cannot be read.
    """
    lock = _lock(output)
    if lock is None:
        return Release(FIRST_VERSION, _FIRST_TEXT)
    pyproject = _generated(PYPROJECT, output, lock)
    changelog = _generated(CHANGELOG, output, lock) or _FIRST_TEXT
    match = _VERSION.search(pyproject or "")
    last = match["version"] if match is not None else FIRST_VERSION
    report = _report(output, lock, catalog)
    own = _version_on_disk(output) or last
    entry = changelog_entry(report).strip() if report is not None else ""
    if report is None or not entry:
        return Release(last, changelog)
    try:
        version = report.bump(own)
    except ValueError:
        version = own  # a version that is not counted: the team knows how
    text = _with_entry(changelog, version, entry)
    rebased = {} if pyproject is None else {PYPROJECT: _VERSION.sub(f'version = "{own}"', pyproject, count=1)}
    return Release(version, text, rebased)


def _lock(output: Path) -> Lock | None:
    try:
        return read_lock(output, Collector())
    except Refused:
        return None  # reported when the files are written


def _generated(path: PurePosixPath, output: Path, lock: Lock) -> str | None:
    entry = lock.files.get(path)
    return None if entry is None else read_pristine(output).text(path, entry.sha256)


def _report(output: Path, lock: Lock, catalog: Mapping[str, Any]) -> Report | None:
    try:
        before = generated_catalog(output, lock)
    except ValueError:
        return None
    return None if before is None else compare(before, catalog)


def _version_on_disk(output: Path) -> str | None:
    """The version that the project has now; None where it is not written there, or not in a plain line."""
    try:
        text = (output / PYPROJECT).read_text("utf-8")
        version = tomllib.loads(text)["project"]["version"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    plain = isinstance(version, str) and f'\nversion = "{version}"\n' in text.replace("\r\n", "\n")
    return version if plain else None


def _with_entry(changelog: str, version: str, entry: str) -> str:
    """The changelog with an entry above the earlier ones."""
    head, mark, earlier = changelog.partition("\n## ")
    return (
        f"{head.rstrip()}\n\n## {version}\n\n{entry}\n{mark}{earlier}"
        if mark
        else f"{changelog}\n## {version}\n\n{entry}\n"
    )

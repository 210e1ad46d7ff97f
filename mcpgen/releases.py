"""What an update means for the generated project's own version and changelog.

Both are the team's as much as ours: an entry is put above the earlier ones, whoever wrote them, and a version that the
team has set itself is what the next one is counted from.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from mcpgen.diagnostics import Collector, Refused
from mcpgen.diff import UNRELEASED, Report, changelog_entry, compare, with_entry
from mcpgen.emit import Lock, generated_catalog, read_lock, read_pristine
from mcpgen.emit.merging import marked_line
from mcpgen.emit.project import unix
from mcpgen.render.views import FIRST_VERSION

CHANGELOG = PurePosixPath("CHANGELOG.md")
PYPROJECT = PurePosixPath("pyproject.toml")
_FIRST_TEXT = f"""# Changes

What changed for callers, the newest first. `mcpgen update` adds to it.

## {FIRST_VERSION}

### Added

- The first version.
"""
_VERSION = re.compile(r'^version = "(?P<version>[^"\n]*)"$', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Release:
    """The version and the changelog of a project after a run.

    `rebased` has the texts that count as what was generated last, because they have taken up edits of the team:
    `pyproject.toml` with the version that the team has set, and the changelog as the team has it.
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
    pyproject, generated = _generated(PYPROJECT, output, lock), _generated(CHANGELOG, output, lock)
    match = _VERSION.search(pyproject or "")
    last = match["version"] if match is not None else FIRST_VERSION
    report = _report(output, lock, catalog)
    entry = changelog_entry(report) if report is not None else ""
    if report is None or not entry:
        return Release(last, generated or _FIRST_TEXT)
    own = _version_on_disk(output)
    version, heading = _counted(report, own or last)
    changelog = next(
        text for text in (_changelog_on_disk(output), generated, _FIRST_TEXT) if text is not None
    )
    rebased = {} if generated is None else {CHANGELOG: changelog}
    if pyproject is not None:
        # A version that the team keeps elsewhere is not in the file: there is nothing to merge in its line.
        rebased[PYPROJECT] = _VERSION.sub(f'version = "{own or version}"', pyproject, count=1)
    return Release(version, with_entry(changelog, heading, entry), rebased)


def _counted(report: Report, version: str) -> tuple[str, str]:
    """The next version, and the heading of what is new in it."""
    try:
        return report.bump(version), report.bump(version)
    except ValueError:
        return version, UNRELEASED  # a version that is not counted: the team knows how


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


def _changelog_on_disk(output: Path) -> str | None:
    """The changelog with what the team wrote into it; None where there is none, or overlaps in it are not decided yet."""
    try:
        text = unix((output / CHANGELOG).read_bytes()).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    return text if marked_line(text) is None else None

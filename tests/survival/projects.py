"""Generating quickly: each version of an API is planned and formatted once, and written over many projects."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

import mcpgen.emit.format
import mcpgen.pipeline
from mcpgen.diagnostics import Collector
from mcpgen.emit import ChangeSet, Choice, FormattedFile, Ownership, RenderedFile, write
from mcpgen.pipeline import GenerateRequest

from .specs import Document

_FEW = 3
UPGRADED = "# From a newer mcpgen.\n"


@dataclass(frozen=True, slots=True)
class Version:
    """What one document is written as: the formatted files, and the other arguments of `write`."""

    files: tuple[FormattedFile, ...]
    arguments: dict[str, Any]

    def texts(self) -> dict[str, str]:
        return {str(file.path): file.data.decode() for file in self.files}

    def upgraded(self) -> Version:
        """The same from a generator whose run-time library is another."""
        files = tuple(
            (
                replace(file, data=UPGRADED.encode() + file.data)
                if file.ownership is Ownership.VENDORED
                else file
            )
            for file in self.files
        )
        return Version(files, self.arguments)


def version_of(document: Document, project: Path, *, whole: bool = True) -> Version:
    """A document as a version of the project in a folder, which need not exist yet.

    One that is not `whole` can't run: it has only the first modules of the run-time library.
    """
    found: list[tuple[Sequence[RenderedFile], dict[str, Any]]] = []

    def keep(files: Sequence[RenderedFile], output: Path, **arguments: Any) -> ChangeSet:
        found.append((files, arguments))
        return ChangeSet(())

    original, remember = mcpgen.pipeline.write, mcpgen.pipeline.remember
    mcpgen.pipeline.write = keep
    mcpgen.pipeline.remember = lambda *_, **__: None
    try:
        request = GenerateRequest(spec="-", stdin=json.dumps(document).encode(), output=project)
        outcome = mcpgen.pipeline.generate(request, Collector())
    finally:
        mcpgen.pipeline.write, mcpgen.pipeline.remember = original, remember
    assert not outcome.refused, outcome.diagnostics
    [(files, arguments)] = found
    arguments = {key: value for key, value in arguments.items() if key in {"lock", "rebased"}}
    vendored = [file.path for file in files if file.ownership is Ownership.VENDORED]
    left_out = set() if whole else set(vendored[_FEW:])
    chosen = [file for file in files if file.path not in left_out]
    return Version(tuple(mcpgen.emit.format.format_files(chosen, Collector())), arguments)


def write_version(version: Version, project: Path, choice: Choice | None = None) -> ChangeSet:
    """Writes a version over a project.

    Raises:
        Conflicted: edits overlap with it.
    """
    rendered = [RenderedFile(file.path, "", file.ownership) for file in version.files]
    with _formatted(version.files):
        return write(rendered, project, diagnostics=Collector(), choice=choice, **version.arguments)


@contextmanager
def _formatted(files: Sequence[FormattedFile]) -> Iterator[None]:
    original = mcpgen.emit.format.format_files
    mcpgen.emit.format.format_files = lambda *_: list(files)
    try:
        yield
    finally:
        mcpgen.emit.format.format_files = original


def read_files(project: Path) -> dict[str, str]:
    """The texts of a project, without what mcpgen keeps for itself."""
    return {
        path.relative_to(project).as_posix(): path.read_text("utf-8")
        for path in sorted(project.rglob("*"))
        if path.is_file() and not {".mcpgen", "__pycache__", ".pytest_cache"} & set(path.parts)
    }


def write_files(files: dict[str, str], before: dict[str, str], project: Path) -> None:
    """Brings the files of a project from one state to another, as an editor would."""
    for path in before.keys() - files.keys():
        (project / PurePosixPath(path)).unlink()
    for path, text in files.items():
        if before.get(path) != text:
            (project / path).parent.mkdir(parents=True, exist_ok=True)
            (project / path).unlink(missing_ok=True)  # it is a link to the file of the other project
            (project / path).write_text(text, "utf-8")

"""Writes the project of `mcpgen-runtime`, the run-time library as a distribution that many generated servers share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from mcpgen.diagnostics import Collector, Location
from mcpgen.emit import Action, Change, Ownership, apply
from mcpgen.render.library import MODULE, read_library
from mcpgen.render.sharing import distribution_files

_SOURCE = PurePosixPath("src") / MODULE


@dataclass(frozen=True, slots=True)
class WrittenLibrary:
    """The project as it is on disk: its requirement (`mcpgen-runtime==VERSION`), and whether it was there before."""

    requirement: str
    files: int
    same: bool


def write_distribution(output: Path, diagnostics: Collector) -> WrittenLibrary:
    """Writes the project into a folder that is new or empty; in one that holds this very project nothing is done.

    Nothing is ever written over: an edited library would not be the one that its version stands for.

    Raises:
        Refused: the folder holds something else (`output-not-ours`), or cannot be written (`output-unwritable`).
    """
    files = {path: text.encode() for path, text in distribution_files().items()}
    place = Location(str(output))
    requirement = read_library().requirement
    try:
        if output.exists() and (not output.is_dir() or any(output.iterdir())):
            problem = _difference(files, output) if output.is_dir() else "it is a file"
            if problem is not None:
                message = f"The folder is not empty, and does not hold {requirement}: {problem}."
                raise diagnostics.refuse("output-not-ours", message, place, hint="Name a new folder.")
            return WrittenLibrary(requirement, len(files), True)
        apply([Change(path, Action.CREATE, Ownership.VENDORED, data) for path, data in files.items()], output)
    except OSError as error:
        message = f"The output cannot be written: {error.strerror or error}."
        raise diagnostics.refuse("output-unwritable", message, place) from error
    return WrittenLibrary(requirement, len(files), False)


def _difference(files: dict[PurePosixPath, bytes], output: Path) -> str | None:
    """In what a folder differs from the project; what a build leaves beside it is no difference."""
    for path, data in files.items():
        target = output / path
        if not target.is_file():
            return f"{path} is missing"
        if target.read_bytes() != data:
            return f"{path} is another one"
    source = output / _SOURCE
    modules = (PurePosixPath(path.relative_to(output).as_posix()) for path in source.rglob("*.py"))
    more = sorted(path for path in modules if path not in files)
    return f"{more[0]} does not belong to it" if more else None

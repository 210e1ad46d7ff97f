"""A generated project on disk, as far as writing over it needs to know it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from mcpgen.emit.lock import Lock, LockedFile
from mcpgen.emit.pristine import Pristine


@dataclass(frozen=True, slots=True)
class Project:
    """The folder, what its lock says, and what was generated last."""

    output: Path
    lock: Lock | None = None
    pristine: Pristine = field(default_factory=Pristine)

    @property
    def files(self) -> Mapping[PurePosixPath, LockedFile]:
        return self.lock.files if self.lock is not None else {}

    @property
    def package(self) -> str | None:
        return self.lock.info.project.get("package") if self.lock is not None else None

    def read(self, path: PurePosixPath) -> bytes | None:
        """The bytes of a file, or None where there is none.

        Raises:
            OSError: it is there but cannot be read.
        """
        try:
            return (self.output / path).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None


def obstacle(path: PurePosixPath, output: Path) -> str | None:
    """Why a file cannot be written at a place inside the output folder, whoever wrote what is there.

    Symbolic links are never followed: they can lead out of the folder.
    """
    place = output
    for part in path.parts[:-1]:
        place = place / part
        if place.is_symlink():
            return f"would be written through the symbolic link {place.relative_to(output).as_posix()}"
        if place.exists() and not place.is_dir():
            return f"needs {place.relative_to(output).as_posix()} to be a folder"
    target = output / path
    if target.is_symlink():
        return "is a symbolic link"
    if target.exists() and not target.is_file():
        return "is a folder" if target.is_dir() else "is not a regular file"
    return None


def unix(data: bytes) -> bytes:
    """Version control may check text files out with other line ends; that is not an edit."""
    return data.replace(b"\r\n", b"\n")


def text_of(data: bytes) -> str:
    """The text of a file; bytes that are no text survive in it."""
    return data.decode("utf-8", "surrogateescape")

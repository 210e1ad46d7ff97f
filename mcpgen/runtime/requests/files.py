"""File arguments: base64 content, or a file of the folder that the operator opened, with a name and a type."""

from __future__ import annotations

import base64
import binascii
import mimetypes
import re
import stat
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from ..outcomes.failures import invalid
from .payload import Chunk, FileOnDisk, size_of

OCTETS = "application/octet-stream"
_TYPE = re.compile(r"[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+([ \t]*;[ -~]*)?")
"""RFC 6838, 4.2, with parameters; it becomes a header, so no line break may pass."""
_DATA_URL = re.compile(r"data:[^,]{0,200};base64,")


@dataclass(frozen=True, slots=True)
class File:
    """A file that a call sends. `content_type` is what the caller said, `guessed` what its name says."""

    content: Chunk
    filename: str | None = None
    content_type: str | None = None
    guessed: str | None = None

    @property
    def size(self) -> int:
        return size_of(self.content)


@dataclass(frozen=True, slots=True)
class FileAccess:
    """What file arguments may be: `folder` (resolved) is None where none may be named by a path."""

    folder: Path | None = None
    most_bytes: int = 100 << 20


NO_FOLDER = FileAccess()


def is_file(value: Any) -> bool:
    """Whether a value can only be a file argument. One by `path` is known by its place alone."""
    return isinstance(value, dict) and isinstance(value.get("content_base64"), str)


def file_of(value: Any, name: str, access: FileAccess = NO_FOLDER) -> File:
    """A file argument as a file; `name` is how messages call it. A bare string is its base64 content.

    Raises:
        CallFailed: it is no file argument, its content is not base64, its path is not one of the folder, or
            it is too large.
    """
    if isinstance(value, str):
        value = {"content_base64": value}
    given = [key for key in ("content_base64", "path") if isinstance(value, dict) and key in value]
    if len(given) != 1 or not isinstance(value[given[0]], str):
        raise invalid(f"`{name}` is a file and needs `content_base64`.")
    filename, content_type = value.get("filename"), value.get("content_type")
    if content_type and not _TYPE.fullmatch(content_type):
        raise invalid(f"`{name}` has a `content_type` that is no media type.")
    content: Chunk
    if given == ["path"]:
        content = _in_folder(value["path"], name, access.folder)
        filename = filename or PurePosixPath(value["path"]).name
    else:
        _check_size(len(value["content_base64"]) * 3 // 4 - 2, name, access)  # before it is decoded
        content = _decoded(value["content_base64"], name)
    _check_size(size_of(content), name, access)
    guessed = mimetypes.guess_type(filename)[0] if filename else None
    return File(content, filename, content_type or None, guessed)


def _check_size(size: int, name: str, access: FileAccess) -> None:
    if size > access.most_bytes:
        raise invalid(f"`{name}` is larger than the {access.most_bytes} bytes that this server sends.")


def _in_folder(path: str, name: str, folder: Path | None) -> FileOnDisk:
    """A regular file inside the folder, links resolved.

    What is outside and what does not exist are refused in the same words: nobody learns what else is there.
    """
    if folder is None:
        raise invalid(f"`{name}.path`: this server takes no files by path. Give `content_base64` instead.")
    parts = PurePosixPath(path).parts
    foreign = PureWindowsPath(path)
    if not parts or "\0" in path or ".." in parts or path.startswith("/") or foreign.drive or foreign.root:
        raise invalid(f"`{name}.path` must be the relative name of a file in the folder of this server.")
    missing = invalid(f"`{name}.path`: the folder of this server has no such file.")
    try:
        real = folder.joinpath(*parts).resolve(strict=True)
        if not real.is_relative_to(folder) or not stat.S_ISREG(real.stat(follow_symlinks=False).st_mode):
            raise missing
        return FileOnDisk.found(real)
    except (OSError, RuntimeError, ValueError):  # missing, a loop of links, a name that no file can have
        raise missing from None


def _decoded(text: str, name: str) -> bytes:
    """Base64 in either alphabet, with line breaks, without padding, as a data URL: all occur in practice.

    The plain form is decoded as it is; only the others are copied to be made plain.
    """
    try:
        return binascii.a2b_base64(text, strict_mode=True)
    except ValueError:
        pass
    prefix = _DATA_URL.match(text)
    compact = text[prefix.end() :] if prefix else text
    compact = "".join(compact.split()).replace("-", "+").replace("_", "/")
    compact += "=" * (-len(compact) % 4)
    try:
        return base64.b64decode(compact, validate=True)
    except ValueError:  # binascii.Error, or characters beyond ASCII
        raise invalid(f"`{name}` is not base64.") from None

"""The last generated text of every file, kept beside the lock, so that edits can be told from it and merged.

One compressed file, because nobody reads it. Files that are copied from the run-time library make up most of a small
project; of them only the keys of the lines are kept. That is enough for a merge, whose lines all come from
the team's or the new text.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import Any

from mcpgen.emit.lock import Lock
from mcpgen.emit.merging.lines import lines_of
from mcpgen.emit.model import FormattedFile, Ownership, digest

PRISTINE_NAME = ".mcpgen/pristine.xz"
_FORMAT = 1
_KEY_BYTES = 5
"""Two different lines among the thousand of a file have the same key once in a million files."""
_PRESET = 3
"""A tenth of the time of the strongest compression for nearly its result."""


@dataclass(frozen=True, slots=True)
class Pristine:
    """What was generated last: texts, and for vendored files the SHA-256 of the text and the keys of its lines."""

    texts: Mapping[PurePosixPath, bytes] = field(default_factory=dict)
    lines: Mapping[PurePosixPath, tuple[str, tuple[str, ...]]] = field(default_factory=dict)

    def text(self, path: PurePosixPath, sha256: str) -> str | None:
        """The text of a file, or None where it is not the one that the lock speaks of."""
        data = self.texts.get(path)
        return data.decode("utf-8") if data is not None and digest(data) == sha256 else None

    def keys(self, path: PurePosixPath, sha256: str) -> tuple[str, ...] | None:
        """The keys of the lines of a vendored file, or None where they are not those of the file in the lock."""
        found = self.lines.get(path)
        return found[1] if found is not None and found[0] == sha256 else None


def line_key(line: str) -> str:
    """What stands for a line of a vendored file."""
    return blake2b(line.encode("utf-8", "surrogateescape"), digest_size=_KEY_BYTES).hexdigest()


def next_pristine(files: Iterable[FormattedFile], kept: Iterable[PurePosixPath], old: Pristine) -> Pristine:
    """What is to be remembered of a run; `kept` are files that stay though they are no longer generated."""
    texts = {path: old.texts[path] for path in kept if path in old.texts}
    lines = {path: old.lines[path] for path in kept if path in old.lines}
    for file in files:
        if file.ownership is Ownership.VENDORED:
            keys = tuple(map(line_key, lines_of(file.data.decode("utf-8"))))
            lines[file.path] = (file.sha256, keys)
        elif file.ownership is Ownership.GENERATED:
            texts[file.path] = file.data
    return Pristine(texts, lines)


def pack(pristine: Pristine) -> bytes:
    """The bytes of the file: an index in JSON on the first line, then the contents in its order, compressed."""
    contents = [(path, "text", "", data) for path, data in sorted(pristine.texts.items())]
    contents += [
        (path, "lines", sha256, bytes.fromhex("".join(keys)))
        for path, (sha256, keys) in sorted(pristine.lines.items())
    ]
    index = {
        "format": _FORMAT,
        "files": [[str(path), kind, sha256, len(data)] for path, kind, sha256, data in contents],
    }
    head = json.dumps(index, ensure_ascii=False).encode() + b"\n"
    return lzma.compress(head + b"".join(data for *_, data in contents), preset=_PRESET)


def read_pristine(output: Path) -> Pristine:
    """What a project remembers; nothing where the file is missing or damaged.

    Raises:
        OSError: it is there but cannot be read.
    """
    try:
        return unpack((output / PRISTINE_NAME).read_bytes())
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return Pristine()


def generated_catalog(output: Path, lock: Lock) -> Any:
    """The catalogue that was generated last, without the team's edits; None where it is not known.

    Raises:
        OSError: what is remembered cannot be read.
        ValueError: it is no JSON.
    """
    path = PurePosixPath("src", lock.info.project.get("package", ""), "catalog.json")
    entry = lock.files.get(path)
    text = None if entry is None else read_pristine(output).text(path, entry.sha256)
    return None if text is None else json.loads(text)


def unpack(data: bytes) -> Pristine:
    """The content of the file.

    Raises:
        ValueError: it is damaged, or of another version.
    """
    texts: dict[PurePosixPath, bytes] = {}
    lines: dict[PurePosixPath, tuple[str, tuple[str, ...]]] = {}
    try:
        head, _, body = lzma.decompress(data).partition(b"\n")
        index = json.loads(head)
        if index["format"] != _FORMAT:
            raise ValueError("of another version")
        position = 0
        for path, kind, sha256, size in index["files"]:
            content = body[position : position + size]
            position += size
            if kind == "text":
                texts[PurePosixPath(path)] = content
            else:
                step = range(0, len(content), _KEY_BYTES)
                lines[PurePosixPath(path)] = sha256, tuple(content[i : i + _KEY_BYTES].hex() for i in step)
    except (lzma.LZMAError, EOFError, KeyError, TypeError) as error:
        raise ValueError(f"not readable: {error}") from None
    return Pristine(texts, lines)

"""Request bodies that are sent piece by piece: files are read while they go out, never held whole."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import anyio

from ..outcomes.failures import invalid

_PIECE = 256 << 10
_SMALL = 1 << 20
"""Up to this size a body is plain bytes, which are easier for hooks to read and change."""


@dataclass(frozen=True, slots=True)
class FileOnDisk:
    """A file that was found and measured, to be read when it is sent. `path` has no symbolic link in it."""

    path: Path
    size: int
    identity: tuple[int, int, int]

    @classmethod
    def found(cls, path: Path) -> FileOnDisk:
        """Raises OSError where there is nothing to read."""
        stat = path.stat(follow_symlinks=False)
        return cls(path, stat.st_size, (stat.st_dev, stat.st_ino, stat.st_mtime_ns))

    async def pieces(self) -> AsyncIterator[bytes]:
        """The content, in order.

        Raises:
            CallFailed: it is no longer the file that was measured: the length was announced already, and
                something else may stand in its place.
        """
        left = self.size
        try:
            descriptor = await anyio.to_thread.run_sync(_open, self.path)
            async with anyio.wrap_file(os.fdopen(descriptor, "rb", buffering=0)) as file:
                stat = os.fstat(descriptor)
                if (stat.st_dev, stat.st_ino, stat.st_mtime_ns) != self.identity:
                    raise _changed()
                while left:
                    piece = await file.read(min(left, _PIECE))
                    if not piece:
                        raise _changed()
                    left -= len(piece)
                    yield piece
        except OSError:
            raise _changed() from None


def _open(path: Path) -> int:
    return os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))


def _changed() -> Exception:
    return invalid("A file changed while it was being sent.")


Chunk: TypeAlias = bytes | FileOnDisk


class Payload:
    """A body as the pieces that it is made of. It can be sent more than once: a repeat starts anew."""

    def __init__(self, chunks: Iterable[Chunk]) -> None:
        self._chunks = tuple(chunks)

    def __len__(self) -> int:
        return sum(size_of(chunk) for chunk in self._chunks)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self._chunks:
            if isinstance(chunk, FileOnDisk):
                async for piece in chunk.pieces():
                    yield piece
            else:
                view = memoryview(chunk)
                for start in range(0, len(view), _PIECE):
                    yield bytes(view[start : start + _PIECE])


def payload(chunks: Iterable[Chunk]) -> bytes | Payload:
    """The chunks as one body: bytes as long as it is small and in memory, else pieces."""
    found = list(chunks)
    in_memory = [chunk for chunk in found if not isinstance(chunk, FileOnDisk)]
    if len(in_memory) == len(found) and sum(map(len, in_memory)) <= _SMALL:
        return b"".join(in_memory)
    return Payload(found)


def size_of(chunk: Chunk) -> int:
    return chunk.size if isinstance(chunk, FileOnDisk) else len(chunk)

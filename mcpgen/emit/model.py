"""What is emitted: files in memory, who owns each of them, and what writing them would change."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath


class Ownership(StrEnum):
    """Who may change a file after it was written.

    `GENERATED` and `VENDORED` files are ours: they are replaced when they are untouched. Vendored ones are copied
    byte for byte, so they are never formatted. A `USER` file is written once and belongs to the team from then on.
    """

    GENERATED = "generated"
    VENDORED = "vendored"
    USER = "user"


@dataclass(frozen=True, slots=True)
class RenderedFile:
    """One planned file. `path` is relative to the output folder.

    `shaped` Python is laid out as black would, except where a line is too long: formatting goes round the rest.
    """

    path: PurePosixPath
    text: str
    ownership: Ownership
    shaped: bool = False


@dataclass(frozen=True, slots=True)
class FormattedFile:
    """One planned file with its final bytes."""

    path: PurePosixPath
    data: bytes
    ownership: Ownership

    @property
    def sha256(self) -> str:
        return digest(self.data)


class Action(StrEnum):
    """What happens to one file."""

    CREATE = "create"
    REPLACE = "replace"
    IDENTICAL = "identical"
    KEPT = "kept"
    REMOVE = "remove"
    CONFLICT = "conflict"


@dataclass(frozen=True, slots=True)
class Change:
    """What happens to one file, and why where it is not obvious.

    `data` is what will be written, for `CREATE` and `REPLACE` only. `code` is the diagnostic code of a `CONFLICT`
    and of a `KEPT` file that the user should hear about.
    """

    path: PurePosixPath
    action: Action
    ownership: Ownership
    data: bytes | None = None
    code: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """Everything that one run would change or changed, sorted by path."""

    entries: tuple[Change, ...]

    def __iter__(self) -> Iterator[Change]:
        return iter(self.entries)

    def of(self, *actions: Action) -> tuple[Change, ...]:
        """The entries with one of these actions."""
        return tuple(entry for entry in self.entries if entry.action in actions)

    @property
    def writes(self) -> tuple[Change, ...]:
        """The entries that touch the disk."""
        return self.of(Action.CREATE, Action.REPLACE, Action.REMOVE)


def digest(data: bytes) -> str:
    """The SHA-256 of some bytes, as the lock spells it."""
    return hashlib.sha256(data).hexdigest()

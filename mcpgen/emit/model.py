"""What is emitted: files in memory, who owns each of them, and what writing them would change."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcpgen.emit.merging.model import Conflict


class Ownership(StrEnum):
    """Who may change a file after it was written.

    `GENERATED` and `VENDORED` files follow the generator, and edits in them are merged. Vendored ones are copied byte
    for byte, so they are never formatted. A `USER` file is written once and belongs to the team from then on.
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
    """What happens to one file.

    `REPLACE` meets an untouched file, `MERGE` an edited one. An `EDITED` file has edits and nothing new. A `KEPT` file is the
    team's, was deleted by it, or is no longer generated.
    """

    CREATE = "create"
    REPLACE = "replace"
    MERGE = "merge"
    IDENTICAL = "identical"
    EDITED = "edited"
    KEPT = "kept"
    REMOVE = "remove"
    CONFLICT = "conflict"


@dataclass(frozen=True, slots=True)
class Change:
    """What happens to one file, and why where it is not obvious.

    Attributes:
        data: what will be written, for `CREATE`, `REPLACE` and `MERGE` only.
        code: the diagnostic code of a `CONFLICT`, and of another action that the user should hear about.
        deleted: the team has deleted the file, and it stays so.
        conflicts: the overlaps of a `CONFLICT`, or those that were decided by the user's choice.
        noting: it only writes down which files the team has deleted; nothing that is generated is out of date.
    """

    path: PurePosixPath
    action: Action
    ownership: Ownership
    data: bytes | None = None
    code: str | None = None
    reason: str = ""
    deleted: bool = False
    conflicts: tuple[Conflict, ...] = ()
    noting: bool = False


WRITING = (Action.CREATE, Action.REPLACE, Action.MERGE, Action.REMOVE)
"""The actions that touch the disk."""


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
        return self.of(*WRITING)

    @property
    def outdated(self) -> tuple[Change, ...]:
        """The entries that touch the disk because what is generated is another; empty for a project that is up to date."""
        return tuple(entry for entry in self.writes if not entry.noting)


def digest(data: bytes) -> str:
    """The SHA-256 of some bytes, as the lock spells it."""
    return hashlib.sha256(data).hexdigest()


def json_lines(document: Mapping[str, Any], separators: tuple[str, str] = (",", ":")) -> str:
    """JSON with one line for each entry of the second level: small, and a change shows as the line of its tool."""
    members = []

    def text(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False, separators=separators)

    colon = separators[1]
    for key, value in document.items():
        opened, closed = ("{", "}") if isinstance(value, Mapping) else ("[", "]")
        items = [f"{text(k)}{colon}{text(v)}" for k, v in value.items()] if isinstance(value, Mapping) else []
        items = [text(item) for item in value] if isinstance(value, list) else items
        body = ",\n".join(items)
        shown = f"{opened}\n{body}\n{closed}" if items else text(value)
        members.append(f"{text(key)}{colon}{shown}")
    return "{" + ",\n".join(members) + "}\n"

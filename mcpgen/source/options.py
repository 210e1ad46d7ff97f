"""What the user allows the reader to do."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """Limits and permissions for reading.

    `allow_remote` admits references over the network (the root itself may always be a URL), to public addresses only,
    unless `allow_private` is set or the root itself came from a private one. `allow_outside` names
    further folders or files that references may lead to. `max_bytes` bounds all documents together.
    """

    allow_remote: bool = False
    allow_outside: tuple[Path, ...] = ()
    allow_private: bool = False
    max_bytes: int = 64 * 1024 * 1024
    timeout_seconds: float = 20.0

"""What a diagnostic is: a code, a severity, a message, and a place in the user's own files."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How much a diagnostic matters. Only `ERROR` refuses a run; `--strict` raises warnings to errors."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a user's file.

    `pointer` is a JSON pointer (RFC 6901) into that file. `line` and `column` count from 1 and are looked up
    only when a diagnostic is reported, because most locations are never shown.
    """

    file: str
    pointer: str = ""
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding about the user's input. `code` is a key of `mcpgen.diagnostics.codes.CODES`."""

    code: str
    severity: Severity
    message: str
    location: Location | None = None
    hint: str | None = None


class Unsupported(Exception):
    """One unit (an operation, a schema) cannot be used; caught where that unit begins, and recorded there."""

    def __init__(
        self, code: str, message: str, location: Location | None = None, hint: str | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.location = location
        self.hint = hint


class Refused(Exception):
    """The whole run is refused. The reasons are already in the collector; nothing has been written."""

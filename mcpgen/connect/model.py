"""What the parts of connecting hand to each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Variable:
    """An environment variable that the server cannot work without.

    `secret` ones are never written into a file. `meaning` is one phrase for people.
    """

    name: str
    secret: bool
    meaning: str


@dataclass(frozen=True, slots=True)
class Needs:
    """What a server needs from its environment.

    Attributes:
        variables: those to set, the address first.
        alternatives: further schemes that would do in place of the chosen ones, as phrases.
        login: the schemes that someone has to log in for once, with the server's own command.
    """

    variables: tuple[Variable, ...]
    alternatives: tuple[str, ...] = ()
    login: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Launch:
    """How the server is started over stdio.

    `python` is the absolute path of the interpreter; `path` is its `PYTHONPATH`, None where the package is installed.
    """

    python: str
    package: str
    path: str | None = None


@dataclass(frozen=True, slots=True)
class Server:
    """What is entered: the name, and either how it is started or where it already runs.

    `given` are values of variables that are not secret: they are written as they are.
    """

    name: str
    launch: Launch | None = None
    url: str | None = None
    variables: tuple[Variable, ...] = ()
    given: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Entry:
    """A server as one client writes it.

    Attributes:
        value: the entry itself.
        inputs: what the client asks the user for (VS Code's `inputs`).
        open: the variables that stand in the entry without a value of their own.
    """

    value: dict[str, Any]
    inputs: tuple[dict[str, Any], ...] = ()
    open: frozenset[str] = frozenset()


class FileProblem(Exception):
    """A client's file cannot be read or changed. `line` and `column` count from 1."""

    def __init__(
        self, message: str, line: int | None = None, column: int | None = None, hint: str | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.hint = hint

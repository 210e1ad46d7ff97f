"""What an error body says, whichever way it was written."""

from __future__ import annotations

from dataclasses import dataclass

Steps = tuple[str | int, ...]
"""A place inside a request as an API writes it; a text can hold several steps (`items[0].price`)."""

_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Place:
    """Where an API says that something is wrong.

    Attributes:
        location: the part of the request (`body`, `query`, `path`, `header`, `cookie`), if the API names one.
        sure: false where the same key often means something else: it counts only when it fits an argument.
    """

    steps: Steps
    location: str | None = None
    sure: bool = True

    def inner(self, step: str | int) -> Place:
        """A place inside this one."""
        return Place((*self.steps, step), self.location, self.sure)

    @property
    def spelling(self) -> str:
        """The place in the API's own words."""
        return ".".join(str(step) for step in self.steps)[:_LONGEST]


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that an API says: its words, and where in the request it sees the fault."""

    message: str
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class ErrorBody:
    """All that an error body says.

    Attributes:
        codes: machine codes, without the namespaces around them.
        wait: seconds that the body asks to wait.
    """

    statements: tuple[Statement, ...] = ()
    codes: tuple[str, ...] = ()
    wait: float | None = None


def squashed(name: object) -> str:
    """A name without case and separators, so that `field_errors`, `fieldErrors` and `Field-Errors` are one."""
    return "".join(c for c in str(name).lower() if c.isalnum())

"""What a conversion gives: the definition of one tool, and what had to be said about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
    """What a finding is about.

    `NOT_STRICT`: the tool is defined, but not strictly. `WORDED`: the format has no keyword for a rule, so the
    description says it, and the call is checked against it. `LOOSENED`: a rule is neither in the definition nor in
    words; the call is checked against it. `NULL_IS_ABSENT`: null can't be given where it would mean something.
    `CLOSED`: fields that the schema does not name can't be given. `SHORTENED`: a description was too long.
    `REFUSED`: the API of the format would refuse the definition.
    """

    NOT_STRICT = "not-strict"
    WORDED = "worded"
    LOOSENED = "loosened"
    NULL_IS_ABSENT = "null-is-absent"
    CLOSED = "closed"
    SHORTENED = "shortened"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to know about a definition. `pointer` (RFC 6901) leads into the tool's `inputSchema`."""

    kind: Kind
    tool: str
    pointer: str
    text: str


@dataclass(frozen=True, slots=True)
class Definition:
    """One tool. `strict` is None in formats that know no such thing."""

    tool: str
    value: dict[str, Any]
    strict: bool | None = None
    findings: tuple[Finding, ...] = ()


def step(pointer: str, *tokens: str | int) -> str:
    """A JSON pointer that leads further."""
    return pointer + "".join(f"/{str(token).replace('~', '~0').replace('/', '~1')}" for token in tokens)

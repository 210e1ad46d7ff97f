"""The names of a request as the caller knows them: a model has never seen `Idempotency-Key`, only `idempotency_key`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from ..operation import Operation
from ..outcomes.failures import CallFailed

_QUOTED = re.compile(r"`([^`]+)`")


@contextmanager
def callers_names(operation: Operation, *places: str) -> Iterator[None]:
    """Refusals of what is written here name the caller's arguments.

    Args:
        places: the places of the request that are written here, such as `path`: a field of the body may well have
            the same name on the wire as a parameter of the path, so that the name alone does not say which is meant.

    Raises:
        CallFailed: what was raised within, with the names of arguments in place of those on the wire.
    """
    try:
        yield
    except CallFailed as error:
        raise _renamed(error, operation, places) from error


def _renamed(error: CallFailed, operation: Operation, places: tuple[str, ...]) -> CallFailed:
    """Messages put names in backticks. One that several arguments here have stays: nobody can tell which is meant."""
    wires = [(a.wire_name or a.body_field, a.name) for a in operation.arguments if a.where in places]
    count = Counter(wire for wire, _ in wires)
    names = {wire: name for wire, name in wires if wire and count[wire] == 1}

    def renamed(found: re.Match[str]) -> str:
        wire, dot, rest = found[1].partition(".")
        return f"`{names.get(found[1]) or names.get(wire, wire) + dot + rest}`"

    message = _QUOTED.sub(renamed, error.failure.message)
    return CallFailed(replace(error.failure, message=message))

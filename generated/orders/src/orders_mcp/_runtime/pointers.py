"""JSON pointers (RFC 6901) into values that nobody has vouched for."""

from __future__ import annotations

from typing import Any

from .values import UNSET, JsonObject

_MOST_DIGITS = 9


def steps(pointer: str) -> tuple[str, ...]:
    """The names on the way of a pointer."""
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:])


def found_at(value: Any, pointer: str) -> Any:
    """What is at a place; UNSET where nothing is."""
    for step in steps(pointer):
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list) and step.isascii() and step.isdigit() and len(step) <= _MOST_DIGITS:
            if int(step) >= len(value):
                return UNSET
            value = value[int(step)]
        else:
            return UNSET
    return value


def argument_steps(argument: str) -> tuple[str, ...]:
    """An argument as the catalogue names it: by its name, or by a pointer into the arguments."""
    return steps(argument) if argument.startswith("/") else (argument,)


def argument_at(arguments: JsonObject, argument: str) -> Any:
    """The value of an argument, or of a field inside one; UNSET where it is not given."""
    found: Any = arguments
    for step in argument_steps(argument):
        found = found.get(step, UNSET) if isinstance(found, dict) else UNSET
    return found


def with_argument(arguments: JsonObject, argument: str, value: Any) -> JsonObject:
    """A copy of the arguments with another value for one."""
    first, *rest = argument_steps(argument)
    if not rest:
        return {**arguments, first: value}
    own = arguments.get(first)
    inner = own if isinstance(own, dict) else {}
    below = "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in rest)
    return {**arguments, first: with_argument(inner, below, value)}

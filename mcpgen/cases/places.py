"""Where in the arguments of a call a constraint can be broken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mcpgen.cases.breaking import ABSENT
from mcpgen.cases.kinds import Reader

_DEPTH = 5
_MOST_MEMBERS = 60

Step = str | int


@dataclass(frozen=True, slots=True)
class Place:
    """One value inside the arguments.

    Attributes:
        path: from the arguments to it; () is all of them.
        value: what is there; ABSENT where the call does not have it.
        optional: it is a member that can be left out.
        anchor: how many steps of the path a message is sure to name: inside an alternative, those up to the choice.
    """

    path: tuple[Step, ...]
    schema: Any
    value: Any
    optional: bool
    anchor: int

    @property
    def spelling(self) -> str:
        """`filter.ids[0]`"""
        text = ""
        for step in self.path:
            text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
        return text

    @property
    def named(self) -> str:
        """The last name on the way that a message has to have."""
        return next((step for step in reversed(self.path[: self.anchor]) if isinstance(step, str)), "")


def places(schema: Mapping[str, Any], arguments: Mapping[str, Any], reader: Reader) -> Iterator[Place]:
    """Every place of a call, the outer ones first, and the arguments that the call does not have."""
    waiting: list[Place] = [Place((), schema, arguments, False, 0)]
    while waiting:
        place = waiting.pop(0)
        yield place
        if len(place.path) < _DEPTH and place.value is not ABSENT:
            waiting += _inner(place, reader)


def _inner(place: Place, reader: Reader) -> Iterator[Place]:
    for schema, chosen in _readings(place, reader):
        reached = place.anchor + (not chosen and place.anchor == len(place.path))
        if isinstance(place.value, dict):
            required = {name for part in reader.parts(schema) for name in part.get("required") or ()}
            for name, inner in _members(schema, place, reader):
                value = place.value.get(name, ABSENT)
                yield Place((*place.path, name), inner, value, name not in required, reached)
        elif isinstance(place.value, list) and place.value:
            for part in reader.parts(schema):
                if isinstance(part.get("items"), Mapping) and "prefixItems" not in part:
                    yield Place((*place.path, 0), part["items"], place.value[0], False, reached)


def _members(schema: Any, place: Place, reader: Reader) -> Sequence[tuple[str, Any]]:
    """The described members that the value has, and at the outermost level those that it does not have."""
    found: dict[str, Any] = {}
    for part in reader.parts(schema):
        for name, inner in (part.get("properties") or {}).items():
            if name in place.value or not place.path:
                found.setdefault(name, inner)
    return list(found.items())[:_MOST_MEMBERS]


def _readings(place: Place, reader: Reader) -> Iterator[tuple[Any, bool]]:
    """The schema itself, and the only alternative that is no null: there a fault is a fault of the choice."""
    yield place.schema, False
    real = [one for one in reader.choices(place.schema) if reader.kinds(one) != {"null"}]
    if len(real) == 1:
        yield real[0], True

"""Calls that break one constraint of a tool's published input schema, once: the server has to refuse them unsent."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jsonschema.exceptions import ValidationError
from referencing.exceptions import Unresolvable

from mcpgen.cases.breaking import ABSENT, BREAKERS, UNKNOWN, wrong_kinds
from mcpgen.cases.kinds import Reader
from mcpgen.cases.model import CallCase, RefusalCase
from mcpgen.cases.places import Place, Step, places
from mcpgen.cases.unsendable import unsendable
from mcpgen.plan.model import ToolPlan
from mcpgen.runtime.patterns.keywords import bounded_validator

MOST = 24
_LARGEST = 3_000
"""Bytes of JSON of one call."""
_ORDER = ("required", "additionalProperties", "type", "null", *BREAKERS, "dependentRequired")
_TRIES = 6
_APART = frozenset(
    {"type", "properties", "required", "additionalProperties", "$defs", "title", "description"}
)
"""Keywords of an object that judge each of its members by itself, and which members there are."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A way to break one keyword at one place: the values to put there, the likeliest first.

    `named` is what a refusal has to name; `removed` is a member of the place that is taken out, in place of new values.
    """

    keyword: str
    place: Place
    named: str
    values: Iterable[Any] = ()
    removed: str | None = None


def refusals_of(tool: ToolPlan, calls: Sequence[CallCase], *, most: int = MOST) -> tuple[RefusalCase, ...]:
    """At most so many refusals, of as many keywords and arguments as possible.

    Each is checked here: it breaks the schema at one place, by one keyword, and the call without it does not.
    """
    if not calls:
        return ()
    maker = _Maker(tool, calls)
    found: list[RefusalCase] = list(unsendable(tool, calls[0].arguments, maker.keeps))[: most // 4]
    for attempt in _varied(maker.attempts()):
        if len(found) >= most:
            break
        case = maker.case(attempt)
        if case is not None:
            found.append(case)
    return tuple(found)


def _varied(attempts: Mapping[str, Iterator[Attempt]]) -> Iterator[Attempt]:
    """One of each keyword in turn, so that a bound leaves out what is most alike."""
    queues = [attempts[keyword] for keyword in _ORDER if keyword in attempts]
    while queues:
        for queue in tuple(queues):
            try:
                yield next(queue)
            except StopIteration:
                queues.remove(queue)


class _Maker:
    """Makes the refusals of one tool."""

    def __init__(self, tool: ToolPlan, calls: Sequence[CallCase]) -> None:
        self._schema = tool.input_schema
        self._reader = Reader(tool.input_schema)
        self._minimal = calls[0].arguments
        self._full = calls[-1].arguments
        self._validator = bounded_validator()(tool.input_schema)
        self._bases: dict[str, Mapping[str, Any] | None] = {}
        self._alone: Mapping[Step, Any] = {}
        if self._schema.keys() <= _APART and self.keeps(self._minimal):
            self._alone = self._schema.get("properties", {})

    def attempts(self) -> Mapping[str, Iterator[Attempt]]:
        """By keyword. Those of types, which are costly to find and which every place has, are made when they are asked for."""
        found = list(places(self._schema, {**self._full, **self._minimal}, self._reader))
        inner = [place for place in found if place.path]
        made: dict[str, list[Attempt]] = {}
        for place in found:
            for attempt in (*self._outer(place), *(self._inner(place) if place.path else ())):
                made.setdefault(attempt.keyword, []).append(attempt)
        queues = {keyword: iter(attempts) for keyword, attempts in made.items()}
        return {"type": self._types(inner), "null": self._nulls(inner), **queues}

    def _outer(self, place: Place) -> Iterator[Attempt]:
        """What is broken by the names of an object's members."""
        if not isinstance(place.value, dict):
            return
        for part in self._reader.parts(place.schema):
            for name in part.get("required") or ():
                if name in place.value:
                    yield Attempt("required", place, str(name), removed=name)
            for keyword in ("additionalProperties", "unevaluatedProperties"):
                if part.get(keyword) in (False, {"not": {}}):
                    values = ({**place.value, UNKNOWN: 1},)
                    yield Attempt("additionalProperties", place, UNKNOWN, values)
            for name, needed in (part.get("dependentRequired") or {}).items():
                missing = [other for other in needed if name in place.value and other in place.value]
                yield from (Attempt("dependentRequired", place, other, removed=other) for other in missing)

    def _inner(self, place: Place) -> Iterator[Attempt]:
        """What is broken by the value itself, within its type."""
        for choice in (place.schema, *self._reader.choices(place.schema)):
            for part in self._reader.parts(choice):
                for keyword in part:
                    if keyword in BREAKERS:
                        yield Attempt(keyword, place, place.named, BREAKERS[keyword](part, place.value))

    def _types(self, inner: Iterable[Place]) -> Iterator[Attempt]:
        for place in inner:
            kinds = list(wrong_kinds(place.schema, self._reader, optional=place.optional))
            if kinds:
                values = [value for value in kinds if value is not None]
                yield Attempt("type", place, place.named, values)

    def _nulls(self, inner: Iterable[Place]) -> Iterator[Attempt]:
        for place in inner:
            kinds = wrong_kinds(place.schema, self._reader, optional=place.optional)
            if not place.optional and None in kinds:  # null for what can be left out is mended
                yield Attempt("null", place, place.named, [None])

    def case(self, attempt: Attempt) -> RefusalCase | None:
        """The refusal; None where no value breaks that keyword alone."""
        place = attempt.place
        base = self._base(place)
        if base is None:
            return None
        if attempt.removed is not None:
            inner = {name: value for name, value in place.value.items() if name != attempt.removed}
            values: Iterable[Any] = [inner] if place.path else [_without(base, attempt.removed)]
        elif not place.path:
            values = [{**base, UNKNOWN: 1}]
        else:
            values = attempt.values
        for _, value in zip(range(_TRIES), values, strict=False):
            arguments = _with(base, place.path, value)
            if self._breaks(attempt, arguments) and len(json.dumps(arguments)) <= _LARGEST:
                where = attempt.removed or (UNKNOWN if attempt.keyword == "additionalProperties" else "")
                spelling = ".".join(filter(None, (place.spelling, where)))
                return RefusalCase(f"{spelling}: {attempt.keyword}", attempt.named, arguments)
        return None

    def _base(self, place: Place) -> Mapping[str, Any] | None:
        """The minimal call with the one argument that the place is in; None where these can't go together."""
        if not place.path:
            return self._minimal
        name = str(place.path[0])
        if name in self._minimal or name not in self._full or place.value is ABSENT:
            return self._minimal
        if name not in self._bases:
            base = {**self._minimal, name: self._full[name]}
            self._bases[name] = base if self._errors(base, name) == [] else None
        return self._bases[name]

    def keeps(self, arguments: Mapping[str, Any]) -> bool:
        """Whether arguments keep the schema."""
        return self._errors(arguments) == []

    def _breaks(self, attempt: Attempt, arguments: Mapping[str, Any]) -> bool:
        """Whether the only fault is the one that is meant, told at its place or at the choice that it is in."""
        errors = self._errors(arguments, attempt.place.path[0] if attempt.place.path else None)
        if errors is None or len(errors) != 1:
            return False
        path, place = list(errors[0].absolute_path), list(attempt.place.path)
        if path != place:
            return errors[0].validator in ("anyOf", "oneOf") and path == place[: len(path)]
        return str(errors[0].validator) in _told_by(attempt.keyword)

    def _errors(
        self, arguments: Mapping[str, Any], changed: Step | None = None
    ) -> list[ValidationError] | None:
        """All faults; None where the schema leads nowhere or in a circle.

        Args:
            changed: the only argument that differs from a call that keeps the schema. Where arguments are not judged
                together, no other one can be at fault.
        """
        alone = self._alone.get(changed) if changed is not None else None
        try:
            if alone is not None:
                return list(self._validator.descend(arguments[str(changed)], alone, path=changed))
            return list(self._validator.iter_errors(dict(arguments)))
        except (Unresolvable, RecursionError, OverflowError):
            return None


def _told_by(keyword: str) -> tuple[str, ...]:
    """The keywords of the validator's errors for one of ours."""
    if keyword in ("type", "null"):
        return ("type", "enum", "const", "anyOf", "oneOf")
    if keyword == "additionalProperties":
        return ("additionalProperties", "unevaluatedProperties")
    return (keyword, "anyOf", "oneOf")


def _without(value: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: inner for key, inner in value.items() if key != name}


def _with(value: Any, path: tuple[Step, ...], new: Any) -> Any:
    """A copy in which another value stands at a path."""
    if not path:
        return new
    if isinstance(value, list):
        return [_with(item, path[1:], new) if n == path[0] else item for n, item in enumerate(value)]
    return {**value, path[0]: _with(value.get(path[0]), path[1:], new)}

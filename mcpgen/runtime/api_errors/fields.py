"""From the place where an API sees a fault to the argument of this tool that holds it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..operation import Argument, Operation
from ..schemas import SchemaReader
from .model import Place, Steps, squashed

LOCATIONS = {
    **dict.fromkeys(("body", "requestbody", "json", "payload", "form", "formdata"), "body"),
    **dict.fromkeys(("query", "querystring", "queryparameter", "queryparam"), "query"),
    **dict.fromkeys(("path", "pathparameter", "pathparam", "route", "url", "uri"), "path"),
    **dict.fromkeys(("header", "headers"), "header"),
    **dict.fromkeys(("cookie", "cookies"), "cookie"),
}
"""Names that APIs give to the parts of a request."""

_WRAPPERS = frozenset(
    "request req params parameters data attributes relationships input arguments args dto model command variables "
    "root root object object entity resource".split()
)
_WRAPPER_ENDS = (
    "request",
    "requestbody",
    "dto",
    "input",
    "command",
    "payload",
    "params",
    "parameters",
    "form",
)
_POSITIONAL = re.compile(r"arg\d{1,2}")
_MOST_STEPS = 20
_LONGEST = 400
_STEP = re.compile(r"[^.\[\]/]+|\[[^\[\]]*\]")


@dataclass(frozen=True, slots=True)
class Located:
    """An argument of the tool, or a part of it: `items[0].price`."""

    text: str
    where: str


def steps_of(text: str) -> Steps:
    """The steps of a JSON pointer, a JSONPath, a dotted path, or names in brackets (`user[address][zip]`)."""
    text = text[:_LONGEST].strip()
    if text.startswith(("/", "#/")):  # RFC 6901
        parts = text.lstrip("#")[1:].split("/")
        return tuple(
            _step(part.replace("~1", "/").replace("~0", "~")) for part in parts[:_MOST_STEPS] if part
        )
    found = _STEP.findall(text.removeprefix("$"))
    return tuple(_step(part.strip("[]").strip("'\"")) for part in found[:_MOST_STEPS] if part != "[]")


def _step(text: str) -> str | int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else text


class ArgumentMap:
    """The arguments of one tool by the names that its API knows them under."""

    def __init__(self, operation: Operation) -> None:
        self._operation = operation
        self._reader = SchemaReader(operation.input_schema)
        self._known = [(argument, _own_steps(argument)) for argument in operation.arguments]
        self._whole = next((a for a in operation.arguments if a.where == "body" and a.pointer == ""), None)
        self._asked: dict[str, bool] = {}
        self._words = {squashed(word) for word in (operation.tool, *operation.tool.split("_"))}

    def knows(self, name: str) -> bool:
        """Whether a name is that of an argument, or of a field of the one that is the whole body."""
        if name not in self._asked:
            self._asked[name] = self.locate(Place((name,))) is not None
        return self._asked[name]

    def locate(self, place: Place) -> Located | None:
        """The argument that a place is in; None where that is not clear."""
        for argument, own in self._known:
            if (
                own and own == place.steps and own != steps_of(str(own[0]))
            ):  # a wire name can have brackets of its own
                return self._located(argument, ())
        for steps, location in self._readings(place):
            found = self._match(steps, location)
            if found is not None:
                return found
        return None

    def _readings(self, place: Place) -> Iterator[tuple[Steps, str | None]]:
        """What a place can mean, the likeliest first: names of the request's parts and of models stand in front."""
        steps = tuple(
            step for part in place.steps for step in (steps_of(part) if isinstance(part, str) else (part,))
        )[:_MOST_STEPS]
        location = place.location
        named = LOCATIONS.get(squashed(steps[0])) if steps else None
        if named is not None and len(steps) > 1:
            yield steps[1:], named
        yield steps, location
        yield steps, None
        while len(steps) > 1 and self._is_wrapper(steps[0]):
            steps = steps[1:]
            yield steps, location

    def _is_wrapper(self, step: str | int) -> bool:
        name = squashed(step)
        known = name in _WRAPPERS or name in LOCATIONS or name in self._words
        return known or name.endswith(_WRAPPER_ENDS) or _POSITIONAL.fullmatch(name) is not None

    def _match(self, steps: Steps, location: str | None) -> Located | None:
        best: tuple[int, Argument, int] | None = None
        for argument, own in self._known:
            if location is not None and argument.where != location:
                continue
            in_body = (
                argument.where == "body"
            )  # of two arguments with one name, what a body is checked for is there
            for names in (own, (argument.name,)):
                score = _score(steps, names)
                if score and (best is None or score + in_body > best[0]):
                    best = (score + in_body, argument, len(names))
        if best is not None:
            return self._located(best[1], steps[best[2] :])
        return self._of_whole(steps, location) if location in (None, "body") else None

    def _of_whole(self, steps: Steps, location: str | None) -> Located | None:
        """The place inside the argument that is the whole body, or all the fields without one of their own."""
        if self._whole is None or not steps:
            return None
        sure = location == "body" or isinstance(steps[0], int)
        return (
            self._located(self._whole, steps) if sure or squashed(steps[0]) in self._names_of_whole else None
        )

    @cached_property
    def _names_of_whole(self) -> frozenset[str]:
        schema = {} if self._whole is None else self._schema(self._whole)
        return frozenset(squashed(name) for name in self._reader.property_names(schema))

    def _schema(self, argument: Argument) -> Mapping[str, Any]:
        return self._reader.property_schema(self._operation.input_schema, argument.name) or {}

    def _located(self, argument: Argument, inner: Steps) -> Located:
        text, schema = argument.name, self._schema(argument)
        for position, step in enumerate(inner):
            items = self._reader.item_schema(schema)
            names = self._reader.property_names(schema)
            if isinstance(step, int) and (items is not None or not names):
                text, schema = f"{text}[{step}]", items or {}
                continue
            name = _spelled(step, names)
            following = inner[position + 1 : position + 2]
            if name is None and names and following and _spelled(following[0], names):
                continue  # the name of a union's branch, which is no field
            text += f".{step if name is None else name}"
            schema = (self._reader.property_schema(schema, name) if name is not None else None) or {}
        return Located(text, argument.where)


def _own_steps(argument: Argument) -> Steps:
    if argument.where == "body":
        pointer = argument.pointer or ""
        return tuple(part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:])
    return (argument.wire_name or argument.name,)


def _score(steps: Steps, names: Steps) -> int:
    """How well the first steps are these names: nothing when they are not, more for the very same spelling."""
    if not names or len(steps) < len(names):
        return 0
    score = 4 * len(names)
    for step, name in zip(steps, names, strict=False):
        if step != name:
            if squashed(step) != squashed(name) or not squashed(name):
                return 0
            score -= 2
    return score


def _spelled(step: str | int, names: list[str]) -> str | None:
    """The field that a step means."""
    if step in names:
        return str(step)
    plain = squashed(step)
    return next((name for name in names if squashed(name) == plain), None) if plain else None

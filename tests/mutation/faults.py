"""A fault in one file of a generated project, and how it is put there."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from .listed import LISTED, listed_operator
from .operators import OPERATORS, Operator
from .places import Place, places_of

_SHOWN = 160
REMOVED = "(removed)"


class Fault(Protocol):
    """What is common to faults of code and of data.

    Attributes:
        file: below the package folder, with `/`.
        operator: the kind of fault.
        where: the function, or the place in the catalogue.
        before: what stood there; `after`: what stands there now.
        lines: the lines that must run for the fault to matter; empty where that is not known.
    """

    @property
    def file(self) -> str: ...
    @property
    def operator(self) -> str: ...
    @property
    def where(self) -> str: ...
    @property
    def before(self) -> str: ...
    @property
    def after(self) -> str: ...
    @property
    def lines(self) -> range: ...

    def applied(self, text: str) -> str:
        """The file with the fault in it."""


@dataclass(frozen=True, slots=True)
class CodeFault:
    """A fault in a Python module: the `variant`-th of what `operator` makes of the `place`-th place."""

    file: str
    operator: str
    where: str
    before: str
    after: str
    lines: range
    place: int
    variant: int

    def applied(self, text: str) -> str:
        tree = ast.parse(text)
        place = _nth(places_of(tree), self.place)
        place.put(list(operators_of(self.file)[self.operator](place))[self.variant])
        return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


@dataclass(frozen=True, slots=True)
class DataFault:
    """A fault in a JSON file: another value at the end of a path of keys, or none (`REMOVED`)."""

    file: str
    operator: str
    steps: tuple[str | int, ...]
    before: str
    value: Any = field(hash=False)

    @property
    def where(self) -> str:
        return "/".join(str(step) for step in self.steps)

    @property
    def after(self) -> str:
        return self.value if self.value is REMOVED else json.dumps(self.value)[:_SHOWN]

    @property
    def lines(self) -> range:
        return range(0)

    def applied(self, text: str) -> str:
        content = json.loads(text)
        target = content
        for step in self.steps[:-1]:
            target = target[step]
        if self.value == REMOVED:
            del target[self.steps[-1]]
        else:
            target[self.steps[-1]] = self.value
        return json.dumps(content)


def data_fault(content: Any, operator: str, steps: Sequence[str | int], value: Any = REMOVED) -> DataFault:
    """A fault of the catalogue; `steps` lead to something that is there."""
    target = content
    for step in steps:
        target = target[step]
    return DataFault("catalog.json", operator, tuple(steps), json.dumps(target)[:_SHOWN], value)


def operators_of(file: str) -> Mapping[str, Operator]:
    """The general operators, and the listed kinds of faults as they are made in one file."""
    return {**OPERATORS, **{name: listed_operator(name, file) for name in LISTED}}


def code_faults(file: str, text: str, names: Iterable[str] = OPERATORS) -> list[CodeFault]:
    """Every fault that the named operators make of a module."""
    found = []
    operators = {name: operators_of(file)[name] for name in names}
    for number, place in enumerate(places_of(ast.parse(text))):
        for name, operator in operators.items():
            for variant, node in enumerate(operator(place)):
                before, after = ast.unparse(place.node), ast.unparse(ast.fix_missing_locations(node))
                if before != after:
                    found.append(
                        CodeFault(file, name, place.function, before, after, place.lines, number, variant)
                    )
    return found


def _nth(places: Iterator[Place], number: int) -> Place:
    return next(place for index, place in enumerate(places) if index == number)

"""Every position meets every payload.

Positions that only hold texts are poisoned all at once: the project must be the twin of one with harmless words there.
Other texts have a meaning (a reference, a type, a path): such a position is poisoned alone or beside others that stand
in other operations, and the project may lack what became illegal, but has no other shape than generated code has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path

from .base import Document, document
from .injecting import inject
from .payloads import HARMLESS, HARMLESS_TWINS, PAYLOADS
from .positions import Spot, Walker
from .projects import Project, check, make, shape
from .python_shape import Escape

MEANING = (
    "*.$ref", "*.in", "*.type", "*.type[]", "*.flow", "*.scheme", "*.format", "*.pattern", "*.const", "*.enum", "*.enum[]",
    "*.required[]", "*.style", "*.collectionFormat", "*.discriminator*", "*schema.properties.{key}", "*parameter.name",
    "*Parameter*.name", "*ecurity*.name", "components.*", "Components.*", "definitions.{key}", "parameterDefinitions.{key}",
    "responseDefinitions.{key}", "securityDefinitions.{key}", "*ecurity*equirement.{key}", "*content.{key}", "*.variables.{key}",
    "path*.{key}", "Path*.{key}", "responses.{key}", "Responses.{key}", "operation.tags[]", "Operation.tags[]", "*.produces[]",
    "*.consumes[]", "*.schemes[]", "root.openapi", "root.swagger", "root.host", "root.basePath", "*erver.url", "*erver*ariable.enum[]",
    "*erver*ariable.default", "*authorizationUrl", "*tokenUrl", "*refreshUrl", "*openIdConnectUrl", "path-item.additionalOperations.{key}",
    "*encoding.*", "*Encoding.*", "schema.$*", "schema.content*", "schema.patternProperties.{key}", "*schema.default", "*schema.example*",
    "*primitivesItems.default", "*arameter*.default", "root.$self", "root.jsonSchemaDialect", "Schema.*{key}", "schema.dependent*",
)  # fmt: skip
"""Positions whose text decides about more than texts."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One description: a version, the places that are poisoned, and with what."""

    version: str
    spots: tuple[Spot, ...]
    payload: str
    twin: bool

    def __str__(self) -> str:
        named = sorted({spot.position for spot in self.spots})
        return (
            f"{self.version} {named[0] if len(named) == 1 else f'{len(named)} positions'} <- {self.payload}"
        )


def has_meaning(position: str) -> bool:
    return any(fnmatchcase(position, pattern) for pattern in MEANING)


@lru_cache(maxsize=8)
def spots_of(version: str) -> tuple[Spot, ...]:
    """The places of the document of a version."""
    return tuple(Walker(version).spots(document(version)))


def calm_spots(version: str) -> tuple[Spot, ...]:
    """The places that hold nothing but text."""
    return tuple(spot for spot in spots_of(version) if not has_meaning(spot.position))


def batches(version: str, alone: bool = False) -> Iterator[tuple[Spot, ...]]:
    """The other places, one for each position, so that no operation has two in one batch; with `alone`, each by itself."""
    waiting: dict[str, list[Spot]] = {}
    for spot in spots_of(version):
        if has_meaning(spot.position):
            waiting.setdefault(spot.position, []).append(spot)
    if alone:
        yield from ((spot,) for spots in waiting.values() for spot in spots)
        return
    while waiting:
        batch: dict[tuple[str | int, ...], Spot] = {}
        for position, spots in list(waiting.items()):
            free = [spot for spot in spots if _owner(spot) not in batch]
            if free and not (batch and _is_for_all(spots[0])):
                batch[_owner(free[-1])] = free[-1]
                del waiting[position]
                if _is_for_all(free[-1]):
                    break
        yield tuple(batch.values())


def _owner(spot: Spot) -> tuple[str | int, ...]:
    return (*spot.path, spot.key)[:3]


def _is_for_all(spot: Spot) -> bool:
    return len(spot.path) < 2


def cells(version: str, payloads: Sequence[str], alone: bool = False) -> Iterator[Cell]:
    """All descriptions of one version for these payloads."""
    for payload in payloads:
        yield Cell(version, calm_spots(version), payload, twin=True)
        yield from (Cell(version, batch, payload, twin=False) for batch in batches(version, alone))


def run(cell: Cell, folder: Path, *, narrowed: bool = True) -> int:
    """Generates and checks one description; gives the number of its tools.

    Raises:
        Escape: with the positions through which a text got out, where that is wanted.
    """
    try:
        return _run(cell, cell.spots, folder)
    except Exception as error:
        if len(cell.spots) == 1 or not narrowed:
            raise Escape(f"{cell}: {type(error).__name__}: {error}") from error
        guilty = sorted({spot.position for spot in _narrow(cell, folder)})
        raise Escape(f"{cell}: {type(error).__name__}: {error}; through {', '.join(guilty)}") from error


def _run(cell: Cell, spots: Sequence[Spot], folder: Path) -> int:
    project = make(_poisoned(cell.version, tuple(spots), PAYLOADS[cell.payload]), folder)
    if any(found.code == "internal" for found in project.diagnostics):
        raise Escape("an internal error")
    check(project)
    if cell.twin:
        _compare(project, tuple(spots), cell, folder)
    return len(project.tools)


def _compare(project: Project, spots: tuple[Spot, ...], cell: Cell, folder: Path) -> None:
    expected = _twin(cell.version, spots, HARMLESS_TWINS.get(cell.payload, HARMLESS), folder)
    found = shape(project) if project.files else {}
    different = [name for name in expected if found.get(name) != expected[name]]
    if different:
        raise Escape(f"not the twin of a harmless project: {', '.join(different)}")


@lru_cache(maxsize=64)
def _twin(version: str, spots: tuple[Spot, ...], harmless: str, folder: Path) -> dict[str, object]:
    return shape(make(_poisoned(version, spots, harmless), folder))


def _poisoned(version: str, spots: tuple[Spot, ...], payload: str) -> Document:
    found: Document = inject(document(version), list(spots), payload)
    return found


def _narrow(cell: Cell, folder: Path) -> Sequence[Spot]:
    """The smallest half of a half … of the places that still fails."""
    spots: Sequence[Spot] = cell.spots
    while len(spots) > 1:
        for half in (spots[: len(spots) // 2], spots[len(spots) // 2 :]):
            try:
                _run(cell, half, folder)
            except Exception:  # whatever it is, it is in this half
                spots = half
                break
        else:
            break
    return spots

"""A generated project as what is linted, with the lines of its catalogue."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from mcpgen.diagnostics import Location
from mcpgen.lint.model import Subject
from mcpgen.lint.subject import of_project
from mcpgen.source.model import tokens
from mcpgen.source.parse import parse


def read_project(folder: Path, catalog: Mapping[str, Any]) -> tuple[Subject, Callable[[Location], Location]]:
    """The subject for a project whose catalogue was read, and what fills in lines and columns."""
    project = catalog["project"]
    path = folder / project["source_root"] / project["package"] / "catalog.json"
    positions = parse(path.read_bytes()).positions

    def locate(place: Location) -> Location:
        found = (
            positions.find(tokens(place.pointer)) if place.file == str(path) and place.line is None else None
        )
        return place if found is None else replace(place, line=found[0], column=found[1])

    return of_project(str(folder), str(path), catalog), locate

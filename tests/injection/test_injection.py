"""No text of a description leaves its place in a generated project. `python -m tests.injection` tries the whole product."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcpgen.render import filters

from .base import document
from .matrix import Cell, batches, calm_spots, run, spots_of
from .payloads import PAYLOADS, VENDOR_KEYS
from .positions import VERSIONS, Walker
from .projects import check, light, make
from .python_shape import Escape

NAMES = list(PAYLOADS)
BATCHES = [(version, number) for version in VERSIONS for number, _ in enumerate(batches(version))]


@pytest.fixture(scope="module", autouse=True)
def quick() -> Iterator[None]:
    with light():
        yield


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


@pytest.mark.parametrize("version", VERSIONS)
def test_no_position_is_forgotten(version: str) -> None:
    """The positions come from the schema of the specification; the document has an object of every type."""
    known = Walker(version).positions()
    assert len(known) > 100
    assert known - {spot.position for spot in spots_of(version)} == set()


@pytest.mark.parametrize("number", range(len(NAMES)), ids=NAMES)
def test_texts(number: int, folder: Path) -> None:
    """All positions that hold only texts: the project is the twin of a harmless one."""
    version = VERSIONS[number % len(VERSIONS)]
    cell = Cell(version, calm_spots(version), NAMES[number], twin=True)
    assert run(cell, folder) == run(Cell(version, (), NAMES[0], twin=False), folder)


@pytest.mark.parametrize(("version", "number"), BATCHES)
def test_texts_with_a_meaning(version: str, number: int, folder: Path) -> None:
    """The others: what is illegal may be left out, but all code has the shape of generated code."""
    batch = list(batches(version))[number]
    payload = NAMES[(7 * BATCHES.index((version, number))) % len(NAMES)]
    run(Cell(version, batch, payload, twin=False), folder)


def test_vendor_keys_name_no_python_objects(folder: Path) -> None:
    poisoned = document("3.1")
    for name, schema in poisoned["components"]["schemas"].items():
        schema.update(VENDOR_KEYS)
        for inner in schema.get("properties", {}).values():
            inner |= {**VENDOR_KEYS, "title": f"{name} {VENDOR_KEYS['x-python-type']}"}
    project = make(poisoned, folder)
    check(project)
    assert len(project.tools) == len(make(document("3.1"), folder).tools)
    models = "".join(text for path, text in project.files.items() if path.parent.name == "models")
    assert "class Note" in models
    assert "import os" not in models
    assert "INJECTED" not in models


@pytest.mark.parametrize("name", ["markdown", "docstring", "toml", "py"])
def test_a_filter_that_does_not_escape_is_noticed(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check itself can fail: without one of the filters, texts get out."""
    raw = {name: lambda value, *_: filters.Escaped(str(value), name)}
    monkeypatch.setattr(filters, "FILTERS", {**filters.FILTERS, **raw})
    monkeypatch.setattr("mcpgen.render.environment.FILTERS", {**filters.FILTERS, **raw}, raising=False)
    escaped = False
    for payload in ("triple quotes", "HTML", "line feed", "TOML", "double quote"):
        try:
            run(Cell("3.1", calm_spots("3.1"), payload, twin=True), folder, narrowed=False)
        except Escape:
            escaped = True
            break
    assert escaped


def test_what_got_out_is_told_with_its_position(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raw = {"docstring": lambda value, *_: filters.Escaped(str(value), "docstring")}
    monkeypatch.setattr("mcpgen.render.environment.FILTERS", {**filters.FILTERS, **raw}, raising=False)
    spots = tuple(
        spot for spot in calm_spots("3.1") if spot.position in ("operation.description", "contact.name")
    )
    with pytest.raises(Escape, match=r"through operation\.description$"):
        run(Cell("3.1", spots, "triple quotes", twin=True), folder)

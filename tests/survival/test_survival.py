"""The short version of `make survival`: a few edits against a few changes of one API."""

from __future__ import annotations

from pathlib import Path

from .edits import EDITS
from .matrix import UPGRADE, Cell, Fate, bases, run_cell

CHANGES = ("parameter added", "tag renamed", "operation removed", UPGRADE)


def test_no_edit_is_lost_and_only_overlaps_are_reported(tmp_path: Path) -> None:
    [(name, base)] = bases(tmp_path / "bases", ["billing"], CHANGES, whole=False)
    cells: list[Cell] = []
    for edit in EDITS:
        for change in CHANGES:
            if edit != "version":  # takes a run of its own for each change
                cells.append(run_cell(base, name, edit, change, tmp_path / "project"))
    assert [cell for cell in cells if cell.problems or cell.fate in {Fate.LOST, Fate.SPURIOUS}] == []
    assert {cell.change for cell in cells if cell.fate is Fate.CONFLICT} == {"operation removed"}

"""`make survival`: all edits of three projects against all changes of their APIs; prints the matrix."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from .edits import EDITS
from .generated_tests import Failure, run_tests
from .matrix import ALL_CHANGES, Cell, Fate, bases, run_cell
from .specs import SPECS


def survive(
    folder: Path, specs: Sequence[str], edits: Sequence[str], changes: Sequence[str], every: int
) -> tuple[list[Cell], list[Failure], int]:
    """The cells, which merged projects fail their own tests, and how many were tried; `every` picks each n-th cell."""
    cells: list[Cell] = []
    failures: list[Failure] = []
    tried = 0
    for name, base in bases(folder / "bases", specs, changes, whole=every > 0):
        for edit in edits:
            for change in changes:
                project = folder / "project"
                cells.append(run_cell(base, name, edit, change, project))
                if every and len(cells) % every == 0:
                    tried += 1
                    failures += run_tests(project, f"{name}: {edit} x {change}")
    return cells, failures, tried


def matrix(cells: Sequence[Cell], edits: Sequence[str], changes: Sequence[str]) -> str:
    """Edits down, changes across, one letter for each project."""
    lines = [f"{number + 1:>3} = {change}" for number, change in enumerate(changes)]
    lines += ["", f"{'':<20}" + "".join(f"{number + 1:>5}" for number in range(len(changes)))]
    for edit in edits:
        row = [
            "".join(str(cell.fate) for cell in cells if (cell.edit, cell.change) == (edit, change))
            for change in changes
        ]
        lines.append(f"{edit:<20}" + "".join(f"{letters:>5}" for letters in row))
    lines += [
        "",
        ". kept   c overlap reported   S reported without an overlap   L lost or broken; one letter a project",
    ]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spec", choices=SPECS, action="append", help="only this API")
    parser.add_argument("--edit", choices=EDITS, action="append", help="only this edit")
    parser.add_argument("--change", choices=ALL_CHANGES, action="append", help="only this change")
    parser.add_argument(
        "--tests", type=int, default=1, metavar="N", help="run the generated tests of each N-th cell; 0: none"
    )
    given = parser.parse_args()
    specs, edits, changes = (
        given.spec or list(SPECS),
        given.edit or list(EDITS),
        given.change or list(ALL_CHANGES),
    )
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        cells, failures, tried = survive(Path(folder), specs, edits, changes, given.tests)
    print(matrix(cells, edits, changes))
    bad = [cell for cell in cells if cell.problems or cell.fate in {Fate.SPURIOUS, Fate.LOST}]
    for cell in bad:
        print(f"\n{cell.spec}: {cell.edit} x {cell.change}: {cell.fate.name}", *cell.problems[:5], sep="\n  ")
    for failure in failures:
        print(f"\n{failure.name}: the generated tests fail\n{failure.output}")
    count = {fate: sum(cell.fate is fate for cell in cells) for fate in Fate}
    print(
        f"\n{len(cells)} cells: {count[Fate.KEPT]} kept, {count[Fate.CONFLICT]} overlaps reported, "
        f"{count[Fate.SPURIOUS]} reported without an overlap, {count[Fate.LOST]} lost or broken; "
        f"generated tests run {tried} times, {len(failures)} failed; {time.monotonic() - start:.0f} s"
    )
    return 1 if bad or failures else 0


if __name__ == "__main__":
    sys.exit(main())

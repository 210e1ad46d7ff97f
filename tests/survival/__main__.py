"""`make survival`: all edits of three projects against all changes of their APIs; prints the matrix."""

from __future__ import annotations

import argparse
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from .edits import EDITS
from .generated_tests import Failure, run_tests
from .matrix import ALL_CHANGES, Base, Cell, Fate, bases, run_cell
from .specs import SPECS

_WHOLE = 10
"""Of so many runs of generated tests, one starts the server as a process too: that takes most of the time."""


@dataclass(frozen=True, slots=True)
class Row:
    """All cells of one edit of one project, which merged projects fail their own tests, and how many were tried."""

    cells: list[Cell]
    failures: list[Failure]
    tried: int


_base: dict[str, Base] = {}
"""The project that rows are made of: what is forked has it, and it need not be sent."""


def row(name: str, folder: Path, changes: Sequence[str], every: int, numbered: tuple[int, str]) -> Row:
    """The cells of one edit; of those of all rows, each `every`-th has its generated tests run."""
    number, edit = numbered
    found = Row([], [], 0)
    project = folder / f"project-{number}"
    for position, change in enumerate(changes, number * len(changes) + 1):
        found.cells.append(run_cell(_base[name], name, edit, change, project))
        if every and position % every == 0:
            found = replace(found, tried=found.tried + 1)
            whole = position // every % _WHOLE == 0
            found.failures.extend(run_tests(project, f"{name}: {edit} x {change}", whole=whole))
    shutil.rmtree(project, ignore_errors=True)
    return found


def survive(
    folder: Path, specs: Sequence[str], edits: Sequence[str], changes: Sequence[str], every: int, jobs: int
) -> Row:
    """The cells of all projects; `every` picks each n-th cell for the generated tests."""
    rows: list[Row] = []
    for name, base in bases(folder / "bases", specs, changes, whole=every > 0):
        _base[name] = base
        with multiprocessing.get_context("fork").Pool(jobs) as pool:
            work = partial(row, name, folder, changes, every)
            for edit, done in zip(edits, pool.imap(work, list(enumerate(edits))), strict=True):
                rows.append(done)
                print(
                    f"{name}: {edit}: {''.join(str(cell.fate) for cell in done.cells)}",
                    file=sys.stderr,
                    flush=True,
                )
                for failure in done.failures:
                    print(f"{failure.name}: the generated tests fail", file=sys.stderr, flush=True)
    return Row(
        [cell for one in rows for cell in one.cells],
        [failure for one in rows for failure in one.failures],
        sum(one.tried for one in rows),
    )


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
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="so many at once")
    given = parser.parse_args()
    specs, edits, changes = (
        given.spec or list(SPECS),
        given.edit or list(EDITS),
        given.change or list(ALL_CHANGES),
    )
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        done = survive(Path(folder), specs, edits, changes, given.tests, given.jobs)
    cells, failures, tried = done.cells, done.failures, done.tried
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

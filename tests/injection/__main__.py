"""`make injection`: every position of every version meets every payload; prints the number of cells, and what got out.

Positions that do not disturb each other stand in one description, and where something gets out, halves of them are tried until it is
known through which. `--alone` gives each position a description of its own, which takes hours.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from .matrix import Cell, cells, run
from .payloads import PAYLOADS
from .positions import VERSIONS
from .projects import light
from .python_shape import Escape


def attempt(cell: Cell, *, validated: bool = False) -> str | None:
    """One description; what got out of it."""
    with light(validated=validated), tempfile.TemporaryDirectory() as folder:
        try:
            run(cell, Path(folder))
        except Escape as escape:
            return str(escape)
    return None


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--versions", nargs="+", default=list(VERSIONS), choices=VERSIONS)
    parser.add_argument("--payloads", nargs="+", default=list(PAYLOADS), metavar="NAME")
    parser.add_argument("--alone", action="store_true", help="a description for each position: takes hours")
    parser.add_argument(
        "--validated", action="store_true", help="with the check against the specification: slower"
    )
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args(arguments)
    started = time.monotonic()
    escapes = total = 0
    for version in options.versions:
        todo = list(cells(version, options.payloads, alone=options.alone))
        with ProcessPoolExecutor(options.processes) as pool:
            outcomes = pool.map(partial(attempt, validated=options.validated), todo, chunksize=8)
            found = [escape for escape in outcomes if escape is not None]
        for escape in found:
            print(escape, flush=True)
        tried = {(spot.position, cell.payload) for cell in todo for spot in cell.spots}
        positions = {position for position, _ in tried}
        escapes, total = escapes + len(found), total + len(tried)
        print(
            f"OpenAPI {version}: {len(positions)} positions x {len(options.payloads)} payloads = {len(tried)} cells"
            f" in {len(todo)} descriptions, {len(found)} escapes",
            flush=True,
        )
    print(f"{total} cells, {escapes} escapes, {time.monotonic() - started:.0f} s")
    return 1 if escapes else 0


if __name__ == "__main__":
    sys.exit(main())

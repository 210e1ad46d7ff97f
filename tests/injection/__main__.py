"""`make injection`: every position of every version meets every payload, each position alone; prints what got out."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from .matrix import Cell, cells, run, spots_of
from .payloads import PAYLOADS
from .positions import VERSIONS
from .projects import light
from .python_shape import Escape


def attempt(cell: Cell) -> str | None:
    """One description; what got out of it."""
    with light(validated=True), tempfile.TemporaryDirectory() as folder:
        try:
            run(cell, Path(folder))
        except Escape as escape:
            return str(escape)
    return None


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--versions", nargs="+", default=list(VERSIONS), choices=VERSIONS)
    parser.add_argument("--payloads", nargs="+", default=list(PAYLOADS), metavar="NAME")
    parser.add_argument("--batched", action="store_true", help="several positions in one description: faster")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args(arguments)
    started = time.monotonic()
    escapes = 0
    for version in options.versions:
        todo = list(cells(version, options.payloads, alone=not options.batched))
        with ProcessPoolExecutor(options.processes) as pool:
            found = [escape for escape in pool.map(attempt, todo, chunksize=8) if escape is not None]
        for escape in found:
            print(escape, flush=True)
        escapes += len(found)
        positions = len({spot.position for spot in spots_of(version)})
        print(
            f"OpenAPI {version}: {positions} positions, {len(options.payloads)} payloads, {len(todo)} descriptions",
            flush=True,
        )
    print(f"{escapes} escapes in {time.monotonic() - started:.0f} s")
    return 1 if escapes else 0


if __name__ == "__main__":
    sys.exit(main())

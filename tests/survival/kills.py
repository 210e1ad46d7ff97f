"""`python -m tests.survival.kills`: updates that are killed at random points; the project is then the old or the new one."""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import sys
import tempfile
from collections import Counter
from pathlib import Path

from mcpgen.emit.writer import tidy

from .changes import changed
from .projects import Version, version_of, write_version
from .specs import SPECS

_TOUCHES = ("os.", "shutil.", "fcntl.")


def touches(version: Version, project: Path, kill_at: int | None = None) -> int:
    """Writes a version in a process of its own and counts how often it touches the disk; may kill it at one of them."""
    reading, writing = os.pipe()
    process = os.fork()
    if process == 0:
        count = 0

        def seen(event: str, _: tuple[object, ...]) -> None:
            nonlocal count
            if event == "open" or event.startswith(_TOUCHES):
                count += 1
                if count == kill_at:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(seen)
        write_version(version, project)
        os.write(writing, str(count).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        text = answer.read()
    os.waitpid(process, 0)
    return int(text or 0)


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a project."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def kill(times: int, folder: Path, seed: int) -> Counter[str]:
    """How often an update that was killed left the old project, the new one, or something else."""
    chance = random.Random(seed)
    document, one, other = SPECS["library"]
    old, new = folder / "old", folder / "new"
    write_version(version_of(document, old), old)
    version = version_of(changed(document, "tag renamed", one, other), old).upgraded()
    shutil.copytree(old, new)
    write_version(version, new)
    before, after = contents(old), contents(new)
    scratch, found = folder / "scratch", Counter[str]()
    shutil.copytree(old, scratch)
    steps = touches(version, scratch)
    for _ in range(times):
        shutil.rmtree(scratch)
        shutil.copytree(old, scratch)
        touches(version, scratch, chance.randint(1, steps))
        tidy(scratch)  # what the next run does first
        now = contents(scratch)
        found["old" if now == before else "new" if now == after else "broken"] += 1
        write_version(version, scratch)
        found["not finished by the next run"] += contents(scratch) != after
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = kill(given.times, Path(folder), given.seed)
    print(
        f"{given.times} kills: {found['old']} left the old project, {found['new']} the new one, {found['broken']} neither"
    )
    print(f"{found['not finished by the next run']} were not finished by the next run")
    return 1 if found["broken"] or found["not finished by the next run"] else 0


if __name__ == "__main__":
    sys.exit(main())

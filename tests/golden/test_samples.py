"""`generated/` is committed output; it is what the generator makes now."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from mcpgen.emit.cache import CACHE_NAME
from mcpgen.emit.pristine import PRISTINE_NAME, unpack

ROOT = Path(__file__).parents[2]
SAMPLES = sorted(path for path in (ROOT / "generated").iterdir() if path.is_dir())


def compared(files: dict[str, bytes]) -> dict[str, object]:
    """What is compared: no caches, and of the compressed text what it holds, since compressors differ."""
    skipped = (".pytest_cache/", ".mypy_cache/", CACHE_NAME)
    found: dict[str, object] = {name: data for name, data in files.items() if not name.startswith(skipped)}
    return found | {PRISTINE_NAME: unpack(files[PRISTINE_NAME]) if PRISTINE_NAME in files else None}


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_a_committed_sample_is_up_to_date(
    sample: Path,
    tmp_path: Path,
    mcpgen_command: Callable[..., CompletedProcess[bytes]],
    read_tree: Callable[[Path], dict[str, bytes]],
) -> None:
    spec, output = Path("specs", sample.name, "openapi.yaml"), Path("generated", sample.name)
    (tmp_path / spec).parent.mkdir(parents=True)
    shutil.copy(ROOT / spec, tmp_path / spec)  # the lock says how to reach it from the project
    done = mcpgen_command("generate", str(spec), "--output", str(output), cwd=tmp_path)
    assert done.returncode == 0, done.stderr.decode()
    fresh, committed = compared(read_tree(tmp_path / output)), compared(read_tree(sample))
    different = sorted(n for n in fresh.keys() | committed.keys() if fresh.get(n) != committed.get(n))
    assert not different, f"{different} differ; if that is right, run: make samples"


def test_there_is_a_sample() -> None:
    assert [sample.name for sample in SAMPLES] == ["orders"]

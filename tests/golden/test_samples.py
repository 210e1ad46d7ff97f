"""`generated/` is committed output; it is what the generator makes now."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

ROOT = Path(__file__).parents[2]
SAMPLES = sorted(path for path in (ROOT / "generated").iterdir() if path.is_dir())


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_a_committed_sample_is_up_to_date(
    sample: Path,
    tmp_path: Path,
    mcpgen_command: Callable[..., CompletedProcess[bytes]],
    read_tree: Callable[[Path], dict[str, bytes]],
) -> None:
    spec = ROOT / "specs" / sample.name / "openapi.yaml"
    done = mcpgen_command("generate", str(spec), "--output", str(tmp_path / "out"), cwd=tmp_path)
    assert done.returncode == 0, done.stderr.decode()
    fresh, committed = read_tree(tmp_path / "out"), read_tree(sample)
    committed = {
        name: data
        for name, data in committed.items()
        if not name.startswith((".pytest_cache/", ".mypy_cache/"))
    }
    different = sorted(n for n in fresh.keys() | committed.keys() if fresh.get(n) != committed.get(n))
    assert not different, f"{different} differ; if that is right, run: make samples"


def test_there_is_a_sample() -> None:
    assert [sample.name for sample in SAMPLES] == ["orders"]

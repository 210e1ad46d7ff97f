"""The library that a trial brings along: only for projects that share the one of this mcpgen."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcpgen.preview.library import shared_library
from mcpgen.render.library import RuntimeMode, read_library
from mcpgen.render.sharing import runtime_modules


def project(folder: Path, mode: RuntimeMode) -> Path:
    for path, text in runtime_modules(mode):
        target = folder / "src/boats_mcp/_runtime" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    return folder


def test_a_project_that_shares_gets_the_library_for_a_while(tmp_path: Path) -> None:
    with shared_library(project(tmp_path, RuntimeMode.PACKAGE), "boats_mcp") as found:
        assert found is not None
        names = {path.relative_to(found / "mcpgen_runtime") for path in found.rglob("*.py")}
        assert names == {Path(path) for path in read_library().modules} | {Path("_identity.py")}
    assert not found.exists()


@pytest.mark.parametrize("mode", list(RuntimeMode))
def test_a_copy_or_another_library_is_left_to_what_there_is(tmp_path: Path, mode: RuntimeMode) -> None:
    door = project(tmp_path, mode) / "src/boats_mcp/_runtime/__init__.py"
    door.write_text(door.read_text().replace(read_library().fingerprint, "0" * 64))
    with shared_library(tmp_path, "boats_mcp") as found:
        assert found is None
    with shared_library(tmp_path, "nothing_here") as found:
        assert found is None

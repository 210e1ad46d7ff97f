"""The shape of the output: small specs and the projects that they become, byte for byte.

A case is a folder with `openapi.yaml` (and `mcpgen.toml`, where it needs one) and `expected/`, the whole project without
the copy of the run-time library, which is the same in every project and compared with its source. `vNN/openapi.yaml` is the same API
in another version of OpenAPI and becomes the same project.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from click.testing import CliRunner

import mcpgen
from mcpgen.cli.main import main
from mcpgen.render.library import read_library

HERE = Path(__file__).parent
CASES = sorted(path.parent for path in HERE.glob("*/openapi.yaml"))
VERSIONS = sorted(path.parent for path in HERE.glob("*/v*/openapi.yaml"))
RUNTIME = Path(mcpgen.__file__).parent / "runtime"
Run = Callable[..., CompletedProcess[bytes]]
Read = Callable[[Path], dict[str, bytes]]


def arguments(case: Path, output: Path) -> list[str]:
    config = ["--config", "mcpgen.toml"] if (case / "mcpgen.toml").exists() else []
    return ["generate", "openapi.yaml", *config, "--output", str(output)]


def generate(case: Path, output: Path) -> None:
    """In this process, which has a seed for hashes of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(case)
        done = CliRunner().invoke(main, arguments(case, output))
    assert done.exit_code == 0, done.stderr


def generate_elsewhere(case: Path, output: Path, run: Run) -> None:
    """In a process with a certain seed, as a user's machine may have it."""
    done = run(*arguments(case, output), cwd=case, env={"PYTHONHASHSEED": "1"})
    assert done.returncode == 0, done.stderr.decode()


def own_part(files: dict[str, bytes]) -> dict[str, bytes]:
    """Without what changes with the run-time library: its copy, the lock and its companions, and what stands for its version."""
    library = read_library()
    shared = all(name.endswith("/_runtime/__init__.py") for name in files if "/_runtime/" in name)
    return {
        name: data.replace(library.version.encode(), b"VERSION").replace(
            library.fingerprint.encode(), b"FINGERPRINT"
        )
        for name, data in files.items()
        if (shared or "/_runtime/" not in name) and name != "mcpgen.lock" and not name.startswith(".mcpgen/")
    }


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_project_is_as_recorded_and_the_same_in_every_run(
    case: Path,
    tmp_path: Path,
    mcpgen_command: Run,
    read_tree: Read,
    expect_tree: Callable[[Path, dict[str, bytes]], None],
) -> None:
    generate(case, tmp_path / "one")
    generate_elsewhere(case, tmp_path / "elsewhere" / "two", mcpgen_command)
    files = read_tree(tmp_path / "one")
    assert files == read_tree(tmp_path / "elsewhere" / "two"), "the output depends on the run"
    expect_tree(case / "expected", own_part(files))


@pytest.mark.parametrize("version", VERSIONS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_another_version_of_openapi_gives_the_same_project(
    request: pytest.FixtureRequest,
    version: Path,
    tmp_path: Path,
    read_tree: Read,
    expect_tree: Callable[[Path, dict[str, bytes]], None],
) -> None:
    if request.config.getoption("--update-golden"):
        pytest.skip("recorded from the case itself")
    generate(version, tmp_path / "out")
    expect_tree(version.parent / "expected", own_part(read_tree(tmp_path / "out")))


def test_the_run_time_library_is_copied_and_a_second_run_changes_nothing(
    tmp_path: Path, mcpgen_command: Run, read_tree: Read
) -> None:
    generate_elsewhere(CASES[0], tmp_path / "out", mcpgen_command)
    first = read_tree(tmp_path / "out")
    generate(CASES[0], tmp_path / "out")
    assert read_tree(tmp_path / "out") == first
    copied = {
        n.split("/_runtime/")[1]: data for n, data in read_tree(tmp_path / "out").items() if "/_runtime/" in n
    }
    assert copied == {name: data for name, data in read_tree(RUNTIME).items() if name.endswith(".py")}


def test_every_case_is_found() -> None:
    folders = {path for path in HERE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders == set(CASES)
    assert CASES

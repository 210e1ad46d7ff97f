"""`mcpgen runtime`: writes a new folder, leaves the same one alone, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mcpgen.cli.main import main
from mcpgen.render.library import read_library
from mcpgen.render.sharing import distribution_files

Read = Callable[[Path], dict[str, bytes]]
REQUIREMENT = read_library().requirement


def run(output: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["runtime", "--output", str(output), *options])


def test_a_new_folder_and_an_empty_one_get_the_same_bytes(tmp_path: Path, read_tree: Read) -> None:
    (tmp_path / "empty").mkdir()
    for name in ("empty", "deep/new"):
        done = run(tmp_path / name)
        assert done.exit_code == 0, done.stderr
    expected = {str(path): text.encode() for path, text in distribution_files().items()}
    assert read_tree(tmp_path / "empty") == read_tree(tmp_path / "deep/new") == expected


def test_it_says_what_was_written_and_how_to_go_on(tmp_path: Path) -> None:
    output, count = tmp_path / "out", len(distribution_files())
    end = f"Build it: python -m build {output}\n"
    assert run(output).stdout == f"{REQUIREMENT}. {output}: {count} files written. {end}"
    (output / "dist").mkdir()
    (output / "dist/a.whl").touch()
    assert run(output).stdout == f"{REQUIREMENT}. {output}: nothing to do. {end}"
    assert run(output, "--quiet").stdout == ""


@pytest.mark.parametrize(
    ("path", "text", "problem"),
    [
        ("src/mcpgen_runtime/app.py", "x = 1\n", "src/mcpgen_runtime/app.py is another one"),
        (
            "src/mcpgen_runtime/chain/more.py",
            "",
            "src/mcpgen_runtime/chain/more.py does not belong to it",
        ),
        ("README.md", None, "README.md is missing"),
    ],
)
def test_a_folder_with_something_else_is_left_alone(
    tmp_path: Path, read_tree: Read, path: str, text: str | None, problem: str
) -> None:
    output = tmp_path / "out"
    run(output)
    if text is None:
        (output / path).unlink()
    else:
        (output / path).write_text(text)
    before = read_tree(output)
    done = run(output)
    assert (done.exit_code, done.stdout, read_tree(output)) == (1, "", before)
    assert done.stderr == (
        f"{output}: error[output-not-ours]: The folder is not empty, and does not hold {REQUIREMENT}: {problem}. "
        "Name a new folder.\n"
    )


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = run(tmp_path / "file")
    assert done.exit_code == 1
    assert "error[output-not-ours]" in done.stderr
    assert "it is a file" in done.stderr
    below = run(tmp_path / "file" / "out")
    assert below.exit_code == 1
    assert "error[output-unwritable]: The output cannot be written: " in below.stderr

"""mcpgen as users install it: from a built wheel, with the checkout out of sight."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SPEC = """
openapi: 3.1.0
info: {title: Pets, version: "1"}
servers: [{url: https://api.example.com}]
paths:
  /pets:
    get:
      operationId: listPets
      responses: {"200": {description: All pets.}}
"""


def run(*command: str, cwd: Path, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built with what is installed: no network."""
    folder = tmp_path_factory.mktemp("wheel")
    run(
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--outdir",
        str(folder),
        str(ROOT),
        cwd=folder,
    )
    [wheel] = folder.glob("*.whl")
    return wheel


def test_the_wheel_holds_all_code_and_templates_and_nothing_else(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "mcpgen").rglob("*.py")}
    assert modules <= names
    templates = {
        path.relative_to(ROOT / "templates").as_posix() for path in (ROOT / "templates").rglob("*.jinja")
    }
    assert templates
    assert {f"mcpgen/_templates/{name}" for name in templates} <= names
    assert not [name for name in names if name.startswith(("tests/", "specs/", "generated/"))]


def test_an_installed_wheel_generates_without_the_checkout(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    run(
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-index",
        "--target",
        str(site),
        str(wheel),
        cwd=tmp_path,
    )
    (tmp_path / "openapi.yaml").write_text(SPEC)
    env = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")} | {
        "PYTHONPATH": str(site)
    }
    where = run(sys.executable, "-c", "import mcpgen; print(mcpgen.__file__)", cwd=tmp_path, env=env)
    assert Path(where.strip()).is_relative_to(site)
    run(sys.executable, "-m", "mcpgen", "generate", "openapi.yaml", "--output", "out", cwd=tmp_path, env=env)
    assert (tmp_path / "out/src/pets_mcp/tools").is_dir()
    assert not any(path.name == "_templates" for path in (tmp_path / "out").rglob("*"))
    shared = ("generate", "openapi.yaml", "--output", "shared", "--runtime", "package")
    for command in (shared, ("runtime", "--output", "library")):
        run(sys.executable, "-m", "mcpgen", *command, cwd=tmp_path, env=env)
    path = os.pathsep.join([str(tmp_path / "shared/src"), str(tmp_path / "library/src")])
    code = "import mcpgen_runtime, pets_mcp.server; print(mcpgen_runtime.__file__)"
    where = run(sys.executable, "-c", code, cwd=tmp_path, env={**env, "PYTHONPATH": path})
    assert Path(where.strip()).is_relative_to(tmp_path / "library")

"""Which Python starts the server, and what is said when it cannot."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from mcpgen.connect.interpreter import Interpreter, find_interpreter

COMPLETE = {"mcp": "/x", "httpx2": "/x", "jsonschema": "/x", "pydantic": "/x"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    package = tmp_path / "orders" / "src" / "orders_mcp"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    return tmp_path / "orders"


def seen(project: Path, found: dict[str, Any], version: tuple[int, int] = (3, 12)) -> Interpreter:
    """What is made of an interpreter that says this of itself."""
    fake = project / "python"
    answer = json.dumps({"version": version, "found": {**COMPLETE, **found}})
    fake.write_text(f"#!/bin/sh\ncat <<'END'\n{answer}\nEND\n", "utf-8")
    fake.chmod(0o755)
    return find_interpreter(project, "orders_mcp", fake)


def test_the_project_itself_is_installed(project: Path) -> None:
    own = str(project / "src" / "orders_mcp" / "__init__.py")
    assert seen(project, {"orders_mcp": own}) == Interpreter(str(project / "python"), None, True)


@pytest.mark.parametrize("origin", [None, "", "/site-packages/orders_mcp/__init__.py"])
def test_no_package_or_another_copy_of_it(origin: str | None, project: Path) -> None:
    assert seen(project, {"orders_mcp": origin}).installed is False


def test_what_is_missing_is_named(project: Path) -> None:
    problem = seen(project, {"mcp": None, "httpx2": None}).problem
    assert problem == f"{project / 'python'} has no mcp, httpx2, so the server cannot start with it."


def test_an_old_python(project: Path) -> None:
    problem = seen(project, {}, (3, 9)).problem
    assert problem == f"{project / 'python'} is Python 3.9; the server needs 3.11 or newer."


def test_the_interpreter_that_runs_this_is_complete(project: Path) -> None:
    assert find_interpreter(project, "orders_mcp", None) == Interpreter(sys.executable, None, False)


def test_a_path_that_is_given_becomes_absolute(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(sys.executable).parent)
    assert find_interpreter(project, "orders_mcp", Path(Path(sys.executable).name)).path == sys.executable


@pytest.mark.parametrize(
    ("requirement", "problem"),
    [
        ("mcpgen-runtime==0.1.0.post7", "has no mcpgen_runtime, so the server cannot start with it."),
        ("anyio>=4.9", None),
    ],
)
def test_a_shared_library_is_needed_where_the_project_asks_for_it(
    project: Path, requirement: str, problem: str | None
) -> None:
    (project / "pyproject.toml").write_text(f'[project]\ndependencies = ["{requirement}"]\n')
    told = seen(project, {"mcpgen_runtime": None}).problem
    assert told == (problem and f"{project / 'python'} {problem}")
    assert seen(project, {"mcpgen_runtime": "/x"}).problem is None

"""SECURITY.md names tests that exist, and generated code passes the security rules of ruff and of bandit."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from mcpgen.diagnostics import Collector
from mcpgen.pipeline import GenerateRequest, generate

from .base import document
from .injecting import inject
from .matrix import calm_spots
from .payloads import PAYLOADS
from .projects import light

ROOT = Path(__file__).parents[2]
POLICY = (ROOT / "SECURITY.md").read_text("utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/.-]+)`", POLICY)))


@pytest.mark.parametrize("name", NAMED)
def test_every_test_that_is_named_exists(name: str) -> None:
    assert re.search(r"^(async )?def test_", (ROOT / name).read_text("utf-8"), re.MULTILINE)


def test_every_promise_names_a_test() -> None:
    rows = [line for line in POLICY.partition("## What is promised")[2].split("\n") if line.startswith("| ")]
    promises = [row for row in rows if row != "| promise | tested in |"]
    assert len(promises) > 12
    assert [row for row in promises if not re.search(r"`tests/[^`]+`", row)] == []


SAMPLES = {
    "orders": (ROOT / "specs/orders/openapi.yaml").read_bytes(),
    "objects": json.dumps(document("3.2")).encode(),
    "swagger": json.dumps(document("2.0")).encode(),
    "hostile": json.dumps(
        inject(document("3.1"), list(calm_spots("3.1")), "\n".join(PAYLOADS.values()))
    ).encode(),
}
_IN_TESTS = ("101", "105", "106", "404", "603")
"""Tests assert, start the server as a process and hold made-up credentials."""


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with several projects, without the run-time library, which is the same in each."""
    folder = tmp_path_factory.mktemp("projects")
    with light():
        for name, data in SAMPLES.items():
            assert not generate(GenerateRequest("-", folder / name, stdin=data), Collector()).refused
    return folder


@pytest.mark.parametrize("tool", ["ruff", "bandit"])
def test_generated_code_passes_the_security_rules(tool: str, generated: Path) -> None:
    """Those of ruff (flake8-bandit), and those of bandit itself, which has some more."""
    library = ROOT / "mcpgen" / "runtime"
    source = [str(library), *(str(generated / name / "src") for name in SAMPLES)]
    tests = [str(generated / name / "tests") for name in SAMPLES]
    for command in (_command(tool, source), _command(tool, tests, _IN_TESTS)):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def _command(tool: str, paths: list[str], without: tuple[str, ...] = ()) -> list[str]:
    if tool == "ruff":
        start = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", "--select", "S"]
        return [*start, *(f"--ignore=S{rule}" for rule in without), *paths]
    start = [sys.executable, "-m", "bandit", "--quiet", "--recursive"]
    return [*start, *(["--skip", ",".join(f"B{rule}" for rule in without)] if without else []), *paths]


def test_the_rules_find_something(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(
        "import subprocess\nsubprocess.call('ls', shell=True)\n", encoding="utf-8"
    )
    for command in (["ruff", "check", "--isolated", "--no-cache", "--select", "S"], ["bandit", "--quiet"]):
        done = subprocess.run(
            [sys.executable, "-m", *command, str(tmp_path / "bad.py")], capture_output=True, check=False
        )
        assert done.returncode == 1


def test_exceptions_from_the_rules_have_reasons() -> None:
    """Every `noqa` or `nosec` of a security rule in what is copied into projects says why."""
    for path in sorted((ROOT / "mcpgen" / "runtime").rglob("*.py")):
        for line in path.read_text("utf-8").split("\n"):
            if re.search(r"# noqa: .*\bS\d+", line):
                assert re.search(r"# noqa: [A-Z0-9, ]+ ?(-|\()\s*\w", line), f"{path.name}: {line.strip()}"
            if "# nosec" in line:
                assert re.search(r"# \w.*# nosec B\d+$", line), f"{path.name}: {line.strip()}"

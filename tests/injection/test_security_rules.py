"""SECURITY.md names tests that exist, and generated code passes ruff's security rules."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from mcpgen.diagnostics import Collector
from mcpgen.pipeline import GenerateRequest, generate

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


def test_generated_code_passes_the_security_rules(tmp_path: Path) -> None:
    target = tmp_path / "orders"
    assert not generate(GenerateRequest(str(ROOT / "specs/orders/openapi.yaml"), target), Collector()).refused
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", "--select", "S"]
    source = subprocess.run([*command, str(target / "src")], capture_output=True, text=True, check=False)
    assert source.returncode == 0, source.stdout
    # Tests assert, start the server as a process and hold made-up credentials.
    relaxed = [*command, "--ignore", "S101,S105,S106,S603", str(target / "tests")]
    tests = subprocess.run(relaxed, capture_output=True, text=True, check=False)
    assert tests.returncode == 0, tests.stdout


def test_exceptions_from_the_rules_have_reasons() -> None:
    """Every `noqa` of a security rule in what is copied into projects says why."""
    for path in sorted((ROOT / "mcpgen" / "runtime").rglob("*.py")):
        for line in path.read_text("utf-8").split("\n"):
            if re.search(r"# noqa: .*\bS\d+", line):
                assert re.search(r"# noqa: [A-Z0-9, ]+ ?(-|\()\s*\w", line), f"{path.name}: {line.strip()}"

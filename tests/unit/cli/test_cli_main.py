"""The group of commands: version, wrong usage, and faults of mcpgen itself."""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from mcpgen import __version__
from mcpgen.cli.main import main


def test_the_version_is_that_of_the_package() -> None:
    assert CliRunner().invoke(main, ["--version"]).output == f"mcpgen, version {__version__}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["generate"],
        ["generate", "api.yaml"],
        ["generate", "api.yaml", "--output", "out", "--format", "xml"],
        ["generate", "api.yaml", "--output", "out", "--config", "missing.toml"],
        ["generate", "api.yaml", "--output", "out", "--package", "not-a-package"],
        ["generate", "api.yaml", "--output", "out", "--server-url", "ftp://example.com"],
        ["inspect"],
        ["unknown"],
    ],
)
def test_wrong_usage_has_exit_status_2(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2
    assert "Error: " in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> str:
    def fail() -> None:
        raise KeyError("gone\nmissing")

    monkeypatch.setitem(main.commands, "break", click.Command("break", callback=fail))
    return "break"


def test_a_bug_is_one_line_and_exit_status_70(broken: str) -> None:
    result = CliRunner().invoke(main, [broken])
    assert result.exit_code == 70
    assert len(result.stderr.splitlines()) == 1
    assert "This is a bug in mcpgen" in result.stderr
    assert "Traceback" not in result.stderr


def test_the_traceback_of_a_bug_is_there_for_those_who_ask(
    broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MCPGEN_TRACEBACK", "1")
    result = CliRunner().invoke(main, [broken])
    assert result.exit_code == 70
    assert "Traceback" in result.stderr

"""`mcpgen generate`: what is printed where, exit statuses, and which settings win."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mcpgen.cli.main import main

SPEC = """
openapi: 3.1.0
info: {title: Notes, version: "1"}
servers: [{url: https://api.example.com}]
paths:
  /notes:
    get: {operationId: listNotes, responses: {"200": {description: All notes.}}}
    delete: {operationId: dropNotes, responses: {"204": {description: Gone.}}}
"""
WITHOUT_SERVER = SPEC.replace("servers: [{url: https://api.example.com}]\n", "")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "openapi.yaml").write_text(SPEC)
    (tmp_path / "no-server.yaml").write_text(WITHOUT_SERVER)
    return tmp_path


def run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, ["generate", *arguments], input=stdin)


def test_a_summary_says_what_was_made() -> None:
    result = run("openapi.yaml", "--output", "out")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("notes-mcp: 2 tools (1 read, 1 destructive). out: ")
    assert run("openapi.yaml", "--output", "out").stdout.split("out: ")[1].startswith("nothing to do, ")


def test_quiet_says_nothing_when_all_is_well() -> None:
    assert run("openapi.yaml", "--output", "out", "--quiet").output == ""


def test_warnings_do_not_refuse_and_are_shown_on_standard_error() -> None:
    result = run("no-server.yaml", "--output", "out", "--quiet")
    assert result.exit_code == 0
    assert "warning[server-missing]" in result.stderr
    assert result.stdout == ""
    assert Path("out/mcpgen.lock").exists()


def test_json_is_the_only_thing_on_standard_output() -> None:
    result = run("no-server.yaml", "--output", "out", "--format", "json")
    assert result.exit_code == 0
    assert [item["code"] for item in json.loads(result.stdout)] == ["server-missing"]
    assert result.stderr == ""


def test_strict_refuses_a_warning_and_shows_it_as_an_error() -> None:
    result = run("no-server.yaml", "--output", "out", "--strict")
    assert result.exit_code == 1
    assert "error[server-missing]" in result.stderr
    assert not Path("out").exists()


def test_the_server_url_of_the_command_line_is_used() -> None:
    result = run(
        "no-server.yaml", "--output", "out", "--strict", "--server-url", "https://other.example.com/v2"
    )
    assert result.exit_code == 0, result.stderr
    catalog = json.loads(Path("out/src/notes_mcp/catalog.json").read_text())
    assert catalog["server"]["base_url"] == "https://other.example.com/v2"


def test_the_command_line_wins_over_the_file() -> None:
    Path("mcpgen.toml").write_text('[project]\npackage = "from_file"\nenv_prefix = "FROM_FILE"\n')
    run("openapi.yaml", "--output", "one", "--config", "mcpgen.toml")
    run("openapi.yaml", "--output", "two", "--config", "mcpgen.toml", "--package", "from_line")
    assert Path("one/src/from_file").is_dir()
    assert Path("two/src/from_line").is_dir()
    assert "FROM_FILE_BASE_URL" in Path("two/.env.example").read_text()


def test_a_dry_run_lists_the_files_and_writes_nothing() -> None:
    result = run("openapi.yaml", "--output", "out", "--dry-run")
    assert result.exit_code == 0
    assert "create     README.md\n" in result.stdout
    assert result.stdout.endswith("nothing was written (dry run).\n")
    assert not Path("out").exists()


def test_a_dry_run_over_edited_files_is_refused_and_shows_the_conflict() -> None:
    run("openapi.yaml", "--output", "out")
    Path("out/src/notes_mcp/__init__.py").write_text("ours = 1\n")
    Path("openapi.yaml").write_text(SPEC.replace("title: Notes", "title: Remarks"))
    result = run("openapi.yaml", "--output", "out", "--dry-run")
    assert result.exit_code == 1
    assert "conflict   src/notes_mcp/__init__.py\n" in result.stdout
    assert "error[output-conflict]" in result.stderr


def test_standard_input_is_a_spec_too() -> None:
    result = run("-", "--output", "out", stdin=SPEC)
    assert result.exit_code == 0, result.stderr
    assert Path("out/src/notes_mcp").is_dir()

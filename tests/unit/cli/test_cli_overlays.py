"""Overlays and selection as the user gives them: options, configuration, lock, and `lint --fix` before `generate --overlay`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from mcpgen.cli.main import main

SPEC = """\
openapi: 3.1.0
info: {title: Notes, version: "1"}
servers: [{url: https://api.example.com}]
paths:
  /notes:
    get:
      operationId: listNotes
      summary: Lists notes.
      tags: [notes]
      responses: {"200": {description: All notes.}}
    delete: {operationId: dropNotes, tags: [notes], responses: {"204": {description: Gone.}}}
  /old:
    get: {operationId: getOld, deprecated: true, responses: {"200": {description: Old.}}}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "openapi.yaml").write_text(SPEC)
    return tmp_path


def overlay(name: str, target: str, update: Any) -> str:
    document = {
        "overlay": "1.1.0",
        "info": {"title": name, "version": "1"},
        "actions": [{"target": target, "update": update}],
    }
    Path(name).parent.mkdir(exist_ok=True)
    Path(name).write_text(yaml.safe_dump(document, sort_keys=False))
    return name


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def inspected(*arguments: str) -> dict[str, Any]:
    result = run("inspect", "openapi.yaml", "--format", "json", *arguments)
    assert result.exit_code == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def names(view: dict[str, Any]) -> list[str]:
    return [tool["name"] for tool in view["tools"]]


def test_overlays_of_the_configuration_come_before_those_of_the_command_line() -> None:
    overlay("team/a.yaml", "$.info.title", "First")
    Path("team/mcpgen.toml").write_text('[generate]\noverlays = ["a.yaml"]\n')
    assert inspected("--config", "team/mcpgen.toml")["project"]["name"] == "first-mcp"
    later = overlay("b.yaml", "$.info[?@ == 'First']", "Second")
    view = inspected("--config", "team/mcpgen.toml", "--overlay", later)
    assert view["project"]["name"] == "second-mcp"


def test_a_diagnostic_about_a_value_of_an_overlay_names_the_overlay() -> None:
    name = overlay("o.yaml", "$.paths['/notes'].get", {"parameters": [{"name": "q", "in": "nowhere"}]})
    result = run("inspect", "openapi.yaml", "--overlay", name)
    assert "o.yaml:9:7: warning[parameter-skipped]" in result.stderr
    assert "openapi.yaml" not in result.stderr.replace("openapi.yaml:13:5: info[operation-excluded]", "")


def test_the_lock_remembers_what_the_overlays_said() -> None:
    first = overlay("one.yaml", "$.info", {"description": "One."})
    second = overlay("team/two.yaml", "$.info", {"x-two": 2})
    assert (
        run("generate", "openapi.yaml", "-o", "out", "--overlay", first, "--overlay", second).exit_code == 0
    )
    lock = json.loads(Path("out/mcpgen.lock").read_text())
    assert [entry["name"] for entry in lock["overlays"]] == ["one.yaml", "two.yaml"]
    Path("moved.yaml").write_text(Path(first).read_text())
    run("generate", "openapi.yaml", "-o", "out", "--overlay", "moved.yaml", "--overlay", second)
    moved = json.loads(Path("out/mcpgen.lock").read_text())
    assert [entry["sha256"] for entry in moved["overlays"]] == [entry["sha256"] for entry in lock["overlays"]]
    assert moved["config"] == lock["config"]


def test_what_lint_repairs_generate_applies() -> None:
    Path("openapi.yaml").write_text(SPEC.replace("servers: [{url: https://api.example.com}]\n", ""))
    assert run("lint", "openapi.yaml", "--fix", "fix.yaml").exit_code == 0
    document = yaml.safe_load(Path("fix.yaml").read_text())
    asked = next(action for action in document["actions"] if action["target"] == "$")
    assert "servers" in asked["update"].pop("x-mcpgen-question")
    asked["update"]["servers"] = [{"url": "https://answered.example.com"}]
    Path("fix.yaml").write_text(yaml.safe_dump(document))
    assert "server-missing" in run("generate", "openapi.yaml", "-o", "without").stderr
    result = run("generate", "openapi.yaml", "-o", "out", "--overlay", "fix.yaml")
    assert result.exit_code == 0
    assert "server-missing" not in result.stderr
    assert "overlay-no-effect" not in result.stderr
    assert "https://answered.example.com" in Path("out/src/notes_mcp/catalog.json").read_text()


def test_lint_sees_the_overlay_and_says_when_it_misses() -> None:
    name = overlay("o.yaml", "$.paths['/nots']", {"x": 1})
    result = run("lint", "openapi.yaml", "--overlay", name, "--format", "json")
    found = [item for item in json.loads(result.stdout)["findings"] if item["code"] == "overlay-no-effect"]
    assert [(item["file"], item["line"]) for item in found] == [("o.yaml", 6)]


def test_selectors_of_both_places_add_up() -> None:
    Path("mcpgen.toml").write_text('[select]\nexclude = ["method:DELETE"]\n')
    assert names(inspected()) == ["drop_notes", "list_notes"]
    assert names(inspected("--config", "mcpgen.toml")) == ["list_notes"]
    view = inspected("--config", "mcpgen.toml", "--deprecated", "--exclude", "tag:notes")
    assert names(view) == ["get_old"]
    assert {(s["operation"]["path"], s["reason"]) for s in view["skipped"]} == {
        ("/notes", "`method:DELETE` is excluded")
    } | {("/notes", "`tag:notes` is excluded")}


def test_the_configuration_can_take_the_deprecated_in() -> None:
    Path("mcpgen.toml").write_text('[select]\ninclude = ["method:GET"]\ndeprecated = true\n')
    assert names(inspected("--config", "mcpgen.toml")) == ["get_old", "list_notes"]


def test_the_summary_counts_what_is_left_out() -> None:
    result = run("generate", "openapi.yaml", "-o", "out", "--exclude", "method:DELETE")
    assert "1 tools (1 read); 2 left out." in result.stdout
    readme = Path("out/README.md").read_text()
    assert "- 1 by choice: it is deprecated" in readme
    assert "GET /old" not in readme


def test_a_wrong_selector_is_wrong_usage() -> None:
    result = run("inspect", "openapi.yaml", "--include", "tags:notes")
    assert result.exit_code == 2
    assert "Did you mean `tag:`?" in result.stderr


def test_a_selector_that_is_none_is_shown_in_the_configuration() -> None:
    Path("mcpgen.toml").write_text('[select]\ndeprecated = true\nexclude = ["/old"]\n')
    result = run("inspect", "openapi.yaml", "--config", "mcpgen.toml")
    assert result.exit_code == 1
    assert result.stderr == (
        "mcpgen.toml:3:1: error[config-invalid]: `/old` must begin with what it selects by. Did you mean `path:/old`?\n"
    )


def test_a_policy_for_a_tool_that_is_left_out_says_so() -> None:
    Path("mcpgen.toml").write_text('[tools.get_old]\nconfirm = "always"\n')
    result = run("inspect", "openapi.yaml", "--config", "mcpgen.toml")
    assert result.exit_code == 1
    assert (
        "mcpgen.toml:1:1: error[config-invalid]: get_old: the tool is left out: it is deprecated."
        in result.stderr
    )
    assert run("inspect", "openapi.yaml", "--config", "mcpgen.toml", "--deprecated").exit_code == 0

"""`mcpgen diff`: specs and projects, three formats, exit statuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from mcpgen.cli.main import main

ID = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
Document = dict[str, Any]


def document() -> Document:
    def operation(operation_id: str, summary: str, *parameters: Any) -> dict[str, Any]:
        order = {"type": "object", "properties": {"id": {"type": "string"}}}
        answer = {"description": "It.", "content": {"application/json": {"schema": order}}}
        return {
            **{"operationId": operation_id, "summary": summary, "parameters": list(parameters)},
            "responses": {"200": answer},
        }

    return {
        "openapi": "3.1.0",
        "info": {"title": "Shop", "version": "7.0.0"},
        "servers": [{"url": "https://api.example.com"}],
        "paths": {
            "/orders": {"get": operation("listOrders", "List orders.")},
            "/orders/{id}": {"get": operation("getOrder", "Look up an order.", ID)},
        },
    }


def changed() -> Document:
    made = document()
    made["paths"]["/orders"]["delete"] = made["paths"]["/orders"].pop("get")
    needed = {"name": "region", "in": "query", "required": True, "schema": {"type": "string"}}
    made["paths"]["/orders/{id}"]["get"]["parameters"].append(needed)
    return made


def write(folder: Path, name: str, made: Document) -> str:
    path = folder / name
    path.write_text(json.dumps(made))
    return str(path)


def diff(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, ["diff", *arguments], input=stdin)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("project")
    spec = write(folder, "shop.json", document())
    done = CliRunner().invoke(main, ["generate", spec, "--output", str(folder / "shop"), "--quiet"])
    assert done.exit_code == 0, done.stderr
    return str(folder / "shop")


def test_nothing_changed(tmp_path: Path, project: str) -> None:
    spec = write(tmp_path, "new.json", document())
    for old, new in ((spec, spec), (project, spec), (spec, project), (project, project)):
        done = diff(old, new, "--fail-on", "any")
        assert (done.exit_code, done.stdout) == (0, "No changes.\n"), done.output


@pytest.mark.parametrize(
    ("fail_on", "breaking", "harmless"), [("never", 0, 0), ("any", 1, 1), ("breaking", 1, 0)]
)
def test_exit_statuses(tmp_path: Path, fail_on: str, breaking: int, harmless: int) -> None:
    old, new = write(tmp_path, "old.json", document()), write(tmp_path, "new.json", changed())
    assert diff(old, new, "--fail-on", fail_on).exit_code == breaking
    more = document()
    more["paths"]["/stock"] = {"get": {"responses": {"200": {"description": "It."}}}}
    assert diff(old, write(tmp_path, "more.json", more), "--fail-on", fail_on).exit_code == harmless


def test_text_has_one_line_for_each_change(tmp_path: Path) -> None:
    old, new = write(tmp_path, "old.json", document()), write(tmp_path, "new.json", changed())
    lines = diff(old, new).stdout.splitlines()
    assert lines[0] == "What tools do to the world has changed:"
    assert lines[1].startswith(
        "breaking[effect-raised] list_orders: the tool does more to the world than before: read → destructive."
    )
    assert (
        "breaking[argument-added-required] get_order: argument region: required argument added: region. "
        "Calls that leave it out are refused now." in lines
    )
    assert lines[-1].startswith("2 breaking, ")
    assert lines[-1].endswith("Tools: 2 → 2. Suggested version: major.")


def test_a_project_against_a_spec_suggests_the_version_of_its_package(tmp_path: Path, project: str) -> None:
    done = diff(project, write(tmp_path, "new.json", changed()), "--format", "json")
    report = json.loads(done.stdout)
    assert report["version"] == {"old": "0.1.0", "suggested": "0.2.0"}
    assert report["bump"] == "major"
    assert [change["code"] for change in report["effects"]] == ["effect-raised"]
    assert report["counts"]["breaking"] == 2
    assert (report["old"]["tools"], report["new"]["tools"]) == (2, 2)
    assert all(set(change) == set(report["changes"][0]) for change in report["changes"])


def test_a_project_keeps_its_names_against_a_spec_that_would_give_others(
    tmp_path: Path, project: str
) -> None:
    made = document()
    # On its own, this operation would be the one that is called `list_orders`.
    made["paths"]["/orders/{id}"]["get"]["operationId"] = "findOrder"
    made["info"]["title"] = "Another shop"
    report = json.loads(diff(project, write(tmp_path, "new.json", made), "--format", "json").stdout)
    codes = {change["code"] for change in report["changes"]}
    assert "tool-renamed" not in codes
    assert "project-renamed" not in codes


def test_markdown_is_for_a_pull_request(tmp_path: Path) -> None:
    made = changed()
    made["paths"]["/orders/{id}"]["get"]["summary"] = "Ask @team | see <b>https://evil.example</b>."
    old, new = write(tmp_path, "old.json", document()), write(tmp_path, "new.json", made)
    text = diff(old, new, "--format", "markdown").stdout
    assert text.startswith("## Tools: 2 breaking")
    assert "> [!CAUTION]" in text
    assert "<b>" not in text.replace("`Ask @team ¦ see <b>https://evil.example</b>`", "")


def test_standard_input_can_be_one_side(tmp_path: Path) -> None:
    old = write(tmp_path, "old.json", document())
    assert diff(old, "-", stdin=json.dumps(document())).stdout == "No changes.\n"
    assert diff("-", old, stdin=json.dumps(document())).stdout == "No changes.\n"
    done = diff("-", "-")
    assert done.exit_code == 2
    assert "Only one of OLD and NEW can be standard input." in done.stderr


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    old = write(tmp_path, "old.json", document())
    done = diff(old, str(tmp_path / "missing.json"))
    assert done.exit_code == 1
    assert "missing.json" in done.stderr
    (tmp_path / "empty").mkdir()
    done = diff(str(tmp_path / "empty"), old)
    assert done.exit_code == 1
    assert "The folder is not a generated project" in done.stderr


@pytest.mark.parametrize("format_", ["text", "markdown", "json"])
def test_the_same_input_gives_the_same_bytes(tmp_path: Path, format_: str, read: Callable[..., str]) -> None:
    old, new = write(tmp_path, "old.json", document()), write(tmp_path, "new.json", changed())
    assert read(old, new, "--format", format_) == read(old, new, "--format", format_)


@pytest.fixture
def read() -> Callable[..., str]:
    return lambda *arguments: diff(*arguments).stdout

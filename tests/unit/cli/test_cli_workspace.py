"""`--all`: one command for the projects of a workspace, their diagnostics, the summary, and wrong usage."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mcpgen.cli.main import main

SPEC = """\
openapi: 3.1.0
info: {title: TITLE, version: "1"}
servers: [{url: https://api.example.com}]
paths:
  /things:
    get: {operationId: listThings, tags: [things], responses: {"200": {description: All.}}}
    delete: {operationId: dropThings, tags: [things], responses: {"204": {description: Gone.}}}
"""
WORKSPACE = """\
[select]
exclude = ["method:DELETE"]

[projects.bills]
spec = "bills.yaml"
output = "out/bills"

[projects.carts]
spec = "carts.yaml"
output = "out/carts"
"""


def write_workspace(folder: Path) -> None:
    for name in ("bills", "carts"):
        (folder / f"{name}.yaml").write_text(SPEC.replace("TITLE", name.title()))
    (folder / "mcpgen.toml").write_text(WORKSPACE)


@pytest.fixture(autouse=True)
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_workspace(tmp_path)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """A workspace with both projects, and what was said when they were generated."""
    folder = tmp_path_factory.mktemp("made")
    write_workspace(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return folder, run("generate", "--all", "--descriptions", "brief")


@pytest.fixture
def projects(made: tuple[Path, Result], tmp_path: Path) -> Path:
    """A copy of it, as the working folder."""
    shutil.copytree(made[0], tmp_path, dirs_exist_ok=True)
    return tmp_path


def run(*arguments: str, status: int = 0) -> Result:
    """Runs a command in this process: one job at a time gives the same as many."""
    jobs = ("--jobs", "1") if "--all" in arguments else ()
    done = CliRunner().invoke(main, [*arguments, *jobs])
    assert done.exit_code == status, done.output
    return done


def table(done: Result) -> dict[str, list[str]]:
    """The rows of the summary: project -> the other cells."""
    lines = [re.split(r"\s{2,}", line.strip()) for line in done.stdout.splitlines()]
    rows = [cells for cells in lines if len(cells) == 8]
    assert rows[0] == "project output tools written removed unchanged warnings result".split()
    return {cells[0]: cells[1:] for cells in rows[1:]}


def test_every_project_is_generated_and_summed_up(made: tuple[Path, Result]) -> None:
    done = made[1]
    assert [(name, row[0], row[1], row[-1]) for name, row in table(done).items()] == [
        ("bills", "out/bills", "1", "written"),
        ("carts", "out/carts", "1", "written"),
    ]
    assert done.stdout.endswith("\n2 projects: 2 written.\n")


def test_diagnostics_stand_under_the_name_of_their_project(made: tuple[Path, Result]) -> None:
    lines = [line for line in made[1].output.splitlines() if re.match("bills|carts", line)]
    assert [line.split(":")[0] for line in lines] == [
        *("bills (out/bills)", "bills.yaml"),
        *("carts (out/carts)", "carts.yaml"),
    ]


def test_what_is_there_already_is_left_alone(projects: Path) -> None:
    done = run("update", "--all")
    assert [row[-1] for row in table(done).values()] == ["unchanged", "unchanged"]
    assert run("check", "--all", "--quiet").output == ""
    assert list(table(run("update", "--all", "--project", "carts"))) == ["carts"]


def test_one_that_is_refused_does_not_stop_the_other() -> None:
    Path("bills.yaml").write_text("openapi: 3.1.0\ninfo: [\n")
    done = run("generate", "--all", status=1)
    assert [row[-1] for row in table(done).values()] == ["refused", "written"]
    assert "bills.yaml:3:1: error[source-syntax]" in done.stderr
    assert done.stdout.endswith("\n2 projects: 1 written, 1 refused.\n")
    assert not Path("out/bills").exists()
    assert Path("out/carts/mcpgen.lock").exists()


def test_a_dry_run_writes_nothing_and_lists_what_it_would_do() -> None:
    done = run("generate", "--all", "--dry-run")
    assert {row[-1] for row in table(done).values()} == {"would change"}
    assert done.stdout.count("create     pyproject.toml\n") == 2
    assert not Path("out").exists()


def test_json_is_one_array_of_projects() -> None:
    Path("bills.yaml").write_text("openapi: 3.1.0\n")
    done = run("generate", "--all", "--format", "json", status=1)
    bills, carts = json.loads(done.stdout)
    assert (bills["project"], bills["result"], bills["tools"]) == ("bills", "refused", None)
    assert bills["diagnostics"][0]["file"] == "bills.yaml"
    assert (carts["project"], carts["spec"], carts["output"]) == ("carts", "carts.yaml", "out/carts")
    assert (carts["result"], carts["tools"], carts["files"]["removed"]) == ("written", 1, 0)
    assert carts["files"]["written"] == sum(path.is_file() for path in Path("out/carts").rglob("*")) - 1
    assert done.stderr == ""


def test_a_wrong_workspace_is_an_object_without_a_project() -> None:
    Path("mcpgen.toml").write_text(WORKSPACE.replace("output", "ouput"))
    [found] = json.loads(run("generate", "--all", "--format", "json", status=1).stdout)
    assert (found["project"], found["result"]) == (None, "refused")
    assert {item["line"] for item in found["diagnostics"]} == {6, 10}


def test_update_and_check_follow_the_workspace(projects: Path) -> None:
    Path("carts.yaml").write_text(SPEC.replace("TITLE", "Carts").replace("/things", "/items"))
    done = run("check", "--all", status=1)
    assert [row[-1] for row in table(done).values()] == ["unchanged", "would change"]
    assert done.stdout.endswith("Run: mcpgen update --all\n")
    assert [row[-1] for row in table(run("update", "--all")).values()] == ["unchanged", "written"]
    options = json.loads(Path("out/carts/mcpgen.lock").read_text())["sources"]["options"]
    assert options == {"description_level": "brief"}
    shutil.rmtree("out/bills")
    done = run("check", "--all", status=1)
    assert [row[-1] for row in table(done).values()] == ["refused", "unchanged"]
    assert "Make the project: mcpgen generate --all --project bills." in done.stderr


def test_one_project_is_updated_from_its_folder_by_its_section(
    projects: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = json.loads(Path("out/carts/mcpgen.lock").read_text())["sources"]
    assert sources == {
        "spec": "../../carts.yaml",
        "config": "../../mcpgen.toml",
        "project": "carts",
        "options": {"description_level": "brief"},
    }
    Path("carts.yaml").rename("new.yaml")
    text = WORKSPACE.replace("carts.yaml", "new.yaml")
    Path("mcpgen.toml").write_text(
        f'{text}[projects.carts.operations.listThings]\ntitle = "Show the carts"\n'
    )
    monkeypatch.chdir("out/carts")
    run("update")
    assert "Show the carts" in Path("src/carts_mcp/catalog.json").read_text()
    assert json.loads(Path("mcpgen.lock").read_text())["sources"]["spec"] == "../../new.yaml"
    run("check")


def test_another_configuration_leads_a_project_out_of_the_workspace(projects: Path) -> None:
    Path("alone.toml").write_text("")
    run("update", "out/carts", "--config", "alone.toml")
    lock = json.loads(Path("out/carts/mcpgen.lock").read_text())
    assert (lock["sources"]["config"], "project" in lock["sources"]) == ("../../alone.toml", False)
    assert len(lock["tools"]) == 2


def test_names_that_only_one_can_have_are_warned_of() -> None:
    Path("carts.yaml").write_text(SPEC.replace("TITLE", "Bills"))
    Path("mcpgen.toml").write_text(f'{WORKSPACE}[projects.carts.project]\nname = "carts"\n')
    done = run("generate", "--all")
    found = [line for line in done.stderr.splitlines() if "workspace-clash" in line]
    assert [line.split(". ")[0] for line in found] == [
        "mcpgen.toml:11:1: warning[workspace-clash]: bills has the Python package bills_mcp too; "
        "only one of them can be installed in an environment",
        "mcpgen.toml:11:1: warning[workspace-clash]: bills has the prefix of variables BILLS too; "
        "in one environment, both get the same settings and credentials",
    ]
    assert [row[-2] for row in table(done).values()] == ["0", "2"]


def test_a_fault_of_mcpgen_in_one_project_is_said_with_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("what nobody thought of")

    monkeypatch.setattr("mcpgen.freshness.unchanged", fails)
    done = run("generate", "--all", status=70)
    assert "mcpgen: error[internal]: project bills: RuntimeError: what nobody thought of." in done.stderr
    assert {row[-1] for row in table(done).values()} == {"crashed"}


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["generate", "--all", "x.yaml"], "SPEC is about one project"),
        (["generate", "--all", "-o", "x"], "--output is about one project"),
        (["generate", "--all", "--package", "x"], "--package is about one project"),
        (["generate", "--all", "--restore", "x"], "--restore is about one project"),
        (["update", "--all", "x"], "DIR is about one project"),
        (["check", "--all", "--spec", "x"], "--spec is about one project"),
        (["generate", "--all", "--project", "bill"], "has no project bill. Did you mean bills?"),
        (["generate", "x.yaml", "-o", "x", "--project", "bills"], "--project and --jobs go with --all."),
        (["check", "--jobs", "2"], "--project and --jobs go with --all."),
        (["generate", "bills.yaml", "-o", "x", "--config", "mcpgen.toml"], "mcpgen.toml is a workspace"),
        (["generate"], "Missing argument 'SPEC'."),
    ],
)
def test_wrong_usage_is_said(arguments: list[str], part: str) -> None:
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 2
    assert part in done.stderr
    assert not Path("x").exists()


def test_without_a_workspace_file_the_way_out_is_said() -> None:
    Path("mcpgen.toml").unlink()
    assert "name the workspace with --config FILE" in run("generate", "--all", status=2).stderr

"""`mcpgen update` and `mcpgen check`, as a team and its automation use them."""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from mcpgen.cli.main import main
from mcpgen.pipeline import Outcome

Read = Callable[[Path], dict[str, bytes]]


def document(*names: str, summary: str = "Looks.") -> dict[str, Any]:
    return {
        "openapi": "3.1.0",
        "info": {"title": "Pets", "version": "1"},
        "servers": [{"url": "https://pets.example.test"}],
        "paths": {
            f"/{name}": {
                "get": {
                    "operationId": f"list_{name}",
                    "tags": ["pets"],
                    "summary": summary,
                    "responses": {"200": {"description": "ok"}},
                }
            }
            for name in names
        },
    }


def write_spec(*names: str, summary: str = "Looks.") -> None:
    Path("api").mkdir(exist_ok=True)
    Path("api/openapi.json").write_text(json.dumps(document(*names, summary=summary)))


def mcpgen(*arguments: str, stdin: str | None = None, status: int = 0) -> Result:
    done = CliRunner().invoke(main, arguments, input=stdin)
    assert done.exit_code == status, done.output
    return done


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("team")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        write_spec("cats")
        Path("mcpgen.toml").write_text('[project]\nname = "zoo"\n')
        mcpgen("generate", "api/openapi.json", "--config", "mcpgen.toml", "--package", "zoo", "-o", "zoo")
    return folder


@pytest.fixture
def project(generated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(generated, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "zoo"


def test_the_lock_leads_to_the_input_from_anywhere(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lock = json.loads((project / "mcpgen.lock").read_text())
    assert lock["sources"] == {
        "spec": "../api/openapi.json",
        "config": "../mcpgen.toml",
        "options": {"package": "zoo"},
    }
    write_spec("cats", "dogs")
    monkeypatch.chdir(project / "src")
    mcpgen("update", "..")
    assert "list_dogs" in (project / "src/zoo/tools/pets.py").read_text()
    assert json.loads((project / "mcpgen.lock").read_text())["sources"] == lock["sources"]


def test_an_update_keeps_edits_and_says_what_changed(project: Path) -> None:
    tools = project / "src/zoo/tools/pets.py"
    tools.write_text(tools.read_text() + "\n\nHELPER = 1\n")
    pyproject = project / "pyproject.toml"
    pyproject.write_text(pyproject.read_text().replace('version = "0.1.0"', 'version = "1.3.0"'))
    write_spec("cats", "dogs")

    done = mcpgen("update", "zoo")

    assert "HELPER = 1" in tools.read_text()
    assert "list_dogs" in tools.read_text()
    assert "merged with your edits" in done.stdout
    assert tomllib.loads(pyproject.read_text())["project"]["version"] == "1.4.0"
    changelog = (project / "CHANGELOG.md").read_text()
    assert changelog.index("## 1.4.0") < changelog.index("list_dogs") < changelog.index("## 0.1.0")


def test_the_changelog_grows_by_what_each_update_brings_and_the_team_may_write_into_it(project: Path) -> None:
    changelog = project / "CHANGELOG.md"
    write_spec("cats", "dogs")
    mcpgen("update", "zoo")
    text = changelog.read_text().replace("## 0.1.1", "## Unreleased\n\n- Ours is coming.\n\n## 0.1.1")
    changelog.write_text(text.replace("## 0.1.0", "- And this was ours.\n\n## 0.1.0"))
    for names in (("cats", "dogs", "pigs"), ("dogs", "pigs")):
        write_spec(*names)
        mcpgen("update", "zoo")
    lines = [line for line in changelog.read_text().splitlines() if line]
    assert lines[2:] == [
        "## Unreleased",
        "- Ours is coming.",
        "## 0.2.0",
        "### Removed",
        "- Breaking: `list_cats`: tool removed: `GET /cats`",
        "## 0.1.2",
        "### Added",
        "- `list_pigs`: tool added: `GET /pigs`",
        "## 0.1.1",
        "### Added",
        "- `list_dogs`: tool added: `GET /dogs`",
        "- And this was ours.",
        "## 0.1.0",
        "### Added",
        "- The first version.",
    ]
    assert "nothing to do" in mcpgen("update", "zoo").stdout


@pytest.mark.parametrize("line", ['dynamic = ["version"]', 'version = "ours"'])
def test_a_version_that_is_not_counted_stays_as_it_is(project: Path, line: str) -> None:
    pyproject = project / "pyproject.toml"
    pyproject.write_text(pyproject.read_text().replace('version = "0.1.0"', line, 1))
    for names in (("cats", "dogs"), ("cats", "dogs", "pigs")):
        write_spec(*names)
        mcpgen("update", "zoo")
        assert f"\n{line}\n" in pyproject.read_text()
    headings = [
        line for line in (project / "CHANGELOG.md").read_text().splitlines() if line.startswith("## ")
    ]
    assert headings == (
        ["## Unreleased", "## 0.1.0"] if "ours" in line else ["## 0.1.2", "## 0.1.1", "## 0.1.0"]
    )


def test_a_second_update_plans_nothing_and_writes_nothing(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools = project / "src/zoo/tools/pets.py"
    tools.write_text(tools.read_text() + "\n\nHELPER = 1\n")
    before = {path: path.stat().st_mtime_ns for path in project.rglob("*")}
    monkeypatch.setattr("mcpgen.pipeline.generate", None)
    assert "nothing to do" in (done := mcpgen("update", "zoo").stdout)
    assert "1 with edits of yours" in done
    assert {path: path.stat().st_mtime_ns for path in project.rglob("*")} == before


def test_whatever_changed_is_noticed(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[object] = []

    def run(request: object, *_: object) -> Outcome:
        runs.append(request)
        return Outcome([], refused=True)

    def noticed(*options: str) -> bool:
        runs.clear()
        CliRunner().invoke(main, ["update", "zoo", *options], catch_exceptions=False)
        return bool(runs)

    monkeypatch.setattr("mcpgen.pipeline.generate", run)
    files = [Path("api/openapi.json"), project / "mcpgen.lock", project / "README.md"]
    for file in files:
        text = file.read_text()
        file.write_text(text + "\n")
        assert noticed() is (file.name != "README.md"), file  # an edit is merged with nothing new
        if file.name != "mcpgen.lock":
            file.unlink()
            assert noticed(), file
        file.write_text(text)
        assert not noticed()
    Path("mcpgen.toml").write_text('[project]\nname = "circus"\n')
    assert noticed()
    Path("mcpgen.toml").write_text('[project]\nname = "zoo"\n# ours\n')
    assert not noticed()
    assert noticed("--package", "circus")
    assert noticed("--restore", "README.md")
    monkeypatch.setattr("mcpgen.freshness.code_digest", lambda: "another")
    assert noticed()


def test_check_tells_what_an_update_would_do(project: Path, read_tree: Read) -> None:
    assert mcpgen("check", "zoo").stdout == "zoo is up to date.\n"
    (project / "README.md").write_text("Ours.\n" + (project / "README.md").read_text())
    write_spec("cats", "dogs")
    before = read_tree(project)
    done = mcpgen("check", "zoo", status=1)
    assert read_tree(project) == before
    assert "merge      README.md (has edits of yours)" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("zoo is not up to date: ")
    mcpgen("update", "zoo")
    for _ in range(2):
        done = mcpgen("check", "zoo")
        assert done.stdout == "edited     README.md (has edits of yours)\nzoo is up to date.\n"
        (project / ".mcpgen/cache.json").unlink(missing_ok=True)
    assert not (project / ".mcpgen/cache.json").exists()


def test_a_deleted_file_is_no_reason_for_an_update(project: Path, read_tree: Read) -> None:
    (project / ".env.example").unlink()
    before = read_tree(project)
    done = mcpgen("check", "zoo")
    assert read_tree(project) == before
    assert "kept       .env.example (was deleted by its owner)" in done.stdout
    assert done.stdout.endswith("zoo is up to date.\n")
    write_spec("cats", "dogs")
    assert "zoo is not up to date" in mcpgen("check", "zoo", status=1).stdout


def test_an_overlap_is_shown_and_decided(project: Path, read_tree: Read) -> None:
    tools = project / "src/zoo/tools/pets.py"
    tools.write_text(tools.read_text().replace("Looks.", "Ours."))
    write_spec("cats", summary="Sees.")
    before = read_tree(project)
    done = mcpgen("update", "zoo", status=1)
    assert read_tree(project) == before
    assert "src/zoo/tools/pets.py:" in done.stderr
    assert 'yours     |     """Ours.' in done.stderr
    assert 'generated |     """Sees.' in done.stderr
    mcpgen("update", "zoo", "--conflicts", "ours")
    assert "Ours." in tools.read_text()
    assert '"description":"Sees.' in (project / "src/zoo/catalog.json").read_text()
    mcpgen("check", "zoo")


def test_a_spec_from_standard_input_has_to_be_given_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    mcpgen("generate", "-", "-o", "out", stdin=json.dumps(document("cats")))
    assert json.loads(Path("out/mcpgen.lock").read_text())["sources"] == {}
    assert "does not say where its spec (-) is" in mcpgen("update", "out", status=1).stderr
    done = mcpgen("update", "out", "--spec", "-", stdin=json.dumps(document("cats")))
    assert "nothing to do" in done.stdout


def test_a_moved_operation_keeps_its_tool_and_its_edits(project: Path) -> None:
    tools = project / "src/zoo/tools/pets.py"
    tools.write_text(tools.read_text().replace("    return await", "    # ours\n    return await"))
    changed = document("cats")
    changed["paths"] = {"/v2/cats": changed["paths"]["/cats"]}
    changed["paths"]["/v2/cats"]["get"]["tags"] = ["animals"]
    Path("api/openapi.json").write_text(json.dumps(changed))
    mcpgen("update", "zoo")
    assert not tools.exists()
    text = (project / "src/zoo/tools/animals.py").read_text()
    assert "async def list_cats" in text
    assert "    # ours\n" in text


def test_a_restored_file_is_made_again(project: Path) -> None:
    (project / ".env.example").unlink()
    mcpgen("update", "zoo")
    assert not (project / ".env.example").exists()
    mcpgen("check", "zoo")
    mcpgen("update", "zoo", "--restore", ".env.example")
    assert (project / ".env.example").exists()


def test_watch_updates_on_every_change_until_it_is_interrupted(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edits = iter([lambda: write_spec("cats", "dogs"), lambda: Path("api/openapi.json").write_text("{")])

    def edit_or_interrupt(_: float) -> None:
        edit = next(edits, None)
        if edit is None:
            raise KeyboardInterrupt
        edit()

    monkeypatch.setattr("mcpgen.cli.watch.time.sleep", edit_or_interrupt)
    done = mcpgen("watch", "zoo")
    assert "nothing to do" in done.stdout.splitlines()[0]
    assert "zoo: 2 tools" in done.stdout
    assert "error[source-syntax]" in done.stderr
    assert "list_dogs" in (project / "src/zoo/tools/pets.py").read_text()

"""`mcpgen templates`: what each command prints, and how it fails."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mcpgen.cli.main import main
from mcpgen.render.locate import templates_folder

SERVER = "src/package/server.py.jinja"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["templates", *arguments])


def layer(name: str, **files: str) -> None:
    for key, text in files.items():
        path = Path(name) / {
            "server": SERVER,
            "readme": "README.md.jinja",
            "part": "_parts/header.jinja",
        }.get(key, key)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


EXTENDS = f'{{% extends "super:{SERVER}" %}}\n'


def test_list_says_what_comes_from_where() -> None:
    layer("one", server="A = 1\n", readme="# one\n")
    layer(
        "two",
        server=f"{EXTENDS}{{% block x %}}{{% endblock %}}".replace("{% block x %}{% endblock %}", ""),
        NOTICE="n",
    )
    Path("mcpgen.toml").write_text('[templates]\nlayers = ["one"]\n')

    found = run("list", "--templates", "two")

    assert found.exit_code == 0
    lines = {line.split()[0]: line.split(maxsplit=2)[1:] for line in found.output.splitlines()}
    assert lines["NOTICE"] == ["NOTICE", "two"]
    assert lines["README.md.jinja"] == ["README.md", "one (in place of default)"]
    assert lines[SERVER] == ["src/package/server.py", "two > one (in place of default)"]
    assert lines["tests/conftest.py.jinja"] == ["tests/conftest.py", "default"]
    entries = {entry["template"]: entry for entry in json.loads(run("list", "--format", "json").output)}
    assert entries[SERVER]["layers"] == ["one"]
    assert entries["tests/conftest.py.jinja"]["blocks"][0] == "header"


def test_list_points_at_a_malformed_template() -> None:
    layer("one", server="\n{% if %}")

    found = run("list", "--templates", "one")

    assert (found.exit_code, found.output) == (
        1,
        f"one/{SERVER}:2:1: error[render-failed]: Expected an expression, got 'end of statement block'.\n",
    )


def test_a_layer_of_the_configuration_that_is_not_there() -> None:
    Path("mcpgen.toml").write_text('[templates]\nlayers = ["none"]\n')

    found = run("list")

    expected = "mcpgen.toml:2:1: error[layer-invalid]: The template layer none cannot be used: there is no such folder.\n"
    assert (found.exit_code, found.output) == (1, expected)


@pytest.mark.parametrize("name", [SERVER, "src/package/server.py"])
def test_show_prints_the_strongest_or_one_layer(name: str) -> None:
    layer("one", server="A = 1\n")
    default = (templates_folder() / "package" / SERVER).read_text()

    assert run("show", name, "--templates", "one").output == "A = 1\n"
    assert run("show", name, "--templates", "one", "--layer", "default").output == default
    assert run("show", ".env.example").output.startswith("{# context: package")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("READM.md.jinja",), "there is no template READM.md.jinja; did you mean README.md.jinja?"),
        (("README.md", "--layer", "x"), "no layer is called x; there are default."),
        (("nothing-like-it",), "there is no template nothing-like-it; `mcpgen templates list` shows all."),
    ],
)
def test_show_of_what_is_not_there(arguments: tuple[str, ...], expected: str) -> None:
    found = run("show", *arguments)

    assert found.exit_code == 2
    assert found.output.endswith(f"Error: {expected}\n")


def test_eject_copies_with_its_origin_and_replaces_only_by_force() -> None:
    default = (templates_folder() / "package" / SERVER).read_text()

    found = run("eject", "src/package/server.py", "--to", "team")

    assert found.output == f"written: team/{SERVER}\nwritten: team/.mcpgen/origins/{SERVER}\n"
    head, _, rest = (Path("team") / SERVER).read_text().partition("\n")
    assert rest == default
    assert head.startswith(f"{{# Copied by mcpgen 0.1.0 from {SERVER}, sha256 ")
    again = run("eject", "src/package/server.py", "--to", "team")
    assert (again.exit_code, again.output) == (
        1,
        f"Error: team/{SERVER} is there already; --force replaces it.\n",
    )
    assert run("eject", "src/package/server.py", "--to", "team", "--force").exit_code == 0


def test_eject_by_blocks_changes_nothing_by_itself() -> None:
    assert run("eject", "tests/conftest.py", "gitignore.jinja", "--to", "team", "--extend").exit_code == 0

    text = Path("team/tests/conftest.py.jinja").read_text()
    assert text.startswith('{% extends "super:tests/conftest.py.jinja" %}\n')
    assert "{% block fixtures %}\n{{ super() -}}\n{% endblock %}\n" in text
    assert (
        run("diff", "--templates", "team").output
        == "No copied templates. `mcpgen templates eject` makes one.\n"
    )


def test_diff_tells_both_sides_apart(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    run("eject", "gitignore.jinja", "--to", "team")
    copy = Path("team/gitignore.jinja")
    copy.write_text(copy.read_text().replace("dist/\n", "dist/\nours/\n"))
    same = run("diff", "--templates", "team", "--exit-code")
    assert same.exit_code == 0
    assert "still the one that was copied" in same.output
    assert "+ours/" in same.output

    newer = changed_default(folder, "gitignore.jinja", "build/\n", "build/\ntheirs/\n")
    monkeypatch.setattr("mcpgen.render.layers.templates_folder", lambda: newer)
    found = run("diff", "gitignore.jinja", "--templates", "team", "--exit-code")

    assert found.exit_code == 1
    theirs, _, ours = found.output.partition("What you have changed:")
    assert "+theirs/" in theirs.partition("What mcpgen has changed since:")[2]
    assert "+ours/" in ours
    assert "theirs/" not in ours
    Path("team/.mcpgen/origins/gitignore.jinja").unlink()
    assert "is not kept beside it" in run("diff", "--templates", "team").output


def test_diff_knows_a_copy_by_its_header_below_lines_of_the_team(folder: Path) -> None:
    run("eject", "gitignore.jinja", "--to", "team")
    copy = Path("team/gitignore.jinja")
    copy.write_text("{# Licence: ours. #}\n" + copy.read_text())
    found = run("diff", "--templates", "team").output
    assert "still the one that was copied" in found
    assert "+{# Licence: ours. #}" in found


def changed_default(folder: Path, name: str, old: str, new: str) -> Path:
    """The built-in templates of a later version."""
    newer = folder / "newer"
    for path in (templates_folder() / "package").rglob("*.jinja"):
        target = newer / "package" / path.relative_to(templates_folder() / "package")
        target.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text()
        target.write_text(text.replace(old, new) if target.name == name else text)
    return newer


def test_check_points_at_the_template() -> None:
    layer(
        "one", server=f"{EXTENDS}{{% block run %}}\nX = {{{{ package.plan.titel | py }}}}\n{{% endblock %}}\n"
    )

    found = run("check", "--quick", "--templates", "one")

    message = "'mcpgen.plan.model.PackagePlan object' has no attribute 'titel'"
    assert (found.exit_code, found.output) == (1, f"one/{SERVER}:3:1: error[render-failed]: {message}.\n")


def test_check_of_what_is_right() -> None:
    layer("one", part="# Acme\n")

    found = run("check", "--quick", "--templates", "one")

    assert found.exit_code == 0
    assert found.output.startswith("Templates are fine: ")

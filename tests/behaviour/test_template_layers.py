"""Three layers of a team: what they make passes its own tests, and survives other built-in templates."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import mcpgen
from mcpgen.config import Config
from mcpgen.diagnostics import Collector
from mcpgen.pipeline import GenerateRequest, Outcome, generate
from mcpgen.render.locate import templates_folder
from mcpgen.templating import Verdict, check_layers

ROOT = Path(mcpgen.__file__).parents[1]
LAYERS = Path(__file__).parents[1] / "layers"
HOUSE, EXTRA = (str(LAYERS / name) for name in ("house_style", "extra_files"))
TEAM = {
    "house style": Config(layers=(HOUSE,)),
    "extra files": Config(layers=(EXTRA,)),
    "plugin": Config(layers=("package:acme_mcp_plugin",), plugins=("acme",)),
    "all": Config(layers=(HOUSE, EXTRA, "package:acme_mcp_plugin"), plugins=("acme",)),
}


@pytest.fixture(autouse=True)
def plugin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(LAYERS / "plugin"))


def project(folder: Path, config: Config) -> Outcome:
    spec = str(ROOT / "specs/orders/openapi.yaml")
    return generate(GenerateRequest(spec, output=folder, config=config), Collector())


@pytest.mark.parametrize("name", ["house style", "extra files", "plugin"])
def test_a_project_of_each_layer_passes_its_own_tests(
    tmp_path: Path, name: str, expect_sound: Callable[..., None]
) -> None:
    outcome = project(tmp_path / "out", TEAM[name])
    assert not outcome.refused, outcome.diagnostics
    expect_sound(tmp_path / "out")


def test_a_second_run_finds_nothing_to_do(tmp_path: Path) -> None:
    project(tmp_path / "out", TEAM["all"])

    changes = project(tmp_path / "out", TEAM["all"]).changes

    assert changes is not None
    assert changes.writes == ()


def newer_templates(folder: Path, monkeypatch: pytest.MonkeyPatch, edits: dict[str, tuple[str, str]]) -> None:
    """mcpgen with other built-in templates."""
    for path in (templates_folder() / "package").rglob("*.jinja"):
        name = path.relative_to(templates_folder() / "package").as_posix()
        target = folder / "package" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text("utf-8")
        old, new = edits.get(name, ("", ""))
        assert old in text
        target.write_text(text.replace(old, new) if old else text, "utf-8")
    monkeypatch.setattr("mcpgen.render.layers.templates_folder", lambda: folder)


def test_layers_lie_over_other_built_in_templates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    edits = {
        "README.md.jinja": ("## Run\n", "## Start it\n"),
        "src/package/tools/toolset.py.jinja": (
            "\n\n{{ function | signature }}",
            "\n\n# newer\n{{ function | signature }}",
        ),
        "pyproject.toml.jinja": ('readme = "README.md"\n', 'readme = "README.md"\nlicense = "MIT"\n'),
    }
    newer_templates(tmp_path / "newer", monkeypatch, edits)

    outcome = project(tmp_path / "out", TEAM["all"])

    assert not outcome.refused, outcome.diagnostics
    readme = (tmp_path / "out/README.md").read_text("utf-8")
    assert "## Start it" in readme
    assert "> Owned by the platform team." in readme
    tools = next((tmp_path / "out/src/orders_mcp/tools").glob("orders.py")).read_text("utf-8")
    assert tools.startswith("# Copyright Acme Logistics.")
    assert "# newer\n" in tools
    assert "__all__ = [" in tools
    pyproject = (tmp_path / "out/pyproject.toml").read_text("utf-8")
    assert 'license = "MIT"' in pyproject
    assert "[tool.ruff]" in pyproject


def test_a_block_that_is_gone_is_named_at_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    newer_templates(
        tmp_path / "newer",
        monkeypatch,
        {"README.md.jinja": ("{% block intro %}", "{% block intros %}")},
    )

    outcome = project(tmp_path / "out", TEAM["house style"])

    assert outcome.refused
    assert not (tmp_path / "out").exists()
    (found,) = outcome.diagnostics
    assert found.location is not None
    assert found.location.file == str(Path(HOUSE) / "README.md.jinja")
    assert found.location.line == 2
    assert "has no block intro; did you mean intros?" in found.message


def checked(folder: Path, name: str, text: str) -> Verdict:
    path = folder / "layer" / name
    path.parent.mkdir(parents=True)
    path.write_text(text)
    return check_layers(Config(layers=(str(folder / "layer"),)))


@pytest.mark.usefixtures("mypy_cache")
def test_faults_of_types_and_tests_are_at_the_line_of_the_template(tmp_path: Path) -> None:
    name = "src/package/server.py.jinja"
    text = f'{{% extends "super:{name}" %}}\n{{% block run %}}\n{{{{ super() }}}}\n\n\ndef wrong(a: int,   b: int) -> str:\n    return a + b\n{{% endblock %}}\n{{% block imports %}}\n{{{{ super() }}}}\nimport no_such_module_\n{{% endblock %}}\n'

    verdict = checked(tmp_path, name, text)

    assert verdict.failed
    found = {
        (item.location.line, item.message.partition(": ")[2].split()[0])
        for item in verdict.diagnostics
        if item.location
    }
    assert (7, "Incompatible") in found
    assert (11, "ModuleNotFoundError:") in found

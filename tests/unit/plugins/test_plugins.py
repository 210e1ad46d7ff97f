"""A plugin is active only where it is named, and whatever goes wrong in one is said to be its own."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from mcpgen.config import Config
from mcpgen.diagnostics import Collector
from mcpgen.pipeline import GenerateRequest, Outcome, generate

RIGHT = """
from dataclasses import replace
from mcpgen.plan.model import SpecText

class Plugin:
    api_version = 1
    def filters(self):
        return {"shout": lambda text: str(text).upper(), "fail": lambda text: {}[text]}
    def change_plan(self, plan):
        return replace(plan, title=SpecText(plan.title + "!"))
"""
SPEC = {
    "openapi": "3.1.0",
    "info": {"title": "Shop", "version": "1"},
    "servers": [{"url": "https://shop.test"}],
    "paths": {"/a": {"get": {"operationId": "getA", "responses": {"200": {"description": ""}}}}},
}


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place for packages; `install` puts plugins there."""
    place = tmp_path / "site"
    place.mkdir()
    monkeypatch.syspath_prepend(str(place))
    return place


def install(place: Path, name: str, code: str) -> None:
    module = f"mcpgen_test_plugin_{name}_{place.parent.name}".replace("-", "_")
    (place / f"{module}.py").write_text(code)
    info = place / f"{name}-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[mcpgen.plugins]\n{name} = {module}:Plugin\n")


def run(
    folder: Path, *plugins: str, template: str = "{{ package.plan.title | shout | markdown }}"
) -> Outcome:
    (folder / "layer").mkdir(exist_ok=True)
    (folder / "layer/TITLE.md.jinja").write_text(template)
    config = Config(plugins=plugins, layers=(str(folder / "layer"),))
    request = GenerateRequest(
        "-", output=folder / "out", config=config, stdin=json.dumps(SPEC).encode(), dry_run=not plugins
    )
    return generate(request, Collector())


def said(outcome: Outcome) -> list[str]:
    return [f"{item.code}: {item.message}" for item in outcome.diagnostics]


def test_a_plugin_gives_filters_and_changes_the_plan(tmp_path: Path, installed: Path) -> None:
    install(installed, "acme", RIGHT)

    outcome = run(tmp_path, "acme")

    assert said(outcome) == []
    assert outcome.plan is not None
    assert outcome.plan.title == "Shop!"
    assert (tmp_path / "out/TITLE.md").read_text() == "SHOP\\!"


def test_one_that_is_not_named_is_not_even_imported(tmp_path: Path, installed: Path) -> None:
    install(installed, "acme", "raise RuntimeError('imported')")

    assert "render-failed: No filter named 'shout'." in said(run(tmp_path))
    assert not any(
        name.startswith("mcpgen_test_plugin_acme") and tmp_path.name in name for name in sys.modules
    )


def test_what_its_filters_give_is_escaped_as_anything_else(tmp_path: Path, installed: Path) -> None:
    code = RIGHT.replace('"fail"', '"code": lambda t: __import__("mcpgen").plan.model.Code("a b"), "fail"')
    install(installed, "acme", code.replace('"code"', '"made"'))
    (failed,) = said(run(tmp_path, "acme", template="{{ package.plan.title | made }}"))

    assert failed.startswith("render-failed: 'a b' is printed without an escaping filter")


def test_a_failing_filter_is_at_the_line_of_the_template_and_names_the_plugin(
    tmp_path: Path, installed: Path
) -> None:
    install(installed, "acme", RIGHT)
    outcome = run(tmp_path, "acme", template="\n{{ package.plan.title | fail }}")

    assert said(outcome) == ["render-failed: the plugin acme failed: KeyError: 'Shop!'."]
    place = outcome.diagnostics[0].location
    assert place is not None
    assert (Path(place.file).name, place.line) == ("TITLE.md.jinja", 2)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("raise ValueError('no')", "The plugin acme failed in loading it: ValueError: no"),
        (
            "Plugin = 3",
            "The plugin acme is none: it needs api_version, filters and change_plan (mcpgen.plugins.Plugin).",
        ),
        (
            RIGHT.replace("= 1", "= 7", 1),
            "The plugin acme was written for version 7 of the protocol; this mcpgen has 1.",
        ),
        (
            RIGHT.replace("return {", "return 1 // 0, {"),
            "The plugin acme failed in filters: ZeroDivisionError: integer division or modulo by zero",
        ),
        (
            RIGHT.replace('"shout"', '"sh out"'),
            "The plugin acme failed: 'sh out' is no filter (a name and a function).",
        ),
        (
            RIGHT.replace("return replace", "raise KeyError(1)\n        return replace"),
            "The plugin acme failed in change_plan: KeyError: 1",
        ),
        (RIGHT.replace("return replace", "return str("), None),
        (
            RIGHT.replace('return replace(plan, title=SpecText(plan.title + "!"))', "return None"),
            "The plugin acme failed: change_plan gave NoneType, not a PackagePlan.",
        ),
        (
            RIGHT.replace('"shout"', '"markdown"'),
            "The plugin acme failed: mcpgen has a filter markdown of its own.",
        ),
    ],
)
def test_what_goes_wrong_names_the_plugin(
    tmp_path: Path, installed: Path, code: str, expected: str | None
) -> None:
    install(installed, "acme", code)
    outcome = run(tmp_path, "acme", template="x")

    assert outcome.refused
    assert not (tmp_path / "out").exists()
    (message,) = said(outcome)
    assert (
        message.startswith("plugin-failed: The plugin acme failed")
        if expected is None
        else message == f"plugin-failed: {expected}"
    )


def test_two_with_a_filter_of_one_name(tmp_path: Path, installed: Path) -> None:
    install(installed, "acme", RIGHT)
    install(installed, "bell", RIGHT)

    assert said(run(tmp_path, "acme", "bell")) == [
        "plugin-failed: The plugins acme and bell both offer a filter shout."
    ]


def test_one_that_is_not_installed(tmp_path: Path, installed: Path) -> None:
    install(installed, "acme", RIGHT)

    assert said(run(tmp_path, "acmee")) == [
        "plugin-failed: No plugin acmee is installed beside mcpgen. Did you mean acme?"
    ]

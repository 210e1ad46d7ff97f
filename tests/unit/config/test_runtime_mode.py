"""`runtime` in mcpgen.toml: what it can be, where it comes from, and what follows it."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcpgen.config import Config, load_config, load_workspace
from mcpgen.diagnostics import Collector, Refused


def faults(path: Path, text: str) -> list[tuple[int | None, str]]:
    path.write_text(text)
    diagnostics = Collector()
    with pytest.raises(Refused):
        load_config(path, diagnostics)
    return [(found.location.line, found.message) for found in diagnostics if found.location]


def test_a_project_has_a_copy_unless_it_says_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "mcpgen.toml"
    path.write_text('[generate]\nruntime = "package"\n')
    assert load_config(None, Collector()).runtime == "vendored"
    assert load_config(path, Collector()).runtime == "package"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (
            '[generate]\nruntime = "shared"\n',
            2,
            'runtime must be "vendored" or "package", not "shared".',
        ),
        ("[generate]\nruntime = true\n", 2, 'runtime must be "vendored" or "package", not true.'),
        ('runtime = "package"\n', 1, "Unknown section [runtime]. It belongs to [generate]."),
        (
            '[project]\nruntime = "package"\n',
            2,
            "Unknown key runtime in [project]. It belongs to [generate].",
        ),
        (
            '[project]\npackage = "mcpgen_runtime"\n',
            2,
            "package must be a Python package name in lower case that no library has, such as orders_mcp, "
            'not "mcpgen_runtime".',
        ),
    ],
)
def test_a_mistake_is_told_with_its_line(tmp_path: Path, text: str, line: int, message: str) -> None:
    assert faults(tmp_path / "mcpgen.toml", text) == [(line, message)]


def test_the_digest_tells_the_modes_apart() -> None:
    assert Config().digest() == Config(runtime="vendored").digest()
    assert Config().digest() != Config(runtime="package").digest()


def test_a_team_decides_and_a_project_decides_otherwise(tmp_path: Path) -> None:
    (tmp_path / "team.toml").write_text('[generate]\nruntime = "package"\n')
    own = tmp_path / "mcpgen.toml"
    own.write_text('extends = "team.toml"\n')
    assert load_config(own, Collector()).runtime == "package"
    own.write_text('extends = "team.toml"\n[generate]\nruntime = "vendored"\n')
    assert load_config(own, Collector()).runtime == "vendored"


def test_projects_of_a_workspace_share_it_and_one_can_differ(tmp_path: Path) -> None:
    path = tmp_path / "mcpgen.toml"
    path.write_text(
        '[generate]\nruntime = "package"\n'
        '[projects.boats]\nspec = "boats.json"\noutput = "boats"\n'
        '[projects.cars]\nspec = "cars.json"\noutput = "cars"\n[projects.cars.generate]\nruntime = "vendored"\n'
    )
    found = load_workspace(path, Collector())
    assert {member.name: member.config.runtime for member in found.members} == {
        "boats": "package",
        "cars": "vendored",
    }

"""Workspaces: what each project gets, and where and how a mistake is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcpgen.config import (
    Config,
    Workspace,
    is_workspace,
    load_config,
    load_member,
    load_workspace,
)
from mcpgen.diagnostics import Collector, Refused

SHARED = """
[generate]
description_level = "brief"
overlays = ["all.yaml"]
[server]
timeout = 20
read_only = true
[tools."get_*"]
cache_seconds = 5
"""
OWN = {
    "project": 'package = "bills"',
    "generate": 'overlays = ["bills.yaml"]\nlanguage = "de"',
    "server": "timeout = 5",
    "tools.get_bill": "retries = 1",
}


def load(folder: Path, text: str) -> Workspace:
    (folder / "mcpgen.toml").write_text(text)
    return load_workspace(folder / "mcpgen.toml", Collector())


def faults(folder: Path, text: str) -> list[tuple[int | None, str]]:
    (folder / "mcpgen.toml").write_text(text)
    diagnostics = Collector()
    with pytest.raises(Refused):
        load_workspace(folder / "mcpgen.toml", diagnostics)
    assert {item.code for item in diagnostics} == {"config-invalid"}
    return [(item.location.line, item.message) for item in diagnostics.located() if item.location]


def test_projects_stand_in_the_order_of_the_file_with_paths_from_its_folder(tmp_path: Path) -> None:
    text = """
[workspace]
jobs = 3
[projects.two]
spec = "specs/../two.yaml"
output = "./out/two"
[projects.one]
spec = "https://api.example.com/openapi.json"
output = "one"
"""
    workspace = load(tmp_path, text)
    assert workspace.jobs == 3
    assert [(member.name, member.spec, member.output) for member in workspace.members] == [
        ("two", str(tmp_path / "two.yaml"), tmp_path / "out/two"),
        ("one", "https://api.example.com/openapi.json", tmp_path / "one"),
    ]
    assert [member.config.member for member in workspace.members] == ["two", "one"]


def test_a_project_lies_over_what_is_shared_as_a_file_over_the_one_it_extends(tmp_path: Path) -> None:
    own = "".join(f"[projects.bills.{section}]\n{text}\n" for section, text in OWN.items())
    workspace = load(tmp_path, f'{SHARED}[projects.bills]\nspec = "a"\noutput = "b"\n{own}')
    (tmp_path / "base.toml").write_text(SHARED)
    alone = "".join(f"[{section}]\n{text}\n" for section, text in OWN.items())
    (tmp_path / "alone.toml").write_text(f'extends = "base.toml"\n{alone}')
    [member] = workspace.members
    assert member.config == load_config(tmp_path / "alone.toml", Collector())
    assert member.config.overlays == (tmp_path / "all.yaml", tmp_path / "bills.yaml")
    assert member.config.server == {"timeout": "5", "read_only": "1"}


def test_one_project_takes_nothing_from_another(tmp_path: Path) -> None:
    text = '[projects.a]\nspec = "a"\noutput = "a"\n[projects.a.server]\ntimeout = 5\n'
    workspace = load(tmp_path, f'{text}[projects.b]\nspec = "b"\noutput = "b"\n')
    assert [member.config.server for member in workspace.members] == [{"timeout": "5"}, {}]


def test_without_a_project_the_file_gives_what_is_shared(tmp_path: Path) -> None:
    text = f'{SHARED}[projects.a]\nspec = "a"\noutput = "a"\n[projects.a.server]\ntimeout = 5\n'
    load(tmp_path, text)
    config = load_config(tmp_path / "mcpgen.toml", Collector())
    assert (config.member, config.server["timeout"]) == (None, "20")


def test_projects_come_from_extended_files_too_with_their_own_paths(tmp_path: Path) -> None:
    (tmp_path / "team").mkdir()
    (tmp_path / "team/base.toml").write_text(
        '[generate]\nstrict = false\n[projects.a]\nspec = "a.yaml"\noutput = "a"\n[projects.a.server]\ntimeout = 5\n'
    )
    text = 'extends = "team/base.toml"\n[generate]\nstrict = true\n[projects.a]\noutput = "elsewhere"\n'
    [member] = load(tmp_path, text).members
    assert (member.spec, member.output) == (str(tmp_path / "team/a.yaml"), tmp_path / "elsewhere")
    assert member.config.strict is True
    assert member.config.server == {"timeout": "5"}
    place = member.config.locate(("server", "timeout"))
    assert place is not None
    assert (place.file, place.line) == (str(tmp_path / "team/base.toml"), 7)


def test_a_key_is_found_in_the_section_of_the_project_first(tmp_path: Path) -> None:
    text = "[server]\ntimeout = 1\nread_only = true\n"
    text += '[projects.a]\nspec = "a"\noutput = "a"\n[projects.a.server]\ntimeout = 5\n'
    [member] = load(tmp_path, text).members
    lines = {
        key: place.line
        for key in ("timeout", "read_only")
        if (place := member.config.locate(("server", key))) is not None
    }
    assert lines == {"timeout": 8, "read_only": 3}


def test_the_project_has_no_part_in_the_digest_but_by_what_it_says(tmp_path: Path) -> None:
    [one, two] = load(
        tmp_path, '[projects.a]\nspec = "a"\noutput = "a"\n[projects.b]\nspec = "b"\noutput = "b"\n'
    ).members
    assert one.config.digest() == two.config.digest() == Config().digest()


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("[workspace]\njob = 1\n", 2, "Unknown key job in [workspace]. Did you mean jobs?"),
        ("[workspace]\njobs = 0\n", 2, "jobs must be a number of processes from 1 on, not 0."),
        ("[workspace]\njobs = true\n", 2, "jobs must be a number of processes"),
        ("workspace = 1\n", 1, "workspace must be a section: [workspace]."),
        ("projects = []\n", 1, "projects must be a section: [projects.NAME]."),
        ("[server]\ntimeout = 1\n", None, "The file has no projects."),
        ('[projects]\nspec = "x"\n', 2, "spec belongs to one project: [projects.NAME]."),
        ("[projects]\na = 1\n", 2, "[projects] holds sections: [projects.a]."),
        ('[projects."a b"]\n', 1, "The name of a project must be letters, digits, _ and -, not 'a b'."),
        ('[projects.a]\noutput = "x"\n', 1, "[projects.a] has no spec; it must be a file"),
        ('[projects.a]\nspec = "x"\n', 1, "[projects.a] has no output; it must be a folder"),
        ('[projects.a]\nspec = "-"\noutput = "x"\n', 2, "spec must be a file"),
        ('[projects.a]\nspec = "x"\noutput = ""\n', 3, "output must be a folder"),
        (
            '[projects.a]\nspecs = "x"\n',
            2,
            "Unknown key specs in [projects.a]. Did you mean spec?",
        ),
        ("[projects.a]\nstrict = true\n", 2, "It belongs to [generate]."),
        ("[projects.a]\nserver = 1\n", 2, "server must be a section: [projects.a.server]."),
        (
            '[projects.a]\nspec = "x"\noutput = "x"\n[projects.a.server]\n\ntimout = 1\n',
            6,
            "[server] timout: unknown key (did you mean 'timeout'?).",
        ),
        (
            '[generate]\nstrickt = true\n[projects.a]\nspec = "x"\noutput = "x"\n',
            2,
            "Unknown key strickt in [generate]. Did you mean strict?",
        ),
        ("[projcts.a]\n", 1, "Unknown section [projcts]. Did you mean projects?"),
    ],
)
def test_a_mistake_is_reported_where_it_is(tmp_path: Path, text: str, line: int | None, part: str) -> None:
    found, message = faults(tmp_path, text)[0]
    assert part in message
    assert found == line


def test_the_mistakes_of_all_projects_are_reported_once_and_together(tmp_path: Path) -> None:
    text = '[generate]\nstrct = true\n[projects.a]\nspec = "a"\n[projects.b]\noutput = "b"\n[projects.b.project]\npackage = "A"\n'
    assert [line for line, _ in faults(tmp_path, text)] == [2, 3, 5, 8]


@pytest.mark.parametrize(
    ("one", "two", "part"),
    [
        ("out", "./x/../out", "Projects a and b have the same output"),
        ("out", "out/b", "The output of b lies inside that of a"),
        ("out/a", "out", "The output of a lies inside that of b"),
        (".", "b", "The output of b lies inside that of a"),
        ("out", "link", "Projects a and b have the same output"),
    ],
)
def test_two_projects_never_share_a_folder(tmp_path: Path, one: str, two: str, part: str) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "link").symlink_to("out")
    text = f'[projects.a]\nspec = "a"\noutput = "{one}"\n[projects.b]\nspec = "b"\noutput = "{two}"\n'
    [(line, message)] = faults(tmp_path, text)
    assert (line, part in message) == (6, True)


def test_folders_that_only_begin_alike_are_two(tmp_path: Path) -> None:
    text = '[projects.a]\nspec = "a"\noutput = "out"\n[projects.b]\nspec = "b"\noutput = "out-b"\n'
    assert len(load(tmp_path, text).members) == 2


def test_a_project_that_is_gone_is_said_with_a_suggestion(tmp_path: Path) -> None:
    load(tmp_path, '[projects.bills]\nspec = "a"\noutput = "a"\n')
    diagnostics = Collector()
    with pytest.raises(Refused):
        load_member(tmp_path / "mcpgen.toml", "bill", diagnostics)
    [item] = diagnostics
    assert item.message == "The workspace has no project bill. Did you mean bills?"


def test_a_file_is_a_workspace_when_it_has_projects(tmp_path: Path) -> None:
    path = tmp_path / "mcpgen.toml"
    found = []
    for text in ("[projects.a]\n", "[server]\ntimeout = 1\n", "[server\n"):
        path.write_text(text)
        found.append(is_workspace(path))
    assert found == [True, False, False]

"""A configuration lies over another one: what is merged how, and where faults are said to be."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcpgen.config import Config, load_config
from mcpgen.diagnostics import Collector, Refused


def write(folder: Path, **files: str) -> Path:
    """`team` and `far` lie in folders of their own, `own` in the project."""
    for name, text in files.items():
        path = folder / name / "mcpgen.toml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    return folder / "own/mcpgen.toml"


def faults(folder: Path, path: Path) -> list[str]:
    diagnostics = Collector()
    with pytest.raises(Refused):
        load_config(path, diagnostics)
    return [
        f"{Path(item.location.file).relative_to(folder)}:{item.location.line}: {item.message}"
        for item in diagnostics
        if item.location is not None
    ]


def test_the_nearest_says_it_tables_merge_and_lists_join(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        far='[project]\nenv_prefix = "FAR"\n[templates]\nlayers = ["t", "package:acme"]\n[server]\nconfirm = "never"\n',
        team='extends = "../far/mcpgen.toml"\n[generate]\nstrict = true\nphrases = "p.toml"\noverlays = ["a.yaml"]\n'
        'plugins = ["acme"]\n[tools.get_a]\ntimeout = 5\nretries = 1\n[operations.getA]\ntitle = "A"\n',
        own='extends = "../team/mcpgen.toml"\n[project]\nenv_prefix = "OWN"\n[generate]\noverlays = ["b.yaml"]\n'
        '[templates]\nlayers = ["mine"]\n[tools.get_a]\ntimeout = 9\n[select]\nexclude = ["tag:x"]\n',
    )

    config = load_config(path, Collector())

    assert config.env_prefix == "OWN"
    assert config.strict
    assert config.phrases == tmp_path / "team/p.toml"
    assert config.overlays == (tmp_path / "team/a.yaml", tmp_path / "own/b.yaml")
    assert config.layers == (str(tmp_path / "far/t"), "package:acme", str(tmp_path / "own/mine"))
    assert config.plugins == ("acme",)
    assert config.server == {"confirm": "never"}
    assert config.tools == {"get_a": {"timeout": 9, "retries": 1}}
    assert config.operations == {"getA": {"title": "A"}}
    assert (config.path, config.bases) == (
        path,
        (tmp_path / "team/mcpgen.toml", tmp_path / "far/mcpgen.toml"),
    )


def test_places_lead_to_the_file_that_says_it(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        team='\n[tools.get_a]\ntimeout = 5\n\n[select]\nexclude = ["tag:x"]\n',
        own='extends = "../team/mcpgen.toml"\n[tools.get_b]\ntimeout = 5\n',
    )
    config = load_config(path, Collector())

    def place(*keys: str) -> str:
        found = config.locate(keys)
        assert found is not None
        return f"{Path(found.file).relative_to(tmp_path)}:{found.line}"

    assert place("tools", "get_a", "timeout") == "team/mcpgen.toml:3"
    assert place("tools", "get_b", "timeout") == "own/mcpgen.toml:3"
    assert Path(config.places["tag:x"].file) == tmp_path / "team/mcpgen.toml"


def test_a_base_does_not_matter_where_it_lies(tmp_path: Path) -> None:
    texts = {"team": '[project]\npackage = "a_b"\n', "own": 'extends = "../team/mcpgen.toml"\n'}
    first = load_config(write(tmp_path, **texts), Collector())
    (tmp_path / "elsewhere").mkdir()
    second = load_config(write(tmp_path / "elsewhere", **texts), Collector())
    whole = load_config(write(tmp_path, own=texts["team"]), Collector())

    assert first.digest() == second.digest() == whole.digest() != Config().digest()


def test_faults_are_in_the_file_that_has_them(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        team='[project]\npackage = "a-b"\n[generate]\nphrase = 1\n',
        own='extends = "../team/mcpgen.toml"\n[select]\ndeprecated = 1\n',
    )

    assert faults(tmp_path, path) == [
        "own/mcpgen.toml:3: deprecated must be true or false, not 1.",
        'team/mcpgen.toml:2: package must be a Python package name in lower case that no library has, such as orders_mcp, not "a-b".',
        "team/mcpgen.toml:4: Unknown key phrase in [generate]. Did you mean phrases?",
    ]


@pytest.mark.parametrize(
    ("team", "own", "expected"),
    [
        (
            'extends = "../own/mcpgen.toml"',
            '\nextends = "../team/mcpgen.toml"',
            "team/mcpgen.toml:1: extends leads in a circle: ",
        ),
        ("", 'extends = "mcpgen.toml"', "own/mcpgen.toml:1: extends leads in a circle: "),
        (
            "",
            "extends = 3",
            "own/mcpgen.toml:1: extends must be the path of a configuration file, relative to this file.",
        ),
        ("", '\n\nextends = "../no/mcpgen.toml"', "own/mcpgen.toml:3: "),
        (
            "a = ",
            'extends = "../team/mcpgen.toml"',
            "team/mcpgen.toml:None: The file is not TOML: Invalid value.",
        ),
    ],
)
def test_what_cannot_be_extended(tmp_path: Path, team: str, own: str, expected: str) -> None:
    (found,) = faults(tmp_path, write(tmp_path, team=team, own=own))

    assert found.startswith(expected)


def test_a_base_that_is_not_there_is_named(tmp_path: Path) -> None:
    (found,) = faults(tmp_path, write(tmp_path, own='extends = "../no/mcpgen.toml"'))

    assert found.endswith(
        "no/mcpgen.toml, which this file extends, cannot be read: No such file or directory."
    )

"""mcpgen.toml: what is accepted, and where and how a mistake is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcpgen.config import Config, load_config
from mcpgen.diagnostics import Collector, Refused


def load(tmp_path: Path, text: str | bytes) -> Config:
    path = tmp_path / "mcpgen.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return load_config(path, Collector())


def faults(tmp_path: Path, text: str | bytes) -> list[tuple[int | None, int | None, str]]:
    path = tmp_path / "mcpgen.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    diagnostics = Collector()
    with pytest.raises(Refused):
        load_config(path, diagnostics)
    assert {d.code for d in diagnostics} == {"config-invalid"}
    return [(d.location.line, d.location.column, d.message) for d in diagnostics if d.location]


def test_without_a_file_the_defaults_hold() -> None:
    assert load_config(None, Collector()) == Config()


def test_every_key_is_read(tmp_path: Path) -> None:
    text = """
[project]
package = "orders_mcp"
name = "orders-mcp"
env_prefix = "ORDERS"
server_url = "https://api.example.com/v1"

[generate]
strict = true
allow_remote = true
"""
    expected = Config("orders_mcp", "orders-mcp", "ORDERS", "https://api.example.com/v1", True, True)
    assert load(tmp_path, text) == expected


def test_the_command_line_wins_and_what_it_leaves_out_stays(tmp_path: Path) -> None:
    config = load(tmp_path, '[project]\npackage = "one"\nname = "one"\n[generate]\nstrict = true\n')
    assert config.override(package="two", name=None, strict=None) == Config(
        package="two", name="one", strict=True
    )


def test_the_digest_is_about_the_output_only() -> None:
    assert Config(package="a").digest() == Config(package="a", strict=True, allow_remote=True).digest()
    assert Config(package="a").digest() != Config(package="b").digest()


@pytest.mark.parametrize(
    ("text", "line", "column", "part"),
    [
        ('[project]\npakage = "x"\n', 2, 1, "Unknown key pakage in [project]. Did you mean package?"),
        ("\n[projet]\n", 2, 1, "Unknown section [projet]. Did you mean project?"),
        ("[project]\nstrict = true\n", 2, 1, "It belongs to [generate]."),
        ('[project]\n  colour = "x"\n', 2, 3, "Known are: package, name, env_prefix, server_url."),
        ("project = 1\n", 1, 1, "project must be a section"),
        ("[generate]\nstrict = 1\n", 2, 1, "strict must be true or false, not 1."),
        ('[project]\npackage = "class"\n', 2, 1, "package must be a Python package name"),
        ('[project]\npackage = "Orders"\n', 2, 1, "package must be a Python package name"),
        ('[project]\nenv_prefix = "1X"\n', 2, 1, "env_prefix must be"),
        ('[project]\nserver_url = "api.example.com"\n', 2, 1, "an absolute http or https URL"),
        ('[project]\nserver_url = "https://[x"\n', 2, 1, "an absolute http or https URL"),
        ("[project.package]\nx = 1\n", 1, 1, "package must be a Python package name"),
        ('project.pakage = "x"\n', 1, 1, "Did you mean package?"),
        ("[project\n", 1, 9, "not TOML"),
        (b"\xff", None, None, "not UTF-8"),
    ],
)
def test_a_mistake_is_reported_where_it_is(
    tmp_path: Path, text: str | bytes, line: int | None, column: int | None, part: str
) -> None:
    [(found_line, found_column, message)] = faults(tmp_path, text)
    assert part in message
    assert (found_line, found_column) == (line, column)


def test_every_mistake_is_reported_at_once(tmp_path: Path) -> None:
    text = "[project]\npackage = 1\n[generate]\nstrict = 2\n[more]\nx = 1\n"
    assert [line for line, _, _ in faults(tmp_path, text)] == [2, 4, 5]


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    diagnostics = Collector()
    with pytest.raises(Refused):
        load_config(tmp_path, diagnostics)
    [diagnostic] = diagnostics
    assert diagnostic.code == "config-invalid"


def test_settings_and_policies_are_read(tmp_path: Path) -> None:
    config = load(
        tmp_path,
        """
[server]
timeout = 20
deny_tools = ["delete_*", "x"]
read_only = true

[tools."get_*"]
cache_seconds = 5
paging = false

[tools.find.limits]
limit = { maximum = 50, clamp = true }
""",
    )
    assert config.server == {"timeout": "20", "deny_tools": "delete_*,x", "read_only": "1"}
    assert config.tools == {
        "get_*": {"cache_seconds": 5},
        "find": {"limits": {"limit": {"maximum": 50, "clamp": True}}},
    }
    assert config.paging == {"get_*": False}


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("[server]\n\ntimout = 3\n", 3, 1, "[server] timout: unknown key (did you mean 'timeout'?)."),
        (
            '[tools."a_*"]\ntimeout = 1\n  retries = 99\n',
            3,
            3,
            "retries: input should be less than or equal to 10.",
        ),
        (
            "[tools.a.limits.b]\nmaximum = 1\nclam = true\n",
            3,
            1,
            "limits.b.clam: unknown key (did you mean 'clamp'?).",
        ),
        (
            "[tools.a]\nlimits = { b = { clam = true } }\n",
            2,
            1,
            "limits.b.clam: unknown key (did you mean 'clamp'?).",
        ),
        (
            "[tools.a.limits]\nx = { maximum = 9 }\nb = { minimum = 5, maximum = 3, clamp = true }\n",
            3,
            1,
            "limits.b: the minimum 5 is above the maximum 3: no value fits.",
        ),
        ("[tools.a]\npaging = 'no'\n", 2, 1, "paging must be false or a table."),
        ("[tools]\na = 1\n", 2, 1, "[tools] holds sections: [tools.a]."),
    ],
)
def test_faults_of_settings_and_policies_have_their_line(
    tmp_path: Path, text: str, line: int, column: int, message: str
) -> None:
    assert faults(tmp_path, text) == [(line, column, message)]

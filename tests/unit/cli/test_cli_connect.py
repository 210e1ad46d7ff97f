"""`mcpgen connect`: what is printed, written and refused."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from mcpgen.cli.main import main
from mcpgen.render.catalog import SCHEMA_VERSION

CATALOG: dict[str, Any] = {
    "schema_version": SCHEMA_VERSION,
    "server": {"base_url": None, "servers": []},
    "project": {"name": "orders-mcp", "package": "orders_mcp", "source_root": "src", "env_prefix": "ORDERS"},
    "auth": {"bearer": {"type": "http", "scheme": "bearer", "env": {"token": "ORDERS_TOKEN"}}},
    "tools": [],
    "operations": {"get_order": {"security": [{"bearer": []}]}},
    "skipped": [],
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project as far as this command looks at it; the user's folder is a temporary one."""
    package = tmp_path / "orders" / "src" / "orders_mcp"
    package.mkdir(parents=True)
    (package / "catalog.json").write_text(json.dumps(CATALOG), "utf-8")
    (package / "__init__.py").touch()
    for variable in ("XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ORDERS_TOKEN", "s3cret-of-the-environment")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "orders"


def run(project: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["connect", str(project), *arguments])


def test_it_prints_what_goes_into_the_file(project: Path) -> None:
    result = run(project, "--client", "claude-code")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout) == {
        "mcpServers": {
            "orders-mcp": {
                "type": "stdio",
                "command": sys.executable,
                "args": ["-P", "-m", "orders_mcp"],
                "env": {
                    "PYTHONPATH": str(project / "src"),
                    "ORDERS_BASE_URL": "${ORDERS_BASE_URL:-}",
                    "ORDERS_TOKEN": "${ORDERS_TOKEN:-}",
                },
            }
        }
    }
    assert result.stderr.splitlines() == [
        f"This belongs into {Path.home() / '.claude.json'}; --write puts it there.",
        "Set ORDERS_BASE_URL: the address of the API, base path included.",
        "Set ORDERS_TOKEN: token of bearer (http).",
        "Claude Code takes it from the environment that it is started in; the file only names it.",
        "Start a new session; `/mcp` shows the server.",
    ]


def test_no_secret_of_the_environment_gets_anywhere(project: Path) -> None:
    for client in ("claude-desktop", "vscode", "codex", "zed", "copilot-cli"):
        result = run(project, "--client", client, "--write", "--file", client)
        assert result.exit_code == 0, result.output
        assert "s3cret" not in result.output + Path(client).read_text("utf-8")


def test_the_users_file_is_written_for_the_user_alone(project: Path) -> None:
    result = run(project, "--client", "codex", "--write")
    assert result.exit_code == 0, result.output
    path = Path.home() / ".codex" / "config.toml"
    assert path.stat().st_mode & 0o777 == 0o600
    assert f"Written to {path}." in result.stdout


def test_a_dry_run_writes_nothing(project: Path) -> None:
    result = run(project, "--client", "codex", "--dry-run", "--scope", "project")
    assert "Would be written to .codex/config.toml." in result.stdout
    assert '+"orders-mcp": {' in result.stdout
    assert not Path(".codex").exists()


def test_the_file_of_a_workspace(project: Path) -> None:
    Path("work").mkdir()
    done = run(project, "--client", "vscode", "--write", "--scope", "project", "--workspace", "work")
    assert "The paths in the file are those of this machine" in done.stderr
    assert "orders-mcp" in json.loads(Path("work/.vscode/mcp.json").read_text("utf-8"))["servers"]


def test_another_server_of_the_same_name_is_refused_without_force(project: Path) -> None:
    Path("x.json").write_text('{"mcpServers": {"orders-mcp": {"command": "other"}}}', "utf-8")
    before = Path("x.json").read_bytes()
    result = run(project, "--client", "cursor", "--write", "--file", "x.json")
    assert result.exit_code == 1
    assert Path("x.json").read_bytes() == before
    assert '-  "command": "other"' in result.stdout
    assert result.stderr == (
        "x.json: error[client-entry]: The client already has a server orders-mcp, which says something else. "
        "Pass --force to replace it, or --name to enter this one under another name.\n"
    )
    assert run(project, "--client", "cursor", "--write", "--file", "x.json", "--name", "mine").exit_code == 0
    assert run(project, "--client", "cursor", "--write", "--file", "x.json", "--force").exit_code == 0
    servers = json.loads(Path("x.json").read_text("utf-8"))["mcpServers"]
    assert servers["mine"] == servers["orders-mcp"]


def test_a_malformed_file_is_refused_with_its_place(project: Path) -> None:
    Path("x.json").write_text('{\n  "mcpServers": {,}\n}', "utf-8")
    result = run(project, "--client", "cursor", "--write", "--file", "x.json")
    assert result.exit_code == 1
    assert result.stderr == (
        "x.json:2:18: error[client-file]: It is not JSON: expecting property name enclosed in double quotes. "
        "Correct the file, or enter what this command prints without --write by hand.\n"
    )


def test_a_file_that_cannot_be_written_is_refused(project: Path) -> None:
    Path("plain").write_text("", "utf-8")
    result = run(project, "--client", "cursor", "--write", "--file", "plain/x.json")
    assert result.exit_code == 1
    assert result.stderr.startswith("plain/x.json: error[client-file]: The file cannot be read or written: ")


def test_a_server_that_runs_already_needs_no_variables(project: Path) -> None:
    result = run(project, "--client", "gemini-cli", "--http", "https://mcp.example.com/mcp")
    assert json.loads(result.stdout)["mcpServers"] == {
        "orders-mcp": {"httpUrl": "https://mcp.example.com/mcp"}
    }
    assert "ORDERS_" not in result.stderr


def test_settings_are_written_down(project: Path) -> None:
    given = ("--env", "ORDERS_BASE_URL=https://api.example.com", "--env", "ORDERS_MODE=search")
    result = run(project, "--client", "zed", *given)
    env = json.loads(result.stdout)["context_servers"]["orders-mcp"]["env"]
    assert (env["ORDERS_BASE_URL"], env["ORDERS_MODE"]) == ("https://api.example.com", "search")
    assert "Set ORDERS_BASE_URL" not in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--env", "ORDERS_TOKEN=x"], "ORDERS_TOKEN is a secret; it is not written into a file."),
        (["--env", "ORDERS_MODES=x"], "The server has no setting ORDERS_MODES. Did you mean ORDERS_MODE?"),
        (["--env", "ORDERS_MODE"], "'ORDERS_MODE' has no =; write NAME=VALUE."),
        (["--name", "a b"], "'a b' is not 1 to 64 letters, digits, underscores or hyphens"),
        (["--http", "ftp://x"], "'ftp://x' has the scheme 'ftp'; only http and https can be called."),
        (
            ["--http", "https://mcp.example.com/mcp"],
            "Claude Desktop's file holds only servers that it starts",
        ),
        (["--scope", "project"], "Claude Desktop has no file for a workspace; leave out --scope."),
    ],
)
def test_wrong_usage(arguments: list[str], message: str, project: Path) -> None:
    result = run(project, "--client", "claude-desktop", *arguments)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())


def test_a_folder_that_is_no_project(project: Path) -> None:
    result = run(project.parent, "--client", "cursor")
    assert result.exit_code == 1
    assert "error[source-unreadable]: The folder is not a generated project" in result.stderr


def test_the_interpreter_of_the_projects_environment_comes_first(project: Path) -> None:
    python = project / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)
    result = run(project, "--client", "cursor")
    assert json.loads(result.stdout)["mcpServers"]["orders-mcp"]["command"] == str(python)


def test_an_interpreter_that_is_none_is_told(project: Path) -> None:
    fake = project / "fake"
    fake.write_text("#!/bin/sh\nexit 1\n", "utf-8")
    fake.chmod(0o755)
    result = run(project, "--client", "cursor", "--python", str(fake))
    assert result.exit_code == 0
    assert f"warning[client-interpreter]: {fake} does not run as a Python interpreter." in result.stderr

"""A workspace of three APIs from the outside: in parallel it gives what one run after the other gives."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest
from click.testing import CliRunner
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from mcpgen.cli.main import main

NAMES = ("boats", "cars", "planes")


def write_workspace(folder: Path) -> None:
    folder.mkdir()
    sections = ['[generate]\ndescription_level = "brief"\n[workspace]\njobs = 3\n']
    for name in NAMES:
        operation = {
            "operationId": f"list_{name}",
            "tags": [name],
            "summary": f"Lists {name}.",
            "responses": {"200": {"description": "ok"}},
        }
        document = {
            "openapi": "3.1.0",
            "info": {"title": name.title(), "version": "1"},
            "servers": [{"url": f"https://{name}.example.test"}],
            "paths": {f"/{name}": {"get": operation}},
        }
        (folder / f"{name}.json").write_text(json.dumps(document))
        sections.append(f'[projects.{name}]\nspec = "{name}.json"\noutput = "servers/{name}"\n')
    sections.append("[projects.cars.operations.list_cars]\ntitle = 'Show all cars'\n")
    (folder / "mcpgen.toml").write_text("".join(sections))


def mcpgen(folder: Path, *arguments: str, status: int = 0) -> str:
    command = [sys.executable, "-m", "mcpgen", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


async def tools(project: Path, package: str) -> list[tuple[str, str | None]]:
    server = StdioServerParameters(
        command=sys.executable, args=["-m", package], env={"PYTHONPATH": str(project / "src")}
    )
    async with Client(stdio_client(server)) as client:
        return [(tool.name, tool.title) for tool in (await client.list_tools()).tools]


def test_three_apis_become_three_servers_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read_tree: Callable[[Path], dict[str, bytes]]
) -> None:
    together, alone = tmp_path / "together", tmp_path / "alone"
    write_workspace(together)
    write_workspace(alone)
    (together / "planes.json").write_text("{")

    found = json.loads(mcpgen(together, "generate", "--all", "--format", "json", status=1))
    assert [(entry["project"], entry["result"]) for entry in found] == [
        ("boats", "written"),
        ("cars", "written"),
        ("planes", "refused"),
    ]
    assert not (together / "servers/planes").exists()

    (together / "planes.json").write_bytes((alone / "planes.json").read_bytes())
    assert "3 projects: " in mcpgen(together, "generate", "--all")
    monkeypatch.chdir(alone)
    assert CliRunner().invoke(main, ["generate", "--all", "--jobs", "1", "--quiet"]).exit_code == 0
    assert read_tree(together) == read_tree(alone)
    assert anyio.run(tools, together / "servers/cars", "cars_mcp") == [("list_cars", "Show all cars")]

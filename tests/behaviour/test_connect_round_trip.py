"""A client's file as `mcpgen connect` writes it starts the server: the very command, with the very environment."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import anyio
import pytest
from click.testing import CliRunner
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from mcpgen.cli.main import main

ROOT = Path(__file__).parents[2]
ORDERS = ROOT / "generated" / "orders"
SECTIONS = {"claude-desktop": "mcpServers", "vscode": "servers", "codex": "mcp_servers"}


def started(entry: dict[str, Any], asked: dict[str, str], folder: Path) -> list[str]:
    """The tools of the server that the entry starts, with the client's own references filled in, as the client would."""
    env = {name: asked.get(text, text) for name, text in entry.get("env", {}).items()}
    env |= {name: asked[name] for name in entry.get("env_vars", ())}
    server = StdioServerParameters(command=entry["command"], args=entry["args"], env=env, cwd=folder)

    async def names() -> list[str]:
        async with Client(stdio_client(server), read_timeout_seconds=60) as client:
            return [tool.name for tool in (await client.list_tools()).tools]

    return anyio.run(names)


@pytest.mark.parametrize("client", SECTIONS)
def test_the_written_entry_starts_the_server(
    client: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "file"
    options = ("--client", client, "--file", str(file), "--env", "ORDERS_TOOLSETS=orders")
    done = CliRunner().invoke(main, ["connect", str(ORDERS), *options, "--write"])
    assert done.exit_code == 0, done.stderr
    # A workspace is not ours: a module there must not take the place of one of the server's.
    (tmp_path / "json.py").write_text("raise SystemExit('imported from the workspace')", "utf-8")
    text = file.read_text("utf-8")
    document = tomllib.loads(text) if client == "codex" else json.loads(text)
    asked = {
        "ORDERS_BEARER_AUTH_TOKEN": "t",
        **{f"${{input:{one['id']}}}": "t" for one in document.get("inputs", ())},
    }
    entry = document[SECTIONS[client]]["orders-mcp"]
    assert started(entry, asked, tmp_path) == ["get_order", "hold_order", "query_order", "search_orders"]

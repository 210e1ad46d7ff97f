"""Where each client keeps its servers, and what an entry looks like there."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcpgen.connect.clients import CLIENTS, user_file
from mcpgen.connect.entries import entry_for
from mcpgen.connect.files import snippet
from mcpgen.connect.model import Launch, Server, Variable

HOME = Path("/home/ada")
SERVER = Server(
    "orders-mcp",
    Launch("/opt/py/bin/python", "orders_mcp", "/srv/orders/src"),
    variables=(
        Variable("ORDERS_BASE_URL", False, "the address of the API"),
        Variable("ORDERS_TOKEN", True, "token of bearer (http)"),
    ),
    given={"ORDERS_MODE": "search"},
)
RUNNING = Server("orders-mcp", url="https://mcp.example.com/mcp")


@pytest.mark.parametrize(
    ("client", "platform", "expected"),
    [
        ("claude-desktop", "darwin", "Library/Application Support/Claude/claude_desktop_config.json"),
        ("claude-desktop", "win32", "AppData/Roaming/Claude/claude_desktop_config.json"),
        ("claude-desktop", "linux", ".config/Claude/claude_desktop_config.json"),
        ("vscode", "darwin", "Library/Application Support/Code/User/mcp.json"),
        ("vscode", "win32", "AppData/Roaming/Code/User/mcp.json"),
        ("vscode", "linux", ".config/Code/User/mcp.json"),
        ("zed", "darwin", ".config/zed/settings.json"),
        ("zed", "win32", "AppData/Roaming/Zed/settings.json"),
        ("zed", "linux", ".config/zed/settings.json"),
        ("claude-code", "win32", ".claude.json"),
        ("cursor", "linux", ".cursor/mcp.json"),
        ("codex", "darwin", ".codex/config.toml"),
        ("windsurf", "linux", ".codeium/windsurf/mcp_config.json"),
        ("gemini-cli", "linux", ".gemini/settings.json"),
        ("copilot-cli", "linux", ".copilot/mcp-config.json"),
    ],
)
def test_the_users_file(client: str, platform: str, expected: str) -> None:
    assert user_file(CLIENTS[client], platform, HOME, {}) == HOME / expected


def test_variables_move_the_users_file() -> None:
    moved = {"CODEX_HOME": "/c", "XDG_CONFIG_HOME": "/x", "APPDATA": "/a", "CLAUDE_CONFIG_DIR": "/d"}
    assert user_file(CLIENTS["codex"], "linux", HOME, moved) == Path("/c/config.toml")
    assert user_file(CLIENTS["zed"], "linux", HOME, moved) == Path("/x/zed/settings.json")
    assert user_file(CLIENTS["zed"], "win32", HOME, moved) == Path("/a/Zed/settings.json")
    assert user_file(CLIENTS["claude-code"], "linux", HOME, moved) == Path("/d/.claude.json")


@pytest.mark.parametrize("name", CLIENTS)
def test_an_entry_starts_the_module_with_the_absolute_interpreter(name: str) -> None:
    value = entry_for(CLIENTS[name], SERVER).value
    assert (value["command"], value["args"]) == ("/opt/py/bin/python", ["-P", "-m", "orders_mcp"])
    assert value["env"]["PYTHONPATH"] == "/srv/orders/src"
    assert value["env"]["ORDERS_MODE"] == "search"


@pytest.mark.parametrize(
    ("name", "token"),
    [
        ("claude-desktop", ""),
        ("zed", ""),
        ("claude-code", "${ORDERS_TOKEN:-}"),
        ("cursor", "${env:ORDERS_TOKEN}"),
        ("windsurf", "${env:ORDERS_TOKEN}"),
        ("gemini-cli", "${ORDERS_TOKEN}"),
        ("copilot-cli", "${ORDERS_TOKEN}"),
        ("vscode", "${input:orders-mcp-orders-token}"),
        ("codex", None),
    ],
)
def test_how_a_secret_reaches_the_server(name: str, token: str | None) -> None:
    entry = entry_for(CLIENTS[name], SERVER)
    assert entry.value["env"].get("ORDERS_TOKEN") == token
    assert entry.open == {"ORDERS_BASE_URL", "ORDERS_TOKEN"}
    assert entry.value.get("env_vars", []) == ([] if name != "codex" else ["ORDERS_BASE_URL", "ORDERS_TOKEN"])


def test_vscode_hides_what_is_typed_for_a_secret_only() -> None:
    entry = entry_for(CLIENTS["vscode"], SERVER)
    assert [(one["id"], one["password"]) for one in entry.inputs] == [
        ("orders-mcp-orders-base-url", False),
        ("orders-mcp-orders-token", True),
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("claude-code", {"type": "http", "url": RUNNING.url}),
        ("cursor", {"url": RUNNING.url}),
        ("vscode", {"type": "http", "url": RUNNING.url}),
        ("codex", {"url": RUNNING.url}),
        ("windsurf", {"serverUrl": RUNNING.url}),
        ("gemini-cli", {"httpUrl": RUNNING.url}),
        ("zed", {"url": RUNNING.url}),
        ("copilot-cli", {"type": "http", "url": RUNNING.url, "tools": ["*"]}),
    ],
)
def test_a_server_that_runs_already(name: str, expected: dict[str, object]) -> None:
    assert entry_for(CLIENTS[name], RUNNING).value == expected


def test_a_snippet_is_a_document_of_its_own() -> None:
    entry = entry_for(CLIENTS["codex"], SERVER)
    assert snippet(CLIENTS["codex"], "orders-mcp", entry) == (
        "[mcp_servers.orders-mcp]\n"
        'command = "/opt/py/bin/python"\n'
        'args = ["-P", "-m", "orders_mcp"]\n'
        'env = {PYTHONPATH = "/srv/orders/src", ORDERS_MODE = "search"}\n'
        'env_vars = ["ORDERS_BASE_URL", "ORDERS_TOKEN"]\n'
    )
    asked = snippet(CLIENTS["vscode"], "orders-mcp", entry_for(CLIENTS["vscode"], SERVER))
    assert asked.startswith('{\n  "inputs": [')
    assert asked.endswith("}\n")

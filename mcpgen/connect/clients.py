"""The table of clients: where each keeps its servers, in which form, and how a value stays out of the file.

Every row follows the client's own documentation. A client that changes its form between versions in ways that a file does
not show (opencode) or that is set up in its own window only has no row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HOME, CONFIG, APPDATA = "home", "config", "appdata"
"""The user's folder; `XDG_CONFIG_HOME`, by default `~/.config`; `APPDATA` of Windows."""


@dataclass(frozen=True, slots=True)
class Client:
    """One client.

    Attributes:
        title: its name for people.
        user: the file of the user's own servers: system (`sys.platform`, or `*`) -> (base folder, path below it).
        section: the keys that lead to the servers.
        project: the file for one workspace, relative to it; None where the client has none.
        moved_by: the environment variable that moves the user's file, and the path below what it names.
        toml: the file is TOML; otherwise it is JSON, with or without comments.
        reference: how a value is taken from the client's environment, `{}` being the variable; empty where it cannot be.
        asks: the client asks the user for values, and keeps them to itself (VS Code's `inputs`).
        forwards: the client passes on variables that are named in a list (`env_vars` of Codex).
        url: the key of the address of a Streamable HTTP server; None where the file cannot hold one.
        stdio_type: what `type` is for a server that is started; None where there is no such key.
        http_type: what `type` is for one that runs elsewhere.
        more: keys that every entry needs.
        after: what makes the client see the change.
    """

    title: str
    user: Mapping[str, tuple[str, str]]
    section: tuple[str, ...] = ("mcpServers",)
    project: str | None = None
    moved_by: tuple[str, str] | None = None
    toml: bool = False
    reference: str = ""
    asks: bool = False
    forwards: bool = False
    url: str | None = "url"
    stdio_type: str | None = None
    http_type: str | None = None
    more: Mapping[str, Any] = field(default_factory=dict)
    after: str = ""


def _everywhere(path: str) -> Mapping[str, tuple[str, str]]:
    return {"*": (HOME, path)}


def _application(folder: str, file: str) -> Mapping[str, tuple[str, str]]:
    """The usual place of a desktop application's files on each system."""
    return {
        "darwin": (HOME, f"Library/Application Support/{folder}/{file}"),
        "win32": (APPDATA, f"{folder}/{file}"),
        "*": (CONFIG, f"{folder}/{file}"),
    }


CLIENTS: Mapping[str, Client] = {
    "claude-desktop": Client(
        "Claude Desktop",
        _application("Claude", "claude_desktop_config.json"),
        url=None,
        after="Restart Claude Desktop.",
    ),
    "claude-code": Client(
        "Claude Code",
        _everywhere(".claude.json"),
        project=".mcp.json",
        moved_by=("CLAUDE_CONFIG_DIR", ".claude.json"),
        reference="${{{}:-}}",
        stdio_type="stdio",
        http_type="http",
        after="Start a new session; `/mcp` shows the server.",
    ),
    "cursor": Client(
        "Cursor",
        _everywhere(".cursor/mcp.json"),
        project=".cursor/mcp.json",
        reference="${{env:{}}}",
        after="Switch the server on under Settings, MCP.",
    ),
    "vscode": Client(
        "VS Code",
        _application("Code/User", "mcp.json"),
        section=("servers",),
        project=".vscode/mcp.json",
        asks=True,
        stdio_type="stdio",
        http_type="http",
        after="Run `MCP: List Servers` and start the server.",
    ),
    "codex": Client(
        "Codex",
        _everywhere(".codex/config.toml"),
        section=("mcp_servers",),
        project=".codex/config.toml",
        moved_by=("CODEX_HOME", "config.toml"),
        toml=True,
        forwards=True,
        after="Start a new session; `/mcp` shows the server.",
    ),
    "windsurf": Client(
        "Windsurf",
        _everywhere(".codeium/windsurf/mcp_config.json"),
        reference="${{env:{}}}",
        url="serverUrl",
        after="Press the refresh button of the MCP panel.",
    ),
    "gemini-cli": Client(
        "Gemini CLI",
        _everywhere(".gemini/settings.json"),
        project=".gemini/settings.json",
        reference="${{{}}}",
        url="httpUrl",
        after="Start a new session; `/mcp` shows the server.",
    ),
    "zed": Client(
        "Zed",
        {
            "darwin": (HOME, ".config/zed/settings.json"),
            "win32": (APPDATA, "Zed/settings.json"),
            "*": (CONFIG, "zed/settings.json"),
        },
        section=("context_servers",),
        project=".zed/settings.json",
    ),
    "copilot-cli": Client(
        "GitHub Copilot CLI",
        _everywhere(".copilot/mcp-config.json"),
        project=".github/mcp.json",
        reference="${{{}}}",
        stdio_type="local",
        http_type="http",
        more={"tools": ["*"]},
        after="Start a new session; `/mcp show` lists the server.",
    ),
}


def user_file(client: Client, platform: str, home: Path, environ: Mapping[str, str]) -> Path:
    """Where the client keeps the user's own servers. `platform` is as `sys.platform` says it."""
    if client.moved_by is not None and environ.get(client.moved_by[0]):
        return Path(environ[client.moved_by[0]]) / client.moved_by[1]
    base, path = client.user.get(platform) or client.user["*"]
    folders = {
        HOME: home,
        CONFIG: Path(environ.get("XDG_CONFIG_HOME") or home / ".config"),
        APPDATA: Path(environ.get("APPDATA") or home / "AppData" / "Roaming"),
    }
    return folders[base] / path

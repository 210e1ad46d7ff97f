"""What a server's tools cost a model: each tool, each toolset, and both modes of the server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcpgen.lint.tokens import Counter, counter

_SEEN = ("name", "description", "inputSchema")
"""What hosts hand to the model; title, annotations and output schema are for the host."""
_PARTS = ("description", "input", "output", "seen", "total")


def token_report(catalog: Mapping[str, Any]) -> dict[str, Any]:
    """The tokens of a catalogue's tools.

    `description`, `input` (schema of the arguments) and `output` (schema of the result) are parts of `total`, the whole definition as
    `tools/list` writes it in JSON without spaces. `seen` is what hosts hand to the model: name, description and arguments. The modes
    are those of `P_MODE`; `all` counts destructive tools too, which the operator has to allow.
    """
    counting = counter()
    tools = [_tool(tool, catalog["operations"][tool["name"]], counting) for tool in catalog["tools"]]
    tools.sort(key=lambda tool: (-tool["total"], tool["name"]))
    toolsets: dict[str, list[dict[str, Any]]] = {}
    for tool in tools:
        toolsets.setdefault(tool["toolset"], []).append(tool)
    search = [_tool(tool, {}, counting) for tool in search_tools(catalog)]
    return {
        "counted_by": counting.name,
        "modes": {"all": _sum(tools), "search": _sum(search)},
        "toolsets": [{"toolset": name, **_sum(members)} for name, members in sorted(toolsets.items())],
        "tools": tools,
    }


def search_tools(catalog: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The tools that a server lists with `P_MODE=search` and every effect allowed."""
    from mcpgen.runtime.app import App
    from mcpgen.runtime.catalog import Catalog
    from mcpgen.runtime.search.search_tools import SearchTools
    from mcpgen.runtime.setup.variables import EFFECTS

    project = catalog["project"]
    content = {key: value for key, value in catalog.items() if key not in ("policies", "settings")}
    allowed = {f"{project['env_prefix']}_ALLOW_EFFECTS": ",".join(EFFECTS)}
    app = App(Catalog(project["package"], content), allowed)
    try:
        return list(SearchTools(app).tools)
    finally:
        app.finished()


def _tool(tool: Mapping[str, Any], entry: Mapping[str, Any], counting: Counter) -> dict[str, Any]:
    return {
        "name": tool["name"],
        "toolset": entry.get("toolset", ""),
        "effect": entry.get("effect", ""),
        "description": counting.count(str(tool.get("description") or "")),
        "input": counting.of(tool["inputSchema"]),
        "output": counting.of(tool["outputSchema"]) if "outputSchema" in tool else 0,
        "seen": counting.of({key: tool[key] for key in _SEEN if key in tool}),
        "total": counting.of(tool),
    }


def _sum(tools: list[dict[str, Any]]) -> dict[str, int]:
    return {"tools": len(tools), **{part: sum(tool[part] for tool in tools) for part in _PARTS}}

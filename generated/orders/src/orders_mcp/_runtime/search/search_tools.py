"""`P_MODE=search`: a handful of tools stand for all of them, so that a big API costs a model few tokens.

Calling goes through one tool for each effect: a client that allows reads only can still tell them apart.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..app import App
from ..catalog import collector_paused
from ..inputs.arguments import Prepared, repaired
from ..inputs.checking import ArgumentCheck
from ..inputs.validation import close_names
from ..outcomes.failures import CallFailed, Category, Failure
from ..outcomes.result import Result
from ..setup.variables import EFFECTS
from ..values import compact_json

if TYPE_CHECKING:
    from .index import Index

_FOUND = 10
_DESCRIBED = 6000
"""Characters of the longest schema of results that `describe_tool` shows."""
_START = 'Call find_tools with {"query":"what you want to do"}.'
_ANNOTATIONS = {
    "read": {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": True},
    "write": {
        "readOnlyHint": False,
        "destructiveHint": False,
        "idempotentHint": False,
        "openWorldHint": True,
    },
    "destructive": {
        "readOnlyHint": False,
        "destructiveHint": True,
        "idempotentHint": False,
        "openWorldHint": True,
    },
}
_ENVELOPE: dict[str, Any] = {
    "type": "object",
    "required": ["ok"],
    "properties": {
        "ok": {"type": "boolean"},
        "data": {},
        "raw": {},
        "total": {"type": "integer"},
        "note": {"type": "string"},
        "next": {"type": "object"},
        "error": {"type": "string"},
        "category": {"type": "string", "enum": [str(category) for category in Category]},
        "retryable": {"type": "boolean"},
        "status": {"type": "integer"},
        "trace_id": {"type": "string"},
        "hint": {"type": "string"},
    },
}


@dataclass(frozen=True, slots=True)
class Passed:
    """A call of another tool. `notes` tell what was repaired to get there."""

    tool: str
    arguments: dict[str, Any]
    notes: tuple[str, ...] = ()


class SearchTools:
    """The search tools of one server and what they answer."""

    def __init__(self, app: App) -> None:
        self._app = app
        catalog = app.catalog
        effects = {catalog.effect(name) for name in app.registered}
        self._callers = {effect: f"call_{effect}_tool" for effect in EFFECTS if effect in effects}
        self.tools = [*(_caller(effect, name) for effect, name in self._callers.items()), _DESCRIBE, _FIND]
        self._checks = {tool["name"]: ArgumentCheck(tool["inputSchema"]) for tool in self.tools}

    @cached_property
    def _index(self) -> Index:
        """Made with the first request, since it costs as much as the rest of the start."""
        from .index import Index

        catalog, registered = self._app.catalog, self._app.registered
        tools = (tool for tool in catalog.tools if tool["name"] in registered)
        with collector_paused():
            return Index(tools, catalog.entries, catalog.server.title)

    def resolve(self, name: str, arguments: dict[str, Any]) -> Result[Any] | Passed | None:
        """What a call means: an answer of the search itself, a call of another tool, or None for no such tool."""
        check = self._checks.get(name)
        if check is None:
            return None
        try:
            prepared = repaired(name, check, arguments)
        except CallFailed as error:
            return Result(failure=error.failure, hint=self._example(name, arguments))
        if name == "find_tools":
            return _noted(self._find(prepared.arguments), prepared)
        tool = self._wanted(prepared.arguments)
        if isinstance(tool, Result):
            return tool
        if name == "describe_tool":
            return _noted(Result(data=self._described(tool)), prepared)
        passed: Any = prepared.arguments.get("arguments", {})
        effect = self._app.catalog.effect(tool)
        if self._callers[effect] != name:
            message = f"{tool} is a {effect} tool and is called with {self._callers[effect]}."
            return _wrong(message, self.how(tool, passed))
        return Passed(tool, passed, prepared.notes)

    def _example(self, name: str, given: dict[str, Any]) -> str:
        """How one of the search tools is called, for a caller who got it wrong."""
        tool = given.get("name")
        if name == "find_tools" or not isinstance(tool, str) or tool not in self._app.registered:
            return _START
        wanted: dict[str, Any] = {"name": tool}
        if name != "describe_tool":
            wanted["arguments"] = {}
        return f"Call {name} with {compact_json(wanted)}."

    def how(self, tool: str, arguments: Any) -> str:
        """How a tool is called in this mode."""
        caller = self._callers[self._app.catalog.effect(tool)]
        return f"Call {caller} with {compact_json({'name': tool, 'arguments': arguments})}."

    def named(self, tool: str) -> str:
        """A tool that is to be called again, by what it is called with."""
        return f"{self._callers[self._app.catalog.effect(tool)]} for {tool}"

    def _find(self, arguments: dict[str, Any]) -> Result[Any]:
        query, limit = arguments["query"], arguments.get("limit", _FOUND)
        if not query.strip():
            return _wrong("`query` is empty: say in a few words what you want to do.", _START)
        found = self._index.search(query, int(limit))
        return Result(data=[self._summary(name) for name in found], notes=() if found else (self._nothing(),))

    def _nothing(self) -> str:
        return (
            f"No tool fits. Names, titles, paths, descriptions and arguments of {len(self._app.registered)} tools "
            "were searched. Other words may find one: name the thing, as this API calls it, and what to do with it."
        )

    def _wanted(self, arguments: dict[str, Any]) -> str | Result[Any]:
        name = str(arguments["name"])
        if name in self._app.registered:
            return name
        close = close_names(name, self._app.registered)
        meant = f" Close: {', '.join(close)}." if close else ""
        failure = Failure(Category.NOT_FOUND, f"There is no tool {name[:80]!r}.{meant}")
        return Result(failure=failure, hint=_START)

    def _summary(self, name: str) -> dict[str, Any]:
        tool = self._app.catalog.tool_by_name[name]
        description = " ".join((tool.get("description") or "").split())
        short = description if len(description) <= 200 else description[:199] + "…"
        effect = self._app.catalog.effect(name)
        told = {"name": name, "title": tool.get("title"), "description": short, "effect": effect}
        return {key: value for key, value in told.items() if value} | {"call_with": self._callers[effect]}

    def _described(self, name: str) -> dict[str, Any]:
        """All that `tools/list` would say about a tool; what it gives back only while that is short."""
        tool = self._app.catalog.tool_by_name[name]
        described = self._summary(name) | {
            "description": tool.get("description") or "",
            "inputSchema": tool["inputSchema"],
        }
        for key in ("outputSchema", "annotations"):
            if key in tool and len(compact_json(tool[key])) <= _DESCRIBED:
                described[key] = tool[key]
        return described


def _noted(result: Result[Any], prepared: Prepared) -> Result[Any]:
    return replace(result, notes=(*prepared.notes, *result.notes))


def _wrong(message: str, hint: str | None) -> Result[Any]:
    return Result(failure=Failure(Category.VALIDATION, message, retryable=True), hint=hint)


def _tool(
    name: str, title: str, text: str, properties: dict[str, Any], required: list[str], effect: str
) -> dict[str, Any]:
    return {
        "name": name,
        "title": title,
        "description": text,
        "inputSchema": {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        },
        "outputSchema": _ENVELOPE,
        "annotations": _ANNOTATIONS[effect],
    }


_NAME = {"type": "string", "description": "Name of a tool, as find_tools gives it."}
_FIND = _tool(
    "find_tools",
    "Find tools",
    "Finds the tools of this server that fit a task, best first, with the tool that calls each. Start here.",
    {
        "query": {"type": "string", "description": "What you want to do, in a few words."},
        "limit": {"type": "integer", "minimum": 1, "maximum": 50, "description": "How many to give (10)."},
    },
    ["query"],
    "read",
)
_DESCRIBE = _tool(
    "describe_tool",
    "Describe a tool",
    "Gives one tool's full description and the schema of its arguments. Use it before its first call.",
    {"name": _NAME},
    ["name"],
    "read",
)
_CALLING = {
    "read": "Calls a tool that only reads.",
    "write": "Calls a tool that creates or changes something, but destroys nothing.",
    "destructive": "Calls a tool that deletes or overwrites something for good.",
}


def _caller(effect: str, name: str) -> dict[str, Any]:
    return _tool(
        name,
        f"Call a {effect} tool",
        f"{_CALLING[effect]} Its arguments are those that describe_tool shows.",
        {"name": _NAME, "arguments": {"type": "object", "description": "The tool's arguments."}},
        ["name"],
        effect,
    )

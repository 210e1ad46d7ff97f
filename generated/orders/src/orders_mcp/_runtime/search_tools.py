"""`P_MODE=search`: a handful of tools stand for all of them, so that a big API costs a model few tokens.

Calling goes through one tool for each effect: a client that allows reads only can still tell them apart.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from .app import App
from .failures import Category, Failure
from .result import Result
from .search import Index
from .settings import EFFECTS
from .validation import close_names
from .values import compact_json

_FOUND = 10
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


class SearchTools:
    """The search tools of one server and what they answer."""

    def __init__(self, app: App) -> None:
        self._app = app
        catalog = app.catalog
        effects = {catalog.effect(name) for name in app.registered}
        self._callers = {effect: f"call_{effect}_tool" for effect in EFFECTS if effect in effects}
        self.tools = [*(_caller(effect, name) for effect, name in self._callers.items()), _DESCRIBE, _FIND]

    @cached_property
    def _index(self) -> Index:
        return Index(tool for tool in self._app.catalog.tools if tool["name"] in self._app.registered)

    def resolve(
        self, name: str, arguments: dict[str, Any]
    ) -> Result[Any] | tuple[str, dict[str, Any]] | None:
        """What a call means: an answer of the search itself, the tool to call with its arguments, or None."""
        if name == "find_tools":
            return self._find(arguments)
        if name == "describe_tool":
            tool = self._wanted(arguments)
            return tool if isinstance(tool, Result) else Result(data=self._described(tool))
        effect = next((effect for effect, caller in self._callers.items() if caller == name), None)
        if effect is None:
            return None
        tool = self._wanted(arguments)
        if isinstance(tool, Result):
            return tool
        passed = arguments.get("arguments")
        passed = {} if passed is None else passed
        actual = self._app.catalog.effect(tool)
        if actual != effect:
            message = f"{tool} is a {actual} tool and is called with {self._callers[actual]}."
            return _wrong(message, self.how(tool, passed))
        if not isinstance(passed, dict):
            return _wrong(
                "`arguments` must be an object.",
                f"Call {name} with {compact_json({'name': tool, 'arguments': {}})}.",
            )
        return tool, passed

    def how(self, tool: str, arguments: Any) -> str:
        """How a tool is called in this mode."""
        caller = self._callers[self._app.catalog.effect(tool)]
        return f"Call {caller} with {compact_json({'name': tool, 'arguments': arguments})}."

    def _find(self, arguments: dict[str, Any]) -> Result[Any]:
        query, limit = arguments.get("query"), arguments.get("limit", _FOUND)
        if not isinstance(query, str) or not query.strip():
            return _wrong("`query` is missing: say in a few words what you want to do.", None)
        count = limit if isinstance(limit, int) and 0 < limit <= 50 else _FOUND
        return Result(data=[self._summary(name) for name in self._index.search(query, count)])

    def _wanted(self, arguments: dict[str, Any]) -> str | Result[Any]:
        name = arguments.get("name")
        if isinstance(name, str) and name in self._app.registered:
            return name
        close = close_names(str(name), self._app.registered) if name else []
        meant = f" Close: {', '.join(close)}." if close else ""
        message = f"There is no tool {str(name)[:80]!r}.{meant}" if name else "`name` is missing."
        failure = Failure(Category.NOT_FOUND if name else Category.VALIDATION, message, retryable=not name)
        return Result(failure=failure, hint='Call find_tools with {"query":"what you want to do"}.')

    def _summary(self, name: str) -> dict[str, Any]:
        tool = self._app.catalog.tool_by_name[name]
        description = " ".join((tool.get("description") or "").split())
        short = description if len(description) <= 200 else description[:199] + "…"
        effect = self._app.catalog.effect(name)
        told = {"name": name, "title": tool.get("title"), "description": short, "effect": effect}
        return {key: value for key, value in told.items() if value} | {"call_with": self._callers[effect]}

    def _described(self, name: str) -> dict[str, Any]:
        tool = self._app.catalog.tool_by_name[name]
        return self._summary(name) | {
            "description": tool.get("description") or "",
            "inputSchema": tool["inputSchema"],
        }


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

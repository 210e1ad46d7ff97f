"""What the generated tests work with: the case files, a stub in place of the API, a real MCP client."""

from __future__ import annotations

import base64
import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, TypeVar

import httpx2
import mcp.types as mt
import pytest
from anyio.from_thread import BlockingPortal
from mcp import Client

from library_mcp.server import build

PACKAGE = "library_mcp"
PREFIX = "LIBRARY"
BASE_URL = "http://api.test/base"
CASES = Path(__file__).parent / "cases"
CREDENTIALS: dict[str, str] = json.loads((CASES / "credentials.json").read_text(encoding="utf-8"))
CATALOG: dict[str, Any] = json.loads(
    files(PACKAGE).joinpath("catalog.json").read_text(encoding="utf-8")
)

ADDED_HEADERS: dict[str, str] = {}
"""Headers that `before_request` in hooks.py adds to every request: fill them in there, and here."""

Era = Literal["auto", "legacy"]
ERAS: tuple[Era, ...] = ("auto", "legacy")
SMALL = 50
TURNS = {"full": 0, "outcomes": 1, "refusals": 0}
PLACES = {tool["name"]: place for place, tool in enumerate(CATALOG["tools"])}

T = TypeVar("T")


@cache
def cases_of(toolset: str) -> dict[str, Any]:
    """The case files of a toolset by tool; each remembers its file, for messages."""
    found: dict[str, Any] = {}
    for path in sorted((CASES / toolset).glob("*.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        found[case["tool"]] = case | {"file": f"tests/cases/{toolset}/{path.name}"}
    return found


def each_call(cases: Mapping[str, Any]) -> pytest.MarkDecorator:
    """One test for each call of each tool, and each era that it is made in."""
    found = [
        pytest.param(tool, call, era, id=f"{tool}-{call['name']}-{era}")
        for tool, case in cases.items()
        for call in case["calls"]
        for era in eras_of(tool, call["name"])
    ]
    found += [
        pytest.param(
            tool, {}, ERAS[0], id=tool, marks=pytest.mark.skip(reason=case["why_no_calls"])
        )
        for tool, case in cases.items()
        if not case["calls"]
    ]
    return pytest.mark.parametrize(("tool", "call", "session"), found, indirect=["session"])


def each_tool(cases: Mapping[str, Any], kind: str) -> pytest.MarkDecorator:
    """One test for each tool that has cases of a kind (`outcomes`, `refusals`), and each era that they are tried in."""
    found = [
        pytest.param(tool, era, id=f"{tool}-{era}")
        for tool, case in cases.items()
        if case[kind]
        for era in eras_of(tool, kind)
    ]
    return pytest.mark.parametrize(("tool", "session"), found, indirect=["session"])


def eras_of(tool: str, check: str) -> tuple[Era, ...]:
    """The protocol eras that a check of a tool runs in: `auto` is the current one, `legacy` the one with handshakes.

    Up to 50 tools it is both. Larger projects make the minimal call of every tool in both, and the other checks
    in one: tools take turns by their place in the catalogue, and so do the checks of one tool.
    """
    if len(CATALOG["tools"]) <= SMALL or check == "minimal":
        return ERAS
    turn = PLACES.get(tool, 0) + TURNS.get(check, 0)
    return (ERAS[turn % 2],)


class Stub:
    """Stands in for the API: keeps what was asked, gives the answer that a test has set."""

    def __init__(self) -> None:
        self.requests: list[httpx2.Request] = []
        self.give({"status": 204})

    def give(self, answer: Mapping[str, Any]) -> None:
        """Sets the answer, which is an outcome of a case file, and forgets earlier requests."""
        self.requests = []
        self._status = int(answer["status"])
        self._headers = dict(answer.get("headers", {}))
        if "content_type" in answer:
            self._headers["content-type"] = answer["content_type"]
        self._content = content_of(answer.get("body"))

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        return httpx2.Response(self._status, headers=self._headers, content=self._content)


def content_of(body: Mapping[str, Any] | None) -> bytes:
    """The bytes of a body as case files have it: `json`, `text` or `base64`."""
    if body is None:
        return b""
    if "json" in body:
        return json.dumps(body["json"], ensure_ascii=False).encode()
    return str(body["text"]).encode() if "text" in body else base64.b64decode(body["base64"])


class Session:
    """A connected client, for tests that are no coroutines."""

    def __init__(self, portal: BlockingPortal, client: Client, era: Era = "auto") -> None:
        self._portal = portal
        self._client = client
        self.era = era

    def run(self, work: Callable[[Client], Awaitable[T]]) -> T:
        """What a coroutine makes of the client, for several calls in a row."""
        return self._portal.call(work, self._client)

    def tools(self) -> list[dict[str, Any]]:
        """The whole of tools/list, as sent: every page, and no model of the client's in between."""
        found: list[dict[str, Any]] = []
        cursor: str | None = None
        while True:
            page = self._portal.call(page_of_tools, self._client, cursor)
            found += page.tools
            cursor = page.next_cursor
            if cursor is None:
                return found

    def call(self, tool: str, arguments: Mapping[str, Any]) -> tuple[bool, dict[str, Any]]:
        """Calls a tool; gives `isError` and the structured result."""
        result = self._portal.call(call_tool, self._client, tool, arguments)
        assert result.structured_content is not None
        return bool(result.is_error), result.structured_content


class ToolsPage(mt.PaginatedResult):
    """A page of tools/list whose tools are what the server sent."""

    tools: list[dict[str, Any]]


async def page_of_tools(client: Client, cursor: str | None = None) -> ToolsPage:
    request = mt.ListToolsRequest(params=mt.PaginatedRequestParams(cursor=cursor))
    return await client.session.send_request(request, ToolsPage)


async def call_tool(client: Client, tool: str, arguments: Mapping[str, Any]) -> mt.CallToolResult:
    """Calls a tool without the client's own look at the result, which would check the schemas of all tools first.

    `checks.py` looks at every result itself. A server that has to ask the user first needs `client.call_tool`.
    """
    request = mt.CallToolRequest(
        params=mt.CallToolRequestParams(name=tool, arguments=dict(arguments))
    )
    return await client.session.send_request(request, mt.CallToolResult)


def environment(**more: str) -> dict[str, str]:
    """Settings of a server under test: everything allowed, no policy, no repeats, made-up credentials."""
    settings = {
        "BASE_URL": BASE_URL,
        "ALLOW_EFFECTS": "read,write,destructive",
        "CONFIRM": "never",
        "POLICY": "none",
        "RETRIES": "0",
        "FAILURE_WINDOW": "0",
    }
    return {f"{PREFIX}_{name}": value for name, value in (settings | more).items()} | CREDENTIALS


@contextmanager
def served(
    portal: BlockingPortal, stub: Stub, era: Era = "auto", **settings: str
) -> Iterator[Session]:
    """A client of a server in memory whose API is the stub."""
    server = build(environ=environment(**settings), transport=httpx2.MockTransport(stub))
    with portal.wrap_async_context_manager(Client(server, mode=era)) as client:
        yield Session(portal, client, era)

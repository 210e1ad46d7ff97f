"""Fixtures of the generated tests: a server in memory, a stub in place of the API, a real MCP client."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client

from team_vault.server import build

CASES: dict[str, Any] = json.loads(
    (Path(__file__).parent / "cases.json").read_text(encoding="utf-8")
)
PREFIX: str = CASES["env_prefix"]
BASE_URL = "http://api.test/base"


class Stub:
    """Stands in for the API: keeps what was asked, gives the answer that a test has set."""

    def __init__(self) -> None:
        self.requests: list[httpx2.Request] = []
        self.answer = httpx2.Response(200, json=None)

    def give(self, status: int, content_type: str | None = None, value: Any = None) -> None:
        self.requests.clear()
        headers = {"Content-Type": content_type} if content_type else {}
        body = (
            value
            if isinstance(value, bytes)
            else json.dumps(value).encode() if content_type else b""
        )
        self.answer = httpx2.Response(status, headers=headers, content=body)

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        return httpx2.Response(
            self.answer.status_code, headers=self.answer.headers, content=self.answer.content
        )


class Session:
    """A connected client, for tests that are no coroutines."""

    def __init__(self, portal: BlockingPortal, client: Client) -> None:
        self._portal = portal
        self._client = client

    def tools(self) -> list[dict[str, Any]]:
        """The whole of tools/list, as sent."""
        found: list[dict[str, Any]] = []
        cursor: str | None = None
        while True:
            page = self._portal.call(lambda: self._client.list_tools(cursor=cursor))
            found += [
                tool.model_dump(mode="json", by_alias=True, exclude_unset=True)
                for tool in page.tools
            ]
            cursor = page.next_cursor
            if cursor is None:
                return found

    def call(self, tool: str, arguments: dict[str, Any]) -> tuple[bool, dict[str, Any]]:
        """Calls a tool; gives `isError` and the structured result."""
        result = self._portal.call(self._client.call_tool, tool, arguments)
        assert result.structured_content is not None
        return bool(result.is_error), result.structured_content


def environment(**more: str) -> dict[str, str]:
    """Settings of a server under test: everything allowed, no policy, made-up credentials."""
    credentials = {name: f"test-{number}" for number, name in enumerate(CASES["credentials"])}
    settings = {
        "BASE_URL": BASE_URL,
        "ALLOW_EFFECTS": "read,write,destructive",
        "CONFIRM": "never",
        "POLICY": "none",
    }
    return {f"{PREFIX}_{name}": value for name, value in (settings | more).items()} | credentials


@pytest.fixture(scope="session")
def portal() -> Iterator[BlockingPortal]:
    with start_blocking_portal() as portal:
        yield portal


@pytest.fixture(scope="session")
def stub() -> Stub:
    return Stub()


@pytest.fixture(scope="session", params=["auto", "legacy"])
def session(
    request: pytest.FixtureRequest, portal: BlockingPortal, stub: Stub
) -> Iterator[Session]:
    """A client of the current protocol (`auto`) or of the handshake era (`legacy`)."""
    server = build(environ=environment(), transport=httpx2.MockTransport(stub))
    with portal.wrap_async_context_manager(Client(server, mode=request.param)) as client:
        yield Session(portal, client)

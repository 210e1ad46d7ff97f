"""A generated server as its users meet it: started over stdio, listed and called by the official client."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import mcp_types as mt
from mcp import Client, MCPError, StdioServerParameters
from mcp.client import ClientRequestContext
from mcp.client.stdio import stdio_client

from mcpgen.preview.library import shared_library

_TIMEOUT_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Called:
    """One tool call and what came of it.

    `outcome` is the structured result (the result contract); `questions` are those that the server asked the user
    first. `protocol_error` is set when there is no outcome: the server refused the request itself, for example an
    unknown tool, or the client refused the result.
    """

    name: str
    arguments: Mapping[str, Any]
    outcome: Mapping[str, Any]
    questions: tuple[str, ...] = ()
    protocol_error: str | None = None

    @property
    def ok(self) -> bool:
        return self.outcome.get("ok") is True


class User:
    """Stands in for the person who is asked before a destructive call; says yes as long as `agrees`."""

    def __init__(self) -> None:
        self.agrees = True
        self.questions: list[str] = []

    async def answer(self, context: ClientRequestContext, params: mt.ElicitRequestParams) -> mt.ElicitResult:
        """Answers a question of the server: every yes-or-no field alike."""
        self.questions.append(params.message)
        if not self.agrees or not isinstance(params, mt.ElicitRequestFormParams):
            return mt.ElicitResult(action="decline")
        fields: Mapping[str, Any] = params.requested_schema.get("properties", {})
        return mt.ElicitResult(
            action="accept",
            content={name: True for name, schema in fields.items() if schema.get("type") == "boolean"},
        )


class Session:
    """An open connection to a generated server."""

    def __init__(self, client: Client, user: User) -> None:
        self._client = client
        self.user = user

    async def tools(self) -> list[mt.Tool]:
        """Every tool, from all pages of the list."""
        found: list[mt.Tool] = []
        cursor: str | None = None
        while True:
            page = await self._client.list_tools(cursor=cursor)
            found += page.tools
            cursor = page.next_cursor
            if cursor is None:
                return found

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Called:
        """Calls one tool and waits for its result."""
        self.user.questions.clear()
        try:
            result = await self._client.call_tool(name, dict(arguments))
        except MCPError as error:
            return Called(name, arguments, {}, tuple(self.user.questions), error.error.message)
        except RuntimeError as error:  # the client's own check: the result breaks the tool's output schema
            message = str(error).partition("\n")[0]
            return Called(name, arguments, {}, tuple(self.user.questions), message)
        outcome = result.structured_content
        found = outcome if isinstance(outcome, Mapping) else {}
        return Called(name, arguments, found, tuple(self.user.questions))


@asynccontextmanager
async def open_session(
    project: Path, package: str, environment: Mapping[str, str], log: TextIO
) -> AsyncIterator[Session]:
    """Starts the server of a generated project and connects to it; ends it with the block.

    Args:
        project: the project's folder; its packages are in `src`.
        package: the package to run.
        environment: the server's settings and credentials; it inherits nothing else but a few basics (the SDK's list).
        log: gets the server's standard error. Must be a real file.
    """
    arguments = ["-m", package]
    user = User()
    with shared_library(project, package) as library:
        folders = [str(folder) for folder in (project.resolve() / "src", library) if folder is not None]
        source = {"PYTHONPATH": os.pathsep.join(folders), "PYTHONDONTWRITEBYTECODE": "1"}
        server = StdioServerParameters(
            command=sys.executable, args=arguments, env={**environment, **source}, cwd=project
        )
        transport = stdio_client(server, errlog=log)
        async with Client(
            transport, elicitation_callback=user.answer, read_timeout_seconds=_TIMEOUT_SECONDS
        ) as client:
            yield Session(client, user)

"""The server as a whole: the list of tools, the gates, the start as a process."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib.resources import files
from typing import Any

import httpx2
from anyio.from_thread import BlockingPortal
from conftest import CASES, Session, Stub, environment
from jsonschema import Draft202012Validator
from mcp import Client

from forms_mcp.server import build

CATALOG: dict[str, Any] = json.loads(
    files("forms_mcp").joinpath("catalog.json").read_text(encoding="utf-8")
)
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")


def names_with(portal: BlockingPortal, stub: Stub, **settings: str) -> set[str]:
    """The generated tools that a server with these settings lists."""
    server = build(environ=environment(**settings), transport=httpx2.MockTransport(stub))
    with portal.wrap_async_context_manager(Client(server)) as client:
        return {tool["name"] for tool in Session(portal, client).tools()} & CATALOG[
            "operations"
        ].keys()


def test_the_list_is_the_catalogue(session: Session) -> None:
    listed = [
        tool for tool in session.tools() if tool["name"] in CATALOG["operations"]
    ]  # without those of hooks.py
    assert {tool["name"]: tool for tool in listed} == {
        tool["name"]: tool for tool in CATALOG["tools"]
    }


def test_every_tool_is_legal_for_every_client() -> None:
    for tool in CATALOG["tools"]:
        assert NAME.fullmatch(tool["name"])
        Draft202012Validator.check_schema(tool["inputSchema"])
        Draft202012Validator.check_schema(tool["outputSchema"])
        assert tool["inputSchema"]["type"] == tool["outputSchema"]["type"] == "object"
        assert not {"anyOf", "oneOf", "allOf"} & tool["inputSchema"].keys()
        hints = tool["annotations"]
        assert hints["readOnlyHint"] is (CATALOG["operations"][tool["name"]]["effect"] == "read")


def test_only_allowed_effects_are_registered(portal: BlockingPortal, stub: Stub) -> None:
    for effect in ("read", "write", "destructive"):
        expected = {
            name
            for name, operation in CATALOG["operations"].items()
            if operation["effect"] == effect
        }
        assert names_with(portal, stub, ALLOW_EFFECTS=effect) == expected


def test_the_process_speaks_only_protocol_on_standard_output() -> None:
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        },
    }
    env = os.environ | environment() | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", CASES["package"]]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(message).encode() + b"\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        process.stdin.close()
        assert process.stdout.read() == b""
    assert answer["result"]["serverInfo"]["name"] == CATALOG["server"]["name"]

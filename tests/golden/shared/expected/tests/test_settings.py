"""What an operator can set, for the server and for single tools, and how mistakes in it are told."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx2
import pytest
from anyio.from_thread import BlockingPortal
from harness import CATALOG, PREFIX, Session, Stub, environment, served
from mcp import Client
from picking import CALLS, DONE, FILES, OPERATIONS, Policy, a_tool_that, calls, reads

from ferry_times_mcp._runtime import SettingsError
from ferry_times_mcp.server import build

TOOL = next(iter(OPERATIONS))

MISTAKES = {
    "TIMEOUT": ("soon", "'soon' is not a number"),
    "CONNECT_TIMEOUT": ("0", "0 is less than 0.1"),
    "READ_TIMEOUT": ("inf", "'inf' is not a finite number"),
    "RETRIES": ("11", "11 is more than 10"),
    "PAGE_SIZE": ("1.5", "'1.5' is not a whole number"),
    "MAX_RESULT_BYTES": ("999", "999 is less than 1000"),
    "READ_ONLY": ("maybe", "'maybe' is neither 1 nor 0"),
    "MODE": ("al", "'al' is not one of all, search (did you mean 'all'?)"),
    "CONFIRM": ("", None),
    "ALLOW_EFFECTS": ("read,rite", "'rite' is not one of read, write, destructive (did you mean 'write'?)"),
    "TOOLSETS": (" ", "is empty: name at least one, or unset it"),
    "TOOLS": (TOOL + "x", f"no tool is called {TOOL + 'x'!r}"),
    "DENY_TOOLS": ("no_such_tool_here, *", "no tool is called 'no_such_tool_here'"),
    "BASE_URL": ("ftp://api.test", "not an absolute http or https URL"),
    "HTTP_ISSUER": ("https://user@id.test", "a base URL has no user, query or fragment"),
    "HTTP_JWKS_URL": ("https://id.test/keys?x=1", None),
    "HTTP_EFFECT_SCOPES": ("read", "'read' is not of the form NAME=VALUE"),
    "STATE_KEYS": ("short", "every key needs at least 32 bytes"),
    "FILES_DIR": ("/", "that is the whole file system"),
    "LOG_LEVEL": ("info", None),
}  # fmt: skip
"""A value for a setting, and what is said of it; None where nothing is wrong."""

POLICY_MISTAKES = {
    "[server]\ntimout = 1": "[server] timout: unknown key (did you mean 'timeout'?)",
    "[server]\ntimeout = -1": "[server] timeout: -1 is less than 0.1",
    "[server]\nstate_keys = ['a']": "[server] state_keys: belongs into the environment",
    "[server]\nmode = {a = 1}": "[server] mode: must be a text, a number, true or false",
    "[server]\ntools = ['a,b']": "[server] tools: must be a text, a number, true or false, or a list of texts",
    "[tols.x]\na = 1": "unknown section [tols]",
    "[tools]\nx = 1": "[tools] holds sections: [tools.NAME]",
    f"[tools.{TOOL}]\ncache_second = 1": "cache_second: unknown key (did you mean 'cache_seconds'?)",
    f"[tools.{TOOL}]\nretries = 11": "retries: input should be less than or equal to 10",
    f"[tools.{TOOL}.categories]\n422 = 'busines'": "categories.422: input should be",
    f"[tools.{TOOL}x]\ntimeout = 1": f"no tool has this name (did you mean {TOOL!r}?)",
    f"[tools.{TOOL}.limits.no_such_argument]\nmaximum = 1": "limits.no_such_argument: no such argument",
    f"[tools.{TOOL}.limits.x]\nmaxi = 1": "limits.x.maxi: unknown key (did you mean 'maximum'?)",
    f"[tools.{TOOL}.limits.x]\nminimum = 5\nmaximum = 3": "the minimum 5 is above the maximum 3: no value fits",
    f"[tools.{TOOL}.limits.x]\nallow = [1]\ndeny = [2, 1]": "nothing that is allowed is left: no value fits",
    "[server": "the file is not TOML",
}


def problems_with(**settings: str) -> tuple[str, ...]:
    """What the server says of settings when it starts."""
    with pytest.raises(SettingsError) as caught:
        build(environ=environment(**settings), transport=httpx2.MockTransport(Stub()))
    return caught.value.problems


def names(session: Session) -> set[str]:
    """The listed tools, without those of hooks.py."""
    return {tool["name"] for tool in session.tools()} & OPERATIONS.keys()


def test_mistakes_in_settings_are_told_all_at_once() -> None:
    found = problems_with(**{name: value for name, (value, _) in MISTAKES.items()})
    for name, (_, words) in MISTAKES.items():
        said = [problem for problem in found if re.match(rf"{PREFIX}_{name}\b", problem)]
        assert len(said) == (words is not None), said or name
        assert words is None or words in said[0]


@pytest.mark.parametrize("text", POLICY_MISTAKES)
def test_mistakes_in_a_policy_file_are_told(text: str, policy: Policy) -> None:
    path = policy(text)
    found = problems_with(POLICY=path)
    assert len(found) == 1
    assert POLICY_MISTAKES[text] in found[0]
    assert path in found[0]


def test_a_policy_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    assert "the file can't be read" in problems_with(POLICY=str(tmp_path / "none.toml"))[0]


def test_which_tools_are_registered(policy: Policy, portal: BlockingPortal, stub: Stub) -> None:
    """The environment counts before the policy file, and that before what was generated."""
    reading = {tool for tool in OPERATIONS if reads(tool)}
    sets = {tool: entry["toolset"] for tool, entry in OPERATIONS.items()}
    file = policy(f"[server]\nread_only = true\ndeny_tools = ['{TOOL}']\npage_size = 1\n")
    for settings, expected in (
        ({"READ_ONLY": "true"}, reading),
        ({"TOOLS": f"{TOOL[:-1]}*"}, {tool for tool in OPERATIONS if tool.startswith(TOOL[:-1])}),
        ({"DENY_TOOLS": f"{TOOL[:-1]}?", "TOOLS": "*"}, {tool for tool in OPERATIONS if not (tool.startswith(TOOL[:-1]) and len(tool) == len(TOOL))}),
        ({"TOOLSETS": sets[TOOL]}, {tool for tool in OPERATIONS if sets[tool] == sets[TOOL]}),
        ({"POLICY": file}, reading - {TOOL}),
        ({"POLICY": file, "READ_ONLY": "0"}, OPERATIONS.keys() - {TOOL}),
    ):  # fmt: skip
        with served(portal, stub, **settings) as session:
            assert names(session) == expected, settings


def test_patterns_without_a_tool_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    """They are no mistake: the API may get such a tool yet."""
    build(
        environ=environment(DENY_TOOLS=f"{TOOL[:-1]}?,zz_none_*"),
        transport=httpx2.MockTransport(Stub()),
    )
    assert [message for message in caplog.messages if "no tool matches" in message] == [
        f"{PREFIX}_DENY_TOOLS: no tool matches zz_none_*"
    ]


SERVERS: list[dict[str, Any]] = [
    one if isinstance(one, dict) else {"url": one} for one in CATALOG["server"].get("servers", [])
]
"""The servers of the description that are addresses."""


def address(portal: BlockingPortal, **settings: str) -> str:
    """Where a request goes when the operator does not say which API it is."""
    stub = Stub()
    tool = a_tool_that(lambda tool: not OPERATIONS[tool].get("servers"), "has the servers of all")
    environ = {
        name: value
        for name, value in environment(TOOLS=tool).items()
        if name != f"{PREFIX}_BASE_URL"
    } | settings
    server = build(environ=environ, transport=httpx2.MockTransport(stub))
    with portal.wrap_async_context_manager(Client(server)) as client:
        _, result = Session(portal, client).call(tool, CALLS[tool])
    if not stub.requests:
        assert result["category"] == "internal"
        return ""
    target = FILES[tool]["calls"][0]["request"]["target"]
    return str(stub.requests[0].url).partition("?")[0].removesuffix(target.partition("?")[0])


def filled(server: Mapping[str, Any], values: Mapping[str, str]) -> str:
    """The URL of a server, without a slash at its end; empty when it is no address."""
    url = str(server["url"])
    for name, variable in server.get("variables", {}).items():
        value = values.get(name, variable.get("default"))
        if value is None:
            return ""
        url = url.replace("{" + name + "}", value)
    return str(httpx2.URL(url)).rstrip("/") if url.startswith("http") else ""


def test_requests_go_to_the_described_server(portal: BlockingPortal) -> None:
    if not SERVERS:
        assert address(portal).removesuffix("/") == (
            CATALOG["server"].get("base_url") or ""
        ).rstrip("/")
        return
    assert address(portal) == filled(SERVERS[0], {})
    for number, server in enumerate(SERVERS[:3], start=1):
        assert address(portal, **{f"{PREFIX}_SERVER": str(number)}) == filled(server, {})
        if server.get("name"):
            assert address(portal, **{f"{PREFIX}_SERVER": server["name"].upper()}) == filled(
                server, {}
            )
    assert "there is no server" in problems_with(SERVER="no such server")[0]
    for name, variable in SERVERS[0].get("variables", {}).items():
        value = variable.get("enum", ["81", "81"])[-1]
        assert address(portal, **{variable["env"]: value}) == filled(SERVERS[0], {name: value})
        if variable.get("enum"):
            environ = {
                name: value for name, value in environment().items() if name != f"{PREFIX}_BASE_URL"
            }
            with pytest.raises(SettingsError, match="is not one of"):
                build(
                    environ=environ | {variable["env"]: "no-such-value"},
                    transport=httpx2.MockTransport(Stub()),
                )


def test_audit_lines_and_messages_hold_no_secret(
    tmp_path: Path, portal: BlockingPortal, stub: Stub
) -> None:
    """What is secret by its name is data in a result, and nothing for a file or a message."""
    secret = "hunter2-and-more"
    tool = a_tool_that(reads, "reads")
    values: dict[str, Any] = {
        "password": secret,
        "clientSecret": {"inner": secret},
        "headers": [{"name": "Authorization", "value": secret}],
        "log": f'password={secret}&x=1 api_key: \'{secret}\'\nX-Api-Key: {secret}\n{{"token": "{secret}"}}',
        "json": json.dumps({"access_token": secret, "total": 1}),
        "max_tokens": 4096,
        "my_own": secret,
        "plain": "stays",
    }
    path = tmp_path / "audit.jsonl"
    with served(portal, stub, TOOLS=tool, AUDIT=str(path), REDACT_NAMES="my_own") as session:
        result = calls(session, stub, tool, CALLS[tool], {**DONE, "body": {"json": values}})
        assert (result.get("data") or result["raw"])["plain"] == "stays"
        failed = calls(
            session,
            stub,
            tool,
            CALLS[tool],
            {
                "status": 422,
                "content_type": "application/json",
                "body": {"json": {"message": f"No: password={secret}; api_key={secret}"}},
            },
        )
    text = path.read_text(encoding="utf-8")
    assert secret not in text
    assert "stays" in text
    assert "4096" in text
    assert "[redacted]" in text
    assert secret not in failed["error"]
    assert "[redacted]" in failed["error"]

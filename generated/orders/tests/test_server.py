"""The server as a whole: the list of tools, what is asked and allowed, what never leaves it."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

import httpx2
import mcp.types as mt
import pytest
from anyio.from_thread import BlockingPortal
from harness import (
    CASES,
    CATALOG,
    CREDENTIALS,
    ERAS,
    PREFIX,
    Era,
    Session,
    Stub,
    call_tool,
    cases_of,
    environment,
    page_of_tools,
    served,
)
from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from mcp import Client, MCPError

from orders_mcp.server import build

OPERATIONS: dict[str, dict[str, Any]] = CATALOG["operations"]
FILES: dict[str, dict[str, Any]] = {
    tool: case
    for folder in sorted(CASES.iterdir())
    if folder.is_dir()
    for tool, case in cases_of(folder.name).items()
}
CALLS: dict[str, dict[str, Any]] = {
    tool: case["calls"][0]["arguments"] for tool, case in FILES.items() if case["calls"]
}
"""The minimal call of every tool that has one."""
EMPTY = {"status": 204}
DONE = {"status": 200, "content_type": "application/json", "body": {"json": {"done": True}}}
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
ARGUMENT = re.compile(r"[A-Za-z0-9_.-]{1,64}")
MAPS = {"properties", "$defs", "patternProperties", "dependentSchemas"}
LISTS = {"allOf", "anyOf", "oneOf", "prefixItems"}
SINGLE = {"items", "contains", "additionalProperties", "propertyNames", "not", "if", "then", "else"}
"""The keywords of JSON Schema that hold schemas: by name, in a list, or one."""
PLACES = {"path", "query", "header", "cookie"}
SAFE_METHODS = ("GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "QUERY")


def effect(tool: str) -> str:
    """What the case file of a tool says, not what the catalogue does."""
    return str(FILES[tool]["effect"]) if tool in FILES else str(OPERATIONS[tool]["effect"])


def asks_for_credentials(tool: str) -> str:
    security = OPERATIONS[tool]["security"]
    return "guarded" if security and all(security) else "open"


def repeatable(tool: str) -> str:
    """Whether a request can be sent twice: by effect, method (RFC 9110, 9.2.2) or its key."""
    entry = OPERATIONS[tool]
    safe = entry["effect"] == "read" or entry["idempotent"] or entry["method"] in SAFE_METHODS
    return "repeatable" if safe or "idempotency" in entry else "not repeatable"


def one_of_each(kind: Callable[[str], str]) -> pytest.MarkDecorator:
    """A tool for each kind of tool that this server has: the first one with a call."""
    found = {kind(tool): tool for tool in reversed(CALLS)}
    return pytest.mark.parametrize(
        "tool", [pytest.param(tool, id=name) for name, tool in sorted(found.items())]
    )


@contextmanager
def client_of(
    portal: BlockingPortal, stub: Stub, environ: Mapping[str, str], **options: Any
) -> Iterator[Session]:
    """A client of a server with exactly this environment."""
    server = build(environ=environ, transport=httpx2.MockTransport(stub))
    with portal.wrap_async_context_manager(Client(server, **options)) as client:
        yield Session(portal, client)


def listed(session: Session) -> set[str]:
    """The names of the listed tools, without those of hooks.py."""
    return {tool["name"] for tool in session.tools()} & OPERATIONS.keys()


class Unreachable(Stub):
    """An API that can't be reached."""

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectError("refused", request=request)


def test_the_list_is_the_catalogue(session: Session) -> None:
    found = {tool["name"]: tool for tool in session.tools() if tool["name"] in OPERATIONS}
    assert found == {tool["name"]: tool for tool in CATALOG["tools"]}


@pytest.mark.parametrize("era", ERAS)
def test_the_list_is_the_same_every_time(era: Era, portal: BlockingPortal, stub: Stub) -> None:
    lists = []
    for _ in range(2):
        with served(portal, stub, era) as session:
            lists.append(json.dumps(session.tools()))
    assert lists[0] == lists[1]
    names = [tool["name"] for tool in json.loads(lists[0])]
    assert names == sorted(names)


@pytest.mark.parametrize("era", ERAS)
def test_the_list_can_be_paged(era: Era, portal: BlockingPortal, stub: Stub) -> None:
    count = len(OPERATIONS)
    with served(portal, stub, era) as whole:
        tools = whole.tools()
    for size in {max(1, count // 3), max(1, count - 1)}:
        with served(portal, stub, era, PAGE_SIZE=str(size)) as paged:
            assert len(paged.run(page_of_tools).tools) == size
            assert paged.tools() == tools


def test_every_tool_is_legal_for_every_client() -> None:
    problems = [
        f"{tool['name']}: {problem}" for tool in CATALOG["tools"] for problem in faults_of(tool)
    ]
    assert not problems, "\n".join(problems)


@cache
def check_schema(text: str) -> None:
    """Raises where a schema is none, those inside it aside: they are checked by themselves, each once."""
    Draft202012Validator.check_schema(json.loads(text))


def parts_of(schema: Any) -> Iterator[str]:
    """A schema and all schemas inside it, each as JSON with `true` for those inside."""
    if isinstance(schema, dict):
        flat = dict(schema)
        for keyword, value in schema.items():
            if keyword in MAPS and isinstance(value, dict):
                yield from (part for one in value.values() for part in parts_of(one))
                flat[keyword] = {}
            elif keyword in LISTS and isinstance(value, list):
                yield from (part for one in value for part in parts_of(one))
                flat[keyword] = [True for _ in value]
            elif keyword in SINGLE:
                yield from parts_of(value)
                flat[keyword] = True
        schema = flat
    yield json.dumps(schema, sort_keys=True)


def faults_of(tool: Mapping[str, Any]) -> Iterator[str]:
    """What clients or model APIs would not take, and hints that belie the tool's effect."""
    given, result = tool["inputSchema"], tool["outputSchema"]
    if not NAME.fullmatch(tool["name"]):
        yield "this is no name for a tool"
    if not tool["description"] or not tool["title"]:
        yield "it has no description or no title"
    for schema in (given, result):
        for part in parts_of(schema):
            try:
                check_schema(part)
            except SchemaError as error:
                yield f"a schema of it is none: {error.message[:200]}"
        if schema["type"] != "object":
            yield "the root of its schemas is no object"
        references = re.findall(r'"\$ref": "([^"]*)"', json.dumps(schema))
        yield from (
            f"{target} leads out of its schema"
            for target in references
            if not target.startswith("#/$defs/")
        )
    if {"anyOf", "oneOf", "allOf"} & given.keys():
        yield "the root of its input schema is a choice"
    yield from (
        f"`{name}` is no name for an argument"
        for name in given["properties"]
        if not ARGUMENT.fullmatch(name)
    )
    hints, entry = tool["annotations"], OPERATIONS[tool["name"]]
    if tool["name"] in FILES and entry["security"] != FILES[tool["name"]]["security"]:
        yield f"it asks for {entry['security']} and not for {FILES[tool['name']]['security']}"
    places = {(one["name"], one["in"]) for one in entry["parameters"]}
    in_path = set(re.findall(r"\{([^{}]*)\}", entry["path"])) & {name for name, _ in places}
    if in_path != {name for name, where in places if where == "path"}:
        yield "its parameters in the path are not those that the path names"
    for argument in entry["arguments"]:
        if argument["in"] in PLACES and (argument.get("wire_name"), argument["in"]) not in places:
            yield f"`{argument['name']}` is no parameter in the {argument['in']}"
    reads, destroys = effect(tool["name"]) == "read", effect(tool["name"]) == "destructive"
    told = (hints["readOnlyHint"], hints["destructiveHint"], hints["idempotentHint"])
    if told != (reads, destroys or not (reads or entry["additive"]), entry["idempotent"]):
        yield f"its annotations {told} are not those of a tool with the effect {effect(tool['name'])}"


def test_only_allowed_effects_are_registered(portal: BlockingPortal, stub: Stub) -> None:
    for allowed in ("read", "write", "destructive"):
        with served(portal, stub, ALLOW_EFFECTS=allowed) as session:
            assert listed(session) == {tool for tool in OPERATIONS if effect(tool) == allowed}


def test_destructive_tools_wait_for_the_operator(portal: BlockingPortal, stub: Stub) -> None:
    environ = environment()
    del environ[f"{PREFIX}_ALLOW_EFFECTS"]
    stub.give(EMPTY)
    with client_of(portal, stub, environ) as session:
        assert listed(session) == {tool for tool in OPERATIONS if effect(tool) != "destructive"}
        for tool in ["no_such_tool", *(tool for tool in CALLS if effect(tool) == "destructive")][
            :4
        ]:
            with pytest.raises(MCPError, match="Unknown tool"):
                session.call(tool, CALLS.get(tool, {}))
    assert stub.requests == []


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("confirm", ["destructive", "write"])
@one_of_each(effect)
def test_the_user_is_asked(
    tool: str, confirm: str, era: Era, portal: BlockingPortal, stub: Stub
) -> None:
    """By the operator's word. Where the user does not agree, or can't be asked, nothing is sent."""
    asked: list[str] = []
    answer = mt.ElicitResult(action="accept", content={"confirm": True})

    async def user(context: Any, params: mt.ElicitRequestParams) -> mt.ElicitResult:
        asked.append(params.message)
        return answer

    def sent(session: Session) -> tuple[int, str | None]:
        stub.give(EMPTY)
        result = session.run(lambda client: client.call_tool(tool, CALLS[tool]))
        return len(stub.requests), (result.structured_content or {}).get("category")

    asks = effect(tool) in ("destructive", confirm)
    refused = (0, "permission") if asks else (1, None)
    environ = environment(CONFIRM=confirm, TOOLS=tool)
    with client_of(portal, stub, environ, mode=era, elicitation_callback=user) as session:
        assert sent(session) == (1, None)
        answer = mt.ElicitResult(action="accept", content={"confirm": False})
        assert sent(session) == refused
        answer = mt.ElicitResult(action="decline")
        assert sent(session) == refused
    assert len(asked) == (3 if asks else 0)
    with client_of(portal, stub, environ, mode=era) as session:
        assert sent(session) == refused


@one_of_each(asks_for_credentials)
def test_without_credentials_nothing_is_sent_that_needs_one(
    tool: str, portal: BlockingPortal, stub: Stub
) -> None:
    environ = {
        name: value for name, value in environment(TOOLS=tool).items() if name not in CREDENTIALS
    }
    stub.give(EMPTY)
    with client_of(portal, stub, environ) as session:
        _, result = session.call(tool, CALLS[tool])
    guarded = asks_for_credentials(tool) == "guarded"
    assert (len(stub.requests), result.get("category")) == (
        (0, "permission") if guarded else (1, None)
    )


@pytest.mark.parametrize("status", [200, 422, 500])
@one_of_each(effect)
def test_what_the_api_echoes_holds_no_secret(
    tool: str, status: int, session: Session, stub: Stub
) -> None:
    parts = {
        name: part for scheme in CATALOG["auth"].values() for part, name in scheme["env"].items()
    }
    secrets = [
        CREDENTIALS[name] for name, part in parts.items() if part not in ("username", "client_id")
    ]
    for scheme in CATALOG["auth"].values():
        user, password = (
            CREDENTIALS.get(scheme["env"].get(part, "")) for part in ("username", "password")
        )
        secrets += (
            [base64.b64encode(f"{user}:{password}".encode()).decode()] if user and password else []
        )
    echo = {
        "message": f"No such key: {' '.join(secrets)}",
        "echo": secrets,
        **dict.fromkeys(secrets, "known"),
    }
    stub.give({"status": status, "content_type": "application/json", "body": {"json": echo}})

    result = session.run(lambda client: call_tool(client, tool, CALLS[tool]))

    assert len(stub.requests) == 1
    told = json.dumps(result.model_dump(mode="json"), ensure_ascii=False)
    assert [secret for secret in secrets if secret in told] == []


@one_of_each(repeatable)
def test_only_what_is_safe_to_repeat_is_repeated(
    tool: str, portal: BlockingPortal, stub: Stub
) -> None:
    stub.give({"status": 503, "headers": {"Retry-After": "0"}})
    with served(portal, stub, TOOLS=tool, RETRIES="1") as session:
        _, result = session.call(tool, CALLS[tool])
    assert len(stub.requests) == (2 if repeatable(tool) == "repeatable" else 1)
    assert (result["category"], result["status"]) == ("transient", 503)


@one_of_each(effect)
def test_an_api_that_asks_to_wait_is_waited_for(tool: str, session: Session, stub: Stub) -> None:
    stub.give({"status": 429, "headers": {"Retry-After": "7"}})
    is_error, result = session.call(tool, CALLS[tool])
    assert (is_error, result["category"], result["retryable"]) == (True, "transient", True)
    if not {"429", "4XX", "transient"} & OPERATIONS[tool]["hints"].keys():
        assert "7 seconds" in result["hint"]


@one_of_each(effect)
def test_an_api_that_is_away_may_come_back(tool: str, portal: BlockingPortal) -> None:
    with served(portal, Unreachable(), TOOLS=tool) as session:
        is_error, result = session.call(tool, CALLS[tool])
    assert (is_error, result["ok"], result["category"], result["retryable"]) == (
        True,
        False,
        "transient",
        True,
    )
    assert "status" not in result
    assert "again" in result["hint"]


@pytest.mark.parametrize("era", ERAS)
def test_tools_are_found_by_searching(era: Era, portal: BlockingPortal, stub: Stub) -> None:
    """One tool of each effect is found by its name, described, and called with the same request."""
    stub.give(DONE)
    with served(portal, stub, era, MODE="search") as session, served(portal, stub, era) as direct:
        names = {tool["name"] for tool in session.tools()}
        for tool in {effect(tool): tool for tool in CALLS}.values():
            caller = f"call_{effect(tool)}_tool"
            assert {"find_tools", "describe_tool", caller} <= names
            _, found = session.call("find_tools", {"query": tool})
            assert found["data"][0]["name"] == tool
            _, described = session.call("describe_tool", {"name": tool})
            assert described["ok"], described
            session.call(caller, {"name": tool, "arguments": CALLS[tool]})
            direct.call(tool, CALLS[tool])
            searched, named = stub.requests[-2:]
            assert (searched.method, searched.url) == (named.method, named.url)

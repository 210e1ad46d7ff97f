"""Puts the fixtures of the MCP conformance suite on top of a generated server, and serves both over HTTP.

The suite calls tools, prompts and resources by fixed names. What the fixtures do not answer goes to the generated
server, and everything passes its middleware: the list of tools, the sealed request state and the answers to
unknown names, methods and revisions are its own.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Mapping
from pathlib import Path
from string import Template
from typing import Any

import anyio
import mcp_types as mt
import uvicorn
import yaml
from mcp import MCPError
from mcp.server.caching import CacheHint
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    ListenHandler,
    PromptsListChanged,
    ToolsListChanged,
)
from mcp.shared.message import ServerMessageMetadata
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

FIXTURES: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("fixtures.yaml").read_text("utf-8"))
PAUSE = 0.05
"""Seconds between two notifications of one call, as the suite asks."""

_Context = ServerRequestContext[Any, Any]
_Answer = dict[str, Any]
_EVENTS = {"tools": ToolsListChanged, "prompts": PromptsListChanged}
_ASKED = {
    "elicitation/create": ("elicitation", mt.ElicitRequest, mt.ElicitResult),
    "sampling/createMessage": ("sampling", mt.CreateMessageRequest, mt.CreateMessageResult),
    "roots/list": ("roots", mt.ListRootsRequest, mt.ListRootsResult),
}
"""What a client can be asked: the capability that it declares for it, the request, the answer."""


def overlay(server: Server[Any]) -> Server[Any]:
    """Adds all fixtures to a server that `build()` gave; returns the same server."""
    bus = InMemorySubscriptionBus()
    _add_tools(server, bus)
    hint = CacheHint(ttl_ms=0, scope="public")
    for method, params, handler in (
        ("prompts/list", mt.PaginatedRequestParams, _list_prompts),
        ("prompts/get", mt.GetPromptRequestParams, _get_prompt),
        ("resources/list", mt.PaginatedRequestParams, _list_resources),
        ("resources/templates/list", mt.PaginatedRequestParams, _list_templates),
        ("resources/read", mt.ReadResourceRequestParams, _read_resource),
        ("resources/subscribe", mt.SubscribeRequestParams, _nothing),
        ("resources/unsubscribe", mt.UnsubscribeRequestParams, _nothing),
        ("logging/setLevel", mt.SetLevelRequestParams, _nothing),
        ("completion/complete", mt.CompleteRequestParams, _complete),
        ("subscriptions/listen", mt.SubscriptionsListenRequestParams, ListenHandler(bus)),
    ):
        server.add_request_handler(method, params, handler)
    for method in ("prompts/list", "resources/list", "resources/templates/list", "resources/read"):
        server.cache_hints[method] = hint
    return server


def _add_tools(server: Server[Any], bus: InMemorySubscriptionBus) -> None:
    generated = server.get_request_handler("tools/call")
    generated_schema = server.get_tool_input_schema
    assert generated is not None
    assert generated_schema is not None
    tools = [
        {
            "name": name,
            "description": f"Fixture: {name.replace('_', ' ')}.",
            "inputSchema": fixture.get("inputSchema", {"type": "object", "additionalProperties": False}),
        }
        for name, fixture in FIXTURES["tools"].items()
    ]
    schemas = {tool["name"]: tool["inputSchema"] for tool in tools}

    async def call(ctx: _Context, params: mt.CallToolRequestParams) -> HandlerResult:
        fixture = FIXTURES["tools"].get(params.name)
        if fixture is None:
            return await generated.handler(ctx, params)
        return await _call_fixture(ctx, params, fixture, bus)

    async def add_to_list(ctx: _Context, call_next: CallNext) -> HandlerResult:
        answer = await call_next(ctx)
        if ctx.method == "tools/list" and isinstance(answer, dict):
            return {**answer, "tools": [*answer["tools"], *tools]}
        return answer

    server.add_request_handler("tools/call", mt.CallToolRequestParams, call)
    server.middleware.insert(0, add_to_list)
    server.get_tool_input_schema = lambda name: schemas.get(name) or generated_schema(name)


async def _call_fixture(
    ctx: _Context, params: mt.CallToolRequestParams, fixture: Mapping[str, Any], bus: InMemorySubscriptionBus
) -> _Answer:
    if missing := fixture.get("needs", {}).keys() - _declared(ctx):
        needed = {name: fixture["needs"][name] for name in missing}
        raise MCPError(
            code=mt.MISSING_REQUIRED_CLIENT_CAPABILITY,
            message="This tool needs more of the client",
            data={"requiredCapabilities": needed},
        )
    for done in fixture.get("progress", ()):
        await ctx.session.report_progress(done, 100)
        await anyio.sleep(PAUSE)
    for line in fixture.get("logs", ()):
        await ctx.session.send_log_message("info", line, related_request_id=ctx.request_id)
        await anyio.sleep(PAUSE)
    if "publishes" in fixture:
        await bus.publish(_EVENTS[fixture["publishes"]]())
    question, answers = await _ask(ctx, params, fixture)
    if question is not None:
        return question
    said = json.dumps(answers) if answers else "Done."
    return {
        "resultType": "complete",
        "content": fixture.get("content", [{"type": "text", "text": said}]),
        "isError": fixture.get("isError", False),
    }


async def _ask(
    ctx: _Context, params: mt.CallToolRequestParams | mt.GetPromptRequestParams, fixture: Mapping[str, Any]
) -> tuple[_Answer | None, dict[str, Any]]:
    """Asks the client what the rounds of a fixture say, in the way of its protocol era.

    Returns:
        A result that asks for input, or None; and the answers of the last round.
    """
    rounds = _rounds(fixture, params.arguments or {}, _declared(ctx))
    if ctx.protocol_version not in MODERN_PROTOCOL_VERSIONS:
        answers: dict[str, Any] = {}
        for asked in rounds:
            answers = {key: await _send(ctx, request) for key, request in asked.items()}
        return None, answers
    given, state = params.input_responses or {}, params.request_state
    # Nothing is checked here: to refuse a state that was tampered with is what the generated server is tested for.
    number = int(re.sub(r"\D", "", state or "") or 0)
    answered = number < len(rounds) and rounds[number].keys() <= given.keys()
    if answered and (state is not None or not fixture.get("stateful")):
        number += 1
    if number >= len(rounds):
        return None, {key: value.model_dump(mode="json", by_alias=True) for key, value in given.items()}
    question = {"resultType": "input_required", "inputRequests": rounds[number]}
    return question | ({"requestState": str(number)} if fixture.get("stateful") else {}), {}


def _rounds(fixture: Mapping[str, Any], arguments: Mapping[str, Any], able: set[str]) -> list[dict[str, Any]]:
    """What a fixture asks, round by round, without what the client did not declare that it can answer."""
    rounds = (
        {key: wire for key, wire in asked.items() if _ASKED[wire["method"]][0] in able}
        for asked in fixture.get("rounds", ())
    )
    return [_filled(asked, arguments) for asked in rounds if asked]


async def _send(ctx: _Context, wire: Mapping[str, Any]) -> dict[str, Any]:
    """Sends a request to a client of the handshake era."""
    _, request, result = _ASKED[wire["method"]]
    related = ServerMessageMetadata(related_request_id=ctx.request_id)
    answer = await ctx.session.send_request(request.model_validate(wire), result, metadata=related)
    return dict(answer.model_dump(mode="json", by_alias=True, exclude_none=True))


def _declared(ctx: _Context) -> set[str]:
    """Names of the capabilities that the client declared."""
    capabilities = ctx.session.client_capabilities
    return set() if capabilities is None else set(capabilities.model_dump(by_alias=True, exclude_none=True))


def _filled(value: Any, arguments: Mapping[str, Any]) -> Any:
    """A copy of a fixture with the arguments in place of `${name}`."""
    if isinstance(value, str):
        return Template(value).safe_substitute(arguments)
    if isinstance(value, dict):
        return {key: _filled(item, arguments) for key, item in value.items()}
    return [_filled(item, arguments) for item in value] if isinstance(value, list) else value


async def _list_prompts(ctx: _Context, params: mt.PaginatedRequestParams) -> _Answer:
    prompts = [
        {
            "name": name,
            "description": f"Fixture: {name.replace('_', ' ')}.",
            "arguments": [{"name": argument, "required": True} for argument in prompt.get("arguments", ())],
        }
        for name, prompt in FIXTURES["prompts"].items()
    ]
    return {"resultType": "complete", "prompts": prompts}


async def _get_prompt(ctx: _Context, params: mt.GetPromptRequestParams) -> _Answer:
    prompt, arguments = FIXTURES["prompts"].get(params.name), params.arguments or {}
    if prompt is None or not set(prompt.get("arguments", ())) <= arguments.keys():
        raise MCPError(code=mt.INVALID_PARAMS, message="Unknown prompt, or an argument is missing")
    question, _ = await _ask(ctx, params, prompt)
    return question or {"resultType": "complete", "messages": _filled(prompt["messages"], arguments)}


async def _list_resources(ctx: _Context, params: mt.PaginatedRequestParams) -> _Answer:
    resources = [
        {"uri": uri, "name": uri.rpartition("/")[2], "mimeType": content["mimeType"]}
        for uri, content in FIXTURES["resources"].items()
    ]
    return {"resultType": "complete", "resources": resources}


async def _list_templates(ctx: _Context, params: mt.PaginatedRequestParams) -> _Answer:
    templates = [
        {"uriTemplate": uri, "name": uri.rpartition("/")[2], "mimeType": content["mimeType"]}
        for uri, content in FIXTURES["templates"].items()
    ]
    return {"resultType": "complete", "resourceTemplates": templates}


async def _read_resource(ctx: _Context, params: mt.ReadResourceRequestParams) -> _Answer:
    uri = str(params.uri)
    content = FIXTURES["resources"].get(uri)
    for template, pattern in FIXTURES["templates"].items():
        if found := re.fullmatch(re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(template)), uri):
            content = _filled(pattern, found.groupdict())
    if content is None:
        raise MCPError(code=mt.INVALID_PARAMS, message="Resource not found", data={"uri": uri})
    return {"resultType": "complete", "contents": [{"uri": uri, **content}]}


async def _complete(ctx: _Context, params: mt.CompleteRequestParams) -> _Answer:
    return {"resultType": "complete", "completion": {"values": [], "total": 0, "hasMore": False}}


async def _nothing(ctx: _Context, params: mt.RequestParams) -> mt.EmptyResult:
    return mt.EmptyResult()


def main() -> None:
    parser = argparse.ArgumentParser(description="Serves a generated server with the suite's fixtures.")
    parser.add_argument("package", help="import name of the generated package")
    parser.add_argument("--port", type=int, required=True)
    options = parser.parse_args()
    from importlib import import_module

    server = overlay(import_module(f"{options.package}.server").build())
    # With sessions: without one, a server can't ask a client of the handshake era anything.
    uvicorn.run(
        server.streamable_http_app(host="127.0.0.1"), host="127.0.0.1", port=options.port, log_config=None
    )


if __name__ == "__main__":
    main()

"""Operations cut by side effect, in a generated server: what a client sees, and what arrives at the API."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from click.testing import CliRunner
from mcp import Client

from mcpgen.cli.main import main

SPEC = """
openapi: 3.1.0
info: {title: Yard, version: "1"}
servers: [{url: "https://yard.test"}]
paths:
  /boats/{id}/commands:
    post:
      operationId: commandBoat
      summary: Run a command on a boat
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      requestBody:
        required: true
        content:
          application/json:
            schema:
              oneOf:
                - {$ref: "#/components/schemas/Inspect"}
                - {$ref: "#/components/schemas/Scrap"}
              discriminator:
                propertyName: kind
                mapping: {inspect: "#/components/schemas/Inspect", remove: "#/components/schemas/Scrap"}
      responses: {"200": {description: Done., content: {application/json: {schema: {type: object}}}}}
  /jobs:
    post:
      operationId: execJob
      summary: Execute a job
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [command]
              properties:
                command:
                  oneOf:
                    - {type: object, required: [type, until], properties: {type: {const: pause}, until: {type: integer}}}
                    - {type: object, required: [type], properties: {type: {const: kill}, force: {type: boolean}}}
      responses: {"200": {description: Done., content: {application/json: {schema: {type: object}}}}}
  /orders/{id}/op:
    post:
      operationId: orderOp
      summary: 订单操作
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded:
            schema:
              type: object
              required: [opType]
              additionalProperties: true
              properties:
                opType: {type: integer, enum: [1, 2], description: "1: 查询, 2: 取消"}
                reason: {type: string, description: "opType=2 时必填"}
      responses: {"200": {description: Done., content: {application/json: {schema: {type: object}}}}}
  /mails:
    get:
      operationId: listMails
      summary: List mails
      parameters:
        - {name: purge, in: query, description: Delete the mails after reading them., schema: {type: boolean}}
        - {name: where, in: query, schema: {type: object, additionalProperties: {type: string}}}
        - {name: _method, in: query, schema: {type: string}}
      responses: {"200": {description: Done., content: {application/json: {schema: {type: object}}}}}
components:
  schemas:
    Inspect: {type: object, required: [kind], properties: {kind: {type: string}, depth: {type: integer}}}
    Scrap:
      type: object
      description: Takes the boat apart for good.
      required: [kind, reason]
      properties: {kind: {type: string}, reason: {type: string}, pay: {type: [string, "null"]}}
"""
Call = tuple[str, dict[str, Any]]
Run = Callable[..., tuple[dict[str, Any], list[Any]]]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("yard")
    (folder / "openapi.yaml").write_text(SPEC, encoding="utf-8")
    target = folder / "yard"
    done = CliRunner().invoke(main, ["generate", str(folder / "openapi.yaml"), "--output", str(target)])
    assert done.exit_code == 0, done.output
    return target


@pytest.fixture(scope="module")
def run(project: Path) -> Iterator[Run]:
    """Calls tools; gives the listed tools, and for each call: whether it went well, the error, the requests at the API."""
    seen: list[list[str]] = []

    def api(request: httpx2.Request) -> httpx2.Response:
        seen.append([request.method, str(request.url), request.content.decode()])
        return httpx2.Response(200, json={})

    async def talk(server: Any, calls: tuple[Call, ...]) -> tuple[dict[str, Any], list[Any]]:
        out: list[Any] = []
        async with Client(server) as client:
            tools = (await client.list_tools()).tools
            for tool, arguments in calls:
                seen.clear()
                result = (await client.call_tool(tool, arguments)).structured_content or {}
                out.append([result["ok"], result.get("error", ""), list(seen)])
        return {tool.name: tool.model_dump(mode="json", by_alias=True) for tool in tools}, out

    def served(*calls: Call) -> tuple[dict[str, Any], list[Any]]:
        build = importlib.import_module("yard_mcp.server").build
        environ = {"YARD_ALLOW_EFFECTS": "read,write,destructive", "YARD_CONFIRM": "never"}
        return anyio.run(talk, build(environ=environ, transport=httpx2.MockTransport(api)), calls)

    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.syspath_prepend(str(project / "src"))
        yield served
    for name in [name for name in sys.modules if name.split(".")[0] == "yard_mcp"]:
        del sys.modules[name]


def test_every_action_is_a_tool_and_its_body_arrives(run: Run) -> None:
    listed, results = run(
        ("inspect_boat", {"id": "a", "depth": 3}),
        ("remove_boat", {"id": "a", "reason": "old", "pay": None}),
        ("remove_boat", {"id": "a"}),
        ("inspect_boat", {"id": "a", "kind": "remove"}),
        ("kill_job", {"command": {"type": "kill", "force": True}}),
        ("pause_job", {"command": {"type": "kill"}}),
    )
    hints = {name: tool["annotations"] for name, tool in listed.items()}
    assert hints["inspect_boat"]["readOnlyHint"]
    assert hints["remove_boat"]["destructiveHint"]
    assert not hints["pause_job"]["readOnlyHint"]
    assert sorted(listed["remove_boat"]["inputSchema"]["properties"]) == ["id", "pay", "reason"]
    assert "Takes the boat apart for good." in listed["remove_boat"]["description"]
    bodies = [[json.loads(request[2]) for request in seen] for _, _, seen in results]
    assert bodies == [
        [{"kind": "inspect", "depth": 3}],
        [{"kind": "remove", "reason": "old", "pay": None}],
        [],
        [],
        [{"command": {"type": "kill", "force": True}}],
        [],
    ]
    assert [ok for ok, *_ in results] == [True, True, False, False, True, False]


def test_codes_travel_as_codes_and_only_their_own_arguments(run: Run) -> None:
    listed, results = run(
        ("query_order", {"id": "1"}),
        ("cancel_order", {"id": "1", "body": {"reason": "旧"}}),
        ("cancel_order", {"id": "1", "body": {}}),
        ("query_order", {"id": "1", "additional_fields": {"opType": 2}}),
        ("query_order", {"id": "1", "additional_fields": {"_method": "DELETE"}}),
        ("query_order", {"id": "1", "additional_fields": {"trace": "x"}}),
    )
    assert "reason" not in listed["query_order"]["inputSchema"]["properties"]
    assert listed["cancel_order"]["inputSchema"]["properties"]["body"]["required"] == ["reason"]
    assert [[request[2] for request in seen] for _, _, seen in results] == [
        ["opType=1"],
        ["reason=%E6%97%A7&opType=2"],
        [],
        [],
        [],
        ["trace=x&opType=1"],
    ]
    assert "would change what the call does" in results[4][1]


def test_a_reading_tool_cannot_be_made_to_delete(run: Run) -> None:
    listed, results = run(
        ("list_mails", {}),
        ("list_mails", {"purge": True}),
        ("list_mails_and_purge", {}),
        ("list_mails", {"where": {"_method": "DELETE"}}),
        ("list_mails", {"where": {"from": "me"}}),
    )
    assert list(listed["list_mails"]["inputSchema"]["properties"]) == ["where"]
    assert listed["list_mails_and_purge"]["annotations"]["destructiveHint"]
    assert [[request[1] for request in seen] for _, _, seen in results] == [
        ["https://yard.test/mails"],
        [],
        ["https://yard.test/mails?purge=true"],
        [],
        ["https://yard.test/mails?from=me"],
    ]


def test_inspect_says_why(project: Path) -> None:
    done = CliRunner().invoke(main, ["inspect", str(project), "--format", "json", "--why"])
    tools = {tool["name"]: tool for tool in json.loads(done.stdout)["tools"]}
    assert tools["cancel_order"]["fixed"] == {"opType": 2}
    assert "取消" in tools["cancel_order"]["reason"]
    assert '"purge"' in tools["list_mails_and_purge"]["reason"]
    assert "fixed" not in tools["list_mails"]


def test_the_project_passes_its_own_tests_and_is_typed(
    project: Path, expect_sound: Callable[..., None]
) -> None:
    expect_sound(project, "src/yard_mcp/tools", "src/yard_mcp/server.py")

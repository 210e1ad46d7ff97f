"""A generated project's executor, used by a program of its own, against an API on a loopback port."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mcpgen.cli.main import main

SPEC = """
openapi: 3.1.0
info: {title: Stock, version: "1"}
paths:
  /items/{item_id}:
    parameters: [{name: item_id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: getItem
      parameters: [{name: fresh, in: query, schema: {type: boolean}}]
      responses: {"200": {description: An item., content: {application/json: {schema: {type: object}}}}}
    delete:
      operationId: deleteItem
      responses: {"204": {description: Gone.}}
  /items:
    post:
      operationId: createItem
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [name]
              properties: {name: {type: string}, note: {type: string}}
      responses: {"201": {description: Made., content: {application/json: {schema: {type: object}}}}}
"""


class Api(ThreadingHTTPServer):
    """Remembers what it was asked, and how much was going on at the same time."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.running: list[str] = []
        self.seen: list[tuple[str, Any, int]] = []
        self.changed = threading.Condition()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Api

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        asked = f"{self.command} {self.path}"
        with self.server.changed:
            self.server.running.append(asked)
            self.server.seen.append((asked, json.loads(body or b"null"), len(self.server.running)))
            self.server.changed.notify_all()
            if asked.endswith("/a"):  # it is answered after another one that comes while it waits
                self.server.changed.wait_for(lambda: len(self.server.seen) > 1, 10)
            self.server.running.remove(asked)
        answer = json.dumps({"asked": asked}).encode()
        self.send_response(200 if self.command == "GET" else 201)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_POST = do_DELETE = do_GET

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def api() -> Iterator[Api]:
    server = Api()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("executor")
    (folder / "stock.yaml").write_text(SPEC)
    target = folder / "stock"
    done = CliRunner().invoke(main, ["generate", str(folder / "stock.yaml"), "--output", str(target)])
    assert done.exit_code == 0, done.output
    return target


def run(project: Path, api: Api, program: str) -> Any:
    """What a program prints, as JSON."""
    own = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    environ = {**own, "PYTHONPATH": str(project / "src"), "STOCK_BASE_URL": api.url}
    command = [sys.executable, "-c", textwrap.dedent(program)]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


PROGRAM = """
import asyncio, json, sys
from stock_mcp.executor import open_executor

def call(called, name, /, **arguments):
    return {{"id": called, "type": "function", "function": {{"name": name, "arguments": json.dumps(arguments)}}}}

async def main():
    async with open_executor(format="openai-strict") as executor:
        answers = await executor.run({calls})
        print(json.dumps([[one["tool_call_id"], json.loads(one["content"])] for one in answers]))

asyncio.run(main())
"""


def test_answers_come_in_the_order_of_the_calls_and_writes_alone(project: Path, api: Api) -> None:
    calls = """[
        call("1", "get_item", item_id="a", fresh=None), call("2", "get_item", item_id="b", fresh=True),
        call("3", "create_item", name="x", note=None), call("4", "create_item", name="y", note="n"),
        call("5", "get_item", item_id="c", fresh=None), call("6", "get_itm"), call("7", "delete_item", item_id="c"),
    ]"""
    answers = run(project, api, PROGRAM.format(calls=calls))
    assert [called for called, _ in answers] == list("1234567")
    assert [result["ok"] for _, result in answers] == [True] * 5 + [False] * 2
    assert [result["data"]["asked"] for _, result in answers[:5]] == [
        *("GET /items/a", "GET /items/b?fresh=true", "POST /items", "POST /items", "GET /items/c"),
    ]
    assert sorted(asked for asked, _, _ in api.seen[:2]) == ["GET /items/a", "GET /items/b?fresh=true"]
    assert api.seen[0][0] != "GET /items/a" or api.seen[1][2] == 2  # `a` is answered when `b` has come
    assert api.seen[2:] == [
        ("POST /items", {"name": "x"}, 1),
        ("POST /items", {"name": "y", "note": "n"}, 1),
        ("GET /items/c", None, 1),
    ]
    assert "Close: get_item" in answers[5][1]["error"]


def test_the_definitions_are_those_of_export(project: Path, api: Api) -> None:
    """One authority: a program that was given exported definitions can use the executor."""
    wanted = [("openai-strict", "responses"), ("anthropic", "chat"), ("gemini", "chat")]
    exported = []
    for format_, name in wanted:
        more = ["--api", name] if format_.startswith("openai") else []
        done = CliRunner().invoke(main, ["export", str(project), "--format", format_, *more])
        assert done.exit_code == 0, done.stderr
        exported.append(json.loads(done.stdout))
    program = f"""
        import asyncio, json
        from stock_mcp.executor import open_executor

        async def tools(format, api):
            async with open_executor(format=format, api=api) as executor:
                return executor.tools

        print(json.dumps([asyncio.run(tools(*one)) for one in {wanted}]))
    """
    assert run(project, api, program) == exported


def test_the_example_of_the_module_runs(project: Path, api: Api) -> None:
    """With a client that stands for OpenAI's: it calls one tool, and then has an answer."""
    source = (project / "src/stock_mcp/executor.py").read_text("utf-8")
    text = ast.get_docstring(ast.parse(source)) or ""
    example = text[text.index("    async with") : text.rindex("\n\n")]
    program = f"""
import asyncio, json
from types import SimpleNamespace
from stock_mcp.executor import open_executor, run_loop

class Message(dict):
    model_dump = dict.copy

async def create(*, model, messages, tools):
    call = {{"id": "1", "type": "function", "function": {{"name": "get_item", "arguments": '{{"item_id": "b"}}'}}}}
    first = Message(role="assistant", content=None, tool_calls=[call])
    assert [tool["function"]["name"] for tool in tools] == ["create_item", "get_item"]
    said = first if len(messages) == 1 else Message(role="assistant", content="Here.", tool_calls=None)
    return SimpleNamespace(choices=[SimpleNamespace(message=said)])

client = SimpleNamespace(chat=SimpleNamespace(completions=SimpleNamespace(create=create)))

async def main():
{example}
    print(json.dumps([end.stop, end.steps, end.messages]))

asyncio.run(main())
"""
    stop, steps, messages = run(project, api, program)
    assert (stop, steps) == ("answered", 2)
    assert [message["role"] for message in messages] == ["user", "assistant", "tool", "assistant"]
    assert json.loads(messages[2]["content"])["data"] == {"asked": "GET /items/b"}

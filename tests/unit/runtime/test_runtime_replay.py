"""`replay`: the reads of an audit file are made again, and only they; what has become different is shown."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

from mcpgen.runtime import build_server
from mcpgen.runtime.cli import main

OBJECT = {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}


class Api(ThreadingHTTPServer):
    """Answers every request with what is set for its path, and remembers the requests."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers: dict[str, tuple[int, Any]] = {}
        self.seen: list[str] = []


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Api

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.seen.append(f"{self.command} {self.path}")
        status, value = self.server.answers.get(self.path, (200, {"id": 1}))
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

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


@pytest.fixture
def shop(build, op, api, monkeypatch, tmp_path):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SHOP_BASE_URL", f"http://127.0.0.1:{api.server_address[1]}")
    monkeypatch.setenv("SHOP_TOKEN", "backend-token-1")
    monkeypatch.setenv("SHOP_ALLOW_EFFECTS", "read,write,destructive")
    monkeypatch.setattr("mcpgen.runtime.secrecy.redact.logging.basicConfig", lambda **_: None)
    auth = {"token": {"type": "http", "scheme": "bearer", "env": {"token": "SHOP_TOKEN"}}}
    get = {"params": [("path", "id", {"type": "string"}, {})], "required": ["id"], "data": OBJECT}
    return build(
        auth,
        get_order=op(path="/orders/{id}", more={"security": [{"token": []}]}, **get),
        get_secret=op(path="/keys", params=[("query", "api_key", {"type": "string"}, {})]),
        add_order=op(method="POST", path="/orders", effect="write"),
        drop_order=op(method="DELETE", path="/orders", effect="destructive"),
    )


@pytest.fixture
def recorded(shop, tmp_path, api):
    """Makes calls with an audit and gives its file."""
    path = tmp_path / "audit.jsonl"

    def record(*calls: tuple[str, dict[str, Any]]) -> Path:
        async def run() -> None:
            server = build_server(shop.name, environ=_environ(SHOP_AUDIT=str(path)))
            async with Client(server) as client:
                for tool, arguments in calls:
                    await client.call_tool(tool, arguments)

        anyio.run(run)
        api.seen.clear()
        return path

    return record


def _environ(**more: str) -> dict[str, str]:
    return {**os.environ, **more}


def test_nothing_is_different(shop, api, recorded, capsys) -> None:
    api.answers["/orders/2"] = 200, {"id": 2, "list": [{"token": "t"}] * 3}
    path = recorded(("get_order", {"id": "1"}), ("get_order", {"id": "2"}))
    before = path.read_bytes()
    assert main(shop.name, ["replay", str(path)]) == 0
    assert capsys.readouterr().out == "2 reads made again, 0 different\n"
    assert api.seen == ["GET /orders/1", "GET /orders/2"]
    assert path.read_bytes() == before


def test_what_has_become_different_is_shown(shop, api, recorded, capsys) -> None:
    api.answers["/orders/3"] = 200, {"id": 3, "text": "x" * 30_000}
    calls = [("get_order", {"id": str(number)}) for number in (1, 2, 3, 4)]
    path = recorded(*calls)
    api.answers["/orders/1"] = 404, {"message": "gone"}
    api.answers["/orders/2"] = 200, {"id": 5, "note": ["new"], "token": "of the order"}
    api.answers["/orders/3"] = 200, {"id": 3, "text": "x" * 30_001}
    api.answers["/orders/4"] = 200, {"id": "four"}
    assert main(shop.name, ["replay", str(path)]) == 1
    told = capsys.readouterr().out
    for line in (
        'get_order {"id":"1"} (line 1, ',
        '\n  ok: true -> false\n  status: 200 -> 404\n  category: added "not_found"\n',
        '\n  data /id: 1 -> 5\n  data /note: added ["new"]\n  data /token: added "[redacted]"\n',
        "\n  data (SHA-256): ",
        '\n  schema: added "broken"\n  data /id: 1 -> "four"\n',
        "\n4 reads made again, 4 different\n",
    ):
        assert line in told
    assert "of the order" not in told


def test_as_json(shop, api, recorded, capsys) -> None:
    path = recorded(("get_order", {"id": "1"}), ("get_order", {"id": "2"}))
    api.answers["/orders/2"] = 200, {"id": 7}
    assert main(shop.name, ["replay", str(path), "--format", "json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told == {
        "replayed": 2,
        "different": [
            {
                "line": 2,
                "tool": "get_order",
                "arguments": {"id": "2"},
                "differences": [{"place": "data /id", "kind": "changed", "before": 1, "after": 7}],
                "more": 0,
            }
        ],
        "left_out": {},
        "malformed": [],
    }


def test_only_what_may_be_made_again_is(shop, api, recorded, capsys) -> None:
    api.answers["/orders/9"] = 500, {}
    path = recorded(
        ("get_order", {"id": "1"}),
        ("get_order", {"id": "1"}),
        ("get_order", {"id": "9"}),
        ("get_secret", {"api_key": "of the caller"}),
        ("get_order", {"id": "x" * 2000}),
        ("add_order", {}),
    )
    # A line that claims a dangerous tool reads is not believed; nor is one of a tool that there is none of.
    forged = {"tool": "drop_order", "effect": "read", "outcome": "ok", "arguments": {}, "result_sha256": "0"}
    with path.open("a") as file:
        file.write(json.dumps(forged) + "\n" + json.dumps(forged | {"tool": "other"}) + "\nbroken\n")
    assert main(shop.name, ["replay", str(path)]) == 0
    assert api.seen == ["GET /orders/1"]
    told = capsys.readouterr()
    assert told.out.startswith("1 reads made again, 0 different; left out: ")
    for reason in (
        "2 with arguments that are masked or cut",
        "2 not reads",
        "1 not ok in the file",
        "1 made again later in the file",
        "1 of tools that are not registered",
    ):
        assert reason in told.out
    assert f"{path}, line 9 is not an audit line and is left out" in told.err


def test_one_tool_and_a_limit(shop, api, recorded, capsys) -> None:
    path = recorded(*(("get_order", {"id": str(number)}) for number in range(5)), ("get_secret", {}))
    assert main(shop.name, ["replay", str(path), "--tool", "get_order", "--limit", "2"]) == 0
    assert api.seen == ["GET /orders/0", "GET /orders/1"]
    assert capsys.readouterr().out == "2 reads made again, 0 different; left out: 3 beyond the limit\n"


def test_a_replay_writes_no_audit(shop, api, recorded, monkeypatch) -> None:
    path = recorded(("get_order", {"id": "1"}))
    monkeypatch.setenv("SHOP_AUDIT", str(path))
    before = path.read_bytes()
    assert main(shop.name, ["replay", str(path)]) == 0
    assert path.read_bytes() == before


@pytest.mark.parametrize("words", [["--tool", "get_ordre"], ["--limit", "none"], ["--format", "yaml"]])
def test_wrong_usage(shop, recorded, words, capsys) -> None:
    path = recorded(("get_order", {"id": "1"}))
    try:
        status = main(shop.name, ["replay", str(path), *words])
    except SystemExit as error:
        status = int(str(error.code))
    assert status == 2
    assert words[1] in capsys.readouterr().err


def test_a_missing_file_and_wrong_settings(shop, tmp_path, monkeypatch, capsys) -> None:
    assert main(shop.name, ["replay", str(tmp_path / "none")]) == 2
    monkeypatch.setenv("SHOP_ALLOW_EFFECTS", "raed")
    assert main(shop.name, ["replay", str(tmp_path / "none")]) == 2
    assert "SHOP_ALLOW_EFFECTS" in capsys.readouterr().err


def test_differences_show_no_credential(shop, api, recorded, capsys) -> None:
    path = recorded(("get_order", {"id": "1"}))
    api.answers["/orders/1"] = 200, {"id": 1, "said": "Bearer backend-token-1"}
    assert main(shop.name, ["replay", str(path)]) == 1
    told = capsys.readouterr().out
    assert 'data /said: added "Bearer [redacted]"' in told
    assert "backend-token-1" not in told

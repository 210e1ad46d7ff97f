"""`mcpgen verify`: a faithful API has no drift, each known drift is found and nothing else, and nothing is done that was not allowed."""

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mcpgen.cli.main import main
from mcpgen.preview.serving import serving

pytest.importorskip("schemathesis")

ORDERS = Path(__file__).parents[2] / "specs" / "orders"
SPEC = (ORDERS / "openapi.yaml").read_text("utf-8")
TOKEN = "verify-test-token"
READS = ["get_order", "get_tracking", "query_order", "search_orders"]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("verify") / "orders"
    spec = folder.parent / "openapi.yaml"
    spec.write_text(SPEC, "utf-8")
    done = CliRunner().invoke(main, ["generate", str(spec), "-q", "--output", str(folder)])
    assert done.exit_code == 0, done.output
    return folder


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.syspath_prepend(str(ORDERS))
    import backend

    yield backend.create_app(TOKEN)
    for name in ("backend", "store"):
        sys.modules.pop(name, None)


class Drifting:
    """The real back end, except that answers of one operation are changed on their way out. Counts what comes in."""

    def __init__(
        self,
        app: ASGIApp,
        method: str = "",
        end: str = "",
        change: Callable[[dict[str, Any]], None] | None = None,
    ) -> None:
        self._app, self._method, self._end, self._change = app, method, end, change
        self.methods: list[str] = []
        self.targets: list[str] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.methods.append(scope["method"])
        self.targets.append(f"{scope['path']}?{scope['query_string'].decode()}")
        sent: list[Message] = []

        async def keep(message: Message) -> None:
            sent.append(message)

        await self._app(scope, receive, keep)
        body = b"".join(m.get("body", b"") for m in sent)
        answer: dict[str, Any] = {"status": sent[0]["status"], "type": "application/json", "body": body}
        headers = {k.decode(): v.decode() for k, v in sent[0]["headers"]}
        answer["type"] = headers.get("content-type")
        hit = (
            self._change is not None and scope["method"] == self._method and scope["path"].endswith(self._end)
        )
        if hit and answer["status"] == 200:
            assert self._change is not None
            self._change(answer)
        kept = {"content-type": answer["type"]} if answer["type"] else {}
        await Response(answer["body"], answer["status"], kept)(scope, receive, send)


def verify(project: Path, url: str, *options: str, env: Mapping[str, str] | None = None) -> Result:
    given = {"ORDERS_BEARER_AUTH_TOKEN": TOKEN} if env is None else env
    return CliRunner().invoke(
        main, ["verify", str(project), "--base-url", url, "--budget", "10m", *options], env=dict(given)
    )


def report_of(result: Result, status: int) -> dict[str, Any]:
    assert result.exit_code == status, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


@contextmanager
def served(app: ASGIApp) -> Iterator[str]:
    with serving(app) as root:
        yield f"{root}/v1"


def test_faithful_api_has_no_drift_and_writes_are_not_sent(
    project: Path, backend: ASGIApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    app = Drifting(backend)
    with served(app) as url:
        report = report_of(verify(project, url, "--format", "json", "--cases", "8"), 0)
    tools = {tool["tool"]: tool for tool in report["tools"]}
    assert [name for name, tool in tools.items() if tool["verdict"] == "conforms"] == READS
    assert report["summary"] == {"conforms": 4, "drifts": 0, "unproven": 0, "not_called": 4}
    assert all("--effects read," in tools[name]["reason"] for name in tools.keys() - {*READS})
    # `query_order` reads by POST: the tool is fixed to `action: query`.
    posts = app.methods.count("POST")
    assert posts == tools["query_order"]["calls"] > 0
    assert set(app.methods) == {"GET", "POST"}
    # Tracking exists for shipped orders only: the numbers come from the list, not from the spec alone.
    assert "200" in tools["get_tracking"]["statuses"]
    assert os.listdir(tmp_path) == [], "nothing is left behind in the working folder"


def test_writes_and_deletions_are_made_where_each_is_named(project: Path, backend: ASGIApp) -> None:
    app = Drifting(backend)
    with served(app) as url:
        result = verify(project, url, "--format", "json", "--effects", "read,write,destructive")
        report = report_of(result, 0)
    assert report["summary"]["not_called"] == 0
    assert report["summary"]["drifts"] == 0
    assert "DELETE" in app.methods
    assert report["effects"] == ["read", "write", "destructive"]


def without_required_field(answer: dict[str, Any]) -> None:
    value = json.loads(answer["body"])
    del value["refunded_cents"]
    answer["body"] = json.dumps(value).encode()


def with_wrong_type(answer: dict[str, Any]) -> None:
    value = json.loads(answer["body"])
    for order in value["orders"]:
        order["total_cents"] = str(order["total_cents"])
    answer["body"] = json.dumps(value).encode()


def line_of(text: str) -> int:
    return next(n for n, line in enumerate(SPEC.splitlines(), 1) if text in line)


DRIFTS: dict[str, tuple[str, str, str, Callable[[dict[str, Any]], None], str, str]] = {
    "required": (
        "get_order",
        "GET",
        "00003",
        without_required_field,
        "body-breaks-schema",
        '"refunded_cents" is a',
    ),
    "type": (
        "search_orders",
        "GET",
        "/orders",
        with_wrong_type,
        "body-breaks-schema",
        "orders[].total_cents",
    ),
    "status": (
        "get_order",
        "GET",
        "00003",
        lambda answer: answer.update(status=218),
        "undocumented-status",
        "218 is not documented; documented: 200, 400, 401, 404",
    ),
    "content-type": (
        "query_order",
        "POST",
        "/manage",
        lambda answer: answer.update(type="text/html"),
        "undocumented-content-type",
        "text/html; documented: application/json",
    ),
    "server-error": (
        "query_order",
        "POST",
        "/manage",
        lambda answer: answer.update(status=500),
        "server-error",
        "failed with the status 500",
    ),
    "no-json": (
        "search_orders",
        "GET",
        "/orders",
        lambda answer: answer.update(body=answer["body"][:-1]),
        "unreadable-body",
        "200",
    ),
}


@pytest.mark.parametrize("name", DRIFTS)
def test_drift_is_found_and_nothing_else(name: str, project: Path, backend: ASGIApp) -> None:
    tool, method, end, change, kind, text = DRIFTS[name]
    with served(Drifting(backend, method, end, change)) as url:
        report = report_of(verify(project, url, "--format", "json", "--cases", "3"), 1)
    found = [(entry["tool"], one) for entry in report["tools"] for one in entry["findings"]]
    assert [(where, one["kind"]) for where, one in found] == [(tool, kind)]
    [(_, finding)] = found
    assert text in finding["detail"]
    assert finding["request"].startswith(f"{method} /v1/orders")
    assert finding["place"]["file"].endswith("openapi.yaml")
    assert TOKEN not in json.dumps(report)


def test_place_is_the_schema_that_is_broken(project: Path, backend: ASGIApp) -> None:
    with served(Drifting(backend, "GET", "/orders", with_wrong_type)) as url:
        result = verify(project, url, "--cases", "1", "--tool", "search_orders")
    assert result.exit_code == 1
    line = line_of("total_cents: {type: integer, minimum: 0, description: What the customer paid.}")
    [place] = [text for text in result.stdout.splitlines() if "drift[body-breaks-schema]" in text]
    assert f"openapi.yaml:{line}: drift[body-breaks-schema]: GET /orders: 200, orders[].total_cents:" in place
    assert '    call: search_orders {"' in result.stdout or "    call: search_orders {}" in result.stdout
    assert "    sent: GET /v1/orders" in result.stdout


def test_same_seed_gives_the_same_calls_and_report(project: Path, backend: ASGIApp) -> None:
    def made(seed: str) -> tuple[list[str], Any]:
        app = Drifting(backend, "GET", "/orders", with_wrong_type)
        with served(app) as url:
            options = ("--format", "json", "--tool", "search_orders", "--cases", "4", "--seed", seed)
            report = report_of(verify(project, url, *options), 1)
        return app.targets, report["tools"]

    first = made("7")
    assert first == made("7")
    assert first[0] != made("8")[0]


def test_report_for_a_pull_request(project: Path, backend: ASGIApp) -> None:
    with served(Drifting(backend, "GET", "/orders", with_wrong_type)) as url:
        result = verify(project, url, "--format", "markdown", "--cases", "1")
    assert result.exit_code == 1
    assert result.stdout.startswith("## API drift\n")
    assert "### `GET /orders`: body-breaks-schema" in result.stdout
    assert "| `create_refund` | `POST /orders/{order_id}/refunds` | not called | 0 |" in result.stdout


def test_budget_of_calls_is_kept(project: Path, backend: ASGIApp) -> None:
    app = Drifting(backend)
    with served(app) as url:
        report = report_of(verify(project, url, "--format", "json", "--max-calls", "2"), 0)
    assert report["calls"] == 2 == len(app.methods)
    assert "--max-calls" in report["ended_early"]
    assert "the budget ended before" in [tool["reason"] for tool in report["tools"]]


def test_wrong_credentials_stop_the_run(project: Path, backend: ASGIApp) -> None:
    with served(Drifting(backend)) as url:
        result = verify(project, url, env={"ORDERS_BEARER_AUTH_TOKEN": "wrong"})
    assert result.exit_code == 2
    assert "Every call was refused (answered 401)" in result.stderr
    assert "ORDERS_BEARER_AUTH_TOKEN" in result.stderr


def test_missing_credentials_stop_the_run(project: Path, backend: ASGIApp) -> None:
    app = Drifting(backend)
    with served(app) as url:
        result = verify(project, url, env={})
    assert result.exit_code == 2
    assert "needs a credential that is not set" in result.stderr
    assert app.methods == []


def test_unreachable_api_stops_the_run(project: Path, backend: ASGIApp) -> None:
    with served(backend) as url:
        pass
    result = verify(project, url)
    assert result.exit_code == 2
    assert f"{url} cannot be reached" in result.stderr


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--effects", "all"], "'all' is no effect; name each of read, write, destructive"),
        (["--effects", ""], "no effect is named"),
        (["--budget", "soon"], "'soon' is no duration"),
        (["--base-url", "api.example.com"], "is relative"),
        (["--base-url", "https://me:secret@api.example.com"], "holds a user name or password"),
    ],
)
def test_wrong_usage(options: list[str], text: str, project: Path) -> None:
    result = CliRunner().invoke(main, ["verify", str(project), "--base-url", "http://127.0.0.1:9", *options])
    assert result.exit_code == 2
    assert text in " ".join(result.stderr.split())


def test_missing_extra_is_named(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcpgen.cli.verify.find_spec", lambda name: None)
    result = CliRunner().invoke(main, ["verify", str(project), "--base-url", "http://127.0.0.1:9"])
    assert result.exit_code == 2
    assert "pip install 'mcpgen[verify]'" in " ".join(result.stderr.split())


def test_folder_without_a_project_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["verify", str(tmp_path), "--base-url", "http://127.0.0.1:9"])
    assert result.exit_code == 2
    assert "holds no mcpgen.lock" in result.stderr


def test_unknown_identifiers_prove_nothing(tmp_path: Path) -> None:
    """Only 404 is no conformity; and an identifier that a list gave is used."""
    spec = {
        "openapi": "3.1.0",
        "info": {"title": "Shelf", "version": "1"},
        "paths": {
            "/books": {"get": {"operationId": "listBooks", "responses": {"200": _json({"type": "array"})}}},
            "/books/{id}": {"get": _by_id("getBook")},
            "/films/{id}": {"get": _by_id("getFilm")},
        },
    }
    (tmp_path / "shelf.json").write_text(json.dumps(spec))
    made = CliRunner().invoke(
        main, ["generate", str(tmp_path / "shelf.json"), "-q", "--output", str(tmp_path / "shelf")]
    )
    assert made.exit_code == 0, made.output

    async def books(request: Request) -> Response:
        return JSONResponse([{"id": "b-77", "title": "Dune"}])

    async def one(request: Request) -> Response:
        known = request.url.path == "/v1/books/b-77"
        return JSONResponse({"id": "b-77"}, 200 if known else 404)

    app = Starlette(routes=[Route("/v1/books", books), Route("/v1/{kind}/{id:path}", one)])
    with served(app) as url:
        report = report_of(verify(tmp_path / "shelf", url, "--format", "json", env={}), 0)
    verdicts = {tool["tool"]: (tool["verdict"], tool["reason"]) for tool in report["tools"]}
    assert verdicts["list_books"] == ("conforms", None)
    assert verdicts["get_book"] == ("conforms", None)
    assert verdicts["get_film"] == ("unproven", "only 404 seen")


def test_an_api_that_limits_requests_is_no_drift(project: Path, backend: ASGIApp) -> None:
    """The server waits as it is told and asks again; an API that goes on like this ends the run."""
    app = Drifting(backend, "GET", "/orders", lambda answer: answer.update(status=429, type="text/plain"))
    with served(app) as url:
        options = ("--format", "json", "--tool", "search_orders", "--cases", "9")
        env = {"ORDERS_BEARER_AUTH_TOKEN": TOKEN, "ORDERS_RETRIES": "0"}
        report = report_of(verify(project, url, *options, env=env), 0)
    [tool] = report["tools"]
    assert (tool["verdict"], tool["reason"]) == ("unproven", "only 429 seen")
    assert "--rate" in report["ended_early"]
    assert len(app.methods) == tool["calls"] == 5


def test_a_fault_of_the_generated_code_is_told_from_one_of_the_api(
    project: Path, backend: ASGIApp, tmp_path: Path
) -> None:
    edited = tmp_path / "orders"
    shutil.copytree(project, edited)
    (tmp_path / "openapi.yaml").write_text(SPEC, "utf-8")
    hooks = edited / "src" / "orders_mcp" / "hooks.py"
    hooks.write_text("def before_request(*given):\n    raise RuntimeError('broken')\n", "utf-8")
    with served(backend) as url:
        report = report_of(verify(edited, url, "--format", "json", "--tool", "get_order", "--cases", "1"), 1)
    [finding] = report["tools"][0]["findings"]
    assert finding["kind"] == "tool-fault"
    assert finding["detail"].startswith("The tool, not the API: ")
    assert finding["request"] == "nothing was sent"


def test_a_certificate_that_cannot_be_used_stops_the_run(project: Path) -> None:
    result = verify(project, "https://127.0.0.1:9", env={"ORDERS_CLIENT_CERT": "/nowhere.pem"})
    assert result.exit_code == 2
    assert "The client certificate cannot be used: there is no file /nowhere.pem." in result.stderr


def test_a_server_that_does_not_start_is_reported_with_its_log(project: Path, tmp_path: Path) -> None:
    broken = tmp_path / "orders"
    shutil.copytree(project, broken)
    (tmp_path / "openapi.yaml").write_text(SPEC, "utf-8")
    (broken / "src" / "orders_mcp" / "__main__.py").write_text("raise SystemExit('no such luck')\n", "utf-8")
    result = verify(broken, "http://127.0.0.1:9")
    assert result.exit_code == 2
    assert "server: no such luck" in result.stderr
    assert "The generated server did not answer" in result.stderr


def test_a_spec_that_changed_since_is_mentioned(project: Path, backend: ASGIApp, tmp_path: Path) -> None:
    changed = tmp_path / "openapi.yaml"
    changed.write_text(SPEC.replace("version: 1.0.0", "version: 1.0.1"), "utf-8")
    options = ("--tool", "search_orders", "--cases", "1", "--spec", str(changed))
    with served(backend) as url:
        result = verify(project, url, *options)
    assert result.exit_code == 0, result.output
    assert "the spec is no longer the one" in result.stderr


def _json(schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": "", "content": {"application/json": {"schema": schema}}}


def _by_id(name: str) -> dict[str, Any]:
    parameter = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}
    return {
        "operationId": name,
        "parameters": [parameter],
        "responses": {"200": _json({"type": "object"}), "404": _json({"type": "object"})},
    }

"""Listing, registration, hooks, crashes, start-up: what the server does around its calls."""

from __future__ import annotations

import json
import subprocess
import sys

import httpx2
import mcp_types as mt
import pytest
from mcp import Client, MCPError

from mcpgen.runtime import CatalogError, SettingsError, build_server
from mcpgen.runtime.catalog import Catalog
from mcpgen.runtime.hooks import HooksError
from mcpgen.runtime.setup.settings import Settings
from mcpgen.runtime.setup.variables import VARIABLES

pytestmark = pytest.mark.anyio


@pytest.fixture
def many(build, op):
    return build(
        **{f"get_{n:02}": op(toolset="a" if n % 2 else "b") for n in range(5)},
        add=op(method="POST", effect="write", toolset="a"),
    )


async def names(client: Client) -> list[str]:
    found, cursor = [], None
    while True:
        page = await client.list_tools(cursor=cursor)
        found += [tool.name for tool in page.tools]
        cursor = page.next_cursor
        if cursor is None:
            return found


async def test_the_list_is_one_page_by_default(many, mode) -> None:
    async with Client(many.server(), mode=mode) as client:
        page = await client.list_tools()
    assert page.next_cursor is None
    assert [tool.name for tool in page.tools] == ["add", *(f"get_{n:02}" for n in range(5))]
    wire = json.loads((many.root / "catalog.json").read_text())["tools"]
    shown = [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in page.tools]
    assert [{key: tool[key] for key in wire[0]} for tool in shown] == wire


@pytest.mark.parametrize("size", [1, 2, 4, 6, 100])
async def test_pages(many, mode, size) -> None:
    async with Client(many.server(SHOP_PAGE_SIZE=str(size)), mode=mode, cache=None) as client:
        assert len((await client.list_tools()).tools) == min(size, 6)
        assert await names(client) == ["add", *(f"get_{n:02}" for n in range(5))]


@pytest.mark.parametrize("size", ["0", "2"])
@pytest.mark.parametrize("cursor", ["nonsense", "dDo5OQ==", "eDoy", ""])
async def test_wrong_cursors_are_protocol_errors(many, mode, size, cursor) -> None:
    async with Client(many.server(SHOP_PAGE_SIZE=size), mode=mode, cache=None) as client:
        with pytest.raises(MCPError) as caught:
            await client.list_tools(cursor=cursor)
    assert caught.value.error.code == mt.INVALID_PARAMS


async def test_each_era_gets_its_own_envelope(many) -> None:
    for era, keys in (
        ("auto", {"resultType", "ttlMs", "cacheScope", "tools", "_meta"}),
        ("legacy", {"tools"}),
    ):
        seen = []
        server = many.server()

        async def watch(ctx, call_next, seen=seen):
            result = await call_next(ctx)
            if ctx.method == "tools/list":
                seen.append(set(result))
            return result

        server.middleware.insert(0, watch)
        async with Client(server, mode=era) as client:
            await client.list_tools()
        assert seen == [keys]


async def test_toolsets_and_effects_decide_what_is_registered(many, mode) -> None:
    async with Client(many.server(SHOP_TOOLSETS="a", SHOP_ALLOW_EFFECTS="read"), mode=mode) as client:
        assert await names(client) == ["get_01", "get_03"]
        for name in ("get_00", "add", "nope"):
            with pytest.raises(MCPError) as caught:
                await client.call_tool(name, {})
            assert caught.value.error.code == mt.INVALID_PARAMS
    assert many.requests == []


async def test_the_server_tells_who_it_is(many, mode) -> None:
    async with Client(many.server(), mode=mode) as client:
        assert (client.server_info.name, client.server_info.version) == ("shop-mcp", "1.0.0")
        assert client.server_capabilities.tools is not None
        assert client.server_capabilities.resources is None
        assert client.instructions == "A shop."


HOOKS = """
async def before_request(call, request):
    request.headers["X-Signature"] = str(len(request.content or b""))
    request.headers["X-Trace"] = call.trace_id


async def after_result(call, result):
    from dataclasses import replace
    if not call.arguments:
        return None
    return replace(result, notes=(*result.notes, call.operation.tool))
"""


async def test_hooks_see_requests_and_results(build, op) -> None:
    package = build({}, HOOKS, get=op(params=[("query", "q", {"type": "string"}, {})]))
    assert (await package.told("get", {"q": "x"}))["note"] == "get"
    package.requests.clear()
    assert "note" not in await package.told("get")
    assert package.sent.headers["x-signature"] == "0"
    assert len(package.sent.headers["x-trace"]) == 16


@pytest.mark.parametrize("name", ["before_request", "after_result"])
async def test_a_hook_that_crashes_is_an_internal_failure(build, op, caplog, name, mode) -> None:
    package = build({}, f"async def {name}(call, thing):\n    raise KeyError('hidden-detail')\n", get=op())
    found = await package.told("get", mode=mode)
    assert (found["category"], found["retryable"]) == ("internal", False)
    assert "hidden-detail" not in json.dumps(found)
    assert found["trace_id"] in caplog.text
    assert "hidden-detail" in caplog.text


async def test_a_result_that_is_no_json_is_an_internal_failure(build, op) -> None:
    hook = "async def after_result(call, result):\n    return type(result)(data=object())\n"
    assert (await build({}, hook, get=op()).told("get"))["category"] == "internal"


async def test_a_broken_hooks_module_is_not_ignored(build, op) -> None:
    with pytest.raises(HooksError, match="No module named 'no_such_module_at_all'"):
        await build({}, "import no_such_module_at_all\n", get=op()).told("get")


async def test_a_tool_function_can_read_the_answer_as_a_model(build, op) -> None:
    package = build(get=op())
    (package.root / "tools" / "things.py").write_text(
        "from pydantic import BaseModel\n"
        "from mcpgen.runtime import Result\n"
        "class Thing(BaseModel):\n    id: int\n"
        "async def get(call):\n"
        "    result = await call.send(query={'from_code': 1})\n"
        "    return Result(data={'twice': result.model(Thing).id * 2})\n"
    )
    package.answer(httpx2.Response(200, json={"id": 4}))
    assert (await package.told("get"))["data"] == {"twice": 8}
    assert package.target == "/v1/things?from_code=1"


async def test_progress_reaches_the_client(build, op, mode) -> None:
    package = build(get=op())
    (package.root / "tools" / "things.py").write_text(
        "async def get(call):\n    await call.progress(1, 2, 'half')\n    return await call.send()\n"
    )
    seen = []

    async def progress(done, total, message):
        seen.append((done, total, message))

    async with Client(package.server(), mode=mode) as client:
        await client.call_tool("get", {}, progress_callback=progress)
    assert seen == [(1, 2, "half")]


def test_a_missing_or_foreign_catalogue_is_told(tmp_path, monkeypatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "empty_package_x").mkdir()
    (tmp_path / "empty_package_x" / "__init__.py").write_text("")
    with pytest.raises(CatalogError):
        build_server("empty_package_x", environ={})
    (tmp_path / "empty_package_x" / "catalog.json").write_text('{"schema_version": 2}')
    with pytest.raises(CatalogError, match="version 2"):
        build_server("empty_package_x", environ={})


@pytest.fixture
def settings(many):
    catalog = Catalog.load(many.name)
    return lambda **environ: Settings.read(
        catalog, {f"SHOP_{name}": value for name, value in environ.items()}
    )


def test_defaults(settings) -> None:
    found = settings()
    assert found == Settings()
    assert (found.allow_effects, found.confirm, found.mode) == ({"read", "write"}, "destructive", "all")
    assert settings(TIMEOUT=" ", MODE="") == found


@pytest.mark.parametrize(
    ("name", "value", "word"),
    [
        ("ALLOW_EFFECTS", "", "empty"),
        ("TOOLSETS", " ", "empty"),
        ("CONFIRM", "always", "never, destructive, write"),
        ("MODE", "serach", "did you mean 'search'"),
        ("PAGE_SIZE", "-1", "less than 0"),
        ("TIMEOUT", "nan", "not a finite number"),
        ("TIMEOUT", "soon", "not a number"),
        ("BASE_URL", "api.example.com", "absolute"),
        ("BASE_URL", "ftp://x/", "absolute"),
        ("BASE_URL", "https://u:p@x/", "no user"),
        ("BASE_URL", "https://x/?k=1", "no user, query"),
        ("STATE_KEYS", "short", "32 bytes"),
        ("LOG_LEVEL", "loud", "DEBUG"),
    ],
)
def test_wrong_values(settings, name, value, word) -> None:
    with pytest.raises(SettingsError) as caught:
        settings(**{name: value})
    [problem] = caught.value.problems
    assert problem.startswith(f"SHOP_{name}")
    assert word in problem


def test_every_setting_is_documented() -> None:
    assert {variable.field for variable in VARIABLES} == set(Settings.__dataclass_fields__) - {"policies"}


def test_documented_defaults_are_the_real_ones() -> None:
    for variable in VARIABLES:
        if variable.default:
            assert variable.parse(variable.default) == getattr(Settings(), variable.field), variable.name


def test_starting_imports_no_tool_and_no_validator(many) -> None:
    code = (
        "import sys\n"
        "from mcpgen.runtime import build_server\n"
        f"build_server({many.name!r}, environ={{}})\n"
        f"late = [m for m in ('jsonschema', {many.name + '.tools.things'!r}, 'jinja2', 'black') if m in sys.modules]\n"
        "sys.exit(', '.join(late) or 0)\n"
    )
    path = f"import sys; sys.path[:0] = {[str(many.root.parent), *sys.path]!r}\n"
    done = subprocess.run(
        [sys.executable, "-c", path + code], check=False, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_library_imports_only_what_generated_packages_have() -> None:
    import ast
    from pathlib import Path

    import mcpgen.runtime

    allowed = {
        "mcp",
        "mcp_types",
        "httpx2",
        "jsonschema",
        "pydantic",
        "pydantic_core",
        "anyio",
        "uvicorn",
    } | set(sys.stdlib_module_names)
    for file in Path(mcpgen.runtime.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                assert node.module.split(".")[0] in allowed, f"{file.name}: {node.module}"
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 1, f"{file.name}: leaves the package"
            elif isinstance(node, ast.Import):
                assert all(name.name.split(".")[0] in allowed for name in node.names), file.name

"""Two servers that share one run-time library, installed from wheels, and what happens when it is missing or another one."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

import anyio
import pytest
from click.testing import CliRunner
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from mcpgen.cli.main import main
from mcpgen.render.library import read_library

NAMES = ("boats", "cars")
OWN_TOOL = """
import logging
from ._runtime import Call, Result, tool

@tool(effect="read")
async def count(call: Call) -> Result[int]:
    \"\"\"Counts.\"\"\"
    logging.getLogger(__name__).debug("counting")
    found = await call.use("list_NAME", {})
    return Result(data=len(found.value)) if found.ok else found
"""


def write_spec(folder: Path, name: str) -> Path:
    schema = {"type": "array", "items": {"type": "string"}}
    operation = {
        "operationId": f"list_{name}",
        "summary": f"Lists {name}.",
        "responses": {"200": {"description": "All.", "content": {"application/json": {"schema": schema}}}},
    }
    document = {
        "openapi": "3.1.0",
        "info": {"title": name.title(), "version": "1"},
        "servers": [{"url": f"https://{name}.example.test"}],
        "paths": {f"/{name}": {"get": operation}},
    }
    path = folder / f"{name}.json"
    path.write_text(json.dumps(document))
    return path


def mcpgen(*arguments: str | Path, status: int = 0) -> str:
    done = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert done.exit_code == status, done.stdout + done.stderr
    return done.stdout + done.stderr


def python(*arguments: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHONPATH", "PYTEST"))}
    command = [sys.executable, *arguments]
    return subprocess.run(
        command,
        cwd=cwd,
        env={**clean, **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def wheel(project: Path, folder: Path) -> None:
    done = python("-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), ".", cwd=project)
    assert done.returncode == 0, done.stdout + done.stderr


@dataclass(frozen=True)
class Shop:
    """What a team has: projects by name, the library's project, and a folder in which all three are installed."""

    projects: Mapping[str, Path]
    library: Path
    site: Path

    @property
    def version(self) -> str:
        """Of the library, as its project says."""
        project = tomllib.loads((self.library / "pyproject.toml").read_text())["project"]
        return str(project["version"])

    @property
    def sources(self) -> str:
        """The path of Python without anything installed."""
        return os.pathsep.join(
            str(path / "src") for path in (self.library, *(self.projects[name] for name in NAMES))
        )


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Shop:
    root = tmp_path_factory.mktemp("shop")
    (root / "team.toml").write_text('[generate]\nruntime = "package"\n')
    (root / "mcpgen.toml").write_text('extends = "team.toml"\n')
    projects = {}
    for name in NAMES:
        projects[name] = root / f"{name}-mcp"
        spec = write_spec(root, name)
        mcpgen("generate", spec, "--config", root / "mcpgen.toml", "--output", projects[name])
        hooks = projects[name] / f"src/{name}_mcp/hooks.py"
        hooks.write_text(hooks.read_text() + OWN_TOOL.replace("NAME", name))
    mcpgen("runtime", "--output", root / "library")
    for project in (root / "library", *projects.values()):
        wheel(project, root / "wheels")
    wheels = [str(path) for path in sorted((root / "wheels").glob("*.whl"))]
    install = ("-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(root / "site"))
    done = python(*install, *wheels, cwd=root)
    assert done.returncode == 0, done.stderr
    return Shop(projects, root / "library", root / "site")


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = json.dumps([self.path, "second"]).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def api() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def environment(path: str | Path, url: str) -> dict[str, str]:
    return {"PYTHONPATH": str(path)} | {f"{name.upper()}_BASE_URL": url for name in NAMES}


async def calls(name: str, env: Mapping[str, str], log: Path) -> dict[str, Any]:
    """What a client sees of a server: the data of every one of its tools."""
    server = StdioServerParameters(command=sys.executable, args=["-m", f"{name}_mcp"], env=dict(env))
    found = {}
    with log.open("w") as told:
        async with Client(stdio_client(server, errlog=told)) as client:
            for tool in (await client.list_tools()).tools:
                result = await client.call_tool(tool.name, {})
                found[tool.name] = (result.structured_content or {}).get("data")
    return found


def test_two_servers_share_one_installed_library(shop: Shop, api: str, tmp_path: Path) -> None:
    assert len([path for path in shop.site.rglob("app.py") if path.parent.name == "mcpgen_runtime"]) == 1
    assert [path.name for path in shop.site.glob("*_mcp/_runtime/*.py")] == ["__init__.py"] * 2
    env = environment(shop.site, api)
    for name in NAMES:
        level = {f"{name.upper()}_LOG_LEVEL": "DEBUG"}
        log = tmp_path / name
        seen = anyio.run(calls, name, env | level, log)
        assert seen == {"count": 2, f"list_{name}": [f"/{name}", "second"]}
        assert f"{name}_mcp.hooks: counting" in log.read_text(), "the team's lines are the server's own"


def test_both_serve_in_one_process_each_with_its_own_settings(shop: Shop, api: str, tmp_path: Path) -> None:
    code = """
import asyncio, json, sys
from mcp import Client
import boats_mcp.server, cars_mcp.server
from boats_mcp.executor import open_executor

async def run():
    found = {}
    servers = [
        boats_mcp.server.build(environ={"BOATS_BASE_URL": sys.argv[1] + "/one"}),
        cars_mcp.server.build(environ={"CARS_BASE_URL": sys.argv[1] + "/two", "CARS_DENY_TOOLS": "count"}),
    ]
    async with Client(servers[0]) as boats, Client(servers[1]) as cars:
        for client in (boats, cars):
            for tool in (await client.list_tools()).tools:
                found[tool.name] = (await client.call_tool(tool.name, {})).structured_content["data"]
    async with open_executor(environ={"BOATS_BASE_URL": sys.argv[1]}) as executor:
        found["executor"] = sorted(one["function"]["name"] for one in executor.tools)
    return found

print(json.dumps(asyncio.run(run())))
"""
    done = python("-c", code, api, cwd=tmp_path, PYTHONPATH=str(shop.site))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "count": 2,
        "list_boats": ["/one/boats", "second"],
        "list_cars": ["/two/cars", "second"],
        "executor": ["count", "list_boats"],
    }


def test_an_installer_finds_the_very_library(shop: Shop) -> None:
    found = {entry.name: entry for entry in distributions(path=[str(shop.site)])}
    version = shop.version
    assert found["mcpgen-runtime"].version == version
    for name in NAMES:
        needed = [text for text in found[f"{name}-mcp"].requires or [] if "extra ==" not in text]
        assert needed == [f"mcpgen-runtime=={version}"]


STARTS = (
    ("-m", "boats_mcp"),
    ("-m", "boats_mcp", "login"),
    ("-c", "from boats_mcp.server import run; run()"),
    ("-c", "import boats_mcp.executor"),
)


def changed(shop: Shop, folder: Path, identity: str | None) -> str:
    """A path with the servers and a library that says something else of itself; None for a foreign package of its name."""
    library = folder / "mcpgen_runtime"
    library.mkdir(parents=True)
    (library / "__init__.py").touch()
    if identity is not None:
        (library / "_identity.py").write_text(identity)
    return os.pathsep.join([str(shop.projects["boats"] / "src"), str(folder)])


def refusals(shop: Shop, folder: Path) -> Iterator[tuple[str, str]]:
    """Paths of Python and what a server says there."""
    version = shop.version
    need = f"boats_mcp was generated for mcpgen-runtime {version}, and "
    install = f'pip install "mcpgen-runtime=={version}"'
    write = "`mcpgen runtime --output DIR` writes its project"
    absent = str(shop.projects["boats"] / "src")
    yield absent, f"{need}it is not installed. Install it: {install}; {write}."
    foreign = changed(shop, folder / "foreign", None)
    yield foreign, f"{need}mcpgen_runtime is something else here. Install it: {install}; {write}."
    other = changed(shop, folder / "other", 'VERSION = "0.1.0.post7"\nFINGERPRINT = "7"\n')
    follow = "run `mcpgen update` of the mcpgen that 0.1.0.post7 comes from"
    yield other, f"{need}0.1.0.post7 is installed. Install what it needs: {install}; or {follow}."
    same = changed(shop, folder / "same", f'VERSION = "{version}"\nFINGERPRINT = "7"\n')
    wrong = "what is installed under this version is not the same"
    yield same, f"{need}{wrong}. Install it again: {install} --force-reinstall."


def test_a_server_refuses_another_library_in_one_line(shop: Shop, tmp_path: Path) -> None:
    for number, (path, text) in enumerate(refusals(shop, tmp_path)):
        for start in STARTS if not number else STARTS[:1]:
            done = python(*start, cwd=tmp_path, PYTHONPATH=path)
            assert (done.returncode, done.stdout, done.stderr) == (1, "", f"{text}\n"), start


def test_a_program_can_catch_the_refusal_and_its_own_errors_stay_as_they_are(
    shop: Shop, tmp_path: Path
) -> None:
    path, text = next(refusals(shop, tmp_path))
    code = "try:\n    import boats_mcp.server\nexcept ImportError as error:\n    print(error)\nraise ValueError('mine')"
    done = python("-c", code, cwd=tmp_path, PYTHONPATH=path)
    assert (done.returncode, done.stdout) == (1, f"{text}\n")
    assert done.stderr.startswith("Traceback")
    assert done.stderr.endswith("ValueError: mine\n")


def test_a_start_imports_no_more_than_with_a_copy(shop: Shop, tmp_path: Path) -> None:
    mcpgen("generate", write_spec(tmp_path, "boats"), "--output", tmp_path / "copied")
    code = "import json, sys, boats_mcp.server; print(json.dumps(sorted(sys.modules)))"

    def imported(path: str) -> set[str]:
        done = python("-c", code, cwd=tmp_path, PYTHONPATH=path)
        assert done.returncode == 0, done.stderr
        return set(json.loads(done.stdout))

    copied = imported(str(tmp_path / "copied/src"))
    copied = {re.sub(r"^boats_mcp\._runtime\b", "mcpgen_runtime", name) for name in copied}
    assert imported(shop.sources) - copied == {"boats_mcp._runtime", "mcpgen_runtime._identity"}


def test_its_own_tests_pass_and_its_types_hold(shop: Shop, mypy_cache: None) -> None:
    project = shop.projects["boats"]
    tests = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist")
    done = python(*tests, cwd=project, PYTHONPATH=str(shop.library / "src"))
    assert done.returncode == 0, done.stdout + done.stderr
    path = os.pathsep.join(["src", str(shop.library / "src")])
    types = python("-m", "mypy", "--strict", "-p", "boats_mcp", cwd=project, MYPYPATH=path)
    assert types.returncode == 0, types.stdout + types.stderr


def test_a_name_that_is_not_public_is_none_of_the_door(shop: Shop, tmp_path: Path) -> None:
    code = "from boats_mcp import _runtime\nprint(hasattr(_runtime, 'App'))\nfrom boats_mcp._runtime import *\nprint(Result)"
    done = python("-c", code, cwd=tmp_path, PYTHONPATH=shop.sources)
    assert done.stderr == ""
    assert done.stdout == "False\n<class 'mcpgen_runtime.outcomes.result.Result'>\n"


def test_a_trial_needs_nothing_installed(shop: Shop, tmp_path: Path) -> None:
    spec = write_spec(tmp_path, "boats")
    told = mcpgen("try", spec, "--runtime", "package", "--call", "list_boats", "--keep", tmp_path / "kept")
    assert "list_boats" in told
    assert "mcpgen-runtime==" in (tmp_path / "kept/pyproject.toml").read_text()


def test_a_project_goes_from_one_mode_to_the_other_and_back(
    tmp_path: Path, read_tree: Callable[[Path], dict[str, bytes]]
) -> None:
    project = tmp_path / "boats"
    runtime = project / "src/boats_mcp/_runtime"
    mcpgen("generate", write_spec(tmp_path, "boats"), "--output", project)
    before = read_tree(runtime)
    edited = runtime / "chain/order.py"
    edited.write_text(edited.read_text() + "# ours\n")

    told = mcpgen("update", project, "--runtime", "package")
    assert f"{edited}: warning[output-kept]: The file is no longer used, but was edited by hand" in told
    assert sorted(read_tree(runtime)) == ["__init__.py", "chain/order.py"]
    assert f'"{read_library().requirement}"' in (project / "pyproject.toml").read_text()
    assert "is up to date" in mcpgen("check", project)
    assert "not up to date" in mcpgen("check", project, "--runtime", "vendored", status=1)

    mcpgen("update", project, "--runtime", "vendored")
    assert "mcpgen-runtime" not in (project / "pyproject.toml").read_text()
    assert read_tree(runtime) == {**before, "chain/order.py": before["chain/order.py"] + b"# ours\n"}
    assert "is up to date" in mcpgen("check", project)


def test_the_same_library_of_a_later_mcpgen_will_do_and_the_teams_requirements_stay(
    shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "boats"
    mcpgen("generate", write_spec(tmp_path, "boats"), "--output", project, "--runtime", "package")
    pyproject, before = project / "pyproject.toml", read_library().requirement
    pyproject.write_text(pyproject.read_text().replace(f'"{before}",', f'"{before}",\n  "acme-auth>=1",'))

    monkeypatch.setattr("mcpgen.__version__", "9.1.0")
    mcpgen("update", project)
    after = read_library().requirement
    assert after.startswith("mcpgen-runtime==9.1.0.post")
    assert f'dependencies = [\n  "{after}",\n  "acme-auth>=1",\n]' in pyproject.read_text()
    path = os.pathsep.join([str(project / "src"), str(shop.library / "src")])
    done = python("-c", "import boats_mcp.server", cwd=tmp_path, PYTHONPATH=path)
    assert (done.returncode, done.stderr) == (0, "")

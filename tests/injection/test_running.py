"""A project made from a hostile description: importing, listing, calling and testing it runs nothing of the description."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from mcpgen.diagnostics import Collector
from mcpgen.pipeline import GenerateRequest, generate

from .base import document
from .injecting import inject
from .matrix import calm_spots
from .payloads import PAYLOADS, PROOF, VENDOR_KEYS

_CALLS = """
import importlib, json, pkgutil, sys
import anyio, httpx2
from mcp import Client

RUN = {"os.system", "os.exec", "os.posix_spawn", "subprocess.Popen", "os.fork"}
def watch(event, arguments):
    if event in RUN:
        raise SystemExit(f"{event} {arguments}")
sys.addaudithook(watch)

package = sys.argv[1]
for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
catalog = json.load(open(importlib.import_module(package).__path__[0] + "/catalog.json", encoding="utf-8"))
environ = {f"{catalog['server']['env_prefix']}_{key}": value for key, value in
           {"BASE_URL": "http://api.test", "ALLOW_EFFECTS": "read,write,destructive", "CONFIRM": "never"}.items()}

async def main():
    server = importlib.import_module(f"{package}.server")
    built = server.build(environ=environ, transport=httpx2.MockTransport(lambda request: httpx2.Response(200, json={})))
    async with Client(built) as client:
        for tool in (await client.list_tools()).tools:
            names = tool.input_schema.get("required", [])
            await client.call_tool(tool.name, {name: "query" if name == "action" else "x" for name in names})

anyio.run(main)
print("done")
"""


def test_nothing_runs(tmp_path: Path) -> None:
    # An example of a path argument that climbs (`..`) is refused by the server, as it has to be.
    spots = [spot for spot in calm_spots("3.2") if spot.position != "parameter.example"]
    poisoned = inject(document("3.2"), spots, "\n".join(PAYLOADS.values()))
    for schema in poisoned["components"]["schemas"].values():
        schema.update(VENDOR_KEYS)
    target = tmp_path / "project"
    data = json.dumps(poisoned).encode()
    outcome = generate(GenerateRequest("-", target, stdin=data), Collector())
    assert not outcome.refused
    assert outcome.plan is not None
    assert [path.name for path in tmp_path.iterdir()] == ["project"]

    source = target / "src"
    package = next(path.name for path in source.iterdir())
    env = {**os.environ, "PYTHONPATH": str(source), "HOME": str(tmp_path)}
    called = subprocess.run(
        [sys.executable, "-c", _CALLS, package],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert called.stdout.strip() == "done", called.stderr[-2000:]
    tested = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=target, env=env, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert tested.returncode == 0, tested.stdout[-2000:]
    assert [path for path in tmp_path.rglob("*") if PROOF in path.name] == []

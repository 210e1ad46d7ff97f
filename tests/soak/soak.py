"""`make soak`: many clients call a server over HTTP for minutes while one answer in twenty of its API is a fault.

Every call has to be answered, no write may be done twice, a success must have been done, and the server's memory has
to stay flat.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
from mcp import Client

sys.path.insert(0, str(Path(__file__).parents[1] / "faults"))

from stub import Asked, Stub, response, running

from mcpgen.diagnostics import Collector
from mcpgen.pipeline import GenerateRequest, generate

SPEC = Path(__file__).parents[1] / "faults" / "openapi.yaml"
FAULTS = (
    "500",
    "502",
    "503",
    "429",
    "429-seconds",
    "hangup",
    "torn",
    "garbage",
    "malformed",
    "html",
    "empty",
    "404",
)
_SUCCESSES = ("fine", "malformed", "html", "empty")
_LIMIT = 1.15
"""How much more memory the server may have in the last quarter than in the second one."""


class FaultyStub(Stub):
    """Answers well, but for a share of the requests; knows what it has carried out.

    A write that meets a failure was carried out half of the time: then only its answer is lost.
    """

    def __init__(self, share: float, seed: int) -> None:
        super().__init__()
        self._share = share
        self._random = random.Random(seed)
        self.done: Counter[str] = Counter()
        self.keys: dict[str, set[str]] = {}
        self.faults = 0
        self.count = 0

    async def _answer(
        self, request: Asked, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bool:
        self.requests.clear()  # they are counted, not kept
        self.count += 1
        fault = self._random.choice(FAULTS) if self._random.random() < self._share else "fine"
        self.faults += fault != "fine"
        if fault in _SUCCESSES or self._random.random() < 0.5:
            self._carry_out(request)
        changed = Asked(request.method, f"/{fault}{request.place}", request.headers, request.body)
        if fault in ("hangup", "torn", "garbage"):
            return await super()._answer(changed, reader, writer)
        writer.write(response(changed))
        await writer.drain()
        return True

    def _carry_out(self, request: Asked) -> None:
        if request.method != "POST":
            return
        body = request.body.decode()
        key = request.headers.get("idempotency-key")
        if key is None:
            self.done[body] += 1
            return
        if key not in self.keys.setdefault(body, set()):
            self.keys[body].add(key)
            self.done[body] += 1


@dataclass
class Tally:
    """What the clients have seen."""

    calls: int = 0
    answers: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    succeeded: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


async def _client(url: str, number: int, until: float, tally: Tally) -> None:
    chooser = random.Random(number)
    mode = "legacy" if number % 2 else "auto"
    async with Client(url, mode=mode, read_timeout_seconds=60) as client:
        turn = 0
        while time.monotonic() < until:
            turn += 1
            tool, arguments, body = _call(chooser, f"{number}-{turn}")
            tally.calls += 1
            started = time.monotonic()
            try:
                result = await client.call_tool(tool, arguments)
            except Exception as error:
                tally.wrong.append(f"{tool}: {type(error).__name__}: {error}"[:200])
                continue
            tally.answers += 1
            tally.seconds.append(time.monotonic() - started)
            told = result.structured_content or {}
            if told.get("ok") is result.is_error or "ok" not in told:
                tally.wrong.append(f"{tool}: {told}"[:200])
            tally.outcomes["ok" if told.get("ok") else str(told.get("category"))] += 1
            if body and told.get("ok"):
                tally.succeeded.append(body)


def _call(chooser: random.Random, unique: str) -> tuple[str, dict[str, Any], str | None]:
    """A tool, its arguments, and the body by which the API knows a write."""
    match chooser.randrange(6):
        case 0:
            return "search_items", {"query": unique, "limit": 5}, None
        case 1:
            return "download_report", {}, None
        case 2:
            return "create_item", {"title": unique}, f'{{"title":"{unique}"}}'
        case 3:
            return "place_order", {"item_id": unique}, f'{{"item_id":"{unique}"}}'
        case 4:
            return "replace_item", {"item_id": unique, "title": "x"}, None
    return "get_item", {"item_id": unique}, None


@contextmanager
def _server(folder: Path, port_of_api: int) -> Iterator[tuple[str, int]]:
    """The URL and the process id of a generated server."""
    diagnostics = Collector()
    if generate(GenerateRequest(str(SPEC), folder), diagnostics).refused:
        raise AssertionError([str(d) for d in diagnostics])
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environ = os.environ | {
        "PYTHONPATH": str(folder / "src"),
        "FAULTY_SHOP_BASE_URL": f"http://127.0.0.1:{port_of_api}/any",
        "FAULTY_SHOP_BEARER_TOKEN": "soak",
        "FAULTY_SHOP_LOG_LEVEL": "ERROR",
        "FAULTY_SHOP_RETRY_BUDGET": "1",
        "FAULTY_SHOP_AUDIT": str(folder / "audit.jsonl"),
    }
    command = [sys.executable, "-m", "faulty_shop_mcp", "--transport", "http", "--port", str(port)]
    with subprocess.Popen(command, env=environ) as process:
        try:
            for _ in range(200):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.05)
            yield f"http://127.0.0.1:{port}/mcp", process.pid
        finally:
            process.terminate()
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()


def _resident(pid: int) -> int:
    """Resident memory of a process in KiB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1])
    raise AssertionError("no VmRSS")


@dataclass(frozen=True)
class Report:
    """What a run has shown; it was good when `problems` is empty."""

    lines: tuple[str, ...]
    problems: tuple[str, ...]


def soak(seconds: float, clients: int, share: float, seed: int = 7) -> Report:
    """Runs clients against a server for some time."""
    tally, memory, stub = Tally(), [], FaultyStub(share, seed)

    async def watch(pid: int, until: float) -> None:
        while time.monotonic() < until:
            memory.append(_resident(pid))
            await anyio.sleep(min(1.0, seconds / 40))

    async def run(url: str, pid: int) -> None:
        until = time.monotonic() + seconds
        async with anyio.create_task_group() as group:
            group.start_soon(watch, pid, until)
            for number in range(clients):
                group.start_soon(_client, url, number, until, tally)

    with (
        tempfile.TemporaryDirectory() as folder,
        running(stub=stub),
        _server(Path(folder), stub.port) as (url, pid),
    ):
        anyio.run(run, url, pid)
    return _judged(tally, memory, stub, seconds)


def _judged(tally: Tally, memory: list[int], stub: FaultyStub, seconds: float) -> Report:
    twice = [body for body, times in stub.done.items() if times > 1]
    undone = [body for body in tally.succeeded if not stub.done[body]]
    quarter = len(memory) // 4
    before, after = statistics.median(memory[quarter : 2 * quarter]), statistics.median(memory[-quarter:])
    lines = (
        f"{tally.calls} calls in {seconds:.0f} s ({tally.calls / seconds:.0f} a second), {tally.answers} answered",
        f"{stub.count} requests reached the API, {stub.faults} of them met a fault",
        f"outcomes: {', '.join(f'{name} {number}' for name, number in tally.outcomes.most_common())}",
        f"writes carried out: {sum(stub.done.values())}, twice: {len(twice)}, told but not done: {len(undone)}",
        f"latency: median {statistics.median(tally.seconds) * 1000:.0f} ms, 99 % within "
        f"{statistics.quantiles(tally.seconds, n=100)[98] * 1000:.0f} ms",
        f"memory: {before / 1024:.0f} MiB in the second quarter, {after / 1024:.0f} MiB in the last",
    )
    problems = [*tally.wrong[:5]]
    if tally.answers != tally.calls:
        problems.append(f"{tally.calls - tally.answers} calls have no answer")
    if twice:
        problems.append(f"{len(twice)} writes were done twice, such as {twice[0]}")
    if undone:
        problems.append(f"{len(undone)} writes were told as done and were not, such as {undone[0]}")
    if after > before * _LIMIT:
        problems.append("the memory of the server grows")
    return Report(lines, tuple(problems))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--clients", type=int, default=20)
    parser.add_argument("--faults", type=float, default=0.05, help="share of the API's answers")
    options = parser.parse_args()
    report = soak(options.seconds, options.clients, options.faults)
    print("\n".join(report.lines))
    for problem in report.problems:
        print(f"PROBLEM: {problem}")
    return 1 if report.problems else 0


if __name__ == "__main__":
    sys.exit(main())

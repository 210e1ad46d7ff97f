"""Measures processes: time and memory of a command, and how soon an MCP server lists its tools."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROTOCOL = "2025-06-18"
"""A revision that every server of the comparison speaks."""


BUFFER = 1 << 20
"""A list of megabytes is one line; reading it in small bites would be part of what is measured."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a command took; `peak_bytes` is that of its largest process."""

    seconds: float
    peak_bytes: int


@dataclass(frozen=True, slots=True)
class Listing:
    """The first answer to `tools/list`: seconds since the process was started, its processor time, the message."""

    seconds: float
    cpu_seconds: float
    size: int
    tools: list[dict[str, Any]]


def cost_of(command: Sequence[str], cwd: Path) -> Cost:
    """Runs a command to its end.

    Raises:
        RuntimeError: it failed.
    """
    log = cwd / "command.log"
    with log.open("wb") as output:
        start = time.perf_counter()
        process = subprocess.Popen(command, cwd=cwd, stdout=output, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{log.read_text('utf-8', 'replace')[-2000:]}")
    return Cost(seconds, usage.ru_maxrss * 1024)


def first_listing(command: Sequence[str], env: Mapping[str, str], cwd: Path) -> Listing:
    """Starts a server on stdio and asks for its tools, as a client does that has no time to lose.

    Raises:
        RuntimeError: the server ended without an answer.
    """
    log = cwd / "server.log"
    with log.open("wb") as errors:
        start = time.perf_counter()
        process = subprocess.Popen(
            command,
            cwd=cwd,
            env=dict(env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            bufsize=BUFFER,
        )
        try:
            answer, arrived = _converse(process)
        finally:
            process.kill()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            process.communicate()
    if not answer:
        raise RuntimeError(f"{' '.join(command)} gave no list:\n{log.read_text('utf-8', 'replace')[-2000:]}")
    cpu = usage.ru_utime + usage.ru_stime
    return Listing(arrived - start, cpu, len(answer), json.loads(answer)["result"]["tools"])


def _converse(process: subprocess.Popen[bytes]) -> tuple[bytes, float]:
    """The line with the list, and when it was there: what a client does with it is no longer measured."""
    assert process.stdin is not None
    assert process.stdout is not None
    client = {
        "protocolVersion": PROTOCOL,
        "capabilities": {},
        "clientInfo": {"name": "bench", "version": "1"},
    }
    messages: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": client},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list", "params": {}},
    ]

    def send(message: dict[str, Any]) -> None:
        assert process.stdin is not None
        process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        process.stdin.flush()

    send(messages[0])
    for line in process.stdout:
        arrived = time.perf_counter()
        message = json.loads(line)
        if message.get("id") == 1:
            send(messages[1])
            send(messages[2])
        elif message.get("id") == 2:
            return line, arrived
    return b"", 0.0

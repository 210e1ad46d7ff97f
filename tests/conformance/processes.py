"""Runs programs for as long as a block, each in a process group of its own that is ended with it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

START_SECONDS = 30.0
STOP_SECONDS = 5.0


class Failed(Exception):
    """A program did not do what it was started for."""


def finish(
    command: Sequence[str | Path], log: Path, seconds: float, environ: Mapping[str, str] | None = None
) -> int:
    """Runs a program to its end, with what it prints in `log`; gives its exit status.

    Raises:
        Failed: it took too long and was ended.
    """
    with _started(command, log, environ) as process:
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise Failed(
                f"{Path(command[0]).name} was ended after {seconds:.0f} seconds; see {log}"
            ) from None


@contextmanager
def serving(
    command: Sequence[str | Path], log: Path, port: int, environ: Mapping[str, str]
) -> Iterator[None]:
    """Runs a server for as long as a block; the block begins when it accepts connections.

    Raises:
        Failed: it did not start.
    """
    with _started(command, log, environ) as process:
        deadline = time.monotonic() + START_SECONDS
        while not _accepts(port):
            if process.poll() is not None or time.monotonic() > deadline:
                raise Failed(f"the server did not start; {log} ends with:\n{tail(log)}")
            time.sleep(0.05)
        yield


def free_port() -> int:
    """A port that nothing listened on a moment ago."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def tail(log: Path, lines: int = 15) -> str:
    return "\n".join(log.read_text("utf-8", "replace").splitlines()[-lines:])


@contextmanager
def _started(
    command: Sequence[str | Path], log: Path, environ: Mapping[str, str] | None
) -> Iterator[subprocess.Popen[bytes]]:
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            yield process
        finally:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends the whole group: a program may have left others behind."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(STOP_SECONDS)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _accepts(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False

"""Runs the generated tests of a project in a process that has loaded the libraries already: each run is a fork of this one."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import httpx2  # noqa: F401 - loaded once, for all forks
import jsonschema  # noqa: F401
import mcp  # noqa: F401
import pydantic  # noqa: F401
import pytest

_SHOWN = 3_000


@dataclass(frozen=True, slots=True)
class Failure:
    """A project whose own tests fail, and the end of what pytest had to say."""

    name: str
    output: str


def run_tests(project: Path, name: str, *, whole: bool = True) -> list[Failure]:
    """The failure, if there is one; unless it is `whole`, without the tests that start the server as a process."""
    chosen = [] if whole else ["-k", "not it_serves_over"]
    with tempfile.TemporaryFile() as output:
        process = os.fork()
        if process == 0:
            status = 1
            with contextlib.suppress(BaseException):
                os.dup2(output.fileno(), 1)
                os.dup2(output.fileno(), 2)
                os.chdir(project)
                sys.path[:] = [path for path in sys.path if path not in ("", os.getcwd())]
                # Rewriting the assertions of files that run once takes a third of the time.
                options = [
                    "-q",
                    "-x",
                    "-p",
                    "no:cacheprovider",
                    "--assert=plain",
                    "--rootdir",
                    str(project),
                    *chosen,
                ]
                status = int(pytest.main(options))
                sys.stdout.flush()
            os._exit(status)
        _, status = os.waitpid(process, 0)
        if os.waitstatus_to_exitcode(status) == 0:
            return []
        output.seek(0)
        return [Failure(name, output.read().decode("utf-8", "replace")[-_SHOWN:])]

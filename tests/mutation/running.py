"""Runs the tests of a project with one fault in it: a fork of a process that has loaded the libraries already."""

from __future__ import annotations

import contextlib
import gc
import os
import resource
import select
import signal
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2  # noqa: F401 - loaded once, for all forks
import jsonschema  # noqa: F401
import jwt  # noqa: F401
import mcp  # noqa: F401
import pydantic  # noqa: F401
import pytest
import starlette  # noqa: F401
import uvicorn  # noqa: F401

_MEMORY = 4 << 30
_OPTIONS = (
    "-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:hypothesispytest", "--tb=short",
    "--ignore=tests/test_processes.py",
)  # fmt: skip
"""Tests that start processes are left out: what only they reach (the command line, serving) is not tried, and they take
longer than all others together. What they alone would find counts as not found."""
_END = 3_000
TIMEOUT = "(timeout)"


@dataclass(frozen=True, slots=True)
class Run:
    """How the tests of a project ended.

    Attributes:
        failed: the test that failed first, `TIMEOUT`, a word in brackets for an end without a test, or "" for none.
        output: the end of what pytest said.
    """

    failed: str
    output: str = ""


class _Plugin:
    """Brings the likely tests to the front, and tells which one failed."""

    def __init__(self, first: frozenset[str], only: bool, report: int) -> None:
        self._first = first
        self._only = only
        self._report = report

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: item.nodeid not in self._first)
        if self._only:
            items[:] = [item for item in items if item.nodeid in self._first]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            os.write(self._report, report.nodeid.encode()[:2_000])

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            os.write(self._report, b"(collection)")


def run_tests(
    project: Path,
    *,
    first: Sequence[str] = (),
    only: bool = False,
    seconds: float = 600,
    plugin: Any = None,
    keep: bool = False,
    paths: Sequence[str] = (),
) -> Run:
    """Runs the tests until one fails.

    Args:
        first: node ids of tests that run before the others.
        only: whether the others are left out.
        seconds: after which the run ends; a fault may make a test wait for ever.
        plugin: a further pytest plugin.
        paths: the test modules, from the project's folder; all of them where none is named.
        keep: whether compiled modules stay on disk: not while a fault is in the source.
    """
    told, report = os.pipe()
    with tempfile.TemporaryFile() as output:
        gc.freeze()
        process = os.fork()
        if process == 0:
            os.close(told)
            plugins = [_Plugin(frozenset(first), only, report), *([plugin] if plugin else [])]
            _test(project, output.fileno(), plugins, keep, paths)
        os.close(report)
        try:
            ready, _, _ = select.select([told], [], [], seconds)
            # A failed test is told at once; the rest of the run, and its processes, are of no interest.
            text = os.read(told, 4_000).decode("utf-8", "replace") if ready else TIMEOUT
        finally:
            os.close(told)
            with contextlib.suppress(ProcessLookupError):
                if not ready or text:
                    os.killpg(process, signal.SIGKILL)
            _, status = os.waitpid(process, 0)
        output.seek(0)
        said = output.read().decode("utf-8", "replace")[-_END:]
    if not text and os.waitstatus_to_exitcode(status) != 0:
        text = "(end)"
    return Run(text, said)


def _test(project: Path, output: int, plugins: list[Any], keep: bool, paths: Sequence[str]) -> None:
    """The child process; does not return."""
    status = 1
    with contextlib.suppress(BaseException):
        os.setsid()
        os.dup2(output, 1)
        os.dup2(output, 2)
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        sys.path[:] = [path for path in sys.path if path not in ("", os.getcwd())]
        os.chdir(project)
        os.environ |= {"HOME": str(project), "XDG_DATA_HOME": str(project), "XDG_STATE_HOME": str(project)}
        if not keep:
            sys.dont_write_bytecode = True
            os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        status = int(pytest.main([*_OPTIONS, "--rootdir", str(project), *paths], plugins=plugins))
        sys.stdout.flush()
    os._exit(status)

"""Which lines of a project's own code its tests run, and which tests run each: one traced run.

Lines that run only in a process which a test starts are not seen; they belong to the command line and to serving,
which are not tried.
"""

from __future__ import annotations

import pickle
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from .faults import Fault
from .projects import Project
from .running import Run, run_tests

_Lines = dict[str, dict[int, set[str]]]
_MANY = 60


@dataclass(frozen=True, slots=True)
class Recorded:
    """The tests by file (below the package folder) and line."""

    lines: Mapping[str, Mapping[int, set[str]]] = field(default_factory=dict)

    def runs(self, fault: Fault) -> bool:
        """Whether any test runs the code with the fault. The catalogue is always read."""
        return not fault.lines or bool(self._found(fault))

    def imports(self, file: str) -> bool:
        return file in self.lines or not file.endswith(".py")

    def tests(self, fault: Fault) -> list[str]:
        """Tests that run the code with the fault, some of many."""
        return sorted({test for tests in self._found(fault) for test in tests})

    def knows_all(self, fault: Fault) -> bool:
        """Whether `tests` gives every test that runs the code: there are not too many, and it does not run at import."""
        found = self._found(fault)
        return bool(found) and all(len(tests) < _MANY and "" not in tests for tests in found)

    def _found(self, fault: Fault) -> list[set[str]]:
        lines = self.lines.get(fault.file, {})
        return [lines[line] for line in fault.lines if line in lines]


class _Recorder:
    def __init__(self, base: str, target: Path) -> None:
        self._base = base
        self._target = target
        self._test = ""
        self._lines: _Lines = {}
        self._tracers: dict[str, Callable[..., Any] | None] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_load_initial_conftests(self) -> None:
        """Before anything of the project is imported."""
        threading.settrace(self._called)
        sys.settrace(self._called)

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        self._test = item.nodeid

    def pytest_unconfigure(self) -> None:
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]
        self._target.write_bytes(pickle.dumps(self._lines))

    def _called(self, frame: FrameType, event: str, argument: object) -> Callable[..., Any] | None:
        name = frame.f_code.co_filename
        if name not in self._tracers:
            self._tracers[name] = self._tracer(name)
        tracer = self._tracers[name]
        if tracer is not None:
            tracer(frame, event, argument)
        return tracer

    def _tracer(self, name: str) -> Callable[..., Any] | None:
        if not name.startswith(self._base):
            return None
        lines = self._lines.setdefault(name.removeprefix(self._base), {})

        def line(frame: FrameType, event: str, argument: object) -> Callable[..., Any]:
            if event == "line":
                tests = lines.setdefault(frame.f_lineno, set())
                if len(tests) < _MANY:
                    tests.add(self._test)
            return line

        return line


def record(project: Project, scratch: Path, paths: Sequence[str] = ()) -> tuple[Run, Recorded]:
    """Runs the tests of a project that is as generated, and notes the lines."""
    target = scratch / f"{project.name}.lines"
    run = run_tests(project.folder, plugin=_Recorder(f"{project.package}/", target), keep=True, paths=paths)
    return run, Recorded(pickle.loads(target.read_bytes()) if target.exists() else {})

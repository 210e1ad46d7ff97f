"""Puts one fault after the other into copies of the projects, and sees whether a test fails."""

from __future__ import annotations

import multiprocessing
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.util import cache_from_source
from pathlib import Path

from .faults import Fault
from .projects import Project
from .recording import Recorded, record
from .running import Run, run_tests

_LEAST = 15.0
_TIMES = 3


class BrokenTests(Exception):
    """The tests of a project fail without any fault."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A project, what its tests run, how long they take while that is noted (seconds), and which test modules these are."""

    project: Project
    recorded: Recorded
    seconds: float
    paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Trial:
    """One fault in one project. `run` is None where the tests were not run, since none of them reaches the fault."""

    fault: Fault
    project: str
    reached: bool
    run: Run | None = None

    @property
    def killed(self) -> bool:
        return self.run is not None and self.run.failed != ""


def subject_of(project: Project, scratch: Path, paths: tuple[str, ...] = ()) -> Subject:
    """Prepares a project.

    Args:
        paths: as for `run_tests`.

    Raises:
        BrokenTests: its tests fail as they are.
    """
    start = time.monotonic()
    run, recorded = record(project, scratch, paths)
    if run.failed:
        raise BrokenTests(f"{project.name}: {run.failed} fails without a fault\n{run.output}")
    return Subject(project, recorded, time.monotonic() - start, paths)


@contextmanager
def put(fault: Fault, project: Project) -> Iterator[None]:
    """The project with the fault in it."""
    path = project.package / fault.file
    text = path.read_text("utf-8")
    path.write_text(fault.applied(text), "utf-8")
    if path.suffix == ".py":
        Path(cache_from_source(str(path))).unlink(missing_ok=True)
    try:
        yield
    finally:
        path.write_text(text, "utf-8")


def try_fault(fault: Fault, subject: Subject, project: Project, *, thorough: bool = False) -> Trial:
    """Whether the tests of a project, here one of its copies, find a fault.

    Args:
        thorough: all tests are run, and not only those that run the faulty code.
    """
    recorded = subject.recorded
    if not recorded.runs(fault):
        return Trial(fault, project.name, reached=False)
    with put(fault, project):
        run = run_tests(
            project.folder,
            first=recorded.tests(fault),
            only=recorded.knows_all(fault) and not thorough,
            seconds=_LEAST + _TIMES * subject.seconds,
            paths=subject.paths,
        )
    return Trial(fault, project.name, reached=True, run=run)


_subjects: dict[str, Subject] = {}
_copies: dict[str, Project] = {}
_scratch: list[Path] = []


def try_all(
    jobs: Sequence[tuple[Fault, Sequence[str]]],
    subjects: Mapping[str, Subject],
    *,
    processes: int,
    once: bool,
    thorough: bool,
    tell: Callable[[int, Sequence[Trial]], None],
) -> list[Trial]:
    """Tries faults in projects, in several processes; the order of the results is that of the jobs.

    Args:
        jobs: each fault, and the names of the projects it is tried in.
        once: whether a fault that one project's tests find is not tried in the others.
        thorough: as `try_fault`.
        tell: called after each fault with how many are done, and its trials.
    """
    _subjects.clear()
    _subjects.update(subjects)
    context = multiprocessing.get_context("fork")
    found: list[Trial] = []
    with (
        tempfile.TemporaryDirectory(prefix="mutation-") as folder,
        context.Pool(processes, _begin, (Path(folder),)) as pool,
    ):
        for number, trials in enumerate(pool.imap(partial(_try_one, once=once, thorough=thorough), jobs)):
            found += trials
            tell(number + 1, trials)
    return found


def _begin(folder: Path) -> None:
    """A process of the pool begins: with a folder of its own."""
    _copies.clear()
    _scratch[:] = [Path(tempfile.mkdtemp(dir=folder))]


def _try_one(job: tuple[Fault, Sequence[str]], *, once: bool, thorough: bool) -> list[Trial]:
    fault, names = job
    trials: list[Trial] = []
    for name in names:
        subject = _subjects[name]
        if name not in _copies and subject.recorded.runs(fault):
            _copies[name] = subject.project.copied(_scratch[0] / name)
        trials.append(try_fault(fault, subject, _copies.get(name, subject.project), thorough=thorough))
        if once and trials[-1].killed:
            break
    return trials

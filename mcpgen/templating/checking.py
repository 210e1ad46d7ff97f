"""Tries layers of templates on a spec that has something of everything: rendered, compiled, type-checked and tested.

Whatever goes wrong in the project is traced back to the line of the template that made it.
"""

from __future__ import annotations

import difflib
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from mcpgen.config import Config
from mcpgen.diagnostics import Collector, Diagnostic, Location, Severity
from mcpgen.pipeline import GenerateRequest, generate
from mcpgen.render.origins import Trace

SAMPLE = Path(__file__).parent / "sample.yaml"
_TIMEOUT = 600
"""Seconds for the type checker and for the tests, each."""
_MYPY = re.compile(r"(?P<file>[^:\n]+\.py):(?P<line>\d+)(?::\d+)?: error: (?P<message>.*)")
_FRAME = re.compile(r'(?:File "|^)(?P<file>[^"\n:]+\.py)(?:", line |:)(?P<line>\d+)', re.MULTILINE)
"""A line of a traceback as Python writes it, or as pytest does where it cannot even collect tests."""
_FAILURE = re.compile(r"^_{3,} (?P<name>.+?) _{3,}$", re.MULTILINE)
_ERROR = re.compile(r"(E\s+)?[\w.]+(Error|Exception|Warning|Failed)\b")
_TESTS = re.compile(r"(?P<count>\d+) passed")
_ENDS = ("=", "-")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of it: `diagnostics` are about templates only; `done` says in words what was tried."""

    diagnostics: Sequence[Diagnostic]
    done: tuple[str, ...]

    @property
    def failed(self) -> bool:
        return any(item.severity is Severity.ERROR for item in self.diagnostics)


def check_layers(
    config: Config, progress: Callable[[str], None] = lambda _: None, *, quick: bool = False
) -> Verdict:
    """Tries the layers and plugins of a configuration; nothing else of it has a part in this.

    Args:
        config: where the layers are from.
        progress: is told what is being done.
        quick: render and compile only.
    """
    tried = Config(layers=config.layers, plugins=config.plugins, path=config.path, bases=config.bases)
    diagnostics = Collector()
    trace = Trace()
    with tempfile.TemporaryDirectory(prefix="mcpgen-") as folder:
        project = Path(folder).resolve() / "project"
        request = GenerateRequest(str(SAMPLE), output=project, config=tried, trace=trace)
        outcome = generate(request, diagnostics, progress)
        found = [item for item in outcome.diagnostics if item.severity is Severity.ERROR]
        if outcome.refused or outcome.changes is None:
            return Verdict([_placed(item, trace, project) for item in found], ())
        done = [f"{len(trace.files)} files of your layers rendered and compiled"]
        if not quick:
            for run in (_types, _tests):
                progress("checking types" if run is _types else "running the tests")
                said, problems = run(project, trace)
                done.append(said)
                found += problems
    return Verdict(found, tuple(done))


def _placed(item: Diagnostic, trace: Trace, project: Path) -> Diagnostic:
    """An error in a generated file is one of the template that made it."""
    if item.location is None or item.location.line is None:
        return item
    traced = trace.files.get(PurePosixPath(item.location.file))
    origin = None if traced is None else traced.at(item.location.line)
    return item if origin is None else replace(item, location=origin)


def _types(project: Path, trace: Trace) -> tuple[str, list[Diagnostic]]:
    if importlib.util.find_spec("mypy") is None:
        return "types not checked (mypy is not installed)", []
    cache = os.environ.get("MYPY_CACHE_DIR") or str(project.parent / "mypy-cache")
    options = ("--no-color-output", "--no-error-summary", "--no-pretty", "--cache-dir", cache)
    status, output = _run(project, "mypy", *options)
    found = [
        _problem(project, trace, match["file"], int(match["line"]), f"{match['message']} (mypy)")
        for match in _MYPY.finditer(output)
    ]
    if status and not found:
        found = [Diagnostic("template-check", Severity.ERROR, f"mypy failed: {_last(output)}")]
    return "types checked", list(dict.fromkeys(found))


def _tests(project: Path, trace: Trace) -> tuple[str, list[Diagnostic]]:
    if importlib.util.find_spec("pytest") is None:
        return "tests not run (pytest is not installed)", []
    status, output = _run(project, "pytest", "-q", "--tb=native", "-p", "no:cacheprovider", "--color=no")
    found = list(dict.fromkeys(_failures(output, project, trace)))
    if status and not found:
        found = [_failure("collection", output, project, trace)]
    passed = _TESTS.search(output)
    return f"{passed['count'] if passed else 'no'} tests passed", found


def _failures(output: str, project: Path, trace: Trace) -> Iterator[Diagnostic]:
    """One for each failed test."""
    headers = list(_FAILURE.finditer(output))
    for number, header in enumerate(headers):
        end = headers[number + 1].start() if number + 1 < len(headers) else len(output)
        yield _failure(header["name"], output[header.end() : end], project, trace)


def _failure(name: str, body: str, project: Path, trace: Trace) -> Diagnostic:
    """At the last frame that a layer made, or just the last one."""
    lines = [line.strip() for line in body.splitlines() if line.strip() and not line.startswith(_ENDS)]
    errors = [line for line in lines if _ERROR.match(line)]
    message = re.sub(r"^E\s+", "", (errors or lines or ["failed"])[-1])
    frames = [(match["file"], int(match["line"])) for match in _FRAME.finditer(body)]
    made = [frame for frame in frames if _path(project, frame[0]) in trace.files]
    if made or frames:
        return _problem(project, trace, *(made or frames)[-1], f"{message} ({name})")
    return Diagnostic("template-check", Severity.ERROR, f"{message} ({name})")


def _problem(project: Path, trace: Trace, file: str, line: int, message: str) -> Diagnostic:
    path = _path(project, file)
    traced = None if path is None else trace.files.get(path)
    if traced is None or path is None:
        shown = f"{path}:{line}" if path is not None else Path(file).name
        return Diagnostic("template-check", Severity.ERROR, f"In {shown}: {message}")
    formatted = (project / path).read_text("utf-8").split("\n")
    origin = traced.at(_before_formatting(formatted, traced.text.split("\n"), line))
    return Diagnostic(
        "template-check", Severity.ERROR, f"In {path}: {message}", origin or Location(str(path))
    )


def _path(project: Path, file: str) -> PurePosixPath | None:
    path = project / file
    return PurePosixPath(path.relative_to(project).as_posix()) if path.is_relative_to(project) else None


def _before_formatting(after: Sequence[str], before: Sequence[str], line: int) -> int:
    """The line of a rendered text that a line of the formatted one was made of, or the nearest one above."""
    new, old = ([text.strip() for text in lines] for lines in (after, before))
    best = 1
    for block in difflib.SequenceMatcher(None, new, old, autojunk=False).get_matching_blocks():
        if not block.size or block.a > line - 1:
            break
        best = block.b + min(line - 1 - block.a, block.size) + 1
    return best


def _run(project: Path, module: str, *options: str) -> tuple[int, str]:
    command = [sys.executable, "-m", module, *options]
    try:
        done = subprocess.run(  # noqa: S603 - this interpreter, and a module that is installed beside mcpgen
            command, cwd=project, capture_output=True, text=True, timeout=_TIMEOUT, check=False
        )
    except subprocess.TimeoutExpired:
        return 1, f"it took more than {_TIMEOUT} seconds"
    return done.returncode, done.stdout + done.stderr


def _last(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return lines[-1] if lines else "it said nothing"

"""Formats generated Python with black and proves that it parses. The only module that knows black.

Black spends most of its time on the second of the two passes with which it makes sure that its output is stable, and
it can use one core for one text. So a module is cut at its top-level classes and functions: a part that was rendered
in black's shape is left as it is, one that happens to be in shape needs one pass, and the parts of a large project are
formatted by several processes. The cut does not show in the output, because black always puts two empty lines there.
"""

from __future__ import annotations

import gc
import os
import re
import warnings
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context

import black
from black.mode import TargetVersion
from black.parsing import InvalidInput
from black.strings import str_width

from mcpgen.diagnostics import Collector, Location, Refused
from mcpgen.emit.model import FormattedFile, Ownership, RenderedFile

MODE = black.Mode(line_length=100, target_versions={TargetVersion.PY311})
PART_SIZE = 8_000
PARALLEL_SIZE = 200_000
"""Characters of Python from which on several processes are worth their start-up time."""
MAX_PROCESSES = 8

_CUT = re.compile(r"\n(?P<last>[ \t]+[^\s#][^\n]*)\n\n\n(?=(?:class|def|async def) |@)")
_BLACK_POSITION = re.compile(r"Cannot parse[^:]*: (\d+):\d+: ")


@dataclass(frozen=True, slots=True)
class _Part:
    """A piece of a module; black has nothing to do to one that is `settled`."""

    text: str
    settled: bool = False


@dataclass(frozen=True, slots=True)
class _Failure:
    """Why a part does not parse; `line` counts from 1 in that part."""

    line: int
    message: str


def format_files(files: Sequence[RenderedFile], diagnostics: Collector) -> list[FormattedFile]:
    """Formats the Python files that are not vendored; all others keep their text.

    Raises:
        Refused: generated code does not parse (`format-failed`, one diagnostic for each file).
    """
    chosen = [
        file for file in files if file.path.suffix == ".py" and file.ownership is not Ownership.VENDORED
    ]
    split = [_shaped_parts(file.text) if file.shaped else _parts(file.text) for file in chosen]
    results = iter(_format_all([part.text for parts in split for part in parts if not part.settled]))
    texts: dict[RenderedFile, str] = {}
    failed = False
    for file, parts in zip(chosen, split, strict=True):
        done = [_settled(part.text) if part.settled else next(results) for part in parts]
        outcome = _join(parts, done)
        if isinstance(outcome, _Failure) and len(parts) > 1:
            outcome = _format_part(file.text)  # the cut was inside a string or a bracket
        if isinstance(outcome, _Failure):
            failed = True
            _report(file, outcome, diagnostics)
        else:
            texts[file] = outcome
    if failed:
        raise Refused("generated code does not parse")
    return [FormattedFile(f.path, texts.get(f, f.text).encode(), f.ownership) for f in files]


def format_text(text: str) -> str:
    """One module's text in its final form.

    Raises:
        SyntaxError: the text is not Python.
    """
    outcome = _format_part(text)
    if isinstance(outcome, _Failure):
        raise SyntaxError(outcome.message, ("<generated>", outcome.line, None, None))
    return outcome


def _report(file: RenderedFile, failure: _Failure, diagnostics: Collector) -> None:
    lines = file.text.splitlines()
    shown = lines[failure.line - 1].strip()[:80] if 0 < failure.line <= len(lines) else ""
    message = f"Generated code does not parse: {failure.message}" + (f" in `{shown}`" if shown else "")
    diagnostics.add("format-failed", message, Location(str(file.path), line=failure.line, column=1))


def _parts(text: str) -> list[_Part]:
    """Cuts a module before top-level classes and functions, into parts of at least `PART_SIZE` characters."""
    if len(text) < 2 * PART_SIZE or "# fmt:" in text:
        return [_Part(text)]
    return [_Part(piece) for piece in _cut(text, PART_SIZE)]


def _shaped_parts(text: str) -> list[_Part]:
    """Cuts a module that is in black's shape into runs of pieces with and without lines that are too long."""
    if "# fmt:" in text:
        return [_Part(text)]
    runs: list[tuple[bool, list[str]]] = []
    for piece in _cut(text, 0):
        settled = all(str_width(line) <= MODE.line_length for line in piece.split("\n"))
        if not runs or runs[-1][0] != settled or (not settled and sum(map(len, runs[-1][1])) > PART_SIZE):
            runs.append((settled, []))
        runs[-1][1].append(piece)
    return [_Part("\n\n".join(pieces), settled) for settled, pieces in runs]


def _cut(text: str, size: int) -> Iterable[str]:
    """Pieces of at least `size` characters, each with the end of its last line.

    Only a place after an indented line is safe: there is no doubt that a block ends there, not a comment or a
    docstring of the module, whose distance to the next line follows other rules.
    """
    start = 0
    for match in _CUT.finditer(text):
        end = match.end("last") + 1
        if end - start >= size:
            yield text[start:end]
            start = match.end()
    yield text[start:]


def _settled(text: str) -> str | _Failure:
    """The text as it is, with one line end after it: black leaves no empty lines at the end of a file."""
    return _check(text) or text.rstrip("\n") + "\n"


def _join(parts: Sequence[_Part], done: Sequence[str | _Failure]) -> str | _Failure:
    texts: list[str] = []
    line = 0
    for part, result in zip(parts, done, strict=True):
        if isinstance(result, _Failure):
            return _Failure(line + result.line, result.message)
        line += part.text.count("\n") + 2
        texts.append(result.rstrip("\n"))
    return "\n\n\n".join(texts) + "\n" if len(texts) > 1 else done[0]


def _format_all(parts: Sequence[str]) -> Iterable[str | _Failure]:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    processes = min(MAX_PROCESSES, cores, len(parts))
    if processes > 1 and sum(map(len, parts)) >= PARALLEL_SIZE:
        try:
            # Spawned, not forked: a progress display can have threads, and a fork would copy their locks.
            with ProcessPoolExecutor(processes, get_context("spawn"), initializer=gc.disable) as pool:
                return list(pool.map(_format_part, parts, chunksize=4))
        except (BrokenProcessPool, OSError):
            pass  # no processes to be had here (a sandbox, a script without a main guard): do it in this one
    return [_format_part(part) for part in parts]


def _format_part(text: str) -> str | _Failure:
    failure = _check(text)
    if failure is not None:
        return failure
    try:
        result = black.format_str(text, mode=MODE)
    except InvalidInput as error:
        match = _BLACK_POSITION.search(str(error))
        return _Failure(int(match[1]) if match else 1, str(error).splitlines()[0])
    return _check(result) or result


def _check(text: str) -> _Failure | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text, "<generated>", "exec", dont_inherit=True)
    except SyntaxError as error:
        return _Failure(error.lineno or 1, error.msg)
    except (ValueError, RecursionError, MemoryError) as error:
        return _Failure(1, str(error) or type(error).__name__)
    return None

"""Merges a file three ways, as its kind asks for."""

from __future__ import annotations

import json
import tomllib
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath

from mcpgen.emit.merging.documents import merge_json
from mcpgen.emit.merging.lines import lines_of, merge_lines
from mcpgen.emit.merging.model import Choice, Conflict, Merged, Unstructured
from mcpgen.emit.merging.python import merge_python


def _compiled(text: str) -> object:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return compile(text, "<merged>", "exec", dont_inherit=True)


_STRUCTURED: Mapping[str, Callable[[str, str, str, Choice | None], Merged]] = {
    ".py": merge_python,
    ".json": merge_json,
}
_PARSERS: Mapping[str, Callable[[str], object]] = {
    ".py": _compiled,
    ".json": json.loads,
    ".toml": tomllib.loads,
}


def merge_file(path: PurePosixPath, base: str, ours: str, theirs: str, choice: Choice | None) -> Merged:
    """Merges the texts of a file: what was generated last, what the team has, what is generated now.

    A result that is not in the language of the file is a conflict too.
    """
    merge = _STRUCTURED.get(path.suffix)
    try:
        if merge is None:
            raise Unstructured("plain text")
        merged = merge(base, ours, theirs, choice)
    except Unstructured:
        merged = merge_lines(lines_of(base), lines_of(ours), lines_of(theirs), choice)
    return _proven(path, merged, ours, theirs, choice)


def merge_known_lines(
    path: PurePosixPath,
    base: Sequence[str],
    ours: str,
    theirs: str,
    choice: Choice | None,
    key: Callable[[str], str],
) -> Merged:
    """Merges a file of whose last generated text only the keys of the lines are known."""
    merged = merge_lines(base, lines_of(ours), lines_of(theirs), choice, key=key)
    return _proven(path, merged, ours, theirs, choice)


def _proven(path: PurePosixPath, merged: Merged, ours: str, theirs: str, choice: Choice | None) -> Merged:
    if choice is Choice.INLINE and merged.conflicts:
        return merged  # markers are no code; whoever asked for them takes them out
    fault = _fault(path, merged.text)
    if fault is None or merged.text == ours:
        return merged
    line, problem = fault
    reason = f"the merged text would not parse: {problem}"
    text = {Choice.OURS: ours, Choice.THEIRS: theirs, Choice.INLINE: merged.text, None: ours}[choice]
    return Merged(text, (*merged.conflicts, Conflict(line, "", "", "", reason)))


def _fault(path: PurePosixPath, text: str) -> tuple[int, str] | None:
    """Where and why a text does not parse, or None."""
    parse = _PARSERS.get(path.suffix)
    try:
        if parse is not None:
            parse(text)
    except SyntaxError as error:
        return error.lineno or 1, error.msg
    except json.JSONDecodeError as error:
        return error.lineno, error.msg
    except (ValueError, RecursionError, MemoryError) as error:
        return 1, str(error) or type(error).__name__
    return None

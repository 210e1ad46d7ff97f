"""Cuts a Python module into its top-level definitions and what stands between them."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

from mcpgen.emit.merging.lines import lines_of
from mcpgen.emit.merging.model import Unstructured

HEAD = ""
"""The key of what stands before the first definition."""
FOLLOWING = " +"
"""The end of the key of what follows a definition."""
_NAME = re.compile(r"^((?:async\s+def|def|class)\s+)(\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of whole lines, from the end of the piece before it on.

    `key` is the name of a definition; what follows a definition, up to the next one, has the key NAME + `FOLLOWING`.
    `line` is the number of its first line.
    """

    key: str
    lines: tuple[str, ...]
    line: int = 1

    @property
    def text(self) -> str:
        return "".join(self.lines)

    @property
    def defines(self) -> bool:
        return self.key != HEAD and not self.key.endswith(FOLLOWING)


def named(text: str, name: str) -> str:
    """A definition under another name; only the line that defines it is changed."""
    return _NAME.sub(lambda match: f"{match[1]}{name}", text, count=1)


def pieces(text: str) -> dict[str, Piece]:
    """The pieces of a module by key, in order; together they are the text.

    Raises:
        Unstructured: it is no Python, or defines a name twice.
    """
    lines = lines_of(text)
    found: dict[str, Piece] = {}
    start, last = 0, HEAD
    for name, first, end in _definitions(text, lines):
        if first > start or not found:
            key = HEAD if last == HEAD else f"{last}{FOLLOWING}"
            if _holds_code(lines[start:first]):
                found[key] = Piece(key, tuple(lines[start:first]), start + 1)
                start = first
        if name in found:
            raise Unstructured(f"{name} is defined twice")
        found[name] = Piece(name, tuple(lines[start:end]), start + 1)
        start, last = end, name
    if start < len(lines):
        key = HEAD if last == HEAD else f"{last}{FOLLOWING}"
        found[key] = Piece(key, tuple(lines[start:]), start + 1)
    return found


def _definitions(text: str, lines: list[str]) -> Iterator[tuple[str, int, int]]:
    """Name, first line and end of every top-level definition, with the comments and empty lines before it."""
    if "\r" in text:
        raise Unstructured("lines end in several ways")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            nodes = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Unstructured(str(error)) from None
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)]) - 1
            while first > 0 and lines[first - 1].startswith("#"):
                first -= 1
            while first > 0 and not lines[first - 1].strip():
                first -= 1
            yield node.name, first, node.end_lineno or node.lineno


def _holds_code(lines: list[str]) -> bool:
    return any(line.strip() for line in lines)

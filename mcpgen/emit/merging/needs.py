"""What a definition that moves to another module needs there: the imports, and the team's own helpers, that it uses."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from mcpgen.emit.merging.lines import lines_of
from mcpgen.emit.merging.pieces import Piece

_Import = ast.Import | ast.ImportFrom


def helpers(name: str, base: Mapping[str, Piece], ours: Mapping[str, Piece]) -> list[str]:
    """The team's own definitions that `name` uses, and nothing else of its module does; what is used comes first."""
    own = {key for key, piece in ours.items() if piece.defines and key not in base and key != name}
    used = {key: names_in(piece.text) & own for key, piece in ours.items()}
    found: list[str] = []

    def follow(key: str, above: frozenset[str]) -> None:
        for other in sorted(used[key] - above):
            if other not in found:
                follow(other, above | {other})
                found.append(other)

    follow(name, frozenset({name}))
    while shared := [one for one in found if any(one in used[key] for key in ours.keys() - {*found, name})]:
        found = [one for one in found if one not in shared]
    return found


def imports_for(text: str, module: str, source: str, there: str) -> list[str]:
    """Import statements that bind what a definition uses.

    Args:
        text: the definition.
        module: the name of the module that it comes from.
        source: the text of that module, without the definition.
        there: the text of the module, in the same folder, that it is in now.
    """
    missing = names_in(text) - _bound(there).keys() - _bound(text).keys()
    bound = _bound(source)
    found = [bound[name] or f"from .{module} import {name}" for name in sorted(missing & bound.keys())]
    return list(dict.fromkeys(found))


def names_in(text: str) -> set[str]:
    """The names that a piece of a module uses, in quoted annotations too; those of its own variables are among them."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
            found.add(node.value)
    return found


def _bound(text: str) -> dict[str, str | None]:
    """The names that a module binds at its top level; where an import binds one, that import alone."""
    found: dict[str, str | None] = {}
    for node in _statements(text):
        if isinstance(node, _Import):
            found |= dict(_imported(node))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found[node.name] = None
        else:
            targets = (
                one for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
            )
            found |= dict.fromkeys((one.id for one in targets), None)
    return found


def _statements(text: str) -> list[ast.stmt]:
    """What a module has at its top level; nothing where it is no Python, for then nothing can be said of it."""
    try:
        return ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _imported(node: _Import) -> Iterator[tuple[str, str]]:
    for alias in node.names:
        one = (
            ast.Import([alias])
            if isinstance(node, ast.Import)
            else ast.ImportFrom(node.module, [alias], node.level)
        )
        yield alias.asname or alias.name.partition(".")[0], ast.unparse(one)


def with_imports(text: str, statements: Sequence[str]) -> str:
    """A module with further imports: those of other packages before the ones that it has, those of its own after them."""
    if not statements or not (body := _statements(text)):
        return text
    lines = lines_of(text)
    present = [node for node in body if isinstance(node, _Import) and not _is_future(node)]
    begun = [node.end_lineno or 0 for node in body[:2] if _is_docstring(node) or _is_future(node)]
    top = max(begun, default=0)
    first = present[0].lineno - 1 if present else top
    last = (present[-1].end_lineno or 0) if present else top
    ordered = sorted(statements, key=lambda one: (one.startswith("from "), one))
    outer = [f"{one}\n" for one in ordered if not one.startswith("from .")]
    inner = [f"{one}\n" for one in ordered if one.startswith("from .")]
    if outer and present and lines[first].startswith("from ."):
        outer.append("\n")
    if top and not present:
        outer = ["\n", *outer]
    return "".join([*lines[:first], *outer, *lines[first:last], *inner, *lines[last:]])


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _is_docstring(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )

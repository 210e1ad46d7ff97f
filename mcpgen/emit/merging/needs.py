"""What a definition that moves to another module needs there: imports of what it uses, also of what stays in the old one."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mcpgen.emit.merging.lines import lines_of

_Import = ast.Import | ast.ImportFrom
_Bound = dict[str, list[str]]
"""A name that a module binds -> the import statements that bind it, each of it alone; none where it is defined."""
_STAR = "*"


@dataclass(frozen=True, slots=True)
class Module:
    """One module on three sides: what was generated last, what the team has, and what is generated now."""

    name: str
    base: str
    ours: str
    theirs: str


def imports_for(
    text: str, source: Module, target: Module, moved: Mapping[str, str] | None = None
) -> list[str] | None:
    """The import statements that a definition needs in its new module.

    Args:
        text: the definition as the team has it.
        source: the module that it comes from.
        target: the module, of the same package, that it goes to.
        moved: the modules of other definitions that move, by the names that the team gave them.

    Returns:
        None where a name means something else in the new module, so that the definition can't go there as it is.
    """
    before, mine, later = bound(source.base), bound(source.ours), bound(source.theirs)
    there = bound(target.theirs) | bound(target.ours)
    found: list[str] = []
    for name in sorted(names_used(text)):
        if name in (moved or {}):
            found += (
                [] if (moved or {})[name] == target.name else [f"from .{(moved or {})[name]} import {name}"]
            )
            continue
        if name not in mine:
            continue
        own = [f"from .{source.name} import {name}"] if name in later or name not in before else []
        needed = mine[name] or own
        if name in there:
            if name not in before and not set(needed) <= set(there[name]):
                return None
        elif any(_is_of(target.name, one) for one in needed):
            return None
        else:
            found += needed
    found += [one for one in mine.get(_STAR, []) if one not in there.get(_STAR, [])]
    return list(dict.fromkeys(found))


def names_used(text: str) -> set[str]:
    """The names that a piece of a module takes from around it, in quoted annotations too."""
    used: set[str] = set()
    own: set[str] = set()
    for node in (one for part in statements(text) for one in ast.walk(part)):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else own).add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            own.add(node.name)
        elif isinstance(node, ast.arg):
            own.add(node.arg)
        annotations = [getattr(node, "annotation", None), getattr(node, "returns", None)]
        used |= {name for one in annotations if one is not None for name in _quoted(one)}
    return used - own


def _quoted(annotation: ast.expr) -> Iterator[str]:
    for node in ast.walk(annotation):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            inner = statements(node.value)
            yield from (one.id for part in inner for one in ast.walk(part) if isinstance(one, ast.Name))


def bound(text: str) -> _Bound:
    """What a module binds outside its functions and classes; star imports under `*`."""
    found: _Bound = {}
    for node in _unnested(statements(text)):
        if isinstance(node, _Import):
            for name, statement in _imported(node):
                found.setdefault(name, []).append(statement)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found[node.name] = []
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {
                one.id: [] for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)
            }
    return found


def statements(text: str) -> list[ast.stmt]:
    """What a module has at its top level; nothing where it is no Python, for then nothing can be said of it."""
    try:
        return ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _unnested(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements, with those under `if` and `try`, which bind names of the module as well."""
    for node in body:
        yield node
        for part in ("body", "orelse", "finalbody") if isinstance(node, ast.If | ast.Try) else ():
            yield from _unnested(getattr(node, part, []))
        for handler in node.handlers if isinstance(node, ast.Try) else ():
            yield from _unnested(handler.body)


def _imported(node: _Import) -> Iterator[tuple[str, str]]:
    for alias in node.names:
        plain = isinstance(node, ast.Import)
        one = ast.Import([alias]) if plain else ast.ImportFrom(node.module, [alias], node.level)  # type: ignore[union-attr]
        yield alias.asname or (alias.name.partition(".")[0] if plain else alias.name), ast.unparse(one)


def _is_of(module: str, statement: str) -> bool:
    """Whether an import takes something of a module of the same package, or that module itself."""
    return statement.startswith((f"from .{module} import ", f"from . import {module}"))


def with_imports(text: str, needed: Sequence[str]) -> str:
    """A module with further imports: those of other packages before the ones that it has, those of its own after them."""
    body = statements(text)
    if not needed or not body:
        return text
    lines = lines_of(text)
    begun = [node.end_lineno or 0 for node in body[:2] if _is_docstring(node) or _is_future(node)]
    top = max(begun, default=0)
    present: list[ast.stmt] = []
    for node in body[len(begun) :]:
        if not isinstance(node, _Import):
            break
        present.append(node)
    first = present[0].lineno - 1 if present else top
    last = (present[-1].end_lineno or 0) if present else top
    ordered = sorted(needed, key=lambda one: (one.startswith("from "), one))
    outer = [f"{one}\n" for one in ordered if not one.startswith("from .")]
    inner = [f"{one}\n" for one in ordered if one.startswith("from .")]
    if outer and present and lines[first].startswith("from ."):
        outer.append("\n")
    if top and not present:
        outer = ["\n", *outer]
    made = "".join([*lines[:first], *outer, *lines[first:last], *inner, *lines[last:]])
    return made if statements(made) else text


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _is_docstring(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )

"""The places of a Python module where a fault can be put: expressions and statements of its code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

_NOT_CODE = {"annotation", "returns", "decorator_list", "type_params"}
_UNSEEN_KEYWORDS = {"compare", "repr", "strict", "slots", "frozen", "stacklevel"}
"""Arguments of the standard library that change nothing a caller could see here."""
_LOGGERS = {"log", "_log", "logger", "_logger", "logging"}
_COMPOUND = ast.If | ast.While | ast.For | ast.AsyncFor | ast.With | ast.AsyncWith | ast.Try | ast.Match
_SCOPES = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True, slots=True)
class Place:
    """A node, where it hangs, and what it is part of.

    Attributes:
        index: in the parent's field, where that is a list.
        function: the qualified name of the function or class around it; "" at the top of the module.
        in_function: whether it is code of a function, and not a default or a table of a class or module.
        lines: of the statement, or of the head of a compound statement.
    """

    node: ast.AST
    parent: ast.AST
    field: str
    index: int | None
    function: str = ""
    in_function: bool = False
    lines: range = range(0)

    def put(self, node: ast.AST) -> None:
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


def places_of(tree: ast.Module) -> Iterator[Place]:
    """All places, in a fixed order. Annotations, decorators, docstrings, log lines and imports for types are no code."""
    yield from _below(tree, Place(tree, tree, "", None))


def _below(node: ast.AST, around: Place) -> Iterator[Place]:
    for name, value in ast.iter_fields(node):
        if name in _NOT_CODE or (isinstance(node, ast.ClassDef) and name in ("bases", "keywords")):
            continue
        children: list[tuple[int | None, Any]] = [(None, value)]
        if isinstance(value, list):
            children = list(enumerate(value))
        for index, child in children:
            if isinstance(child, ast.AST) and _is_code(child, node):
                place = replace(around, node=child, parent=node, field=name, index=index)
                yield from _at(place)


def _at(place: Place) -> Iterator[Place]:
    node = place.node
    if isinstance(node, _SCOPES):
        inside = not isinstance(node, ast.ClassDef)
        name = f"{place.function}.{node.name}".lstrip(".")
        yield from _below(node, replace(place, function=name, in_function=inside))
        return
    if isinstance(node, ast.stmt):
        end = node.end_lineno or node.lineno
        if isinstance(node, _COMPOUND):
            end = max(node.lineno, node.body[0].lineno - 1) if hasattr(node, "body") else node.lineno
        place = replace(place, lines=range(node.lineno, end + 1))
    yield place
    yield from _below(node, place)


def _is_code(node: ast.AST, parent: ast.AST) -> bool:
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Import() | ast.ImportFrom():
            return False
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return False
        case ast.Subscript(value=ast.Name(id="Literal")):
            return False
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))):
            return name not in _LOGGERS
        case ast.keyword(arg=str(name)):
            return name not in _UNSEEN_KEYWORDS
        case ast.expr_context() | ast.operator() | ast.boolop() | ast.unaryop() | ast.cmpop():
            return False
        case ast.Constant(value=str()):
            return not isinstance(parent, ast.JoinedStr)
        case _:
            return not _is_type(node, parent)


def _is_type(node: ast.AST, parent: ast.AST) -> bool:
    """Whether it is the first argument of `cast`, or the value of a type's other name."""
    if isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and parent.func.id == "cast":
        return node is parent.args[0]
    if isinstance(parent, ast.Assign) and isinstance(node, ast.BinOp | ast.Subscript):
        names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
        return bool(
            names & {"Callable", "Mapping", "Sequence", "Literal", "Awaitable", "Iterator", "Any"}
        ) and all(
            isinstance(
                inner,
                ast.Name
                | ast.Subscript
                | ast.BinOp
                | ast.BitOr
                | ast.Tuple
                | ast.List
                | ast.Load
                | ast.Constant
                | ast.Attribute,
            )
            for inner in ast.walk(node)
        )
    return False

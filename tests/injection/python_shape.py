"""What generated Python may look like. Whatever the description says, a module has no other shape than these."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_KEYWORDS = {"path", "query", "header", "cookie", "querystring", "body", "extra"}
_RUNTIME = {"UNSET", "Call", "FileArgument", "JsonObject", "JsonValue", "Result", "Unset"}
_TYPING = {"TYPE_CHECKING", "Any", "Literal", "Annotated", "Optional", "Union"}
_PYDANTIC = {"BaseModel", "Field", "RootModel"}
_GENERIC = {"list", "dict", "Literal", "Result", "RootModel"}


class Escape(AssertionError):
    """A module has a shape that is not one of ours."""


def check_tools(tree: ast.Module) -> None:
    """A module of tool functions.

    Raises:
        Escape: it holds something else.
    """
    for node in _after_docstring(tree):
        if isinstance(node, ast.ImportFrom):
            _import(node, {("__future__", 0), ("typing", 0), ("_runtime", 2)})
        elif isinstance(node, ast.If):
            _need(
                isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING" and not node.orelse, node
            )
            for inner in node.body:
                _need(isinstance(inner, ast.ImportFrom) and inner.level == 2, inner)
                _need(bool(re.fullmatch(r"models\.[a-z0-9_]+", getattr(inner, "module", "") or "")), inner)
        else:
            _function(node)


def _function(node: ast.stmt) -> None:
    if not isinstance(node, ast.AsyncFunctionDef):
        raise Escape(_told(node))
    _need(not node.decorator_list and not node.args.vararg and not node.args.kwarg, node)
    _need([argument.arg for argument in node.args.args] == ["call"] and not node.args.defaults, node)
    for argument in node.args.kwonlyargs:
        _annotation(argument.annotation)
    for default in node.args.kw_defaults:
        _need(default is None or (isinstance(default, ast.Name) and default.id == "UNSET"), node)
    _annotation(node.returns)
    _need(len(node.body) == 2 and _is_text(node.body[0]), node)
    sent = node.body[1]
    _need(isinstance(sent, ast.Return) and isinstance(sent.value, ast.Await), sent)
    call = sent.value.value  # type: ignore[attr-defined, union-attr]
    _need(isinstance(call, ast.Call) and ast.unparse(call.func) == "call.send" and not call.args, sent)
    for keyword in call.keywords:
        _need(keyword.arg in _KEYWORDS, sent)
        _value(keyword.value)


def check_models(tree: ast.Module) -> None:
    """A module of pydantic models.

    Raises:
        Escape: it holds something else.
    """
    for node in _after_docstring(tree):
        if isinstance(node, ast.ImportFrom):
            _import(
                node,
                {("__future__", 0), ("typing", 0), ("pydantic", 0), ("base", 1), (None, 1), ("shared", 1)},
            )
        elif isinstance(node, ast.ClassDef):
            _need(not node.decorator_list and not node.keywords, node)
            for base in node.bases:
                _annotation(base)
            for statement in node.body:
                _field(statement)
        else:
            raise Escape(_told(node))


def _field(node: ast.stmt) -> None:
    if isinstance(node, ast.Pass) or _is_text(node):
        return
    if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name):
        raise Escape(_told(node))
    _annotation(node.annotation)
    if isinstance(node.value, ast.Call):
        _need(isinstance(node.value.func, ast.Name) and node.value.func.id == "Field", node)
        for part in [*node.value.args, *(keyword.value for keyword in node.value.keywords)]:
            _need(isinstance(part, ast.Constant), node)
    elif node.value is not None:
        _value(node.value)


def _annotation(node: ast.expr | None) -> None:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        _annotation(node.left)
        _annotation(node.right)
    elif isinstance(node, ast.Subscript):
        _need(isinstance(node.value, ast.Name) and node.value.id in _GENERIC, node)
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        for part in parts:
            if isinstance(node.value, ast.Name) and node.value.id == "Literal":
                _value(part)
            else:
                _annotation(part)
    elif isinstance(node, ast.Attribute):
        _need(isinstance(node.value, ast.Name), node)
    else:  # no text: that would be evaluated as an annotation
        _need(isinstance(node, ast.Name) or (isinstance(node, ast.Constant) and node.value is None), node)


def _value(node: ast.expr) -> None:
    if isinstance(node, ast.Dict):
        for key, inner in zip(node.keys, node.values, strict=True):
            _need(isinstance(key, ast.Constant) and isinstance(key.value, str), node)
            _value(inner)
    elif isinstance(node, ast.List):
        for inner in node.elts:
            _value(inner)
    elif isinstance(node, ast.UnaryOp):
        _need(isinstance(node.operand, ast.Constant), node)
    else:
        _need(isinstance(node, ast.Constant | ast.Name), node)


def _import(node: ast.ImportFrom, allowed: set[tuple[str | None, int]]) -> None:
    _need((node.module, node.level) in allowed, node)
    names = {alias.name for alias in node.names}
    known = {"typing": _TYPING, "_runtime": _RUNTIME, "pydantic": _PYDANTIC, "__future__": {"annotations"}}
    _need(names <= known.get(node.module or "", names), node)
    _need(all(_IDENTIFIER.fullmatch(name) for name in names), node)


def _after_docstring(tree: ast.Module) -> Iterator[ast.stmt]:
    _need(bool(tree.body) and _is_text(tree.body[0]), tree)
    yield from tree.body[1:]


def _is_text(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _need(holds: bool, node: ast.AST | None) -> None:
    if not holds:
        raise Escape(_told(node))


def _told(node: ast.AST | None) -> str:
    return f"not a shape of generated code: {ast.unparse(node)[:200] if node is not None else node}"


_FIXED = (
    _RUNTIME
    | _TYPING
    | _PYDANTIC
    | {"call", "send", "str", "int", "float", "bool", "list", "dict", "ApiModel"}
)


@lru_cache(maxsize=512)
def skeleton(text: str, package: str) -> str:
    """The syntax tree without what texts may decide: constants, and the names that are made of them.

    Two modules with the same skeleton differ in nothing but such names and constants.
    """
    tree = ast.parse(re.sub(rf"\b{re.escape(package)}\b", "package", text))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
        for key in ("id", "arg", "name", "asname"):
            name = getattr(node, key, None)
            if (
                isinstance(name, str)
                and name not in _FIXED
                and name not in _KEYWORDS
                and not name.startswith("check_")
            ):
                setattr(node, key, "_")
        if isinstance(node, ast.Attribute) and node.attr not in _FIXED:
            node.attr = "_"
        if isinstance(node, ast.ImportFrom):
            node.module = "_" if node.level else node.module
            node.names = sorted(node.names, key=lambda alias: alias.name)
    return "\n".join(sorted(ast.dump(node) for node in tree.body))

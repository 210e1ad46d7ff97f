"""Tools of a team's own in a project, as far as they can be seen without running the team's code.

`inspect` and `export` read a project; they do not import it. What a function with `@tool` publishes is known when the
package runs, so that only its name and place are told.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from mcpgen.diagnostics import Collector, Location

_SHOWN = 5


def tell_own_tools(project: Path, catalog: Mapping[str, Any], diagnostics: Collector, what: str) -> None:
    """Says which tools of `hooks.py` are not among `what` is shown. Nothing is imported.

    Args:
        project: its folder.
        catalog: its catalogue.
        diagnostics: gets `own-tools-unseen`, where there are any.
        what: the place that they are missing in, such as `list` or `export`.
    """
    names = catalog["project"]
    path = project / names["source_root"] / names["package"] / "hooks.py"
    try:
        found = list(_decorated(ast.parse(path.read_bytes())))
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return  # nothing can be said; the server says what is wrong when it starts
    if found:
        shown = ", ".join(name for name, _ in found[:_SHOWN])
        more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
        message = f"Tools of your own are not in this {what}, which is made without running your code: {shown}{more}."
        hint = f"The server registers them, and `{names['package']}.executor` has them in its tools."
        diagnostics.add(
            "own-tools-unseen", message, Location(str(path), line=found[0][1], column=1), hint=hint
        )


def _decorated(module: ast.Module) -> Iterator[tuple[str, int]]:
    """Name and line of each function of a module that `@tool(...)` marks."""
    for node in module.body:
        if isinstance(node, ast.AsyncFunctionDef | ast.FunctionDef):
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and _last_name(decorator.func) == "tool":
                    yield _given_name(decorator) or node.name, node.lineno


def _last_name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _given_name(decorator: ast.Call) -> str | None:
    for keyword in decorator.keywords:
        if keyword.arg == "name" and isinstance(keyword.value, ast.Constant):
            return keyword.value.value if isinstance(keyword.value.value, str) else None
    return None

"""The settings of the run-time library, read from its own table, so that documents can't fall behind it.

The table is read as text: importing the library would load the whole MCP SDK for each generation.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache

from mcpgen.plan.model import SpecText
from mcpgen.render.locate import runtime_folder


@dataclass(frozen=True, slots=True)
class SettingView:
    """One setting: its name after the project's prefix, its default, and what it means."""

    name: str
    default: SpecText
    meaning: SpecText


@cache
def runtime_settings() -> tuple[SettingView, ...]:
    """The entries of `VARIABLES` in `runtime/settings.py`, in its order.

    Raises:
        LookupError: the table is not there in the expected form, which is a bug.
    """
    module = ast.parse((runtime_folder() / "settings.py").read_text(encoding="utf-8"))
    for node in module.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "VARIABLES":
            table = node.value.elts if isinstance(node.value, ast.Tuple) else []
            return tuple(_setting(entry) for entry in table)
    raise LookupError("runtime/settings.py has no table VARIABLES")


def _setting(entry: ast.expr) -> SettingView:
    if not isinstance(entry, ast.Call):
        raise LookupError(f"{ast.unparse(entry)} is no entry of VARIABLES")
    name, default, meaning = (str(ast.literal_eval(argument)) for argument in entry.args)
    return SettingView(name, SpecText(default), SpecText(meaning))

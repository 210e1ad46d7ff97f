"""The shape of the code: who may import whom, and how large a piece may grow."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import mcpgen

ROOT = Path(mcpgen.__file__).parent
MODULES = {path: ast.parse(path.read_bytes(), str(path)) for path in sorted(ROOT.rglob("*.py"))}

MAX_MODULE_LINES = 300
MAX_FUNCTION_LINES = 60

FOUNDATION = {"diagnostics", "ir", "urls"}
STAGES = {"source", "spec", "build", "plan", "models", "render", "emit"}
MODELS_OF = {
    "spec": {"source"},
    "build": {"spec"},
    "models": {"plan"},
    "render": {"plan", "models", "emit"},
}
"""Stages never call each other; a stage may know the data types of its neighbours, from their module `model`."""
SHARED_WITH_THE_RUNTIME = (["runtime", "setup"],)
"""The tables of what an operator can set have one home; they need no SDK."""
ALLOWED = {
    "diagnostics": set(),
    "ir": {"diagnostics"},
    "runtime": set(),
    "inspection": {"diagnostics", "models", "plan", "render"},
    "config": {"diagnostics", "urls"},
    "urls": set(),
    **{stage: FOUNDATION for stage in STAGES},
    "pins": {"config", "diagnostics", "emit"},
    "pipeline": {"config", "pins", *FOUNDATION, *STAGES},
    "preview": {"config", "inspection", "pipeline", *FOUNDATION, *STAGES, "runtime"},
    "lint": {*FOUNDATION, "plan", "runtime", "source"},
    "cli": {"config", "inspection", "lint", "pipeline", "preview", *FOUNDATION, "emit", "plan"},
}
ONLY_IN = {
    "datamodel_code_generator": "models",
    "black": "emit/format.py",
    "click": "cli",
    "jinja2": "render",
}
WRITERS = ("emit/", "preview/")
WRITING_CALLS = {
    "write_text",
    "write_bytes",
    "mkdir",
    "makedirs",
    "rmtree",
    "unlink",
    "rename",
    "copytree",
    "symlink_to",
}


def area(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imports(path: Path) -> Iterator[str]:
    """Every module that a module imports, also inside functions and for types only, as an absolute name."""
    package = ["mcpgen", *path.relative_to(ROOT).parts[:-1]]
    for node in ast.walk(MODULES[path]):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield from (f"{module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_imports_follow_the_pipeline(path: Path) -> None:
    own = area(path)
    allowed = {own, "__version__"} | ALLOWED.get(own, set())
    if own in {"__init__", "__main__"}:
        return
    wrong = []
    for module in imports(path):
        parts = module.split(".")
        foreign = parts[0] == "mcpgen" and parts[1:] and parts[1] not in allowed
        if parts[1:3] in SHARED_WITH_THE_RUNTIME:
            continue
        if foreign and not (parts[1] in MODELS_OF.get(own, set()) and parts[2:3] == ["model"]):
            wrong.append(module)
    assert not wrong, f"{own} must not import {wrong}"


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_a_library_is_known_in_one_place(path: Path) -> None:
    for module in imports(path):
        home = ONLY_IN.get(module.split(".")[0])
        assert home is None or name(path).startswith(home), f"only {home} may import {module}"


@pytest.mark.parametrize("path", [path for path in MODULES if area(path) in FOUNDATION], ids=name)
def test_the_foundation_needs_the_standard_library_only(path: Path) -> None:
    known = sys.stdlib_module_names | {"mcpgen"}
    assert {module.split(".")[0] for module in imports(path)} <= known


@pytest.mark.parametrize("path", [path for path in MODULES if area(path) == "runtime"], ids=name)
def test_the_runtime_library_stands_alone(path: Path) -> None:
    for node in ast.walk(MODULES[path]):
        if isinstance(node, ast.ImportFrom) and node.level:
            depth = len(path.relative_to(ROOT / "runtime").parts)
            assert (
                node.level <= depth
            ), f"line {node.lineno} reaches out of the package that it is copied into"
    assert not [
        module for module in imports(path) if module.startswith("mcpgen") and ".runtime" not in module
    ]


@pytest.mark.parametrize(
    "path", [p for p in MODULES if not name(p).startswith((*WRITERS, "runtime/"))], ids=name
)
def test_only_emit_writes_files(path: Path) -> None:
    for node in ast.walk(MODULES[path]):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            assert node.func.attr not in WRITING_CALLS, f"line {node.lineno}: {node.func.attr}"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "open":
            modes = [arg.value for arg in node.args[1:2] if isinstance(arg, ast.Constant)]
            assert not any(
                letter in str(mode) for mode in modes for letter in "wax+"
            ), f"line {node.lineno}: open"


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_pieces_stay_small(path: Path) -> None:
    lines = path.read_text("utf-8").count("\n")
    assert lines <= MAX_MODULE_LINES, f"{lines} lines; split the module by what its parts are about"
    for node in ast.walk(MODULES[path]):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            assert length <= MAX_FUNCTION_LINES, f"{node.name} has {length} lines"

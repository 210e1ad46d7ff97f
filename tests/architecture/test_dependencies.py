"""The shape of the code: who may import whom, and how large a piece may grow."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

import mcpgen

ROOT = Path(mcpgen.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))

MAX_MODULE_LINES = 300
MAX_FUNCTION_LINES = 60

FOUNDATION = {"diagnostics", "ir", "urls"}
STAGES = {"source", "spec", "build", "plan", "models", "cases", "render", "emit"}
MODELS_OF = {
    "spec": {"source"},
    "build": {"spec"},
    "models": {"plan"},
    "cases": {"plan", "models"},
    "render": {"plan", "models", "emit"},
}
"""Stages never call each other; a stage may know the data types of its neighbours, from their module `model`."""
SHARED_WITH_THE_RUNTIME = (["runtime", "setup"], ["runtime", "definitions"], ["runtime", "patterns"])
"""The tables of what an operator can set, and what a pattern matches, have one home; they need no SDK."""
ALLOWED = {
    "diagnostics": set(),
    "ir": {"diagnostics"},
    "runtime": set(),
    "inspection": {"diagnostics", "models", "plan", "render"},
    "config": {"diagnostics", "urls"},
    "urls": set(),
    "workspace": set(),
    **{stage: FOUNDATION for stage in STAGES},
    "pins": {"config", "diagnostics", "emit", "ir"},
    "releases": {"diagnostics", "diff", "emit", "render"},
    "freshness": {"config", "diagnostics", "emit", "render"},
    "plugins": {"diagnostics", "plan"},
    "distribution": {"diagnostics", "emit", "render"},
    "templating": {"config", "diagnostics", "emit", "pipeline", "plugins", "render"},
    "pipeline": {"config", "freshness", "pins", "plugins", "releases", *FOUNDATION, *STAGES},
    "preview": {"config", "inspection", "pipeline", *FOUNDATION, *STAGES, "runtime"},
    "verify": {"diagnostics", "ir", "plan", "preview", "runtime", "source"},
    "lint": {*FOUNDATION, "plan", "runtime", "source"},
    "connect": set(),
    "own_tools": {"diagnostics"},
    "export": {"diagnostics", "inspection", "own_tools", "runtime", "source"},
    "diff": set(),
    "comparison": {"config", "diagnostics", "diff", "inspection", "pins", "pipeline", "plan"},
    "cli": {
        "comparison",
        "freshness",
        "config",
        "connect",
        "diff",
        "distribution",
        "export",
        "inspection",
        "own_tools",
        "lint",
        "pipeline",
        "preview",
        "templating",
        "verify",
        "workspace",
        *FOUNDATION,
        "emit",
        "plan",
    },
}
ONLY_IN = {
    "datamodel_code_generator": "models",
    "black": "emit/format.py",
    "click": "cli",
    "jinja2": "render",
    "schemathesis": "verify",
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


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_bytes(), str(path))


def imports(path: Path) -> Iterator[str]:
    """Every module that a module imports, also inside functions and for types only, as an absolute name."""
    package = ["mcpgen", *path.relative_to(ROOT).parts[:-1]]
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield from (f"{module}.{alias.name}" for alias in node.names)


def of_each_area(wanted: Callable[[Path], bool] = lambda path: True) -> pytest.MarkDecorator:
    """One test for each area, over its modules."""
    paths = [path for path in MODULES if wanted(path)]
    areas = {own: [path for path in paths if area(path) == own] for own in sorted(set(map(area, paths)))}
    return pytest.mark.parametrize("paths", areas.values(), ids=list(areas))


@of_each_area(lambda path: area(path) not in {"__init__", "__main__"})
def test_imports_follow_the_pipeline(paths: list[Path]) -> None:
    own = area(paths[0])
    allowed = {own, "__version__"} | ALLOWED.get(own, set())
    wrong = []
    for path in paths:
        for module in imports(path):
            parts = module.split(".")
            foreign = parts[0] == "mcpgen" and parts[1:] and parts[1] not in allowed
            if parts[1:3] in SHARED_WITH_THE_RUNTIME:
                continue
            if foreign and not (parts[1] in MODELS_OF.get(own, set()) and parts[2:3] == ["model"]):
                wrong.append(f"{name(path)}: {module}")
    assert not wrong, f"{own} must not import these"


@of_each_area()
def test_a_library_is_known_in_one_place(paths: list[Path]) -> None:
    wrong = []
    for path in paths:
        for module in imports(path):
            home = ONLY_IN.get(module.split(".")[0])
            if home is not None and not name(path).startswith(home):
                wrong.append(f"{name(path)}: only {home} may import {module}")
    assert not wrong


@of_each_area()
def test_patterns_take_bounded_time(paths: list[Path]) -> None:
    """`jsonschema` matches patterns with `re`, which a pattern of a description can keep busy for years."""
    wrong = []
    for path in paths:
        for node in ast.walk(parsed(path)):
            if (
                isinstance(node, ast.Call)
                and getattr(node.func, "id", getattr(node.func, "attr", "")) == "Draft202012Validator"
            ):
                wrong.append(f"{name(path)}:{node.lineno}: use bounded_validator() of runtime.patterns")
    assert not wrong


@of_each_area(lambda path: area(path) in FOUNDATION)
def test_the_foundation_needs_the_standard_library_only(paths: list[Path]) -> None:
    known = sys.stdlib_module_names | {"mcpgen"}
    wrong = [(name(p), module) for p in paths for module in imports(p) if module.split(".")[0] not in known]
    assert not wrong


@of_each_area(lambda path: area(path) == "runtime")
def test_the_runtime_library_stands_alone(paths: list[Path]) -> None:
    wrong = []
    for path in paths:
        depth = len(path.relative_to(ROOT / "runtime").parts)
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ImportFrom) and node.level > depth:
                wrong.append(f"{name(path)}:{node.lineno} reaches out of the package that it is copied into")
        for module in imports(path):
            if module.startswith("mcpgen") and ".runtime" not in module:
                wrong.append(f"{name(path)}: {module}")
    assert not wrong


@of_each_area(lambda path: not name(path).startswith((*WRITERS, "runtime/")))
def test_only_emit_writes_files(paths: list[Path]) -> None:
    wrong = []
    for path in paths:
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Call) and writes(node):
                wrong.append(f"{name(path)}:{node.lineno}")
    assert not wrong


def writes(call: ast.Call) -> bool:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr in WRITING_CALLS
    if not isinstance(call.func, ast.Name) or call.func.id != "open":
        return False
    modes = [arg.value for arg in call.args[1:2] if isinstance(arg, ast.Constant)]
    return any(letter in str(mode) for mode in modes for letter in "wax+")


@of_each_area()
def test_pieces_stay_small(paths: list[Path]) -> None:
    wrong = []
    for path in paths:
        lines = path.read_text("utf-8").count("\n")
        if lines > MAX_MODULE_LINES:
            wrong.append(f"{name(path)}: {lines} lines; split the module by what its parts are about")
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                if length > MAX_FUNCTION_LINES:
                    wrong.append(f"{name(path)}: {node.name} has {length} lines")
    assert not wrong

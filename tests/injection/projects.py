"""Projects made in memory, without what is the same in each: the run-time library and the formatting."""

from __future__ import annotations

import ast
import json
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path, PurePosixPath
from unittest import mock

from mcpgen.config import Config
from mcpgen.diagnostics import Collector, Diagnostic
from mcpgen.emit import format as formatting
from mcpgen.pipeline import GenerateRequest, generate
from mcpgen.render import renderer
from mcpgen.spec import document as normalizing

from .base import document
from .document_shape import env_shape, markdown_shape, no_hidden_characters, toml_shape
from .payloads import COMPUTED
from .python_shape import Escape, check_models, check_tools, skeleton

_PART = re.compile(r"\.?[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")
_DEVICE = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")


@dataclass(frozen=True, slots=True)
class Project:
    """The files of a project, or nothing where the document was refused."""

    package: str = ""
    tools: tuple[str, ...] = ()
    files: Mapping[PurePosixPath, str] = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()


@contextmanager
def light(*, validated: bool = False) -> Iterator[None]:
    """Leaves out the run-time library, which no text reaches, black, which changes no syntax tree, and the validator."""
    with (
        nullcontext() if validated else mock.patch.object(normalizing, "validate", return_value=None),
        mock.patch.object(renderer, "_runtime", return_value=()),
        mock.patch.object(formatting, "_format_part", _compiled),
        mock.patch.object(formatting, "PARALLEL_SIZE", 10**12),
    ):
        yield


_compiles = lru_cache(maxsize=512)(formatting._check)
_parsed = lru_cache(maxsize=512)(ast.parse)
"""Most modules are the same in each project, and what reads the trees does not change them."""


def _compiled(text: str) -> str:
    _compiles(text)
    return text


def make(document: object, folder: Path, config: Config | None = None) -> Project:
    """Generates a project in memory; `folder` must stay empty."""
    data = json.dumps(document).encode()
    request = GenerateRequest("-", folder / "target", config or Config(), dry_run=True, stdin=data)
    outcome = generate(request, Collector())
    if list(folder.iterdir()):
        raise Escape(f"something was written: {list(folder.iterdir())}")
    if outcome.refused or outcome.plan is None or outcome.changes is None:
        return Project(diagnostics=tuple(outcome.diagnostics))
    files = {
        entry.path: (entry.data or b"").decode() for entry in outcome.changes if entry.path.suffix != ".xz"
    }
    return Project(
        outcome.plan.package,
        tuple(tool.name for tool in outcome.plan.tools),
        files,
        tuple(outcome.diagnostics),
    )


def check(project: Project) -> None:
    """What holds for every project, whatever its description says.

    Raises:
        Escape: a text has left its place.
    """
    _check_paths(list(project.files))
    for path, text in project.files.items():
        name = str(path)
        if COMPUTED in text:
            raise Escape(f"{name}: a text was evaluated")
        if path.suffix in {".json", ".lock"}:
            json.loads(text)
            continue
        no_hidden_characters(name, text)
        if path.suffix == ".py":
            tree = _parsed(text)
            if path.parts[0] == "tests":
                _check_tests(name, text, project.package)
            elif path.parent.name == "tools" and path.name != "__init__.py":
                check_tools(tree)
            elif path.parent.name == "models" and path.name not in ("__init__.py", "base.py"):
                check_models(tree)
        elif path.suffix == ".toml":
            toml_shape(text)
        elif path.suffix == ".md":
            markdown_shape(name, text)
        elif path.name == ".env.example":
            env_shape(text)


def _check_tests(name: str, text: str, package: str) -> None:
    """A module of tests is that of a harmless project: what it is about stands in files of data."""
    if skeleton(text, package) not in _usual_tests():
        raise Escape(f"{name} is not as in other projects")


@lru_cache(maxsize=1)
def _usual_tests() -> frozenset[str]:
    with tempfile.TemporaryDirectory() as folder:
        usual = make(document("3.1"), Path(folder))
    modules = {
        path: text for path, text in usual.files.items() if path.parts[0] == "tests" and path.suffix == ".py"
    }
    assert len({path.parent for path in modules}) == 2  # those of the project, and those of its tools
    return frozenset(skeleton(text, usual.package) for text in modules.values())


def _check_paths(paths: list[PurePosixPath]) -> None:
    for path in paths:
        if path.is_absolute() or not all(_PART.fullmatch(part) for part in path.parts):
            raise Escape(f"a file outside: {path}")
        if any(_DEVICE.fullmatch(part) for part in path.parts):
            raise Escape(f"the name of a device: {path}")
    if len({str(path).casefold() for path in paths}) != len(paths):
        raise Escape("two files whose names differ by case only")


def shape(project: Project) -> dict[str, object]:
    """What two projects have in common when their descriptions differ in texts only."""
    found: dict[str, object] = {}
    modules: list[str] = []
    for path, text in project.files.items():
        name = str(path).replace(project.package, "package")
        if path.suffix == ".py":
            own = skeleton(text, project.package)
            if path.parent.name in ("tools", "models"):  # whose names come from the description
                modules.append(own)
            else:
                found[name] = own
        elif path.suffix == ".toml":
            found[name] = toml_shape(text)
        elif path.suffix == ".md":
            found[name] = markdown_shape(name, text)
        elif path.name == ".env.example":
            found[name] = env_shape(text)
    return {**found, "modules": sorted(modules)}

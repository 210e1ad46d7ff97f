"""Which file of a project comes from which template; the built-in table is the only one there is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath

from mcpgen.diagnostics import Collector, Location, Refused
from mcpgen.emit.model import Ownership
from mcpgen.plan.model import PackagePlan
from mcpgen.render.applying import has_logins, has_own_tokens, has_pages
from mcpgen.render.layers import PARTS, SUFFIX, Layer
from mcpgen.render.library import RuntimeMode

PACKAGE = "package"
"""A folder of this name in the path of a template is the package's own, whose name is put there."""
RESERVED = ("CHANGELOG.md", "mcpgen.lock", ".mcpgen/pristine", "src/package/catalog.json")
"""Files of a project that come from no template."""


class Once(StrEnum):
    """How often a template is rendered."""

    PROJECT = "project"
    TOOLSET = "toolset"
    MODELS = "models"


@dataclass(frozen=True, slots=True)
class Output:
    """A template and the file that it makes. `path` holds `package`, and `*` where it makes several files.

    `needs` tells whether a project has what the file is about; without it, every project gets the file. What is `of_library` looks
    into the run-time library, and is only where the project has a copy of it.
    """

    template: str
    path: str
    ownership: Ownership = Ownership.GENERATED
    once: Once = Once.PROJECT
    shaped: bool = False
    needs: Callable[[PackagePlan], bool] | None = None
    of_library: bool = False

    def applies(self, plan: PackagePlan, runtime: RuntimeMode) -> bool:
        """Whether a project gets the file."""
        if self.of_library and runtime is not RuntimeMode.VENDORED:
            return False
        return self.needs is None or self.needs(plan)

    def target(self, package: str, name: str = "") -> PurePosixPath:
        """The path in the project of a package."""
        parts = (package if part == PACKAGE else part for part in self.path.split("/"))
        return PurePosixPath("/".join(parts).replace("*", name))


def _plain(name: str, path: str = "", needs: Callable[[PackagePlan], bool] | None = None) -> Output:
    return Output(f"{name}{SUFFIX}", path or name, needs=needs)


def _of_library(name: str) -> Output:
    return Output(f"{name}{SUFFIX}", name, of_library=True)


BUILT_IN = (
    _plain("pyproject.toml"),
    _plain("README.md"),
    _plain("env.example", ".env.example"),
    _plain("gitignore", ".gitignore"),
    _plain("src/package/__init__.py"),
    _plain("src/package/__main__.py"),
    _plain("src/package/executor.py"),
    _plain("src/package/server.py"),
    _plain("src/package/models/__init__.py"),
    _plain("src/package/models/base.py"),
    _plain("src/package/tools/__init__.py"),
    Output("src/package/hooks.py.jinja", "src/package/hooks.py", Ownership.USER),
    Output("src/package/models/module.py.jinja", "src/package/models/*.py", once=Once.MODELS, shaped=True),
    Output("src/package/tools/toolset.py.jinja", "src/package/tools/*.py", once=Once.TOOLSET, shaped=True),
    _plain("tests/conftest.py"),
    _plain("tests/harness.py"),
    _plain("tests/checks.py"),
    _plain("tests/comparing.py"),
    _plain("tests/picking.py"),
    _plain("tests/test_server.py"),
    _plain("tests/test_settings.py"),
    _plain("tests/test_policies.py"),
    _of_library("tests/operations.py"),
    _of_library("tests/test_rules.py"),
    _of_library("tests/test_writing.py"),
    _plain("tests/test_answers.py"),
    _plain("tests/test_paging.py", needs=has_pages),
    _plain("tests/test_tokens.py", needs=has_own_tokens),
    _plain("tests/test_logins.py", needs=has_logins),
    _plain("tests/test_processes.py"),
    _plain("tests/test_live.py"),
    Output("tests/tools/test_toolset.py.jinja", "tests/tools/test_*.py", once=Once.TOOLSET, shaped=True),
)
"""Shaped ones give what black would, but for lines that are too long (`layout`, `mcpgen.models.generate`)."""

_KNOWN = {output.template for output in BUILT_IN}


def added_outputs(stack: Sequence[Layer]) -> tuple[Output, ...]:
    """The files that layers add, by path. A file that is no template is copied as it is."""
    names = {file for layer in stack[:-1] for file in layer.files}
    return tuple(
        Output(name, name.removesuffix(SUFFIX))
        for name in sorted(names)
        if name not in _KNOWN and not name.startswith(PARTS)
    )


def check_added(added: Iterable[Output], stack: Sequence[Layer], diagnostics: Collector) -> None:
    """Makes sure that no file of a layer meets another one, or one of mcpgen's; names ignore case, as some systems do.

    Raises:
        Refused: one does (`layer-invalid`, one diagnostic for each, at the file of the layer).
    """
    taken = {output.path.casefold(): output.template for output in BUILT_IN}
    taken |= {path.casefold(): "" for path in RESERVED}
    folders = {str(parent).casefold() for path in taken for parent in PurePosixPath(path).parents}
    failed = False
    for output in added:
        problem = _problem(output, taken, folders)
        if problem is not None:
            layer = next(layer for layer in stack if output.template in layer.files)
            diagnostics.add("layer-invalid", problem, Location(str(layer.path(output.template))))
            failed = True
        taken.setdefault(output.path.casefold(), output.template)
        folders |= {str(parent).casefold() for parent in PurePosixPath(output.path).parents}
    if failed:
        raise Refused("files of template layers are in the way of others")


def _problem(output: Output, taken: dict[str, str], folders: set[str]) -> str | None:
    path = output.path.casefold()
    if any(mark in path for mark in '\\:*?"<>|') or not path.isprintable():
        return f"The name {output.path!r} is not one that every system can have."
    if path in taken:
        other = taken[path]
        if not other:
            return f"It would make {output.path}, which is mcpgen's own and comes from no template."
        return f"It would make {output.path}, as {other} does. To change that file, call yours {other}."
    if path in folders or any(str(parent) in taken for parent in PurePosixPath(path).parents):
        return f"It would make {output.path}, where a folder and a file of one name would be in each other's way."
    if path.startswith(("src/package/_runtime/", "tests/cases/", ".mcpgen/")):
        return f"It would make {output.path}, in a folder that is mcpgen's own."
    return None


def check_planned(
    added: Iterable[Output],
    package: str,
    planned: Iterable[PurePosixPath],
    stack: Sequence[Layer],
    diagnostics: Collector,
) -> None:
    """The same for files whose names only the spec tells, such as modules of tools.

    Raises:
        Refused: an added file meets one.
    """
    count = Counter(str(path).casefold() for path in planned)
    for output in added:
        path = output.target(package)
        if count[str(path).casefold()] > 1 or str(path).startswith(f"src/{package}/_runtime/"):
            layer = next(layer for layer in stack if output.template in layer.files)
            place = Location(str(layer.path(output.template)))
            message = f"It would make {path}, which is made for this spec already. Choose another name."
            raise diagnostics.refuse("layer-invalid", message, place)

"""The projects whose tests are tried: each generated anew, with a copy for every process that puts faults into it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcpgen.diagnostics import Collector
from mcpgen.pipeline import GenerateRequest, generate

from .catalogue import catalogue_faults, listed_fault
from .faults import CodeFault, Fault, code_faults
from .listed import LISTED
from .operators import OPERATORS

ROOT = Path(__file__).parents[2]
SAMPLES = {
    "orders": ROOT / "specs" / "orders" / "openapi.yaml",
    "shapes": Path(__file__).with_name("shapes.yaml"),
}
"""Descriptions of our own: an ordinary one, and one with every way to write a request and to answer it."""
CORPUS = ("museum", "paypal-orders", "xero-files", "figma", "lakefs")
"""Five descriptions that differ in what matters here: basic, bearer, API keys in a header and in a cookie, OAuth2;
JSON, multipart, raw and text bodies; paging by page, by cursor and by offset; 8 to 125 tools."""
AREAS = {
    "requests": "requests", "inputs": "requests", "transport": "requests", "auth": "auth", "outcomes": "contract",
    "answers": "contract", "api_errors": "contract", "secrecy": "contract", "bounds": "contract", "paging": "contract",
    "chain": "policy", "setup": "policy",
    "call.py": "requests", "operation.py": "requests", "values.py": "requests", "pointers.py": "requests",
    "catalog.py": "policy", "dispatch.py": "policy", "listing.py": "policy", "schemas.py": "contract", "record.py": "contract",
}  # fmt: skip
"""The vendored folders and modules that are tried, and what each of them is about."""


class NoSuchSpec(Exception):
    """A project that was asked for has no description here."""


@dataclass(frozen=True, slots=True)
class Project:
    """A generated project on disk.

    Attributes:
        base: the folder of its package, from the project's own folder, such as `src/orders_mcp`.
    """

    name: str
    folder: Path
    base: str = field(default="")

    @property
    def package(self) -> Path:
        return self.folder / self.base

    def copied(self, target: Path) -> Project:
        """The same in another folder."""
        shutil.copytree(self.folder, target)
        return Project(self.name, target, self.base)


def spec_of(name: str, corpus: Path | None) -> Path:
    """Where the description of a project is.

    Raises:
        NoSuchSpec: it is no sample, and the corpus has no such folder.
    """
    if name in SAMPLES:
        return SAMPLES[name]
    if corpus is None:
        raise NoSuchSpec(f"{name} is a description of the corpus: set MCPGEN_CORPUS to its folder")
    found = sorted((corpus / name).glob("*.yaml")) + sorted((corpus / name).glob("*.json"))
    if not found:
        raise NoSuchSpec(f"no description in {corpus / name}")
    return found[0]


def make_project(name: str, corpus: Path | None, folder: Path) -> Project:
    """Generates a project; one that is there (`name` is its folder) is copied.

    Raises:
        NoSuchSpec: as `spec_of`.
    """
    if (Path(name) / "pyproject.toml").is_file():
        output = folder / Path(name).name
        shutil.copytree(name, output)
        return _project(output)
    output = folder / name
    outcome = generate(GenerateRequest(spec=str(spec_of(name, corpus)), output=output), Collector())
    assert not outcome.refused, outcome.diagnostics
    return _project(output)


def _project(folder: Path) -> Project:
    [catalog] = folder.glob("src/*/catalog.json")
    return Project(folder.name, folder, catalog.parent.relative_to(folder).as_posix())


SETS: Mapping[str, tuple[str, ...]] = {
    "listed": tuple(LISTED),
    "general": tuple(OPERATORS),
    "all": (*LISTED, *OPERATORS),
}
"""Which faults there are to choose from: see `listed` and `operators`."""


def tool_faults(project: Project, chosen: str = "all") -> list[CodeFault]:
    """Faults of the tool functions, of one of the `SETS`."""
    return list(_of_modules(project, "tools", chosen))


def vendored_faults(project: Project, chosen: str = "all") -> list[CodeFault]:
    """Faults of the vendored code that builds requests, signs them, reads answers and keeps the operator's rules."""
    return list(_of_modules(project, "_runtime", chosen))


def catalogue_faults_of(project: Project, chosen: str = "all") -> list[Fault]:
    """Faults of the catalogue."""
    content: Mapping[str, Any] = json.loads((project.package / "catalog.json").read_text("utf-8"))
    general = catalogue_faults(content)
    if chosen == "general":
        return list(general)
    named = [fault for fault in map(listed_fault, general) if fault is not None]
    known = {(fault.steps, fault.after) for fault in named}
    others = [fault for fault in general if (fault.steps, fault.after) not in known]
    return [*named, *(others if chosen == "all" else ())]


def area_of(fault: Fault) -> str:
    """What a fault is about: `tools`, `catalogue`, or an area of the vendored code."""
    top, _, rest = fault.file.partition("/")
    if top == "_runtime":
        return AREAS[rest.partition("/")[0]]
    return "tools" if top == "tools" else "catalogue"


def _of_modules(project: Project, folder: str, chosen: str) -> Iterator[CodeFault]:
    for path in sorted((project.package / folder).rglob("*.py")):
        file = path.relative_to(project.package).as_posix()
        if folder == "tools" or file.split("/")[1] in AREAS:
            yield from _once(code_faults(file, path.read_text("utf-8"), SETS[chosen]))


def _once(faults: Iterable[CodeFault]) -> Iterator[CodeFault]:
    """Each change of the code once, under the first of its names."""
    seen = set()
    for fault in faults:
        change = (fault.place, fault.after)
        if change not in seen:
            seen.add(change)
            yield fault

"""Every edit meets every change: is the edit still there, and if not, was the user told?"""

from __future__ import annotations

import ast
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from mcpgen.emit import Action, Choice, Conflicted

from .changes import CHANGES, changed
from .edits import EDITS, IN_THE_CATALOGUE, MARK, Target
from .oracle import lost, may_overlap
from .projects import Version, read_files, version_of, write_files, write_version
from .specs import SPECS, Document

UPGRADE = "mcpgen upgraded"
ALL_CHANGES = (*CHANGES, UPGRADE)


class Fate(StrEnum):
    """What became of an edit. The last two are failures."""

    KEPT = "."
    CONFLICT = "c"
    SPURIOUS = "S"
    LOST = "L"


@dataclass(frozen=True, slots=True)
class Cell:
    """One edit and one change; `problems` says what is wrong with what came out."""

    spec: str
    edit: str
    change: str
    fate: Fate
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Base:
    """A generated project that edits are made to, and the versions that it may be updated to."""

    folder: Path
    target: Target
    files: Mapping[str, str]
    versions: Mapping[str, Version]
    source: tuple[Document, str, str]
    whole: bool


def bases(
    folder: Path, specs: Sequence[str], changes: Sequence[str], *, whole: bool
) -> Iterator[tuple[str, Base]]:
    """The projects of some specs; unless they are `whole`, they have little of the run-time library."""
    for name in specs:
        document, one, other = SPECS[name]
        project = folder / name
        first = version_of(document, project, whole=whole)
        write_version(first, project)
        versions = {
            change: (
                first.upgraded()
                if change == UPGRADE
                else version_of(changed(document, change, one, other), project, whole=whole)
            )
            for change in changes
        }
        files = read_files(project)
        tools = next(p for p, text in files.items() if "/tools/" in p and f"def get_{one}(" in text)
        target = Target(tools.split("/")[1], Path(tools).stem, f"get_{one}", one.title())
        yield name, Base(project, target, files, versions, SPECS[name], whole)


def run_cell(base: Base, spec: str, edit: str, change: str, project: Path) -> Cell:
    """Edits a copy of the project, updates it and judges the result, which stays in the folder."""
    shutil.rmtree(project, ignore_errors=True)
    shutil.copytree(base.folder, project, copy_function=os.link)  # files are replaced, never written into
    ours = dict(base.files)
    EDITS[edit](ours, base.target)
    write_files(ours, dict(base.files), project)
    version = base.versions[change]
    if edit == "version" and change != UPGRADE:  # the next version is counted from the team's
        document, one, other = base.source
        version = version_of(changed(document, change, one, other), project, whole=base.whole)
    theirs = version.texts()
    edited = {path for path in ours.keys() | base.files.keys() if ours.get(path) != base.files.get(path)}
    try:
        write_version(version, project)
    except Conflicted as stop:
        paths = [str(one.path) for one in stop.changes.of(Action.CONFLICT)]
        fate = Fate.CONFLICT if _explained(paths, base, ours, theirs) else Fate.SPURIOUS
        problems = [] if read_files(project) == ours else ["something was written"]
        write_version(version, project, Choice.OURS)
        problems += _problems(read_files(project), base, edit)
        return Cell(spec, edit, change, fate, tuple(problems))
    merged = read_files(project)
    problems = _problems(merged, base, edit)
    for path in edited & theirs.keys() & merged.keys() & base.files.keys() & ours.keys():
        before, mine, new = base.files[path], ours[path], theirs[path]
        if not may_overlap(path, before, mine, new):
            problems += [f"{path}: {text}" for text in lost(path, before, mine, new, merged[path])]
    return Cell(spec, edit, change, Fate.LOST if problems else Fate.KEPT, tuple(problems))


def _explained(paths: Sequence[str], base: Base, ours: Mapping[str, str], theirs: Mapping[str, str]) -> bool:
    """Whether each conflict is in a file whose sides overlap; a file that moved is compared with all that are new."""
    for path in paths:
        before, mine = base.files.get(path), ours.get(path)
        if before is not None and mine is not None and may_overlap(path, before, mine, theirs.get(path, "")):
            continue
        moved = [p for p in base.files if "/tools/" in p or "/models/" in p]
        if path in base.files or not any(
            may_overlap(p, base.files[p], ours.get(p, ""), theirs[path]) for p in moved
        ):
            return False
    return True


def _problems(files: Mapping[str, str], base: Base, edit: str) -> list[str]:
    """What is wrong with a merged project, as far as its files show it."""
    catalog = json.loads(files[base.target.catalog])
    gone = base.target.tool not in catalog["operations"] and edit in IN_THE_CATALOGUE
    found = [] if gone or _survived(files, base, edit) else ["the edit is not there any more"]
    for path, text in files.items():
        if base.files.get(path) == text:
            continue
        try:
            if path.endswith(".py"):
                ast.parse(text)
            elif path.endswith(".json"):
                json.loads(text)
        except ValueError as error:
            found.append(f"{path} does not parse: {error}")
        except SyntaxError as error:
            found.append(f"{path} does not parse: {error}")
    for name, operation in catalog["operations"].items():
        module = files.get(f"{base.target.source}/tools/{operation['module']}.py", "")
        if f"async def {operation['function']}(" not in module:
            found.append(f"{name}: {operation['module']}.{operation['function']} is missing")
    if {tool["name"] for tool in catalog["tools"]} != catalog["operations"].keys():
        found.append("the catalogue's tools and operations differ")
    return found


def _survived(files: Mapping[str, str], base: Base, edit: str) -> bool:
    if edit == "file deleted":
        return ".env.example" not in files
    mark = f"def own_{base.target.tool}(" if edit == "function renamed" else MARK
    return any(mark in text for text in files.values())

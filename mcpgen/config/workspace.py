"""A workspace: one `mcpgen.toml` for several projects, each with its spec and its folder.

The file's own sections hold for all projects. Over them lies what stands in [projects.NAME], by the rules by which a file
lies over the one that it extends.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcpgen.config.extending import ConfigFile, read_files
from mcpgen.config.keys import Key, suggestion
from mcpgen.config.model import Config
from mcpgen.config.places import PROJECTS, WORKSPACE, locate
from mcpgen.config.reading import config_of
from mcpgen.config.sections import SECTIONS, Fault
from mcpgen.diagnostics import Collector, Location, Refused

WORKSPACE_NAME = "mcpgen.toml"
"""The workspace of a folder, when none is named."""
_SETTINGS: Mapping[str, Key] = {
    "jobs": Key(
        "a number of processes from 1 on",
        lambda value: isinstance(value, int) and not isinstance(value, bool) and value > 0,
    )
}
_NAME = re.compile(r"[A-Za-z0-9_-]+")
_PLACES: Mapping[str, Key] = {
    "spec": Key(
        "a file, relative to this one, or an http(s) URL",
        lambda value: isinstance(value, str) and value not in ("", "-"),
    ),
    "output": Key("a folder, relative to this file", lambda value: isinstance(value, str) and value != ""),
}


@dataclass(frozen=True, slots=True)
class Member:
    """One project of a workspace. `spec` and `output` are seen from the working folder; `place` is its section."""

    name: str
    spec: str
    output: Path
    config: Config
    place: Location


@dataclass(frozen=True, slots=True)
class Workspace:
    """A workspace file: its projects in the order of the file, and how many may run at once, if it says so."""

    path: Path
    members: tuple[Member, ...]
    jobs: int | None = None


def is_workspace(path: Path) -> bool:
    """Whether a configuration file has projects, or a file that it extends has; a file that is wrong has none."""
    try:
        return any(file.workspace for file in read_files(path, Collector()))
    except Refused:
        return False


def load_workspace(path: Path, diagnostics: Collector) -> Workspace:
    """Reads a workspace with the configuration of each project.

    Raises:
        Refused: the file cannot be read, has no projects, or is wrong (`config-invalid`, one diagnostic for each fault).
    """
    files = read_files(path, diagnostics)
    found = [(locate(file.path, place), text) for file in files for place, text in _faults(file.workspace)]
    for where, message in found:
        diagnostics.add("config-invalid", message, where)
    if found:
        config_of(files, diagnostics)  # the faults of what is shared are said at once
        raise Refused("the workspace is wrong")
    names = list(dict.fromkeys(name for file in files for name in file.workspace.get(PROJECTS, {})))
    if not names:
        config_of(files, diagnostics)  # a slip in the name of a section may be why
        message = "The file has no projects."
        hint = "Add a section [projects.NAME] with spec and output for each API."
        raise diagnostics.refuse("config-invalid", message, Location(str(path)), hint=hint)
    members = [member for name in names if (member := _member(name, files, diagnostics)) is not None]
    if len(members) < len(names):
        raise Refused("a project of the workspace is wrong")
    _check_folders(members, diagnostics)
    jobs = [
        file.workspace[WORKSPACE]["jobs"] for file in files if "jobs" in file.workspace.get(WORKSPACE, {})
    ]
    return Workspace(path, tuple(members), jobs[0] if jobs else None)


def load_member(path: Path, name: str, diagnostics: Collector) -> Member:
    """One project of a workspace.

    Raises:
        Refused: the workspace is wrong, or has no such project.
    """
    members = {member.name: member for member in load_workspace(path, diagnostics).members}
    if name not in members:
        message = f"The workspace has no project {name}.{suggestion(name, members)}"
        hint = "If it is called otherwise now: mcpgen update --all."
        raise diagnostics.refuse("config-invalid", message, locate(path, (PROJECTS,)), hint=hint)
    return members[name]


def _faults(content: Mapping[str, Any]) -> Iterator[Fault]:
    """What is wrong with [workspace] and [projects]; what the sections of projects hold is judged with their layers."""
    for section, value in content.items():
        if not isinstance(value, dict):
            example = "[projects.NAME]" if section == PROJECTS else "[workspace]"
            yield (section,), f"{section} must be a section: {example}."
        elif section == PROJECTS:
            for name, project in value.items():
                yield from _project_faults(name, project)
        else:
            for key, setting in value.items():
                if key not in _SETTINGS:
                    yield (section, key), f"Unknown key {key} in [workspace].{suggestion(key, _SETTINGS)}"
                elif (problem := _SETTINGS[key].problem(setting)) is not None:
                    yield (section, key), f"{key} {problem}."


def _project_faults(name: str, content: Any) -> Iterator[Fault]:
    place = (PROJECTS, name)
    if not _NAME.fullmatch(name):
        yield place, f"The name of a project must be letters, digits, _ and -, not {name!r}."
    elif not isinstance(content, dict):
        if name in _PLACES:
            yield place, f"{name} belongs to one project: [projects.NAME]."
        else:
            yield place, f"[projects] holds sections: [projects.{name}]."
    else:
        for key, value in content.items():
            if key in _PLACES:
                if (problem := _PLACES[key].problem(value)) is not None:
                    yield (*place, key), f"{key} {problem}."
            elif key not in SECTIONS:
                known = (*_PLACES, *SECTIONS)
                yield (*place, key), f"Unknown key {key} in [projects.{name}].{suggestion(key, known)}"
            elif not isinstance(value, dict):
                yield (*place, key), f"{key} must be a section: [projects.{name}.{key}]."


def _member(name: str, files: Sequence[ConfigFile], diagnostics: Collector) -> Member | None:
    """One project, or None where it is wrong; the reasons are then in the collector."""
    place = (PROJECTS, name)
    own = [file for file in files if name in file.workspace.get(PROJECTS, {})]
    said = [(file, file.workspace[PROJECTS][name]) for file in own]
    spec, output = (
        next(((file.path.parent, content[key]) for file, content in said if key in content), None)
        for key in _PLACES
    )
    missing = [key for key, found in zip(_PLACES, (spec, output), strict=True) if found is None]
    for key in missing:
        message = f"[projects.{name}] has no {key}; it must be {_PLACES[key].expected}."
        diagnostics.add("config-invalid", message, locate(own[0].path, place))
    layers = [
        ConfigFile(file.path, {key: value for key, value in content.items() if key in SECTIONS}, place)
        for file, content in said
    ]
    try:
        config = config_of([*layers, *files], diagnostics, name)
    except Refused:
        return None
    if spec is None or output is None:
        return None
    where = locate(own[0].path, place)
    return Member(name, _spec(*spec), Path(os.path.normpath(output[0] / output[1])), config, where)


def _spec(folder: Path, text: str) -> str:
    is_url = text.lower().startswith(("http://", "https://"))
    return text if is_url else os.path.normpath(folder / text)


def _check_folders(members: Sequence[Member], diagnostics: Collector) -> None:
    """No project may write where another one does.

    Raises:
        Refused: two have one folder, or one of them lies inside that of another.
    """
    wrong = False
    folders = [(member, member.output.resolve()) for member in members]
    for index, (member, folder) in enumerate(folders):
        for other, taken in folders[:index]:
            if folder == taken:
                message = f"Projects {other.name} and {member.name} have the same output, {member.output}."
            elif taken in folder.parents:
                message = f"The output of {member.name} lies inside that of {other.name}, {other.output}."
            elif folder in taken.parents:
                message = f"The output of {other.name} lies inside that of {member.name}, {member.output}."
            else:
                continue
            wrong = True
            where = member.config.locate(("output",)) or member.place
            diagnostics.add("config-invalid", message, where, hint="Give each project a folder of its own.")
            break
    if wrong:
        raise Refused("projects would write into one folder")

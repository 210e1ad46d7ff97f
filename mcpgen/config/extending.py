"""`extends = "../team/mcpgen.toml"`: a configuration file lies over another one, which can lie over a third.

Tables are merged key by key. Lists in [generate], [select] and [templates] are joined, those of the base first. Of
everything else the nearest file says it. Paths are relative to the file that they stand in.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcpgen.config.keys import KEYS
from mcpgen.config.places import PROJECTS, WORKSPACE, locate
from mcpgen.diagnostics import Collector, Location

EXTENDS = "extends"
_PATHS = (("generate", "allow_outside"), ("generate", "overlays"), ("templates", "layers"))
_PATH = ("generate", "phrases")


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """One file, or the sections of one project in it: what they say, without `extends`.

    Attributes:
        place: the section that all this stands under; empty for a file's own sections.
        workspace: [workspace] and [projects] of a file, not checked.
    """

    path: Path
    document: Mapping[str, Any]
    place: tuple[str, ...] = ()
    workspace: Mapping[str, Any] = field(default_factory=dict)

    def rebased(self) -> dict[str, Any]:
        """What it says, with paths that are seen from the working folder; the content must have been checked."""
        document = {section: dict(content) for section, content in self.document.items()}
        for section, key in _PATHS:
            if key in document.get(section, {}):
                document[section][key] = [self._path(text) for text in document[section][key]]
        section, key = _PATH
        if key in document.get(section, {}):
            document[section][key] = self._path(document[section][key])
        return document

    def _path(self, text: str) -> str:
        return text if text.startswith("package:") else str(self.path.parent / text)


def read_files(path: Path, diagnostics: Collector) -> list[ConfigFile]:
    """A file and those that it lies over, the nearest first.

    Raises:
        Refused: one of them cannot be read, or they extend each other in a circle (`config-invalid`).
    """
    found: list[ConfigFile] = []
    seen = {path.resolve()}
    while True:
        document = _read(path, found[-1].path if found else None, diagnostics)
        base = document.pop(EXTENDS, None)
        workspace = {key: document.pop(key) for key in (WORKSPACE, PROJECTS) if key in document}
        found.append(ConfigFile(path, document, workspace=workspace))
        if base is None:
            return found
        place = locate(path, (EXTENDS,))
        if not isinstance(base, str) or not base:
            message = "extends must be the path of a configuration file, relative to this file."
            raise diagnostics.refuse("config-invalid", message, place)
        path = Path(os.path.normpath(path.parent / base))
        if path.resolve() in seen:
            message = f"extends leads in a circle: {path} is a file that this one is extended by."
            raise diagnostics.refuse("config-invalid", message, place)
        seen.add(path.resolve())


def merged(files: Sequence[ConfigFile]) -> dict[str, Any]:
    """What files say together, the nearest first."""
    document: dict[str, Any] = {}
    for file in reversed(files):
        document = _over(document, file.rebased(), ())
    return document


def _over(base: Mapping[str, Any], near: Mapping[str, Any], place: tuple[str, ...]) -> dict[str, Any]:
    result = dict(base)
    for key, value in near.items():
        before = base.get(key)
        if isinstance(before, dict) and isinstance(value, dict):
            result[key] = _over(before, value, (*place, key))
        elif isinstance(before, list) and isinstance(value, list) and place and place[0] in KEYS:
            result[key] = [*before, *value]
        else:
            result[key] = value
    return result


def _read(path: Path, extended_by: Path | None, diagnostics: Collector) -> dict[str, Any]:
    place = Location(str(path))
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        message = f"The file cannot be read: {error.strerror}."
        if extended_by is not None:
            message = f"{path}, which this file extends, cannot be read: {error.strerror}."
            place = locate(extended_by, (EXTENDS,))
        raise diagnostics.refuse("config-invalid", message, place) from error
    except UnicodeDecodeError as error:
        raise diagnostics.refuse("config-invalid", "The file is not UTF-8 text.", place) from error
    except tomllib.TOMLDecodeError as error:
        raise diagnostics.refuse("config-invalid", *_toml_problem(path, error)) from error


def _toml_problem(path: Path, error: tomllib.TOMLDecodeError) -> tuple[str, Location]:
    match = re.search(r" \(at line (\d+), column (\d+)\)$", str(error))
    if match is None:
        message = f"The file is not TOML: {str(error).removesuffix(' (at end of document)')}."
        return message, Location(str(path))
    place = Location(str(path), "", int(match[1]), int(match[2]))
    return f"The file is not TOML: {str(error)[: match.start()]}.", place

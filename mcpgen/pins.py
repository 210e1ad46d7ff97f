"""The names that an existing project has given: they stay when the document changes.

Scripts, clients, prompts and the team's `hooks.py` rely on the names of the package, of its variables, of the tools
and of their arguments. The lock holds the first three; arguments are read from the catalogue of the last run.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcpgen.config import KEYS, Config, problem_with
from mcpgen.diagnostics import Collector
from mcpgen.emit import Lock, read_lock


@dataclass(frozen=True, slots=True)
class Pins:
    """Names of the last run.

    Attributes:
        project: `package`, `name` and `env_prefix`.
        tools: the planner's key of a tool to its name.
        arguments: a tool's name to its arguments: (place, wire name) to the argument's name. The place is that of
            the catalogue; the wire name of a body field is the field, of a whole or further body the empty text.
    """

    project: Mapping[str, str] = field(default_factory=dict)
    tools: Mapping[str, str] = field(default_factory=dict)
    arguments: Mapping[str, Mapping[tuple[str, str], str]] = field(default_factory=dict)


def read_pins(output: Path | None, config: Config) -> Pins:
    """The names in an output folder; none where there is no project, or only a broken one.

    A broken lock is reported when the files are written. A package that the user renames takes no project names along.
    """
    lock = read_lock(output, Collector(), force=True) if output is not None else None
    if output is None or lock is None:
        return Pins()
    project = {
        key: name
        for key, name in lock.info.project.items()
        if key in KEYS["project"] and problem_with("project", key, name) is None
    }
    arguments = _arguments(output, project.get("package"), lock)
    if config.package is not None and config.package != project.get("package"):
        project = {}
    return Pins(project, lock.info.tools, arguments)


def _arguments(output: Path, package: str | None, lock: Lock) -> dict[str, dict[tuple[str, str], str]]:
    if package is None:
        return {}
    try:
        catalog = json.loads((output / "src" / package / "catalog.json").read_bytes())
        operations = {name: catalog["operations"][name] for name in lock.info.tools.values()}
        return {name: dict(map(_argument, entry["arguments"])) for name, entry in operations.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}  # deleted or edited: the names are made anew


def _argument(entry: Mapping[str, Any]) -> tuple[tuple[str, str], str]:
    wire = entry["wire_name"] if "wire_name" in entry else entry["pointer"][1:]
    return (str(entry["in"]), str(wire).replace("~1", "/").replace("~0", "~")), str(entry["name"])

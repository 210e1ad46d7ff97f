"""The names that an existing project has given: they stay when the document changes.

Scripts, clients, prompts and the team's `hooks.py` rely on the names of the package, of its variables, of the tools
and of their arguments. The lock holds the first three; arguments are read from the catalogue that was generated last.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from mcpgen.config import KEYS, Config, problem_with
from mcpgen.diagnostics import Collector, Refused
from mcpgen.emit import Lock, generated_catalog, read_lock
from mcpgen.ir.api import Operation


@dataclass(frozen=True, slots=True)
class Pins:
    """Names of the last run.

    Attributes:
        project: `package`, `name` and `env_prefix`.
        tools: the planner's key of a tool to its name.
        arguments: a tool's name to its arguments: (place, wire name) to the argument's name. The place is that of
            the catalogue; the wire name of a body field is the field, of a whole or further body the empty text.
        operation_ids: a tool's name to the id of its operation.
    """

    project: Mapping[str, str] = field(default_factory=dict)
    tools: Mapping[str, str] = field(default_factory=dict)
    arguments: Mapping[str, Mapping[tuple[str, str], str]] = field(default_factory=dict)
    operation_ids: Mapping[str, str] = field(default_factory=dict)


def read_pins(output: Path | None, config: Config) -> Pins:
    """The names in an output folder; none where there is no project, or only a broken one.

    A broken lock is reported when the files are written. A package that the user renames takes no project names along.
    """
    try:
        lock = read_lock(output, Collector()) if output is not None else None
    except Refused:
        lock = None
    if output is None or lock is None:
        return Pins()
    project = {
        key: name
        for key, name in lock.info.project.items()
        if key in KEYS["project"] and problem_with("project", key, name) is None
    }
    operations = _operations(output, project.get("package"), lock)
    if config.package is not None and config.package != project.get("package"):
        project = {}
    try:
        arguments = pinned_arguments(operations)
    except (KeyError, TypeError, AttributeError):
        arguments = {}  # edited: the names are made anew
    ids = {name: entry.get("operation_id") for name, entry in operations.items()}
    return Pins(
        project,
        lock.info.tools,
        arguments,
        {name: text for name, text in ids.items() if isinstance(text, str)},
    )


def _operations(output: Path, package: str | None, lock: Lock) -> dict[str, Any]:
    """The operations of the catalogue that was generated last; of the one on disk, where that is not known."""
    if package is None:
        return {}
    try:
        catalog = generated_catalog(output, lock)
        if catalog is None:
            catalog = json.loads((output / "src" / package / "catalog.json").read_bytes())
        operations = catalog["operations"]
        return {name: dict(operations[name]) for name in lock.info.tools.values() if name in operations}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}  # deleted or edited: the names are made anew


def pinned_arguments(operations: Mapping[str, Any]) -> dict[str, dict[tuple[str, str], str]]:
    """The names of arguments, by tool, from the `operations` of a catalogue."""
    return {name: dict(map(_argument, entry["arguments"])) for name, entry in operations.items()}


def _argument(entry: Mapping[str, Any]) -> tuple[tuple[str, str], str]:
    wire = entry["wire_name"] if "wire_name" in entry else entry["pointer"][1:]
    return (str(entry["in"]), str(wire).replace("~1", "/").replace("~0", "~")), str(entry["name"])


def follow(pins: Pins, operations: Iterable[Operation]) -> Pins:
    """The names, for operations that are at another path or method now.

    An operation that has gone and one that has come are the same when they have the same id, or when their paths differ in
    the names of parameters only, in the version that is part of them, or in what is put before them; a body may also be sent
    by another method that writes. In each case there must be just one of each.
    """
    new = {operation.key: operation for operation in operations}
    held = {_operation_key(key) for key in pins.tools}
    gone = [key for key in pins.tools if _operation_key(key) not in new]
    come = [operation for key, operation in new.items() if key not in held]
    ids = {_operation_key(key): pins.operation_ids.get(pins.tools[key]) for key in gone}
    moved = _moved(ids, come)
    tools, arguments = dict(pins.tools), dict(pins.arguments)
    for key in gone:
        operation = moved.get(_operation_key(key))
        if operation is not None:
            name = tools.pop(key)
            action = _ACTION.search(key)
            tools[f"{operation.method}{action[0] if action else ''} {operation.path}"] = name
            arguments[name] = _renamed(arguments.get(name, {}), _operation_key(key), operation.key)
    return replace(pins, tools=tools, arguments=arguments)


def _moved(ids: Mapping[str, str | None], come: Sequence[Operation]) -> dict[str, Operation]:
    """Where operations are now, by the keys that they had; `ids` has the id of each of them."""
    moved: dict[str, Operation] = {}
    for old, operation_id in ids.items():
        rules = (
            [one for one in come if one.operation_id is not None and one.operation_id == operation_id],
            [one for one in come if _shape(one.key) == _shape(old)],
            [one for one in come if _same_route(old, one.key)],
        )
        found = next((one[0] for one in rules if len(one) == 1), None)
        if found is not None:
            moved[old] = found
    taken = Counter(operation.key for operation in moved.values())
    return {old: operation for old, operation in moved.items() if taken[operation.key] == 1}


def _same_route(old: str, new: str) -> bool:
    """Whether two keys are of one operation that an API has moved: to another version, under another head, to `PATCH`."""
    methods, (one, other) = [key.partition(" ")[0] for key in (old, new)], map(_route, (old, new))
    if methods[0] != methods[1]:
        return one == other and {*methods} <= _WRITING
    short, long = sorted((one, other), key=len)
    head = long[: len(long) - len(short)]
    named = any(part != "{}" for part in short)
    return named and long[len(head) :] == short and "{}" not in head


def _route(key: str) -> tuple[str, ...]:
    """The segments of a path, without versions and names of parameters."""
    parts = _shape(key).partition(" ")[2].split("/")
    return tuple(part for part in parts if part and _VERSION.fullmatch(part) is None)


_WRITING = {"POST", "PUT", "PATCH"}
_VERSION = re.compile(r"v\d+(?:[._-]?\w+)*|\d+(?:[._-]\w+)*", re.IGNORECASE)
"""A segment such as `v2`, `v1beta1`, `2.0` or `2024-10`."""
_ACTION = re.compile(r"\[[^\]]*\](?= )")
_PARAMETER = re.compile(r"\{([^{}]*)\}")


def _operation_key(key: str) -> str:
    """The operation of a tool's key: `POST[cancel] /orders` is one action of `POST /orders`."""
    method, _, path = key.partition(" ")
    return f"{method.partition('[')[0]} {path}"


def _shape(key: str) -> str:
    return _PARAMETER.sub("{}", key)


def _renamed(names: Mapping[tuple[str, str], str], old: str, new: str) -> Mapping[tuple[str, str], str]:
    """The names of arguments, where the parameters of the path are called otherwise now."""
    if _shape(old) != _shape(new) and not _same_route(old, new):
        return names
    called = dict(zip(_PARAMETER.findall(old), _PARAMETER.findall(new), strict=True))
    return {
        (place, called.get(wire, wire) if place == "path" else wire): name
        for (place, wire), name in names.items()
    }

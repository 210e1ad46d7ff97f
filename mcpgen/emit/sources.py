"""How a project finds what it was generated from: recorded in the lock, seen from the project's folder."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

_PATHS = ("allow_outside", "layers", "overlays")
"""Options that name files or folders."""
_PACKAGE = "package:"
"""How a layer of templates is named that is an installed package, not a folder."""


@dataclass(frozen=True, slots=True)
class Sources:
    """The input of a run.

    Attributes:
        spec: a path relative to the project or a URL; None where the input can't be found again: standard input, a URL
            with secrets in it, or a path that no relative path leads to.
        config: the configuration file, relative to the project.
        options: what the command line said besides, by key of the configuration; paths are relative to the project.
        project: the project of the workspace that the configuration file is.
    """

    spec: str | None = None
    config: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    project: str | None = None


def sources_of(
    spec: str,
    config: Path | None,
    options: Mapping[str, Any],
    output: Path,
    project: str | None = None,
) -> Sources:
    """What to record of a run's input; all or nothing, because a half of it would give another project."""
    try:
        given = {key: _recorded(key, value, output) for key, value in options.items() if value}
        found = None if config is None else _reach(config, output)
        return Sources(_spec(spec, output), found, given, project)
    except ValueError:
        return Sources()


def found_from(output: Path, sources: Sources) -> Sources:
    """The recorded input, seen from the working folder."""
    options = {
        key: tuple(_found(key, path, output) for path in value) if key in _PATHS else value
        for key, value in sources.options.items()
    }
    spec = sources.spec
    if spec is not None and not _is_url(spec):
        spec = os.path.normpath(output / spec)
    config = None if sources.config is None else os.path.normpath(output / sources.config)
    return Sources(spec, config, options, sources.project)


def _found(key: str, path: str, output: Path) -> Path | str:
    """A recorded path, seen from the working folder; layers are texts in the configuration."""
    if key != "layers":
        return output / path
    return path if path.startswith(_PACKAGE) else os.path.normpath(output / path)


def _spec(spec: str, output: Path) -> str:
    if not _is_url(spec):
        if spec == "-":
            raise ValueError("standard input cannot be read again")
        return _reach(Path(spec), output)
    parts = urlsplit(spec)
    if "@" in parts.netloc or parts.query:
        raise ValueError("the URL may hold a secret")
    return spec


def _is_url(spec: str) -> bool:
    return spec.lower().startswith(("http://", "https://"))


def _recorded(key: str, value: Any, output: Path) -> Any:
    if key in _PATHS:
        return [path if str(path).startswith(_PACKAGE) else _reach(Path(path), output) for path in value]
    return list(value) if isinstance(value, tuple) else value


def _reach(path: Path, output: Path) -> str:
    """The way from the project to a file.

    Raises:
        ValueError: they have nothing in common but the root of the file system: the way would describe this machine.
    """
    here, there = output.resolve(), path.resolve()
    common = Path(os.path.commonpath([here, there]))
    if common == Path(common.anchor):
        raise ValueError("the file lies elsewhere")
    return Path(os.path.relpath(there, here)).as_posix()

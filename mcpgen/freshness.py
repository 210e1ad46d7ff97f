"""Whether a project is what a run would make of it: told from digests, without reading the API.

Only input that is surely the same counts: a spec behind a URL, a document on another host, and anything that the last
run did not finish with all take the long way.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mcpgen
from mcpgen.config import Config
from mcpgen.diagnostics import Collector, Diagnostic, Refused, Severity
from mcpgen.emit import (
    Cache,
    Lock,
    Ownership,
    located,
    portable,
    read_cache,
    read_lock,
    sources_of,
    spec_name,
    write_cache,
)
from mcpgen.emit.journal import unfinished
from mcpgen.emit.lock import LOCK_NAME
from mcpgen.emit.merging import has_markers
from mcpgen.emit.pristine import PRISTINE_NAME
from mcpgen.emit.project import text_of, unix
from mcpgen.render.locate import templates_folder


@dataclass(frozen=True, slots=True)
class Unchanged:
    """A project with nothing to do: what the last run had to say, and which files have edits."""

    lock: Lock
    diagnostics: list[Diagnostic]
    edited: list[str]


def code_digest() -> str:
    """The SHA-256 of mcpgen itself, with its templates: a checkout changes without changing its version."""
    sha = hashlib.sha256(mcpgen.__version__.encode())
    for root in (Path(mcpgen.__file__).parent, templates_folder()):
        for path in sorted(root.rglob("*")):
            if path.suffix in {".py", ".jinja"}:
                data = path.read_bytes()
                sha.update(f"{path.relative_to(root).as_posix()} {len(data)}\n".encode() + data)
    return sha.hexdigest()


def remember(output: Path, spec: str, diagnostics: list[Diagnostic], *, kept: bool) -> None:
    """Notes after a run that its input need not be looked at again."""
    places = portable(diagnostics, spec)
    if places is not None:
        write_cache(output, Cache(code_digest(), _sha256(output / LOCK_NAME), places, kept))


def unchanged(
    spec: str, output: Path, config: Config, options: Mapping[str, Any], stdin: bytes | None
) -> Unchanged | None:
    """The project, when a run would change nothing; None when that has to be found out by running."""
    try:
        cache, lock = read_cache(output), read_lock(output, Collector())
        if cache is None or lock is None or cache.kept or unfinished(output) or output.is_symlink():
            return None
        warned = any(item.severity is not Severity.INFO for item in cache.diagnostics)
        if (config.strict and warned) or cache.lock != _sha256(output / LOCK_NAME):
            return None
        if not _same_input(lock, spec, output, config, options, stdin) or cache.code != code_digest():
            return None
        edited = _edited(lock, output)
    except (OSError, ValueError, Refused):
        return None
    if edited is None or not (output / PRISTINE_NAME).is_file():
        return None
    return Unchanged(lock, located(cache.diagnostics, spec), edited)


def input_files(project: Path, spec: str, config: Config) -> Iterator[Path]:
    """The files that a project is generated from, whether they are there or not."""
    yield Path(spec)
    yield from config.overlays
    yield from (path for path in (config.path, *config.bases, config.phrases) if path is not None)
    try:
        lock = read_lock(project, Collector())
    except Refused:
        lock = None  # half-written by somebody
    for name, _ in lock.info.documents if lock is not None else ():
        yield Path(spec).parent / name
    yield from templates_folder().rglob("*.jinja")
    for layer in config.layers:
        yield from (path for path in Path(layer).rglob("*") if path.is_file())


def _same_input(
    lock: Lock, spec: str, output: Path, config: Config, options: Mapping[str, Any], stdin: bytes | None
) -> bool:
    info = lock.info
    if spec.lower().startswith(("http://", "https://")) or (spec == "-" and stdin is None):
        return False
    if config.plugins or (config.layers and info.templates_sha256 != _template_digest(config)):
        return False
    digest = hashlib.sha256(stdin).hexdigest() if spec == "-" and stdin is not None else _sha256(Path(spec))
    folder = Path.cwd() if spec == "-" else Path(spec).parent
    return (
        (info.spec_name, info.spec_sha256) == (spec_name(spec), digest)
        and info.config_sha256 == config.digest()
        and info.sources == sources_of(spec, config.path, options, output, config.member)
        and [sha256 for _, sha256 in info.overlays] == [_sha256(path) for path in config.overlays]
        and all(_sha256(folder / name) == sha256 for name, sha256 in info.documents)
    )


def _template_digest(config: Config) -> str:
    """The digest of the templates with the team's layers; those of mcpgen alone are part of `code_digest`."""
    from mcpgen.render.layers import template_digest  # takes long to load

    return template_digest(config.layers)


def _edited(lock: Lock, output: Path) -> list[str] | None:
    """The files that have edits; None where something is there, or is not, against what the lock says."""
    found = []
    for path, entry in lock.files.items():
        target = output / path
        if target.exists() is entry.deleted or target.is_symlink():
            return None
        if entry.ownership is not Ownership.USER and not entry.deleted:
            data = unix(target.read_bytes())
            if hashlib.sha256(data).hexdigest() != entry.sha256:
                if has_markers(text_of(data)):
                    return None
                found.append(path.as_posix())
    return found


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()

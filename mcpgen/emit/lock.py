"""mcpgen.lock: what was generated from what, so that the next run knows which files are ours and untouched.

The file is committed by the team. It holds no time, no absolute path and no working directory, so that the same
input gives the same bytes everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from mcpgen.diagnostics import Collector, Location
from mcpgen.emit.model import Action, Change, FormattedFile, Ownership, json_lines
from mcpgen.emit.sources import Sources

LOCK_NAME = "mcpgen.lock"
LOCK_VERSION = 2


@dataclass(frozen=True, slots=True)
class LockInfo:
    """What the pipeline knows about a run.

    `generator` is `mcpgen 0.1.0`; `spec_name` comes from `spec_name()`; `tools` pins names: the planner's key of a tool
    (`GET /orders/{order_id}`) -> its name. `documents` are name and SHA-256 of further documents that the spec refers to,
    `overlays` those of the overlays, in the order in which they were applied. `project` pins the project's own names:
    `package`, `name` and `env_prefix`. `templates_sha256` is of all templates; `sources` leads to the input.
    """

    generator: str
    spec_name: str
    spec_sha256: str
    config_sha256: str
    tools: Mapping[str, str]
    documents: Sequence[tuple[str, str]] = ()
    project: Mapping[str, str] = field(default_factory=dict)
    overlays: Sequence[tuple[str, str]] = ()
    templates_sha256: str = ""
    sources: Sources = field(default_factory=Sources)


@dataclass(frozen=True, slots=True)
class LockedFile:
    """One file of the last run: who owns it, the SHA-256 of what was generated, whether the team has deleted it."""

    ownership: Ownership
    sha256: str
    deleted: bool = False


@dataclass(frozen=True, slots=True)
class Lock:
    """The content of mcpgen.lock."""

    info: LockInfo
    files: Mapping[PurePosixPath, LockedFile]

    def render(self) -> bytes:
        """The bytes of the file: sorted, one entry a line, so that a merge conflict is small."""
        info = self.info
        documents, overlays = _named(info.documents), _named(info.overlays)
        sources = {
            key: value
            for key, value in (
                ("spec", info.sources.spec),
                ("config", info.sources.config),
                ("project", info.sources.project),
                ("options", dict(sorted(info.sources.options.items()))),
            )
            if value
        }
        document = {
            "lock_version": LOCK_VERSION,
            "generator": info.generator,
            "spec": {"name": info.spec_name, "sha256": info.spec_sha256},
            **({"documents": documents} if documents else {}),
            **({"overlays": overlays} if overlays else {}),
            "config": info.config_sha256,
            "templates": info.templates_sha256,
            "sources": sources,
            "project": dict(sorted(info.project.items())),
            "tools": dict(sorted(info.tools.items())),
            "files": {str(path): _entry(entry) for path, entry in sorted(self.files.items())},
        }
        return json_lines(document, separators=(", ", ": ")).encode()

    def without_deletions(self) -> Lock:
        """The same, as if the team had deleted no file."""
        return Lock(self.info, {path: replace(entry, deleted=False) for path, entry in self.files.items()})


def _named(digests: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"name": name, "sha256": digest} for name, digest in digests]


def _entry(file: LockedFile) -> dict[str, Any]:
    entry: dict[str, Any] = {"ownership": str(file.ownership), "sha256": file.sha256}
    return {**entry, "deleted": True} if file.deleted else entry


def spec_name(spec: str) -> str:
    """How the lock names a spec: the last part of a path, a URL without credentials and query, `-` for standard input."""
    url = urlsplit(spec)
    if url.scheme in {"http", "https"}:
        return f"{url.scheme}://{url.netloc.rpartition('@')[2]}{url.path}"
    return spec if spec == "-" else Path(spec).name


def next_lock(
    info: LockInfo, files: Iterable[FormattedFile], changes: Iterable[Change], old: Lock | None
) -> Lock:
    """The lock after a run.

    A user file keeps the digest of what was first written. A file that is no longer planned but stays, because it was
    edited, stays listed: so it is reported again and never taken for a foreign one.
    """
    before = old.files if old else {}
    kept = {change.path for change in changes if change.action is Action.KEPT}
    deleted = {change.path for change in changes if change.deleted}
    entries = {path: before[path] for path in kept if path in before}
    for file in files:
        entry = LockedFile(file.ownership, file.sha256, file.path in deleted)
        if file.ownership is Ownership.USER and file.path in before:
            entry = replace(before[file.path], deleted=entry.deleted)
        entries[file.path] = entry
    return Lock(info, entries)


def read_lock(output: Path, diagnostics: Collector) -> Lock | None:
    """The lock of an output folder, or None when there is none.

    Raises:
        Refused: there is one, but it cannot be read or is of another version (`output-not-ours`).
    """
    place = Location(str(output / LOCK_NAME))
    try:
        return parse_lock((output / LOCK_NAME).read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return None
    except json.JSONDecodeError as error:
        place = replace(place, line=error.lineno, column=error.colno)
        problem = f"The lock is not JSON: {error.msg}."
    except OSError as error:
        problem = f"The lock cannot be read: {error.strerror or error}."
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        problem = f"The lock is not one that this version of mcpgen understands: {error}."
    hint = "Restore mcpgen.lock; or delete it and generate again: what differs then counts as not written by mcpgen."
    raise diagnostics.refuse("output-not-ours", problem, place, hint=hint)


def parse_lock(data: bytes) -> Lock:
    """The content of a lock.

    Raises:
        KeyError, TypeError, ValueError, AttributeError, RecursionError: it is none.
    """
    document = json.loads(data)
    version = document["lock_version"]
    if version not in (1, LOCK_VERSION):  # version 1 says less, and nothing else
        raise ValueError(f"lock_version is {version}, expected {LOCK_VERSION}")
    sources = document.get("sources", {})
    info = LockInfo(
        generator=document["generator"],
        spec_name=document["spec"]["name"],
        spec_sha256=document["spec"]["sha256"],
        config_sha256=document["config"],
        tools={str(key): str(name) for key, name in document["tools"].items()},
        documents=[(entry["name"], entry["sha256"]) for entry in document.get("documents", ())],
        overlays=[(entry["name"], entry["sha256"]) for entry in document.get("overlays", ())],
        project={str(key): str(name) for key, name in document.get("project", {}).items()},
        templates_sha256=document.get("templates", ""),
        sources=Sources(
            sources.get("spec"),
            sources.get("config"),
            dict(sources.get("options", {})),
            sources.get("project"),
        ),
    )
    files = {
        PurePosixPath(path): LockedFile(
            Ownership(entry["ownership"]), entry["sha256"], entry.get("deleted", False) is True
        )
        for path, entry in document["files"].items()
    }
    return Lock(info, files)

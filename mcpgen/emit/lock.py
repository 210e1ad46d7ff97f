"""mcpgen.lock: what was generated from what, so that the next run knows which files are ours and untouched.

The file is committed by the team. It holds no time, no path of a machine and no working directory, so that the same
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
from mcpgen.emit.model import FormattedFile, Ownership

LOCK_NAME = "mcpgen.lock"
LOCK_VERSION = 1


@dataclass(frozen=True, slots=True)
class LockInfo:
    """What the pipeline knows about a run.

    `generator` is `mcpgen 0.1.0`; `spec_name` comes from `spec_name()`; `tools` pins names: the planner's key of a tool
    (`GET /orders/{order_id}`) -> its name. `documents` are name and SHA-256 of further documents that the spec refers to.
    `project` pins the project's own names: `package`, `name` and `env_prefix`.
    """

    generator: str
    spec_name: str
    spec_sha256: str
    config_sha256: str
    tools: Mapping[str, str]
    documents: Sequence[tuple[str, str]] = ()
    project: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LockedFile:
    """One file of the last run: who owns it and the SHA-256 of the bytes that were written."""

    ownership: Ownership
    sha256: str


@dataclass(frozen=True, slots=True)
class Lock:
    """The content of mcpgen.lock."""

    info: LockInfo
    files: Mapping[PurePosixPath, LockedFile]

    def render(self) -> bytes:
        """The bytes of the file: sorted, one entry a line, so that a merge conflict is small."""
        documents = [{"name": name, "sha256": digest} for name, digest in self.info.documents]
        document = {
            "lock_version": LOCK_VERSION,
            "generator": self.info.generator,
            "spec": {"name": self.info.spec_name, "sha256": self.info.spec_sha256},
            **({"documents": documents} if documents else {}),
            "config": self.info.config_sha256,
            "project": dict(sorted(self.info.project.items())),
            "tools": dict(sorted(self.info.tools.items())),
            "files": {
                str(path): {"ownership": str(entry.ownership), "sha256": entry.sha256}
                for path, entry in sorted(self.files.items())
            },
        }
        return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()


def spec_name(spec: str) -> str:
    """How the lock names a spec: the last part of a path, a URL without credentials and query, `-` for standard input."""
    url = urlsplit(spec)
    if url.scheme in {"http", "https"}:
        return f"{url.scheme}://{url.netloc.rpartition('@')[2]}{url.path}"
    return spec if spec == "-" else Path(spec).name


def next_lock(
    info: LockInfo, files: Iterable[FormattedFile], kept: Iterable[PurePosixPath], old: Lock | None
) -> Lock:
    """The lock after a run.

    A user file keeps the digest of what was first written. `kept` are files that are no longer planned but stay,
    because they were edited: they stay listed, so that they are reported again and never taken for foreign ones.
    """
    before = old.files if old else {}
    entries: dict[PurePosixPath, LockedFile] = {path: before[path] for path in kept}
    for file in files:
        entry = LockedFile(file.ownership, file.sha256)
        entries[file.path] = before.get(file.path, entry) if file.ownership is Ownership.USER else entry
    return Lock(info, entries)


def read_lock(output: Path, diagnostics: Collector, *, force: bool = False) -> Lock | None:
    """The lock of an output folder, or None when there is none. With `force`, a broken one counts as none.

    Raises:
        Refused: there is one, but it cannot be read or is of another version (`output-not-ours`).
    """
    place = Location(str(output / LOCK_NAME))
    try:
        return _parse(json.loads((output / LOCK_NAME).read_bytes()))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except json.JSONDecodeError as error:
        place = replace(place, line=error.lineno, column=error.colno)
        problem = f"The lock is not JSON: {error.msg}."
    except OSError as error:
        problem = f"The lock cannot be read: {error.strerror or error}."
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        problem = f"The lock is not one that this version of mcpgen understands: {error}."
    if force:
        return None
    hint = "Restore mcpgen.lock, or pass --force to generate as if it were not there."
    raise diagnostics.refuse("output-not-ours", problem, place, hint=hint)


def _parse(document: Any) -> Lock:
    if document["lock_version"] != LOCK_VERSION:
        raise ValueError(f"lock_version is {document['lock_version']}, expected {LOCK_VERSION}")
    info = LockInfo(
        generator=document["generator"],
        spec_name=document["spec"]["name"],
        spec_sha256=document["spec"]["sha256"],
        config_sha256=document["config"],
        tools={str(key): str(name) for key, name in document["tools"].items()},
        documents=[(entry["name"], entry["sha256"]) for entry in document.get("documents", ())],
        project={str(key): str(name) for key, name in document.get("project", {}).items()},
    )
    files = {
        PurePosixPath(path): LockedFile(Ownership(entry["ownership"]), entry["sha256"])
        for path, entry in document["files"].items()
    }
    return Lock(info, files)

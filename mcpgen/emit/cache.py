"""What the last run knew, so that a run with the same input can be answered without planning anything.

The file is of this machine's checkout only (the project's .gitignore names it): without it, everything works as well.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from mcpgen.diagnostics import Diagnostic, Location, Severity

CACHE_NAME = ".mcpgen/cache.json"
_VERSION = 1


@dataclass(frozen=True, slots=True)
class Cache:
    """One run: the digests of the generator's code and of the lock that it left, and what it had to say.

    `kept` tells that files stay though they are no longer generated. Whether they still must needs a look at each.
    """

    code: str
    lock: str
    diagnostics: tuple[Diagnostic, ...]
    kept: bool = False


def write_cache(output: Path, cache: Cache) -> None:
    """Remembers a run. That it fails does no harm: the next run takes longer."""
    document = {"version": _VERSION, **asdict(cache)}
    data = (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()
    path = output / CACHE_NAME
    with suppress(OSError):
        if path.is_symlink() or (path.exists() and path.read_bytes() == data):
            return
        draft = path.with_suffix(".new")
        draft.write_bytes(data)
        os.replace(draft, path)


def read_cache(output: Path) -> Cache | None:
    """What is remembered, or None where that is nothing."""
    try:
        document = json.loads((output / CACHE_NAME).read_bytes())
        if document["version"] != _VERSION:
            return None
        found = tuple(_diagnostic(entry) for entry in document["diagnostics"])
        return Cache(document["code"], document["lock"], found, document["kept"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _diagnostic(entry: dict[str, object]) -> Diagnostic:
    place = entry.pop("location")
    severity = Severity(str(entry.pop("severity")))
    location = Location(**place) if isinstance(place, dict) else None
    return Diagnostic(severity=severity, location=location, **entry)  # type: ignore[arg-type]


def portable(diagnostics: Sequence[Diagnostic], spec: str) -> tuple[Diagnostic, ...] | None:
    """Diagnostics that say the same wherever the command is given: the spec is "", other files are seen from its folder.

    None where one speaks of a place that can't be found again from there.
    """
    found = []
    for item in diagnostics:
        name = "" if item.location is None else _portable(item.location.file, spec)
        if name is None:
            return None
        found.append(_at(item, name))
    return tuple(found)


def located(diagnostics: Sequence[Diagnostic], spec: str) -> list[Diagnostic]:
    """What `portable` gave, for a spec that may be called otherwise now."""
    return [
        item if item.location is None else _at(item, _seen(item.location.file, spec)) for item in diagnostics
    ]


def _portable(file: str, spec: str) -> str | None:
    if file == spec:
        return ""
    if spec == "-" or "://" in spec or "://" in file:
        return None
    try:
        name = Path(os.path.relpath(file, os.path.dirname(spec) or ".")).as_posix()
    except ValueError:
        return None  # another drive
    return name if _seen(name, spec) == file else None


def _seen(name: str, spec: str) -> str:
    return os.path.normpath(os.path.join(os.path.dirname(spec), name)) if name else spec


def _at(item: Diagnostic, file: str) -> Diagnostic:
    return item if item.location is None else replace(item, location=replace(item.location, file=file))

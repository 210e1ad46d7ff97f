"""Which Python starts the server, and whether it can."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

OLDEST = (3, 11)
_SECONDS = 20
_NEEDED = ("mcp", "httpx2", "jsonschema", "pydantic")
"""What a generated server cannot start without, apart from the standard library."""
_SHARED = "mcpgen-runtime"
"""The distribution that a project can ask for in place of a copy of the run-time library."""
_LOOK = """
import json, sys
from importlib.util import find_spec
def origin(name):
    try:
        found = find_spec(name)
    except Exception:
        return None
    return found and (found.origin or "")
names = sys.argv[1:]
print(json.dumps({"version": list(sys.version_info[:2]), "found": {name: origin(name) for name in names}}))
"""


@dataclass(frozen=True, slots=True)
class Interpreter:
    """An interpreter as it was found.

    Attributes:
        path: absolute, symbolic links not followed: the interpreter of a virtual environment is one.
        problem: why it cannot start the server, as a sentence; None when it can.
        installed: this very project is installed in it, so that it needs no `PYTHONPATH`.
    """

    path: str
    problem: str | None
    installed: bool


def find_interpreter(project: Path, package: str, given: Path | None) -> Interpreter:
    """The interpreter that was asked for, else that of the project's `.venv`, else the one that runs mcpgen."""
    path = os.path.abspath(given or _of_project(project) or sys.executable)
    needed = [*_NEEDED, _SHARED.replace("-", "_")] if _shares(project) else _NEEDED
    try:
        # In the folder of the interpreter and without PYTHONPATH, so that only what is installed is seen.
        done = subprocess.run(  # noqa: S603 - the user names the interpreter, and no shell is between
            [path, "-c", _LOOK, package, *needed],
            cwd=os.path.dirname(path),
            env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=True,
        )
        seen = json.loads(done.stdout)
        version, found = tuple(seen["version"]), seen["found"]
    except (OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError):
        return Interpreter(path, f"{path} does not run as a Python interpreter.", False)
    origin = found.get(package)
    own = (project / "src" / package / "__init__.py").resolve()
    installed = bool(origin) and Path(origin).resolve() == own
    missing = [name for name in needed if found.get(name) is None]
    return Interpreter(path, _problem(path, version, missing), installed)


def _shares(project: Path) -> bool:
    """Whether the project asks for the shared run-time library; what cannot be read asks for nothing."""
    try:
        asked = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
        return any(str(requirement).startswith(_SHARED) for requirement in asked)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _of_project(project: Path) -> Path | None:
    places = (project / ".venv" / "bin" / "python", project / ".venv" / "Scripts" / "python.exe")
    return next((place for place in places if place.is_file()), None)


def _problem(path: str, version: Sequence[int], missing: Sequence[str]) -> str | None:
    if tuple(version) < OLDEST:
        return f"{path} is Python {'.'.join(map(str, version))}; the server needs {'.'.join(map(str, OLDEST))} or newer."
    if missing:
        return f"{path} has no {', '.join(missing)}, so the server cannot start with it."
    return None

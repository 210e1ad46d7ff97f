"""What all tests share: running mcpgen as a user does, and files that record what is expected."""

from __future__ import annotations

import difflib
import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

UPDATE = "python -m pytest tests/golden tests/errors --update-golden (make golden)"
SHOWN_LINES = 60
MYPY_CACHE = Path(__file__).parents[1] / ".mypy_cache" / "generated"

# Where the environment forbids compiled modules beside the source, they go below the caches: every process of the suite
# would compile mcpgen, and every worker all tests, again and again.
BYTECODE = Path(__file__).parents[1] / ".pytest_cache" / "bytecode"
if sys.dont_write_bytecode:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = str(BYTECODE)
    sys.dont_write_bytecode = False

# Few examples of each property by default, so that the suite stays quick; many with `HYPOTHESIS_PROFILE=thorough` or
# `--hypothesis-profile thorough`. Neither has limits of time: a busy machine is no failure.
UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("fast", UNTIMED, max_examples=30)
settings.register_profile("thorough", UNTIMED, max_examples=300)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="rewrite the expected files of golden and error cases"
    )


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Forgets the compiled modules of generated projects, which lay in folders of this run."""
    if not hasattr(session.config, "workerinput"):
        temporary = Path(tempfile.gettempdir()).resolve()
        shutil.rmtree(BYTECODE / temporary.relative_to(temporary.anchor), ignore_errors=True)


@pytest.fixture(scope="session")
def mcpgen_command() -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Runs `mcpgen ARGUMENTS` in a process of its own, with nothing of the caller's terminal."""

    def run(
        *arguments: str, cwd: Path, stdin: bytes = b"", env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        clean = {key: value for key, value in os.environ.items() if not key.startswith(("MCPGEN", "COV"))}
        clean |= {"NO_COLOR": "1", "COLUMNS": "100", "PYTHONHASHSEED": "0", **(env or {})}
        command = [sys.executable, "-m", "mcpgen", *arguments]
        return subprocess.run(
            command, cwd=cwd, input=stdin, env=clean, capture_output=True, timeout=300, check=False
        )

    return run


@contextmanager
def one_mypy() -> Iterator[Path]:
    """A cache of mypy in which the libraries are, for one mypy at a time."""
    MYPY_CACHE.mkdir(parents=True, exist_ok=True)
    with (MYPY_CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield MYPY_CACHE


@pytest.fixture
def mypy_cache(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What the test starts uses the shared cache of mypy."""
    with one_mypy() as cache:
        monkeypatch.setenv("MYPY_CACHE_DIR", str(cache))
        yield


@pytest.fixture(scope="session")
def expect_sound() -> Callable[..., None]:
    """Runs the own tests of a generated project, and mypy on the parts that are named, as its users would."""

    def run(project: Path, *module: str) -> None:
        clean = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "MCPGEN"))}
        command = [sys.executable, "-m", *module]
        env = clean | {"MYPYPATH": "src"}
        done = subprocess.run(command, cwd=project, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (done.stdout + done.stderr)[-2000:]

    def expect(project: Path, *typed: str) -> None:
        # Without the plugins that it does not ask for: they would only take time to start.
        run(
            project,
            "pytest",
            "-q",
            *(f"-pno:{name}" for name in ("cacheprovider", "xdist", "hypothesispytest", "schemathesis")),
        )
        if typed:
            with one_mypy() as cache:
                run(project, "mypy", "--strict", "--follow-imports=silent", f"--cache-dir={cache}", *typed)

    return expect


@pytest.fixture
def read_tree() -> Callable[[Path], dict[str, bytes]]:
    """All files below a folder, without Python's caches."""

    def read(folder: Path) -> dict[str, bytes]:
        found = (
            path for path in sorted(folder.rglob("*")) if path.is_file() and "__pycache__" not in path.parts
        )
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}

    return read


@pytest.fixture
def expect_tree(request: pytest.FixtureRequest) -> Callable[[Path, Mapping[str, bytes]], None]:
    """Compares files with a recorded folder; missing, extra and different files all fail, with a diff.

    With `--update-golden` the folder is rewritten instead.
    """

    def expect(folder: Path, actual: Mapping[str, bytes]) -> None:
        recorded = {p.relative_to(folder).as_posix(): p for p in sorted(folder.rglob("*")) if p.is_file()}
        if request.config.getoption("--update-golden"):
            _record(folder, recorded, actual)
            return
        problems = [f"missing from the output: {name}" for name in sorted(recorded.keys() - actual.keys())]
        problems += [f"not expected: {name}" for name in sorted(actual.keys() - recorded.keys())]
        for name in sorted(recorded.keys() & actual.keys()):
            problems += _difference(name, recorded[name].read_bytes(), actual[name])
        if problems:
            shown = "\n".join(problems[:SHOWN_LINES])
            rest = f"\n... {len(problems) - SHOWN_LINES} more lines" if len(problems) > SHOWN_LINES else ""
            pytest.fail(
                f"{folder.name} is not as recorded:\n{shown}{rest}\n\nIf that is right: {UPDATE}",
                pytrace=False,
            )

    return expect


@pytest.fixture
def expect_text(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Compares a text with a recorded file; with `--update-golden` the file is rewritten instead."""

    def expect(path: Path, actual: str) -> None:
        if request.config.getoption("--update-golden"):
            path.write_text(actual, encoding="utf-8")
            return
        recorded = path.read_text("utf-8") if path.exists() else ""
        if recorded != actual:
            shown = "\n".join(_difference(path.name, recorded.encode(), actual.encode()))
            pytest.fail(f"{path} is not as recorded:\n{shown}\n\nIf that is right: {UPDATE}", pytrace=False)

    return expect


def _record(folder: Path, recorded: Mapping[str, Path], actual: Mapping[str, bytes]) -> None:
    for name in recorded.keys() - actual.keys():
        recorded[name].unlink()
    for name, data in actual.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def _difference(name: str, expected: bytes, actual: bytes) -> list[str]:
    if expected == actual:
        return []
    before = expected.decode("utf-8", "backslashreplace").splitlines()
    after = actual.decode("utf-8", "backslashreplace").splitlines()
    return list(difflib.unified_diff(before, after, f"expected/{name}", f"actual/{name}", lineterm="", n=2))

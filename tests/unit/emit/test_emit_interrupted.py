"""Writing is all or nothing: an error, an interrupt or a kill at any step leaves the old project or the new one."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from pathlib import Path

import pytest

from mcpgen.diagnostics import Collector, Refused
from mcpgen.emit import Action, journal, writer

from .projects import FIRST, codes, emit, tree


@pytest.fixture
def output(tmp_path: Path) -> Path:
    folder = tmp_path / "deep" / "out"
    emit(FIRST, folder)
    return folder


CHANGED = {"README.md": "two\n", "new/deep/b.py": "x = 2\n", "_runtime/core.py": "y  =  2\n", "hooks.py": ""}


@pytest.mark.parametrize("error", [OSError("disk full"), KeyboardInterrupt()])
@pytest.mark.parametrize("step", range(6))
def test_a_failure_or_interrupt_at_any_step_restores_everything(
    output: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, step: int
) -> None:
    before, calls, move = tree(output), iter(range(100)), os.replace

    def fail(source: Path, target: Path) -> None:
        number = next(calls)
        if number == step:
            raise error
        move(source, target)
        if isinstance(error, KeyboardInterrupt) and number + 1 == step:
            raise error

    monkeypatch.setattr(journal.os, "replace", fail)
    with pytest.raises((Refused, KeyboardInterrupt)):
        emit(CHANGED, output)
    monkeypatch.undo()
    assert tree(output) == before
    assert sorted(p.name for p in output.iterdir()) == [
        ".mcpgen",
        "README.md",
        "_runtime",
        "hooks.py",
        "mcpgen.lock",
        "tools",
    ]
    assert Action.REMOVE in {change.action for change in emit(CHANGED, output)}


def test_a_failure_while_building_a_new_folder_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(writer.os, "rename", fail)
    with pytest.raises(KeyboardInterrupt):
        emit(FIRST, tmp_path / "a" / "b" / "out")
    assert list(tmp_path.iterdir()) == []


BEFORE = {"README.md": "one\n", "a/b.md": "x\n", "hooks.py": ""}
AFTER = {"README.md": "two\n", "new/deep/c.md": "y\n", "hooks.py": ""}
"""Without Python, which takes time to be formatted."""


def _killed_at(number: int, output: Path) -> bool:
    """Writes in a process that kills itself at its n-th touch of the disk; tells whether it came that far."""
    process = os.fork()
    if process == 0:
        events = iter(range(10_000))

        def count(event: str, _: tuple[object, ...]) -> None:
            touches = event == "open" or event.startswith(("os.", "shutil.", "fcntl."))
            if touches and next(events) == number:
                os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(count)
        emit(AFTER, output)
        os._exit(0)
    _, status = os.waitpid(process, 0)
    return os.WIFSIGNALED(status)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("first", [True, False], ids=["a new folder", "a project"])
def test_a_kill_at_any_point_leaves_the_old_project_or_the_new_one(tmp_path: Path, first: bool) -> None:
    emit(BEFORE, tmp_path / "old")
    emit(BEFORE, tmp_path / "new")
    emit(AFTER, tmp_path / "new")
    fresh = tmp_path / "fresh"
    emit(AFTER, fresh)
    states = ({}, tree(fresh)) if first else (tree(tmp_path / "old"), tree(tmp_path / "new"))
    output = tmp_path / "out"
    seen = set()
    for number in range(0, 10_000, 5):
        if not first:
            shutil.copytree(tmp_path / "old", output)
        killed = _killed_at(number, output)
        writer.tidy(output)
        assert tree(output) in states, f"killed at {number}"
        seen.add(states.index(tree(output)))
        emit(AFTER, output)
        assert tree(output) == states[1]
        assert sorted(path.name for path in tmp_path.iterdir()) == ["fresh", "new", "old", "out"]
        assert [path.name for path in (output / ".mcpgen").iterdir()] == ["pristine.xz"]
        shutil.rmtree(output)
        if not killed:
            break
    assert number > 30
    assert seen == {0, 1}


def test_what_was_edited_after_a_kill_is_not_overwritten(output: Path) -> None:
    steps = iter(range(100))
    process = os.fork()
    if process == 0:
        replace = os.replace

        def stop(source: Path, target: Path) -> None:
            replace(source, target)
            if next(steps) == 2:
                os.kill(os.getpid(), signal.SIGKILL)

        journal.os.replace = stop  # type: ignore[assignment]
        emit(CHANGED, output)
    os.waitpid(process, 0)
    (output / "README.md").write_text("typed after the crash\n")
    diagnostics = Collector()
    with pytest.raises(Refused):
        emit(CHANGED, output, diagnostics)
    [diagnostic] = diagnostics
    assert diagnostic.message.startswith("The output cannot be written: README.md was changed after a run")
    assert (output / "README.md").read_text() == "typed after the crash\n"


def test_a_dry_run_does_not_repair(output: Path) -> None:
    (output / journal.RUN_FOLDER).mkdir()
    (output / journal.RUN_FOLDER / "journal.json").write_text(json.dumps({"folders": [], "steps": []}))
    diagnostics = Collector()
    with pytest.raises(Refused):
        emit(CHANGED, output, diagnostics, dry_run=True)
    assert codes(diagnostics) == ["output-unwritable"]
    recovered = Collector()
    emit(CHANGED, output, recovered)
    assert codes(recovered) == ["output-recovered"]

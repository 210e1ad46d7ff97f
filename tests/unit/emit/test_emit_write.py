"""Writing: who owns a file, what a second run does, and that a failure leaves everything as it was."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

import pytest

from mcpgen.diagnostics import Collector, Refused
from mcpgen.emit import (
    Action,
    ChangeSet,
    LockInfo,
    Ownership,
    RenderedFile,
    read_lock,
    spec_name,
    write,
    writer,
)

INFO = LockInfo("mcpgen 0.0.0", "api.yaml", "ab" * 32, "cd" * 32, {"GET /b": "get_b", "GET /a": "get_a"})
OWNERS = {"hooks.py": Ownership.USER, "_runtime/core.py": Ownership.VENDORED}
FIRST = {
    "README.md": "one\n",
    "tools/a.py": "x = 1\n",
    "_runtime/core.py": "y  =  1\n",
    "hooks.py": "mine = 0\n",
}


def emit(
    files: Mapping[str, str],
    output: Path,
    diagnostics: Collector | None = None,
    *,
    force: bool = False,
    dry_run: bool = False,
) -> ChangeSet:
    planned = [
        RenderedFile(PurePosixPath(p), t, OWNERS.get(p, Ownership.GENERATED)) for p, t in files.items()
    ]
    diagnostics = Collector() if diagnostics is None else diagnostics
    return write(planned, output, lock=INFO, diagnostics=diagnostics, force=force, dry_run=dry_run)


def tree(folder: Path) -> dict[str, bytes]:
    return {
        p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()
    }


def actions(changes: ChangeSet) -> dict[str, str]:
    return {str(change.path): str(change.action) for change in changes}


def codes(diagnostics: Collector) -> list[str]:
    return [diagnostic.code for diagnostic in diagnostics]


@pytest.fixture
def output(tmp_path: Path) -> Path:
    folder = tmp_path / "deep" / "out"
    emit(FIRST, folder)
    return folder


def test_a_new_folder_holds_the_files_and_the_lock(output: Path) -> None:
    assert {k: v.decode() for k, v in tree(output).items() if k != "mcpgen.lock"} == FIRST
    assert [p.name for p in output.parent.iterdir()] == ["out"], "nothing is left beside the output"


def test_the_lock_is_stable_and_names_no_time_and_no_machine(output: Path, tmp_path: Path) -> None:
    text = (output / "mcpgen.lock").read_text()
    document = json.loads(text)
    assert list(document) == ["lock_version", "generator", "spec", "config", "project", "tools", "files"]
    assert list(document["tools"]) == ["GET /a", "GET /b"]
    assert document["files"]["hooks.py"]["ownership"] == "user"
    assert str(tmp_path) not in text
    emit(dict(reversed(FIRST.items())), tmp_path / "other")
    assert (tmp_path / "other/mcpgen.lock").read_text() == text


def test_a_second_run_touches_nothing(output: Path) -> None:
    before = {p: p.stat().st_mtime_ns for p in output.rglob("*")}
    changes = emit(FIRST, output)
    assert {p: p.stat().st_mtime_ns for p in output.rglob("*")} == before
    assert changes.writes == ()
    assert actions(changes)["hooks.py"] == "kept"


def test_untouched_files_are_replaced_and_removed_and_new_ones_created(output: Path) -> None:
    changes = emit({"README.md": "two\n", "tools2/b.py": "x = 2\n", "hooks.py": "mine = 0\n"}, output)
    assert actions(changes) == {
        "README.md": "replace",
        "_runtime/core.py": "remove",
        "hooks.py": "kept",
        "mcpgen.lock": "replace",
        "tools/a.py": "remove",
        "tools2/b.py": "create",
    }
    assert set(tree(output)) == {"README.md", "hooks.py", "mcpgen.lock", "tools2/b.py"}
    assert sorted(p.name for p in output.iterdir()) == ["README.md", "hooks.py", "mcpgen.lock", "tools2"]


def test_an_edited_file_stops_the_run_and_is_named(output: Path) -> None:
    (output / "tools/a.py").write_text("x = 3\n")
    (output / "_runtime/core.py").write_text("y = 3\n")
    before, diagnostics = tree(output), Collector()
    with pytest.raises(Refused):
        emit({**FIRST, "README.md": "two\n", "tools/a.py": "x = 2\n"}, output, diagnostics)
    assert tree(output) == before
    [diagnostic] = diagnostics
    assert diagnostic.code == "output-edited"
    assert "_runtime/core.py, tools/a.py" in diagnostic.message
    assert "--force" in (diagnostic.hint or "")


def test_force_overwrites_edited_files_but_never_the_teams(output: Path) -> None:
    (output / "tools/a.py").write_text("x = 3\n")
    (output / "hooks.py").write_text("mine = 9\n")
    emit({**FIRST, "tools/a.py": "x = 2\n", "hooks.py": "mine = 1\n"}, output, force=True)
    assert (output / "tools/a.py").read_text() == "x = 2\n"
    assert (output / "hooks.py").read_text() == "mine = 9\n"


def test_an_edit_that_equals_the_new_text_is_no_conflict(output: Path) -> None:
    (output / "tools/a.py").write_text("x = 2\n")
    assert actions(emit({**FIRST, "tools/a.py": "x = 2\n"}, output))["tools/a.py"] == "identical"


def test_other_line_ends_are_no_edit(output: Path) -> None:
    (output / "tools/a.py").write_bytes(b"x = 1\r\n")
    (output / "README.md").write_bytes(b"one\r\n")
    changes = actions(emit({**FIRST, "tools/a.py": "x = 2\n"}, output))
    assert (changes["tools/a.py"], changes["README.md"]) == ("replace", "identical")


def test_a_deleted_generated_file_comes_back_and_a_deleted_user_file_does_not(output: Path) -> None:
    (output / "tools/a.py").unlink()
    (output / "hooks.py").unlink()
    changes = actions(emit(FIRST, output))
    assert (changes["tools/a.py"], changes["hooks.py"]) == ("create", "kept")
    assert not (output / "hooks.py").exists()
    assert actions(emit(FIRST, output, force=True))["hooks.py"] == "create"


def test_an_edited_file_that_is_no_longer_planned_stays_and_is_reported_every_time(output: Path) -> None:
    (output / "tools/a.py").write_text("x = 3\n")
    rest = {path: text for path, text in FIRST.items() if path != "tools/a.py"}
    for _ in range(2):
        diagnostics = Collector()
        assert actions(emit(rest, output, diagnostics))["tools/a.py"] == "kept"
        assert codes(diagnostics) == ["output-kept"]
    assert (output / "tools/a.py").read_text() == "x = 3\n"


def test_unknown_files_are_never_touched(output: Path) -> None:
    (output / "tools/own.py").write_text("own = 1\n")
    emit({"README.md": "two\n"}, output)
    assert (output / "tools/own.py").read_text() == "own = 1\n"


def test_a_foreign_folder_is_refused_only_for_files_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("notes")
    (tmp_path / "README.md").write_text("theirs")
    before, diagnostics = tree(tmp_path), Collector()
    with pytest.raises(Refused):
        emit(FIRST, tmp_path, diagnostics)
    assert tree(tmp_path) == before
    assert codes(diagnostics) == ["output-not-ours"]
    (tmp_path / "README.md").unlink()
    emit(FIRST, tmp_path)
    assert (tmp_path / "notes.txt").read_text() == "notes"


def test_a_new_file_that_meets_an_unknown_one_is_refused(output: Path) -> None:
    (output / "new.md").write_text("theirs")
    diagnostics = Collector()
    with pytest.raises(Refused):
        emit({**FIRST, "new.md": "ours\n"}, output, diagnostics)
    assert codes(diagnostics) == ["output-not-ours"]


def test_a_dry_run_shows_conflicts_and_writes_nothing(output: Path, tmp_path: Path) -> None:
    (output / "tools/a.py").write_text("x = 3\n")
    before, diagnostics = tree(output), Collector()
    changes = emit(
        {**FIRST, "tools/a.py": "x = 2\n", "README.md": "two\n"}, output, diagnostics, dry_run=True
    )
    assert tree(output) == before
    assert (actions(changes)["tools/a.py"], actions(changes)["README.md"]) == ("conflict", "replace")
    assert codes(diagnostics) == ["output-edited"]
    emit(FIRST, tmp_path / "new", dry_run=True)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("text", "line"), [("<<<<<<< ours\n", 1), ('{"lock_version": 9}', None), ("[]", None)]
)
def test_a_broken_lock_is_refused_unless_forced(output: Path, text: str, line: int | None) -> None:
    (output / "mcpgen.lock").write_text(text)
    diagnostics = Collector()
    with pytest.raises(Refused):
        emit({**FIRST, "README.md": "two\n"}, output, diagnostics)
    [diagnostic] = diagnostics
    assert (diagnostic.code, diagnostic.location and diagnostic.location.line) == ("output-not-ours", line)
    emit({**FIRST, "README.md": "two\n"}, output, force=True)
    assert read_lock(output, Collector()) is not None


@pytest.mark.parametrize("path", ["../x", "/x", "a/../../x", "mcpgen.lock", "readme.MD", "a\\b", "C:x"])
def test_a_path_that_leaves_the_folder_or_meets_another_is_a_bug(tmp_path: Path, path: str) -> None:
    with pytest.raises(ValueError, match="path"):
        emit({"README.md": "", path: ""}, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("link", ["tools", "tools/a.py", "hooks.py"])
@pytest.mark.parametrize("force", [False, True])
def test_symbolic_links_are_not_followed(output: Path, tmp_path: Path, link: str, force: bool) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.py").write_text("x = 1\n")
    place = output / link
    if place.is_dir():
        (place / "a.py").unlink()
        place.rmdir()
    else:
        place.unlink()
    place.symlink_to(outside if link == "tools" else outside / "a.py")
    diagnostics = Collector()
    with pytest.raises(Refused):
        emit({**FIRST, "tools/a.py": "x = 2\n"}, output, diagnostics, force=force)
    assert codes(diagnostics) == ["output-not-ours"]
    assert tree(outside) == {"a.py": b"x = 1\n"}


def test_a_lock_that_was_tampered_with_cannot_delete_outside(output: Path, tmp_path: Path) -> None:
    victim = tmp_path / "deep" / "victim"
    victim.write_bytes(b"x = 1\n")
    lock = json.loads((output / "mcpgen.lock").read_text())
    lock["files"]["../victim"] = lock["files"]["tools/a.py"]
    (output / "mcpgen.lock").write_text(json.dumps(lock))
    emit(FIRST, output)
    assert victim.exists()


def test_a_linked_output_folder_is_the_users_choice(output: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(output)
    emit({**FIRST, "README.md": "two\n"}, tmp_path / "link")
    assert (output / "README.md").read_text() == "two\n"


@pytest.mark.parametrize("name", ["file", "file/out"])
def test_an_output_that_cannot_be_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("")
    diagnostics = Collector()
    with pytest.raises(Refused):
        emit(FIRST, tmp_path / name, diagnostics)
    assert codes(diagnostics) == ["output-unwritable"]
    assert tree(tmp_path) == {"file": b""}


CHANGED = {"README.md": "two\n", "new/deep/b.py": "x = 2\n", "_runtime/core.py": "y  =  2\n", "hooks.py": ""}


@pytest.mark.parametrize("error", [OSError("disk full"), KeyboardInterrupt()])
@pytest.mark.parametrize("step", range(5))
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

    monkeypatch.setattr(writer.os, "replace", fail)
    with pytest.raises((Refused, KeyboardInterrupt)):
        emit(CHANGED, output)
    monkeypatch.undo()
    assert tree(output) == before
    assert sorted(p.name for p in output.iterdir()) == [
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


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("-", "-"),
        ("/home/me/api.yaml", "api.yaml"),
        ("../api.yaml", "api.yaml"),
        ("https://user:secret@example.com/v1/api.json?token=x#y", "https://example.com/v1/api.json"),
    ],
)
def test_the_spec_is_named_without_machine_or_secret(spec: str, name: str) -> None:
    assert spec_name(spec) == name

"""Writing: who owns a file, what a second run does, and that a failure leaves everything as it was."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcpgen.diagnostics import Collector, Refused
from mcpgen.emit import Choice, read_lock, spec_name

from .projects import FIRST, OWN, actions, codes, emit, tree


@pytest.fixture
def output(tmp_path: Path) -> Path:
    folder = tmp_path / "deep" / "out"
    emit(FIRST, folder)
    return folder


def test_a_new_folder_holds_the_files_and_the_lock(output: Path) -> None:
    assert {k: v.decode() for k, v in tree(output).items() if k not in OWN} == FIRST
    assert [p.name for p in output.parent.iterdir()] == ["out"], "nothing is left beside the output"


def test_the_lock_is_stable_and_names_no_time_and_no_machine(output: Path, tmp_path: Path) -> None:
    text = (output / "mcpgen.lock").read_text()
    document = json.loads(text)
    assert list(document) == [
        "lock_version",
        "generator",
        "spec",
        "config",
        "templates",
        "sources",
        "project",
        "tools",
        "files",
    ]
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
        ".mcpgen/pristine.xz": "replace",
        "README.md": "replace",
        "_runtime/core.py": "remove",
        "hooks.py": "kept",
        "mcpgen.lock": "replace",
        "tools/a.py": "remove",
        "tools2/b.py": "create",
    }
    assert set(tree(output)) == {"README.md", "hooks.py", "tools2/b.py"} | OWN
    assert sorted(p.name for p in output.iterdir()) == [
        ".mcpgen",
        "README.md",
        "hooks.py",
        "mcpgen.lock",
        "tools2",
    ]


def test_an_overlap_stops_the_run_and_is_shown_with_both_sides(output: Path) -> None:
    (output / "tools/a.py").write_text("x = 3\n")
    (output / "_runtime/core.py").write_text("y = 3\n")
    before, diagnostics = tree(output), Collector()
    changed = {**FIRST, "README.md": "two\n", "tools/a.py": "x = 2\n", "_runtime/core.py": "y = 4\n"}
    with pytest.raises(Refused):
        emit(changed, output, diagnostics)
    assert tree(output) == before
    assert [(d.code, d.location and d.location.file, d.message) for d in diagnostics] == [
        (
            "output-conflict",
            f"{output}/_runtime/core.py",
            "An edit and a new text overlap; yours: `y = 3`; generated: `y = 4`.",
        ),
        (
            "output-conflict",
            f"{output}/tools/a.py",
            "An edit and a new text overlap; yours: `x = 3`; generated: `x = 2`.",
        ),
    ]
    assert "--conflicts" in (next(iter(diagnostics)).hint or "")


@pytest.mark.parametrize(
    ("choice", "text"),
    [
        (Choice.OURS, "x = 3\n"),
        (Choice.THEIRS, "x = 2\n"),
        (Choice.INLINE, "<<<<<<< yours\nx = 3\n=======\nx = 2\n>>>>>>> generated\n"),
    ],
)
def test_the_user_chooses_what_stands_for_an_overlap(output: Path, choice: Choice, text: str) -> None:
    (output / "tools/a.py").write_text("x = 3\n")
    emit({**FIRST, "tools/a.py": "x = 2\n"}, output, choice=choice)
    assert (output / "tools/a.py").read_text() == text


def test_markers_that_nobody_took_out_stop_the_next_run(output: Path) -> None:
    (output / "tools/a.py").write_text("x = 3\n")
    emit({**FIRST, "tools/a.py": "x = 2\n"}, output, choice=Choice.INLINE)
    diagnostics = Collector()
    with pytest.raises(Refused):
        emit({**FIRST, "tools/a.py": "x = 2\n"}, output, diagnostics)
    [diagnostic] = diagnostics
    assert diagnostic.message == "The file still holds conflict markers."
    (output / "tools/a.py").write_text("x = 5\n")
    assert actions(emit({**FIRST, "tools/a.py": "x = 2\n"}, output))["tools/a.py"] == "edited"


def test_no_choice_overwrites_the_teams_files(output: Path) -> None:
    (output / "hooks.py").write_text("mine = 9\n")
    emit({**FIRST, "hooks.py": "mine = 1\n"}, output, choice=Choice.THEIRS)
    assert (output / "hooks.py").read_text() == "mine = 9\n"


def test_an_edit_that_equals_the_new_text_is_no_conflict(output: Path) -> None:
    (output / "tools/a.py").write_text("x = 2\n")
    assert actions(emit({**FIRST, "tools/a.py": "x = 2\n"}, output))["tools/a.py"] == "identical"


def test_other_line_ends_are_no_edit(output: Path) -> None:
    (output / "tools/a.py").write_bytes(b"x = 1\r\n")
    (output / "README.md").write_bytes(b"one\r\n")
    changes = actions(emit({**FIRST, "tools/a.py": "x = 2\n"}, output))
    assert (changes["tools/a.py"], changes["README.md"]) == ("replace", "identical")


@pytest.mark.parametrize("path", ["tools/a.py", "hooks.py", "_runtime/core.py"])
def test_a_deleted_file_stays_deleted_until_it_is_asked_for(output: Path, path: str) -> None:
    (output / path).unlink()
    for text in ("x = 1\n", "x = 2\n"):
        assert actions(emit({**FIRST, path: text}, output))[path] == "kept"
        assert not (output / path).exists()
        assert json.loads((output / "mcpgen.lock").read_text())["files"][path]["deleted"] is True
    assert actions(emit({**FIRST, path: "x = 2\n"}, output, restore=path))[path] == "create"
    assert "deleted" not in json.loads((output / "mcpgen.lock").read_text())["files"][path]


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
    assert codes(diagnostics) == ["output-conflict"]
    emit(FIRST, tmp_path / "new", dry_run=True)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("text", "line"), [("<<<<<<< ours\n", 1), ('{"lock_version": 9}', None), ("[]", None)]
)
def test_a_broken_lock_is_refused(output: Path, text: str, line: int | None) -> None:
    (output / "mcpgen.lock").write_text(text)
    diagnostics = Collector()
    with pytest.raises(Refused):
        emit({**FIRST, "README.md": "two\n"}, output, diagnostics)
    [diagnostic] = diagnostics
    assert (diagnostic.code, diagnostic.location and diagnostic.location.line) == ("output-not-ours", line)
    (output / "mcpgen.lock").unlink()
    changes = emit({**FIRST, "README.md": "two\n"}, output, choice=Choice.THEIRS)
    assert actions(changes)["README.md"] == "replace"
    assert read_lock(output, Collector()) is not None


@pytest.mark.parametrize("path", ["../x", "/x", "a/../../x", "mcpgen.lock", "readme.MD", "a\\b", "C:x"])
def test_a_path_that_leaves_the_folder_or_meets_another_is_a_bug(tmp_path: Path, path: str) -> None:
    with pytest.raises(ValueError, match="path"):
        emit({"README.md": "", path: ""}, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("link", ["tools", "tools/a.py", "hooks.py"])
@pytest.mark.parametrize("choice", [None, Choice.THEIRS])
def test_symbolic_links_are_not_followed(
    output: Path, tmp_path: Path, link: str, choice: Choice | None
) -> None:
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
        emit({**FIRST, "tools/a.py": "x = 2\n"}, output, diagnostics, choice=choice)
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


def test_markers_of_a_merge_of_branches_stop_a_run_too(output: Path) -> None:
    (output / "tools/a.py").write_text("<<<<<<< HEAD\nx = 3\n=======\nx = 4\n>>>>>>> feature\n")
    diagnostics = Collector()
    with pytest.raises(Refused):
        emit({**FIRST, "tools/a.py": "x = 2\n"}, output, diagnostics)
    [diagnostic] = diagnostics
    assert diagnostic.message == "The file still holds conflict markers."

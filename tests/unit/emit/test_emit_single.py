"""Replacing one file of somebody else."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcpgen.emit.single import ChangedMeanwhile, replace_file


def test_a_new_file_gets_its_folder_and_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b.json"
    replace_file(path, None, b"new", mode=0o600)
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o600
    assert [one.name for one in path.parent.iterdir()] == ["b.json"]


def test_permissions_and_a_symbolic_link_stay(tmp_path: Path) -> None:
    target, link = tmp_path / "target.json", tmp_path / "link.json"
    target.write_bytes(b"old")
    target.chmod(0o640)
    link.symlink_to(target)
    replace_file(link, b"old", b"new", mode=0o600)
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert target.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("before", [None, b"other"])
def test_a_change_in_between_is_not_overwritten(before: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(b"theirs")
    with pytest.raises(ChangedMeanwhile):
        replace_file(path, before, b"new")
    assert path.read_bytes() == b"theirs"
    assert [one.name for one in tmp_path.iterdir()] == ["x.json"]


def test_a_file_that_vanished_is_not_made_again(tmp_path: Path) -> None:
    with pytest.raises(ChangedMeanwhile):
        replace_file(tmp_path / "x.json", b"old", b"new")
    assert not list(tmp_path.iterdir())

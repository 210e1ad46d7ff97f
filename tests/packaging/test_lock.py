"""What automation installs: every distribution by version and hash, in agreement with the ranges of pyproject.toml."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
LOCK = (ROOT / ".ci/requirements.txt").read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
ENTRIES = re.split(r"\n(?=\S)", LOCK.strip())


def test_every_entry_is_one_version_with_hashes() -> None:
    for entry in ENTRIES:
        first, *rest = entry.split(" \\\n")
        assert re.fullmatch(r"[a-z0-9.-]+==[^\s;]+( ; .+)?", first), f"{first}: run make lock"
        assert rest
        assert all(re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}", line) for line in rest), first


def test_the_lock_follows_the_ranges() -> None:
    pinned = {}
    for entry in ENTRIES:
        locked = Requirement(entry.partition(" \\")[0])
        pinned[canonicalize_name(locked.name)] = next(iter(locked.specifier)).version
    wanted = [Requirement(text) for text in PROJECT["dependencies"] + PROJECT["optional-dependencies"]["dev"]]
    missing = [str(one) for one in wanted if canonicalize_name(one.name) not in pinned]
    assert missing == [], "run make lock"
    outside = [str(one) for one in wanted if pinned[canonicalize_name(one.name)] not in one.specifier]
    assert outside == [], "run make lock"


def test_the_lock_names_no_index() -> None:
    assert "://" not in LOCK
    assert "--index" not in LOCK

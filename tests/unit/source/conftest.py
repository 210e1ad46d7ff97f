"""Helpers for tests of the stage `source`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mcpgen.diagnostics import Collector
from mcpgen.source.load import load
from mcpgen.source.model import SourceOptions, SourceTree

DEFAULTS = SourceOptions()
Files = dict[str, str | bytes]


@pytest.fixture
def tree(tmp_path: Path) -> Callable[..., SourceTree]:
    """Writes files below a folder of their own and loads the first one."""

    def make(
        files: Files, options: SourceOptions = DEFAULTS, *, diagnostics: Collector | None = None
    ) -> SourceTree:
        base = tmp_path / "project"
        for name, content in files.items():
            path = base / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        target = str(base / next(iter(files)))
        found = diagnostics if diagnostics is not None else Collector()  # an empty one is false
        return load(target, options=options, diagnostics=found)

    return make

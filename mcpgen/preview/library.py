"""The shared run-time library for a project that is tried where it need not be installed."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mcpgen.render.library import MODULE, read_library
from mcpgen.render.sharing import distribution_files


@contextmanager
def shared_library(project: Path, package: str) -> Iterator[Path | None]:
    """A folder with `mcpgen_runtime` in it, until the block ends.

    None where the project has a copy of its own, or was generated for the library of another mcpgen: then what is installed
    counts, and the server says whether that will do.
    """
    door = project / "src" / package / "_runtime" / "__init__.py"
    if not door.is_file() or read_library().fingerprint not in door.read_text("utf-8", "replace"):
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="mcpgen-") as folder:
        for path, text in distribution_files().items():
            if MODULE in path.parts:
                target = Path(folder) / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(text, encoding="utf-8", newline="\n")
        yield Path(folder) / "src"

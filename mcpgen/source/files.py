"""Reading a local file within a bound."""

from __future__ import annotations

import os
from pathlib import Path

from mcpgen.source.problem import SourceProblem


def read_file(path: Path, max_bytes: int) -> bytes:
    """The bytes of a regular file.

    Raises:
        SourceProblem: there is no such file, it is a folder or a device, may not be read, or is too large.
    """
    try:
        if path.is_dir():
            raise SourceProblem("source-unreadable", "is a folder, not a file")
        if not path.exists():
            raise SourceProblem("source-unreadable", "does not exist")
        if not path.is_file():
            raise SourceProblem("source-unreadable", "is not a regular file")
        with path.open("rb") as stream:
            data = stream.read(max_bytes + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise SourceProblem("source-unreadable", f"cannot be read: {reason.lower()}") from None
    if len(data) > max_bytes:
        raise SourceProblem("source-limit", f"is larger than {max_bytes:,} bytes")
    return data


def shown_name(path: Path, root: Path | None, root_name: str) -> str:
    """How to call a further file: as the user would write it, seen from where the root was named."""
    if root is None:
        return os.path.relpath(path)
    beside = os.path.relpath(path, root.parent)
    return os.path.normpath(os.path.join(os.path.dirname(root_name), beside))

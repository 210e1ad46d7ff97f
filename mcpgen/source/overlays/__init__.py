"""Overlays: changes to a document that live in files of their own (OpenAPI Overlay Specification 1.0 and 1.1)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mcpgen.diagnostics import Collector
from mcpgen.source.options import SourceOptions
from mcpgen.source.tree import SourceTree


def apply_overlays(
    tree: SourceTree,
    paths: Sequence[Path],
    *,
    options: SourceOptions = SourceOptions(),  # noqa: B008 (frozen)
    diagnostics: Collector,
) -> tuple[tuple[str, str], ...]:
    """Changes the root of `tree` by the overlays in `paths`, in their order; called before references are followed.

    Returns the file name and the SHA-256 of each overlay. Places of the root are from then on found in the file that their
    value was written in.

    Raises:
        Refused: an overlay cannot be read, is malformed, or does not fit the document.
    """
    if not paths:
        return ()
    from mcpgen.source.overlays.applying import (
        applied,
    )  # the library takes time to load, and few runs have overlays

    return applied(tree, paths, options.max_bytes, diagnostics)

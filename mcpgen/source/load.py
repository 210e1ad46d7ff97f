"""The stage `source`: from what the user named to a tree of documents."""

from __future__ import annotations

import difflib
from pathlib import Path

from mcpgen.diagnostics import Collector, Location
from mcpgen.source.access import LocalAccess
from mcpgen.source.addresses import is_private
from mcpgen.source.fetch import fetch
from mcpgen.source.files import read_file
from mcpgen.source.options import SourceOptions
from mcpgen.source.problem import SourceProblem
from mcpgen.source.tree import SourceTree

STDIN_NAME = "<stdin>"


def load(
    target: str,
    *,
    options: SourceOptions = SourceOptions(),  # noqa: B008 (frozen)
    diagnostics: Collector,
    stdin: bytes | None = None,
) -> SourceTree:
    """Reads the root document. Further documents are read when a reference needs them.

    `target` is a path, an http(s) URL, or `-` for the bytes in `stdin`.

    Raises:
        Refused: the root cannot be read; the reason is in `diagnostics`.
    """
    name = STDIN_NAME if target == "-" else target
    tree = SourceTree(name, options, diagnostics)
    try:
        if target == "-":
            _from_stdin(tree, name, stdin or b"", options)
        elif target.lower().startswith(("http://", "https://")):
            _from_url(tree, name, options)
        else:
            _from_file(tree, name, options)
    except SourceProblem as problem:
        line, column = problem.position or (None, None)
        location = Location(name, "", line, column)
        raise diagnostics.refuse(
            problem.code, f"{name} {problem.message}", location, hint=problem.hint
        ) from None
    return tree


def _from_stdin(tree: SourceTree, name: str, data: bytes, options: SourceOptions) -> None:
    """References from standard input are relative to the working folder, and stay below it."""
    if len(data) > options.max_bytes:
        raise SourceProblem("source-limit", f"is larger than {options.max_bytes:,} bytes")
    access = LocalAccess(Path.cwd(), with_parent=False, extra=options.allow_outside)
    tree.allow(access, private_addresses=options.allow_private)
    tree.add(name, data)


def _from_url(tree: SourceTree, name: str, options: SourceOptions) -> None:
    # Whoever names a private address means it; a public one must not lead there by a redirect.
    public_only = not (options.allow_private or is_private(name))
    data, final = fetch(
        name, max_bytes=options.max_bytes, timeout=options.timeout_seconds, public_only=public_only
    )
    tree.allow(
        LocalAccess(None, with_parent=False, extra=options.allow_outside),
        private_addresses=options.allow_private or is_private(final),
    )
    tree.add(name, data, url=final)


def _from_file(tree: SourceTree, name: str, options: SourceOptions) -> None:
    path = Path(name)
    try:
        data = read_file(path, options.max_bytes)
    except SourceProblem as problem:
        if problem.code == "source-unreadable":
            problem.hint = problem.hint or _suggestion(path)
        raise
    path = path.resolve()
    access = LocalAccess(path.parent, with_parent=True, extra=options.allow_outside)
    tree.allow(access, private_addresses=options.allow_private)
    tree.add(name, data, path=path)


def _suggestion(path: Path) -> str | None:
    """What was probably meant: a file beside with a similar name, or a description inside the folder."""
    try:
        if path.is_dir():
            found = sorted(
                entry.name
                for entry in path.iterdir()
                if entry.suffix in (".json", ".yaml", ".yml")
                and entry.stem.lower() in ("openapi", "swagger", "api", "spec")
            )
            return f"Did you mean {path / found[0]}?" if found else None
        if path.exists():  # it is the right file, and cannot be read
            return None
        names = [entry.name for entry in path.parent.iterdir() if entry.is_file()]
        close = difflib.get_close_matches(path.name, names, n=1, cutoff=0.75)
        return f"Did you mean {path.parent / close[0]}?" if close else None
    except OSError:
        return None

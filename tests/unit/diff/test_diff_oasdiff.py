"""What oasdiff calls breaking is breaking here, for every rule that concerns what a tool publishes.

The agreement is printed; each row on which we differ says why.
"""

from __future__ import annotations

import json
from functools import cache
from itertools import chain
from typing import Any

import pytest

from mcpgen.comparison import read_spec
from mcpgen.config import Config
from mcpgen.diagnostics import Collector
from mcpgen.diff import Change, compare

from . import oasdiff_operations, oasdiff_requests, oasdiff_results, oasdiff_structures
from .oasdiff_rows import BREAKS, INFORMS, WARNS, Row, operation

TABLES = (oasdiff_requests, oasdiff_structures, oasdiff_results, oasdiff_operations)
ROWS = list(chain.from_iterable(table.rows() for table in TABLES))
_ORDER = (INFORMS, WARNS, BREAKS)


def document(side: str) -> bytes:
    """One document with an operation for each row, before or after."""
    paths: dict[str, Any] = {"/kept": {"get": {"responses": {"200": {"description": "Done."}}}}}
    for number, row in enumerate(ROWS):
        snippet = getattr(row, side)
        if row.slot == "operation" and snippet is None:
            continue
        made = operation(row, snippet, number)
        paths[f"/case{number}"] = {"post": {key: value for key, value in made.items() if value is not None}}
    schemes = {
        "key": {"type": "apiKey", "in": "header", "name": "X-Key"},
        "oauth": {
            "type": "oauth2",
            "flows": {
                "clientCredentials": {
                    "tokenUrl": "https://id.example.com/t",
                    "scopes": {"read": "", "write": ""},
                }
            },
        },
    }
    return json.dumps(
        {
            "openapi": "3.1.0",
            "info": {"title": "Cases", "version": "1.0.0"},
            "servers": [{"url": "https://api.example.com"}],
            "paths": paths,
            "components": {"securitySchemes": schemes, "schemas": oasdiff_structures.schemas()},
        }
    ).encode()


@cache
def found() -> dict[int, list[Change]]:
    """The changes by row, all documents being planned once."""
    # The validator takes longer for such large documents than all the rest together.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mcpgen.spec.document.validate", lambda *arguments, **options: None)
        before = read_spec("-", Config(), Collector(), stdin=document("old"))
        after = read_spec("-", Config(), Collector(), beside=before, stdin=document("new"))
    old, new = before.catalog, after.catalog
    routes = {name: entry["path"] for catalog in (old, new) for name, entry in catalog["operations"].items()}
    changes: dict[int, list[Change]] = {}
    for change in compare(old, new).changes:
        path = routes.get(change.tool, "")
        if path.startswith("/case"):
            changes.setdefault(int(path.removeprefix("/case")), []).append(change)
    return changes


def verdict(number: int) -> str:
    """The worst of what was found; nothing found is information."""
    return max(
        (str(change.severity) for change in found().get(number, [])), key=_ORDER.index, default=INFORMS
    )


@pytest.mark.parametrize(
    ("number", "row"), list(enumerate(ROWS)), ids=[f"{row.rule}-{row.slot}-{n}" for n, row in enumerate(ROWS)]
)
def test_a_rule_of_oasdiff(number: int, row: Row) -> None:
    assert verdict(number) == row.expected, [
        (c.code, str(c.severity), c.where) for c in found().get(number, [])
    ]


def test_the_agreement(capsys: pytest.CaptureFixture[str]) -> None:
    rules = {row.rule for row in ROWS}
    same = sum(verdict(number) == row.level for number, row in enumerate(ROWS))
    differing = [row for row in ROWS if row.ours]
    with capsys.disabled():
        print(
            f"\n  oasdiff: {len(rules)} rules in {len(ROWS)} cases; the same verdict in {same}, {same / len(ROWS):.1%}"
        )
        for row in differing:
            print(f"    {row.rule}: {row.level} there, {row.ours} here. {row.why}")
    assert len(rules) >= 250
    assert same == len(ROWS) - len(differing)
    assert same / len(ROWS) >= 0.93


def test_we_say_why_we_differ() -> None:
    assert all(bool(row.ours) == bool(row.why) and row.ours != row.level for row in ROWS)

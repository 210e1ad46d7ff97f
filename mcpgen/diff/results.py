"""Changes of what a tool returns: the schema of `data`."""

from __future__ import annotations

from collections.abc import Iterator

from mcpgen.diff.judging import result_verdict, schema_change, without_details
from mcpgen.diff.model import Change, Kind
from mcpgen.diff.schemas import Delta, compare_schemas
from mcpgen.diff.view import Pair

_DATA = ("properties", "data")


def result_changes(pair: Pair) -> Iterator[Change]:
    """Differences of the output schemas. What all results have besides `data` is the contract of mcpgen."""
    old, new = pair.old.wire["outputSchema"], pair.new.wire["outputSchema"]
    if old == new:
        return
    data = [side.get("properties", {}).get("data", {}) for side in (old, new)]
    deltas = compare_schemas(data[0], data[1], old, new)
    kept, details = without_details(deltas)
    for delta in (*kept, *details):
        placed = Delta(delta.code, delta.way, (*_DATA, *delta.path), delta.before, delta.after)
        yield schema_change(pair, Kind.RESULT, placed, result_verdict(delta))

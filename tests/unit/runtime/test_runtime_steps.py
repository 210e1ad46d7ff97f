"""Checks of values against schemas that refer to each other follow a bounded number of references."""

from __future__ import annotations

import time
from typing import Any

import pytest

from mcpgen.runtime.inputs.checking import ArgumentCheck, DataCheck
from mcpgen.runtime.patterns.keywords import bounded_validator
from mcpgen.runtime.patterns.steps import LEAST_STEPS

SECONDS = 30
"""Of processor time; unbounded, each check would take hours."""


def _fan(depth: int, keyword: str = "oneOf") -> dict[str, Any]:
    """Each definition leads to the one before it four times."""
    levels: dict[str, Any] = {"L0": {"type": "integer"}}
    for level in range(1, depth + 1):
        ref = {"$ref": f"#/$defs/L{level - 1}"}
        levels[f"L{level}"] = {keyword: [ref, {"allOf": [ref]}, {"anyOf": [ref, {"title": "x", **ref}]}]}
    return {"$defs": levels, "properties": {"value": {"$ref": f"#/$defs/L{depth}"}}}


@pytest.mark.parametrize("keyword", ["oneOf", "anyOf", "allOf"])
def test_references_that_fan_out_are_not_followed_without_end(keyword: str) -> None:
    schema = _fan(30, keyword)
    started = time.process_time()
    bounded_validator()(schema).is_valid({"value": "x"})
    ArgumentCheck({"type": "object", **schema})
    DataCheck({"$defs": schema["$defs"], "properties": {"data": schema["properties"]["value"]}}).error("x")
    assert time.process_time() - started < SECONDS


def test_what_costs_more_is_open_and_the_next_check_starts_anew() -> None:
    check = bounded_validator()({**_fan(30), "required": ["id"]})
    assert check.is_valid({"id": 1, "value": "x"}), "open, although no way through it leads to a text"
    assert not check.is_valid({"value": 1}), "what does not hang on it is refused still"


def test_long_lists_are_checked_to_their_end() -> None:
    schema = {"$defs": {"N": {"type": "integer"}}, "items": {"$ref": "#/$defs/N"}}
    values: list[Any] = [1] * (2 * LEAST_STEPS)
    check = bounded_validator()(schema)
    assert check.is_valid(values)
    assert not check.is_valid([*values, "x"])


def test_two_checks_at_a_time_do_not_share_their_count() -> None:
    """A check whose errors are still looked at does not count for the checks made meanwhile."""
    schema = {"$defs": {"N": {"type": "integer"}}, "items": {"$ref": "#/$defs/N"}}
    outer = bounded_validator()(schema).iter_errors(["a", "b"])
    assert next(outer).instance == "a"
    assert not bounded_validator()(schema).is_valid([1] * (2 * LEAST_STEPS) + ["x"])
    assert [error.instance for error in outer] == ["b"]


@pytest.mark.parametrize(
    "dialect", ["https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#"]
)
def test_a_schema_inside_that_names_a_dialect_is_bounded_too(dialect: str) -> None:
    """`jsonschema` would go on with its own class there, which matches patterns by backtracking."""
    inner = {"$schema": dialect, "type": "string", "pattern": "^(a+)+$"}
    started = time.process_time()
    assert not bounded_validator()({"properties": {"value": inner}}).is_valid({"value": "a" * 40 + "!"})
    assert time.process_time() - started < SECONDS

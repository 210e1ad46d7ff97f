"""Anything may stand where something is said about an operation; and one override over another keeps both."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from mcpgen.diagnostics import Collector, Location
from mcpgen.ir.api import Api, Operation
from mcpgen.plan.overrides.merging import merged
from mcpgen.plan.overrides.model import Override, Said
from mcpgen.plan.overrides.reading import override_of
from mcpgen.plan.overrides.resolution import Overrides
from mcpgen.plan.overrides.shapes import ArgumentShape, OperationShape, problems

HERE = Location("spec.yaml", "/paths/~1a/get")
KEYS = [
    *(field.alias or name for name, field in OperationShape.model_fields.items()),
    *ArgumentShape.model_fields,
]
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
JUNK = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from([*KEYS, "404", "x", "", "[key]", "<text>"]), inner, max_size=4),
    max_leaves=12,
)


@given(JUNK)
def test_any_junk_is_read_or_refused_with_words(junk: Any) -> None:
    collector = Collector()
    operation = Operation("GET", "/a", HERE, extensions={"x-mcp": junk, "x-mcp-effect": junk})
    overrides = Overrides(Api("T", "1", "3.1.0", HERE, operations=(operation,)), {"GET /a": junk}, collector)
    assert overrides.of(operation) is not None
    for item in collector:
        assert item.code in ("config-invalid", "extension-invalid")
        assert item.message.endswith((".", "?"))
        assert "\n" not in item.message


@given(st.dictionaries(st.sampled_from(KEYS), JUNK, max_size=5))
def test_what_is_wrong_has_a_place_in_what_was_said(told: dict[str, Any]) -> None:
    try:
        OperationShape.model_validate(told)
    except ValidationError as error:
        found = list(problems(error, OperationShape))
        assert found
        assert all(place[0] in told for place, _ in found)


def says(**told: Any) -> Override:
    return override_of(OperationShape.model_validate(told), lambda place: Said(HERE, place))


SAID = st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from(["a", "b"]),
        "purpose": st.sampled_from(["", "p", "q"]),
        "effect": st.sampled_from(["read", "write"]),
        "idempotent": st.booleans(),
        "split": st.sampled_from([False, "kind"]),
        "_meta": st.dictionaries(st.sampled_from(["x", "y"]), st.integers(0, 1), max_size=2),
        "arguments": st.dictionaries(
            st.sampled_from(["u", "v"]),
            st.sampled_from([{"fixed": 1}, {"default": 2}, {"name": "n"}]),
            max_size=2,
        ),
        "hints": st.dictionaries(st.sampled_from(["404", "4XX"]), st.just({"tool": "t"}), max_size=2),
    },
)


@given(SAID, SAID)
def test_the_stronger_override_wins_and_the_rest_stays(weak: dict[str, Any], strong: dict[str, Any]) -> None:
    weaker, stronger = says(**weak), says(**strong)
    both = merged(weaker, stronger)
    assert merged(weaker, Override()) == weaker
    assert merged(Override(), stronger) == stronger
    assert merged(both, stronger) == both
    for key in ("name", "effect", "idempotent", "split"):
        assert getattr(both, key) == getattr(stronger if key in strong else weaker, key)
    assert both.arguments.keys() == weaker.arguments.keys() | stronger.arguments.keys()
    assert both.hints.keys() == weaker.hints.keys() | stronger.hints.keys()

"""Long lists of values: left out where they only cost, counted and sampled where a caller needs to know."""

from __future__ import annotations

from typing import Any

from mcpgen.plan.projection import Direction, Projected, Projector

ZONES = [f"Region/Place with a long name {number}" for number in range(400)]


def projected(schema: dict[str, Any], direction: Direction) -> Projected:
    return Projector({}, direction, 12_000).project(schema)


def test_a_long_list_of_an_answer_is_left_out() -> None:
    found = projected({"properties": {"zone": {"type": "string", "enum": ZONES[:60]}}}, Direction.RESPONSE)

    assert found.schema["properties"]["zone"] == {"type": "string"}


def test_a_short_list_of_an_answer_stays() -> None:
    found = projected({"enum": ["a", "b"]}, Direction.RESPONSE)

    assert found.schema == {"enum": ["a", "b"]}
    assert not found.simplified


def test_a_very_long_list_of_an_argument_is_counted_and_sampled() -> None:
    found = projected({"description": "Where.", "enum": ZONES}, Direction.REQUEST)

    assert found.schema["type"] == "string"
    assert found.schema["description"].startswith("Where. One of 400 values, such as ")
    assert ZONES[4] in found.schema["description"]
    assert found.simplified


def test_a_list_that_can_be_read_stays_with_an_argument() -> None:
    found = projected({"type": "string", "enum": ZONES[:60]}, Direction.REQUEST)

    assert found.schema["enum"] == ZONES[:60]


def test_values_of_several_types_keep_their_types() -> None:
    found = projected({"enum": [*ZONES, None]}, Direction.RESPONSE)

    assert found.schema == {"anyOf": [{"type": "string"}, {"type": "null"}]}

"""The five elements, one at a time; the whole scale is calibrated in tests/calibration."""

from __future__ import annotations

from dataclasses import astuple
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpgen.lint.elements import explained, score_elements


def tool(description: str, name: str = "get_order", **arguments: Any) -> dict[str, Any]:
    required = [key.rstrip("_") for key in arguments if key.endswith("_")]
    properties = {key.rstrip("_"): value for key, value in arguments.items()}
    schema = {"type": "object", "properties": properties, "required": required}
    return {"name": name, "description": description, "inputSchema": schema}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("Get order", 0),
        ("Gets the order.", 0),
        ("Get order (GET /orders/{id}).", 0),
        ("Gets an order of the current customer.", 0.5),
        ("Gets an order of the current customer. Returns its lines and total.", 1),
        ("获取订单", 0),
        ("按客户编号获取订单，返回金额。", 1),
    ],
)
def test_does(text: str, expected: float) -> None:
    assert score_elements(tool(text)).does == expected


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, 1),
        ({"id_": {"type": "string"}}, 0),
        ({"order_id_": {"description": "The order id."}}, 0),
        ({"order_id_": {"description": "Number from the invoice."}}, 1),
        ({"a_": {"description": "Number from the invoice."}, "b_": {}}, 0.5),
        ({"a": {"description": "Number from the invoice."}, "b": {}, "c": {}}, 0),
    ],
)
def test_inputs(arguments: dict[str, Any], expected: float) -> None:
    assert score_elements(tool("x", **arguments)).inputs == expected


def test_inputs_can_be_told_in_the_description() -> None:
    text = "Converts.\n\nArgs:\n    amount: Money to convert, in cents\n    target (str): Currency you want"
    assert score_elements(tool(text, amount_={}, target_={})).inputs == 1
    assert score_elements(tool("Looks up the **order_id** that is on the invoice.", order_id_={})).inputs == 1


@pytest.mark.parametrize(
    ("text", "arguments", "expected"),
    [
        ("x", {}, 1),
        ("x", {"id_": {"type": "string"}}, 0),
        ("x", {"id_": {"type": "string", "examples": ["A-1"]}}, 1),
        ("x", {"id_": {"description": "Number, e.g. A-1"}}, 1),
        ("For example: get_order A-1.", {"id_": {}}, 1),
        ("x", {"state_": {"enum": ["open"]}}, 0.5),
        ("x", {"id_": {}, "note": {"examples": ["x"]}}, 0.5),
        ("x", {"body_": {"properties": {"city": {"example": "Bonn"}}}}, 1),
        ("Get.\n\n**Responses:**\n\n- **200**\n- **Example:** {}", {"id_": {}}, 0.5),
    ],
)
def test_example(text: str, arguments: dict[str, Any], expected: float) -> None:
    assert score_elements(tool(text, **arguments)).example == expected


@pytest.mark.parametrize(
    ("text", "arguments", "expected"),
    [
        ("Gets it.", {}, 0),
        ("At most 50 a page.", {}, 0.5),
        ("Fails when it is closed.", {}, 0.5),
        ("At most 50 a page. Fails with 404 when there is none.", {}, 1),
        ("Gets it.", {"limit": {"maximum": 50}}, 0.5),
        ("Gets 500 orders.", {}, 0),
        ("Use this only when it cannot be avoided.", {}, 0),
        ("最多 50 条，不存在时报错。", {}, 1),
        ("Nur offene Aufträge. Schlägt mit 409 fehl.", {}, 1),
    ],
)
def test_limits(text: str, arguments: dict[str, Any], expected: float) -> None:
    assert score_elements(tool(text, **arguments)).limits == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Gets it.", 0),
        ("Use this when you know the id.", 0.5),
        ("See also list_orders.", 0.5),
        ("Use this when you know the id, not for searching; otherwise list.", 1),
        ("To find the id, use list_orders.", 1),
        ("查找编号请用 list_orders。", 1),
    ],
)
def test_boundary(text: str, expected: float) -> None:
    assert score_elements(tool(text), frozenset({"list_orders", "get_order"})).boundary == expected


def test_its_own_name_is_no_sibling() -> None:
    assert score_elements(tool("get_order gets it."), frozenset({"get_order"})).boundary == 0


@pytest.mark.parametrize(
    ("name", "schema", "expected"),
    [
        ("page_size", {"description": "Page size"}, False),
        ("page_size", {"description": "Page size, 50 at most"}, True),
        ("user", {"description": "Name of the user"}, False),
        ("user", {"description": "Login of the member"}, True),
        ("q", {}, False),
        ("state", {"description": "State", "enum": ["open"]}, True),
    ],
)
def test_explained(name: str, schema: dict[str, Any], expected: bool) -> None:
    assert explained(name, schema) is expected


schemas = st.recursive(
    st.fixed_dictionaries({}, optional={"type": st.just("string"), "description": st.text(max_size=40), "enum": st.lists(st.integers(), max_size=2), "$ref": st.just("#/$defs/A"), "maximum": st.just(3)}),
    lambda inner: st.fixed_dictionaries({}, optional={"properties": st.dictionaries(st.text(max_size=5), inner, max_size=3), "items": inner, "anyOf": st.lists(inner, max_size=2), "additionalProperties": inner}),
    max_leaves=8,
)  # fmt: skip


@given(st.text(max_size=200), st.dictionaries(st.text(max_size=8), schemas, max_size=4), st.data())
def test_any_tool_can_be_scored(text: str, properties: dict[str, Any], data: st.DataObject) -> None:
    required = data.draw(st.lists(st.sampled_from(sorted(properties)), unique=True)) if properties else []
    schema = {
        "type": "object",
        "properties": properties,
        "required": required,
        "$defs": {"A": {"$ref": "#/$defs/A"}},
    }
    definition = {"name": "x", "description": text, "inputSchema": schema}
    first = score_elements(definition, frozenset({"y"}))
    assert set(astuple(first)) <= {0, 0.5, 1}
    assert first == score_elements(definition, frozenset({"y"}))


def test_a_tool_without_anything_can_be_scored() -> None:
    assert score_elements({"name": "x"}).total == 2  # no arguments: nothing to explain and to exemplify

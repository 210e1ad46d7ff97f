"""An operator's bounds on arguments: enforced here, whatever the API would say."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp import Client

from mcpgen.runtime.inputs.limits import equal, limited
from mcpgen.runtime.setup.policy import ArgumentLimit

pytestmark = pytest.mark.anyio

INTEGER, NUMBER, TEXT = {"type": "integer"}, {"type": "number"}, {"type": "string"}
ORDER = {
    "type": "object",
    "properties": {
        "lines": {
            "type": "array",
            "items": {"type": "object", "properties": {"quantity": INTEGER, "sku": TEXT}},
        }
    },
}
BODY = {"content_type": "application/json", "kind": "json"}
PARAMS = [
    ("query", "limit", INTEGER, {}),
    ("query", "ratio", NUMBER, {}),
    ("query", "top", TEXT, {}),
    ("query", "env", {"enum": ["dev", "test", "prod"]}, {}),
    ("query", "region", TEXT, {}),
    ("query", "step", {"type": "integer", "multipleOf": 7}, {}),
    ("query", "ids", {"type": "array", "items": TEXT}, {}),
]


@pytest.fixture
def shop(build, op):
    """A write with limits on its arguments."""

    def make(limits: str) -> Any:
        package = build(
            add=op(method="POST", effect="write", params=PARAMS, fields={"order": ORDER}, body=BODY)
        )
        (package.root / "policy.toml").write_text(f"[tools.add.limits]\n{limits}\n")
        package.environ["SHOP_POLICY"] = str(package.root / "policy.toml")
        return package

    return make


@pytest.mark.parametrize(
    ("limits", "arguments", "told"),
    [
        ("limit = { maximum = 100 }", {"limit": 101}, "`limit` must be at most 100"),
        ("limit = { minimum = 5 }", {"limit": 4}, "`limit` must be at least 5"),
        ("limit = { maximum = 100 }", {"limit": 10**30}, "`limit` must be at most 100"),
        ("ratio = { maximum = 0.5 }", {"ratio": 0.6}, "`ratio` must be at most 0.5"),
        ("top = { maximum = 100 }", {"top": "1000"}, "`top` must be at most 100, the operator's limit"),
        ("top = { maximum = 100 }", {"top": " 1e9 "}, "`top` must be at most 100, the operator's limit"),
        ("top = { maximum = 100 }", {"top": "all"}, "`top` must be a number, the operator's limit"),
        ("region = { max_length = 3 }", {"region": "north"}, "`region` must have at most 3 characters"),
        ("ids = { max_items = 1 }", {"ids": ["a", "b"]}, "`ids` must have at most 1 items"),
        ("ids = { max_length = 2 }", {"ids": ["a", "abc"]}, "`ids[1]` must have at most 2 characters"),
        ("ids = { deny = ['b'] }", {"ids": ["a", "b"]}, '`ids[1]` can\'t be "b"'),
        ("env = { deny = ['prod'] }", {"env": "prod"}, '`env` must be one of "dev", "test"'),
        ("env = { allow = ['dev'] }", {"env": "test"}, '`env` must be one of "dev"'),
        ("region = { deny = ['x'] }", {"region": "x"}, "the operator does not allow this value"),
        ("limit = { deny = [13.0] }", {"limit": 13}, "`limit` can't be 13"),
        (
            '"order.lines.quantity" = { maximum = 9 }',
            {"order": {"lines": [{"quantity": 1}, {"quantity": 10}]}},
            "`order.lines[1].quantity` must be at most 9",
        ),
        (
            '"order.lines" = { max_items = 1 }',
            {"order": {"lines": [{}, {}]}},
            "`order.lines` must have at most 1",
        ),
        (
            '"order.lines.sku" = { allow = ["a"] }',
            {"order": {"lines": [{"sku": "b"}]}},
            '`order.lines[0].sku` must be one of "a"',
        ),
        ("step = { maximum = 10, clamp = true }", {"step": 70}, "`step` must be a multiple of 7"),
        ("env = { allow = ['dev'], clamp = true }", {"env": "test"}, '`env` must be one of "dev"'),
    ],
)
async def test_beyond_a_bound_nothing_is_sent(shop, mode, limits, arguments, told) -> None:
    package = shop(limits)
    found = await package.told("add", arguments, mode=mode)
    assert (found["ok"], found["category"], found["retryable"]) == (False, "validation", True)
    assert told in found["error"]
    assert package.requests == []


@pytest.mark.parametrize(
    ("limits", "arguments", "sent", "note"),
    [
        (
            "limit = { maximum = 100, clamp = true }",
            {"limit": 1000},
            "limit=100",
            "`limit` was lowered from 1000 to 100, the operator's limit.",
        ),
        (
            "limit = { minimum = 0.5, clamp = true }",
            {"limit": 0},
            "limit=1",
            "`limit` was raised from 0 to 1, the operator's limit.",
        ),
        (
            "limit = { maximum = 9.5, clamp = true }",
            {"limit": "77"},
            "limit=9",
            "`limit` was text and is read as integer. `limit` was lowered from 77 to 9, the operator's limit.",
        ),
        (
            "top = { maximum = 100, clamp = true }",
            {"top": "1000"},
            "top=100",
            '`top` was lowered from "1000" to "100", the operator\'s limit.',
        ),
        (
            "region = { max_length = 2, clamp = true }",
            {"region": "north"},
            "region=no",
            "`region` was shortened from 5 to 2 characters, the operator's limit.",
        ),
        (
            "ids = { max_items = 1, clamp = true }",
            {"ids": ["a", "b"]},
            "ids=a",
            "`ids` was shortened from 2 to 1 items, the operator's limit.",
        ),
    ],
)
async def test_values_are_moved_to_their_bound_where_that_is_wanted(
    shop, mode, limits, arguments, sent, note
) -> None:
    package = shop(limits)
    found = await package.told("add", arguments, mode=mode)
    assert found["note"] == note
    assert package.target == f"/v1/things?{sent}"


async def test_inner_fields_are_moved_too(shop) -> None:
    package = shop('"order.lines.quantity" = { maximum = 9, clamp = true }')
    found = await package.told("add", {"order": {"lines": [{"quantity": 5}, {"quantity": 50}]}})
    assert json.loads(package.sent.content) == {"order": {"lines": [{"quantity": 5}, {"quantity": 9}]}}
    assert "`order.lines[1].quantity` was lowered from 50 to 9" in found["note"]


@pytest.mark.parametrize(
    "arguments", [{}, {"limit": 100, "env": "dev", "order": {"lines": [{"quantity": 9}]}}]
)
async def test_what_keeps_its_bounds_is_sent_without_a_word(shop, arguments) -> None:
    package = shop(
        'limit = { maximum = 100 }\nenv = { allow = ["dev"] }\n"order.lines.quantity" = { maximum = 9 }'
    )
    assert await package.told("add", arguments) == {"ok": True, "data": {}}
    assert len(package.requests) == 1


async def test_the_rest_of_a_body_is_no_way_around(build, op) -> None:
    package = build(
        add=op(method="POST", effect="write", fields={"amount": INTEGER}, rest={"type": "object"}),
    )
    (package.root / "policy.toml").write_text("[tools.add.limits]\namount = { maximum = 10 }\n")
    found = await package.told(
        "add", {"extra": {"amount": 11}}, SHOP_POLICY=str(package.root / "policy.toml")
    )
    assert "`amount` must be at most 10" in found["error"]
    assert package.requests == []


@pytest.mark.parametrize("search", [False, True])
async def test_bounds_are_published_but_for_those_that_values_are_moved_to(shop, mode, search) -> None:
    package = shop(
        "limit = { minimum = 1, maximum = 100 }\n"
        "ratio = { maximum = 5, clamp = true }\n"
        'env = { deny = ["prod"] }\n'
        'region = { allow = ["eu"], max_length = 9 }\n'
        "ids = { max_items = 3, max_length = 4 }\n"
        '"order.lines.quantity" = { maximum = 9 }\n'
    )
    async with Client(package.server(SHOP_MODE="search" if search else "all"), mode=mode) as client:
        if search:
            described = await client.call_tool("describe_tool", {"name": "add"})
            schema = described.structured_content["data"]["inputSchema"]
        else:
            schema = (await client.list_tools()).tools[0].input_schema
    told = schema["properties"]
    assert told["limit"] == INTEGER | {"minimum": 1, "maximum": 100}
    assert told["ratio"] == NUMBER
    assert told["env"] == {"enum": ["dev", "test"]}
    assert told["region"] == TEXT | {"enum": ["eu"], "maxLength": 9}
    assert told["ids"] == {"type": "array", "maxItems": 3, "items": TEXT | {"maxLength": 4}}
    assert told["order"]["properties"]["lines"]["items"]["properties"] == {
        "quantity": INTEGER | {"maximum": 9},
        "sku": TEXT,
    }


async def test_the_bounds_of_the_api_stay_where_they_are_tighter(build, op) -> None:
    schema = {"type": "integer", "minimum": 5, "maximum": 50}
    package = build(find=op(params=[("query", "limit", schema, {})]))
    (package.root / "policy.toml").write_text("[tools.find.limits]\nlimit = { minimum = 1, maximum = 100 }\n")
    async with Client(package.server(SHOP_POLICY=str(package.root / "policy.toml"))) as client:
        assert (await client.list_tools()).tools[0].input_schema["properties"]["limit"] == schema


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        (True, True, True),
        ("5", 5, True),
        (5.0, " 5 ", True),
        ("five", 5, False),
        ("a", "a", True),
        ("a", "A", False),
        (None, None, True),
        (None, 0, False),
        ([1, {"a": "2"}], [1.0, {"a": 2}], True),
        ([1], [1, 2], False),
        ({"a": 1}, {"b": 1}, False),
        ("NaN", 5, False),
        ("9" * 1000, 5, False),
    ],
)
def test_equality_of_values(one, other, same) -> None:
    assert equal(one, other) is same
    assert equal(other, one) is same


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=10,
)
BOUND = st.integers(-50, 50) | st.floats(-50, 50)


def _scalars(value: Any) -> list[Any]:
    if isinstance(value, list):
        return [scalar for item in value for scalar in _scalars(item)]
    return [value]


@given(JSON, BOUND, st.integers(0, 5), st.booleans())
def test_what_passes_is_within_the_bounds(value, bound, most, clamp) -> None:
    limit = ArgumentLimit(maximum=bound, max_length=most, max_items=most, clamp=clamp)
    found = limited({"x": {"a": value}, "y": value}, {"x.a": limit})
    assert found.arguments["y"] == value
    passed = found.arguments["x"]["a"]
    if found.complaints:
        return
    assert not isinstance(passed, list) or len(passed) <= most
    for scalar in _scalars(passed):
        if isinstance(scalar, str):
            assert float(scalar) <= bound
        elif isinstance(scalar, int | float) and not isinstance(scalar, bool):
            assert scalar <= bound
    if not found.notes:
        assert passed == value
    assert not found.notes or clamp

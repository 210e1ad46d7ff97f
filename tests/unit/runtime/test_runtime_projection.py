"""Only some fields of an answer are passed on: by the operator's word, or by the model's, in an argument of its own."""

from __future__ import annotations

import json
from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from mcp import Client

from mcpgen.runtime.bounds.projection import Fields, Selection, loosened

pytestmark = pytest.mark.anyio

ITEM = {
    "type": "object",
    "required": ["id", "name", "price"],
    "properties": {
        "id": {"type": "integer"},
        "name": {"type": "string"},
        "price": {"type": "object", "required": ["amount", "unit"], "properties": {"amount": {}, "unit": {}}},
    },
    "additionalProperties": False,
}
PAGE = {
    "type": "object",
    "required": ["items", "total"],
    "properties": {
        "items": {"type": "array", "items": {"$ref": "#/$defs/Item"}},
        "total": {"type": "integer"},
    },
}
ANSWER = {
    "items": [{"id": n, "name": f"n{n}", "price": {"amount": n, "unit": "EUR"}} for n in range(3)],
    "total": 3,
}
TEXT = {"type": "string"}


def envelope(data: Any, defs: Any = None) -> dict[str, Any]:
    """The published form of the result contract."""
    told = {name: {} for name in ("raw", "total", "note", "next", "error", "status", "trace_id", "hint")}
    return {
        "type": "object",
        "properties": {"ok": {}, "data": data, "category": {}, "retryable": {}, **told},
        "required": ["ok"],
        "oneOf": [
            {"properties": {"ok": {"const": True}}, "anyOf": [{"required": ["data"]}, {"required": ["raw"]}]},
            {"properties": {"ok": {"const": False}}, "required": ["error"]},
        ],
        "$defs": defs or {},
    }


@pytest.fixture
def shop(build, op):
    """A package with one tool, and a policy for it."""

    def make(policy: str, data: Any = PAGE, answer: Any = ANSWER, **more: Any) -> Any:
        package = build(
            find=op(
                params=more.pop("params", [("query", "q", TEXT, {})]),
                output=envelope(data, {"Item": ITEM}),
                **more,
            )
        )
        (package.root / "policy.toml").write_text(f"[tools.find]\n{policy}\n")
        package.environ["SHOP_POLICY"] = str(package.root / "policy.toml")
        package.answer(answer if isinstance(answer, httpx2.Response) else httpx2.Response(200, json=answer))
        return package

    return make


async def test_the_operator_chooses_fields(shop, mode) -> None:
    package = shop('fields = ["items.id", "items.price.amount"]')
    found = await package.told("find", mode=mode)
    assert found["data"] == {"items": [{"id": n, "price": {"amount": n}} for n in range(3)]}
    assert found["note"] == "Only these fields of the answer are given: `items.id`, `items.price.amount`."


async def test_an_operator_hears_of_fields_only_when_the_answer_has_none_of_them(shop) -> None:
    some = await shop('fields = ["total", "extra"]').told("find")
    none = await shop('fields = ["extra", "items.nothing"]').told("find")
    assert "nothing under" not in some["note"]
    assert "The answer has nothing under `extra`, `items.nothing`." in none["note"]


async def test_the_model_hears_which_of_its_fields_the_answer_does_not_have(shop) -> None:
    open_item = {"type": "object", "additionalProperties": True}
    package = shop("choose_fields = true", data=open_item)
    found = await package.told("find", {"q": "a", "fields": ["total", "items.id", "items.nothing", "other"]})
    assert found["data"] == {"items": [{"id": n} for n in range(3)], "total": 3}
    assert "The answer has nothing under `items.nothing`, `other`." in found["note"]


async def test_an_empty_list_says_nothing_against_a_field(shop) -> None:
    package = shop("choose_fields = true", answer={"items": [], "total": None})
    found = await package.told("find", {"q": "a", "fields": ["items.name", "total"]})
    assert "nothing under" not in found["note"]


async def test_what_is_left_of_an_answer_still_says_where_it_breaks_its_schema(shop) -> None:
    answer = {"items": [{"id": "one", "name": "n", "price": {}}], "total": 1}
    found = await shop('fields = ["items.id"]', answer=answer).told("find")
    assert found["raw"] == {"items": [{"id": "one"}]}
    assert "/items/0/id is not integer" in found["note"]


@pytest.mark.parametrize("answer", ["<p>all about items</p>", '{"items": '])
async def test_an_answer_without_fields_is_not_passed_on(shop, answer) -> None:
    headers = {"content-type": "application/json" if answer.startswith("{") else "text/html"}
    package = shop('fields = ["total"]', answer=httpx2.Response(200, content=answer, headers=headers))
    found = await package.told("find")
    assert found["raw"] is None
    assert "items" not in json.dumps(found)


async def test_content_is_not_passed_on_where_fields_are_chosen(shop) -> None:
    answer = httpx2.Response(200, content=b"\x00\xff", headers={"content-type": "image/png"})
    result = await shop('fields = ["total"]', answer=answer).call("find")
    assert len(result.content) == 1


async def test_the_model_chooses_fields(shop, mode) -> None:
    package = shop("choose_fields = true")
    async with Client(package.server(), mode=mode) as client:
        [tool] = (await client.list_tools()).tools
        offered = tool.input_schema["properties"]["fields"]
        assert offered["type"] == "array"
        assert "Known: `items`, `total`." in offered["description"]
        assert "fields" not in tool.input_schema.get("required", [])
        result = await client.call_tool("find", {"q": "a", "fields": ["items.name"]})
        whole = await client.call_tool("find", {"q": "a"})
    assert result.structured_content["data"] == {"items": [{"name": f"n{n}"} for n in range(3)]}
    assert "`items.name`" in result.structured_content["note"]
    assert whole.structured_content == {"ok": True, "data": ANSWER}
    assert {str(request.url) for request in package.requests} == {"https://api.example.com/v1/things?q=a"}


@pytest.mark.parametrize("given", ["items.id,total", ["items.id", "total"], ["items.id , total"]])
async def test_names_can_come_in_one_text(shop, given) -> None:
    found = await shop("choose_fields = true").told("find", {"fields": given})
    assert found["data"] == {"items": [{"id": 0}, {"id": 1}, {"id": 2}], "total": 3}


@pytest.mark.parametrize(
    ("field", "told"),
    [
        ("totl", "`totl` is no field of the answer (did you mean `total`?)"),
        ("id", "`id` is no field of the answer"),
        ("name", "`name` is no field of the answer (did you mean `items.name`"),
        ("items.nam", "(did you mean `items.name`"),
        ("items.price.amout", "(did you mean `items.price.amount`"),
    ],
)
async def test_unknown_fields_are_told_and_nothing_is_sent(shop, mode, field, told) -> None:
    package = shop("choose_fields = true")
    found = await package.told("find", {"fields": [field]}, mode=mode)
    assert (found["category"], found["retryable"]) == ("validation", True)
    assert told in found["error"]
    assert "Known fields: `items`, `total`." in found["error"]
    assert package.requests == []


async def test_the_model_chooses_among_what_the_operator_allows(shop) -> None:
    package = shop('choose_fields = true\nfields = ["items.id", "items.name"]')
    async with Client(package.server()) as client:
        [tool] = (await client.list_tools()).tools
        assert "Known: `items`." in tool.input_schema["properties"]["fields"]["description"]
        allowed = await client.call_tool("find", {"fields": ["items.id"]})
        all_items = await client.call_tool("find", {"fields": ["items"]})
        denied = await client.call_tool("find", {"fields": ["items.price"]})
    assert allowed.structured_content["data"] == {"items": [{"id": 0}, {"id": 1}, {"id": 2}]}
    assert all_items.structured_content["data"]["items"][0] == {"id": 0, "name": "n0"}
    assert "`items.price` is no field" in denied.structured_content["error"]


async def test_an_argument_of_that_name_keeps_it(shop, mode) -> None:
    package = shop("choose_fields = true", params=[("query", "fields", TEXT, {})])
    found = await package.told("find", {"fields": "a", "result_fields": ["total"]}, mode=mode)
    assert found["data"] == {"total": 3}
    assert package.target == "/v1/things?fields=a"


FILE = {"type": "object", "properties": {"media_type": TEXT, "size": {}, "sha256": TEXT}}


@pytest.mark.parametrize("data", [{"type": "array", "items": TEXT}, TEXT, FILE])
async def test_answers_without_fields_have_no_such_argument(shop, data) -> None:
    package = shop("choose_fields = true", data=data)
    found = await package.told("find", {"fields": ["a"]})
    assert "`fields` is no argument of this tool" in found["error"]


async def test_the_next_page_keeps_the_choice(shop) -> None:
    params = [("query", "page", {"type": "integer"}, {})]
    link = {"link": '</v1/things?page=2>; rel="next"'}
    package = shop(
        "choose_fields = true", params=params, answer=httpx2.Response(200, json=ANSWER, headers=link)
    )
    found = await package.told("find", {"fields": ["total"]})
    assert found["next"] == {"page": 2, "fields": ["total"]}


async def test_it_works_in_search_mode(shop, mode) -> None:
    package = shop("choose_fields = true")
    async with Client(package.server(SHOP_MODE="search"), mode=mode) as client:
        told = (await client.call_tool("describe_tool", {"name": "find"})).structured_content["data"]
        assert "fields" in told["inputSchema"]["properties"]
        call = {"name": "find", "arguments": {"fields": ["total"]}}
        found = (await client.call_tool("call_read_tool", call)).structured_content
    assert found["data"] == {"total": 3}


async def test_tools_without_a_policy_are_published_as_generated(shop, op) -> None:
    package = shop("timeout = 5")
    generated = json.loads((package.root / "catalog.json").read_text())["tools"][0]
    async with Client(package.server()) as client:
        [tool] = (await client.list_tools()).tools
    assert tool.input_schema == generated["inputSchema"]
    assert tool.output_schema == generated["outputSchema"]


async def test_projection_comes_before_the_bound(shop) -> None:
    answer = {"items": [{"id": n, "name": "x" * 500, "price": {}} for n in range(60)], "total": 60}
    package = shop('fields = ["items.id"]', answer=answer)
    found = await package.told("find", SHOP_MAX_RESULT_BYTES="2000")
    assert len(found["data"]["items"]) == 60


@pytest.mark.parametrize(
    ("names", "value", "kept"),
    [
        (["a"], {"a": 1, "b": 2}, {"a": 1}),
        (
            ["a.b"],
            [{"a": {"b": 1, "c": 2}}, {"a": None}, {"a": 5}, 7, None],
            [{"a": {"b": 1}}, {"a": None}, {}, None],
        ),
        (["a", "a.b"], {"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 2}}),
        (["a.b", "a"], {"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 2}}),
        (["*.b"], {"x": {"b": 1, "c": 2}, "y": {"b": 3}, "z": 1}, {"x": {"b": 1}, "y": {"b": 3}}),
        (["*.b", "x.c"], {"x": {"b": 1, "c": 2, "d": 3}}, {"x": {"b": 1, "c": 2}}),
        (["*"], {"x": {"b": 1}}, {"x": {"b": 1}}),
        (["@odata.next"], {"@odata.next": "n", "@odata": 1}, {"@odata.next": "n"}),
        (["a.b"], [[{"a": {"b": 1, "c": 2}}]], [[{"a": {"b": 1}}]]),
        (["a"], 7, None),
        (["none"], {"a": 1}, {}),
    ],
)
def test_selections(names, value, kept) -> None:
    assert Selection(tuple(names)).of(value) == kept


@pytest.mark.parametrize(
    ("schema", "name", "known"),
    [
        ({"properties": {"a": {"properties": {"b": {}}}}}, "a.b", True),
        ({"properties": {"a": {"properties": {"b": {}}}}}, "a.c", False),
        ({"properties": {"a": {}}}, "a.anything", True),
        ({"properties": {"a": {}}, "additionalProperties": {"type": "string"}}, "x", True),
        ({"properties": {"a": {}}, "additionalProperties": False}, "x", False),
        ({"allOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]}, "b", True),
        ({"anyOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]}, "b", True),
        ({"type": "array", "items": {"properties": {"a": {}}}}, "a", True),
        ({"type": "array", "items": {"properties": {"a": {}}}}, "b", False),
        ({"properties": {"@odata.next": {}}}, "@odata.next", True),
        ({"properties": {"a": {"type": "array", "items": {"properties": {"b": {}}}}}}, "*.b", True),
        ({}, "x", True),
    ],
)
def test_which_names_are_known(schema, name, known) -> None:
    assert (list(Fields({"properties": {"data": schema}}).problems([name])) == []) is known


NAMES = st.sampled_from(["a", "b", "c"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["x", "y"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=12,
)
CHOSEN = st.lists(
    st.lists(NAMES | st.just("*"), min_size=1, max_size=3).map(".".join), min_size=1, max_size=3
)
LEAVES = st.sampled_from(
    [{}, {"type": "integer"}, {"enum": ["x", 1]}, {"const": [1, 2]}, {"enum": [{"a": 1}, "x"]}]
)


def _schemas(inner: Any) -> Any:
    fields = st.dictionaries(NAMES, inner, max_size=3)
    return st.one_of(
        st.builds(
            lambda properties, required, least, further: {
                "type": "object",
                "properties": properties,
                "required": required,
                "minProperties": least,
                **further,
            },
            fields,
            st.lists(NAMES, unique=True),
            st.integers(0, 2),
            st.sampled_from(
                [
                    {},
                    {"additionalProperties": False},
                    {"unevaluatedProperties": False},
                    {"not": {"maxProperties": 0}},
                    {"dependentRequired": {"a": ["b"]}},
                    {"if": {"required": ["a"]}, "else": {"properties": {"b": {"type": "integer"}}}},
                ]
            ),
        ),
        st.builds(
            lambda items, further: {"type": "array", "items": items, **further},
            inner,
            st.sampled_from(
                [
                    {},
                    {"minItems": 2},
                    {"uniqueItems": True},
                    {"contains": {"type": "object"}},
                    {"prefixItems": [{"type": "integer"}]},
                ]
            ),
        ),
        st.builds(lambda branches, key: {key: branches}, st.lists(inner, min_size=1, max_size=2), KEYS),
        st.builds(lambda a, b: {"anyOf": [a, {}], "oneOf": [b], "allOf": [a]}, inner, inner),
    )


KEYS = st.sampled_from(["oneOf", "anyOf", "allOf"])
SCHEMAS = st.recursive(LEAVES, _schemas, max_leaves=8)


@given(SCHEMAS, VALUES, CHOSEN)
def test_a_projection_keeps_the_loosened_schema_when_the_value_keeps_the_schema(schema, value, names) -> None:
    whole = Draft202012Validator(loosened(schema))
    if Draft202012Validator(schema).is_valid(value):
        assert whole.is_valid(value)
        kept = Selection(tuple(names)).of(value)
        assert whole.is_valid(kept) or (kept is None and value is not None)

"""Every style of every place, read back by decoders written from the OpenAPI text."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qsl, unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpgen.runtime.operation import Parameter
from mcpgen.runtime.outcomes.failures import CallFailed
from mcpgen.runtime.requests.headers import cookie_pairs, header_value
from mcpgen.runtime.requests.paths import fill_template, join_url
from mcpgen.runtime.requests.query import bracket_pairs, query_pairs, querystring

TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
SCALAR = st.one_of(TEXT, st.integers(), st.booleans())
NAMES = st.text("abcdefghijklmnopqrstuvwxyz_[]$.-", min_size=1, max_size=8)


def as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def query(name: str, value: Any, style: str = "form", explode: bool = True, **more: Any) -> str:
    return "&".join(query_pairs(Parameter(name, "query", style, explode, **more), value))


def path(value: Any, style: str = "simple", explode: bool = False, **more: Any) -> str:
    parameter = Parameter("id", "path", style, explode, **more)
    return fill_template("/x/{id}", {"id": parameter}, {"id": value})[0].removeprefix("/x/")


@given(NAMES, SCALAR)
def test_a_query_value_is_read_back(name: str, value: Any) -> None:
    assert parse_qsl(query(name, value), keep_blank_values=True) == [(name, as_text(value))]


@given(NAMES, st.lists(SCALAR, min_size=1, max_size=4))
def test_an_exploded_array_is_repeated(name: str, value: list[Any]) -> None:
    assert parse_qsl(query(name, value), keep_blank_values=True) == [(name, as_text(v)) for v in value]


@pytest.mark.parametrize(
    ("style", "value"), [("spaceDelimited", "a b"), ("pipeDelimited", "a|b"), ("tabDelimited", "a\tb")]
)
def test_an_item_that_would_arrive_as_two_is_refused(style: str, value: str) -> None:
    with pytest.raises(CallFailed):
        query("a", [value], style, explode=False)
    with pytest.raises(CallFailed):
        path([value], style)


@given(st.dictionaries(NAMES, SCALAR, min_size=1, max_size=4))
def test_objects_in_the_query(value: dict[str, Any]) -> None:
    pairs = [(k, as_text(v)) for k, v in value.items()]
    assert parse_qsl(query("o", value), keep_blank_values=True) == pairs
    deep = parse_qsl(query("o", value, "deepObject"), keep_blank_values=True)
    assert deep == [(f"o[{k}]", v) for k, v in pairs]
    flat = [unquote(part) for part in query("o", value, explode=False).removeprefix("o=").split(",")]
    assert flat == [part for pair in pairs for part in pair]


def test_nested_deep_objects_use_numbered_items() -> None:
    pairs = "&".join(bracket_pairs("f", {"a": {"b": [1, "x y"]}, "c": None}))
    assert unquote(pairs) == "f[a][b][0]=1&f[a][b][1]=x y"


@pytest.mark.parametrize("value", [None, [], {}])
def test_nothing_is_sent_for_null_and_empty_composites(value: Any) -> None:
    assert query("a", value) == ""


def test_an_empty_text_is_sent() -> None:
    assert query("a", "") == "a="


@pytest.mark.parametrize(
    ("value", "sent"),
    [(True, "true"), (0, "0"), (9007199254740993, "9007199254740993"), (0.1, "0.1"), (1e22, "1e%2B22")],
)
def test_scalars_are_spelt_as_json_spells_them(value: Any, sent: str) -> None:
    assert query("a", value) == f"a={sent}"


def test_reserved_characters_pass_where_the_api_allows_it() -> None:
    sent = query("a", "x/y:z?[1],(2) %2F 5% é", allow_reserved=True)
    assert sent == "a=x/y:z?[1],(2)%20%2F%205%25%20%C3%A9"


def test_reserved_characters_that_would_end_the_value_are_encoded_all_the_same() -> None:
    assert query("a", "1&b=2#c+d", allow_reserved=True) == "a=1%26b=2%23c%2Bd"


def test_a_comma_inside_an_item_is_encoded_even_when_reserved_characters_pass() -> None:
    assert query("a", ["x,y", "z"], explode=False, allow_reserved=True) == "a=x%2Cy,z"


def test_content_parameters_are_json_text() -> None:
    assert (
        unquote(query("f", {"a": [1, None], "b": "é"}, content_type="application/json"))
        == 'f={"a":[1,null],"b":"é"}'
    )
    assert unquote(query("f", "x", content_type="application/json")) == 'f="x"'


def test_the_whole_query_as_one_value() -> None:
    form = Parameter("q", "querystring", "form", True, content_type="application/x-www-form-urlencoded")
    assert querystring(form, {"a": ["1", "2"], "b": "x y"}) == "a=1&a=2&b=x%20y"
    assert querystring(form, "a=1&b=x y#z") == "a=1&b=x%20y%23z"
    text = Parameter("q", "querystring", "form", True, content_type="application/json")
    assert unquote(querystring(text, {"a": 1})) == '{"a":1}'


PATHS: list[tuple[str, bool, Any, str]] = [
    # OpenAPI 3.2, Style Examples
    ("simple", False, "blue", "blue"),
    ("simple", False, ["blue", "black"], "blue,black"),
    ("simple", False, {"R": 100, "G": 200}, "R,100,G,200"),
    ("simple", True, {"R": 100, "G": 200}, "R=100,G=200"),
    ("label", False, "blue", ".blue"),
    ("label", False, ["blue", "black"], ".blue,black"),
    ("label", True, ["blue", "black"], ".blue.black"),
    ("label", False, {"R": 100, "G": 200}, ".R,100,G,200"),
    ("label", True, {"R": 100, "G": 200}, ".R=100.G=200"),
    ("matrix", False, "blue", ";id=blue"),
    ("matrix", False, ["blue", "black"], ";id=blue,black"),
    ("matrix", True, ["blue", "black"], ";id=blue;id=black"),
    ("matrix", False, {"R": 100, "G": 200}, ";id=R,100,G,200"),
    ("matrix", True, {"R": 100, "G": 200}, ";R=100;G=200"),
    ("pipeDelimited", False, ["a", "c"], "a%7Cc"),
]


@pytest.mark.parametrize(("style", "explode", "value", "sent"), PATHS)
def test_path_styles(style: str, explode: bool, value: Any, sent: str) -> None:
    assert path(value, style, explode) == sent


@given(TEXT)
def test_a_path_value_stays_one_segment(value: str) -> None:
    dots = any(part in (".", "..") for part in value.replace("\\", "/").split("/"))
    if dots:
        with pytest.raises(CallFailed):
            path(value)
        return
    sent = path(value)
    assert unquote(sent) == value
    assert not set(sent) & set("/?#\\ ")


@pytest.mark.parametrize("value", ["", ".", "..", [], {}, [""], None, "a/../b", "..\\x", "%2e%2e/.."])
def test_values_that_would_change_the_path_are_refused(value: Any) -> None:
    with pytest.raises(CallFailed) as caught:
        path(value)
    assert caught.value.failure.category == "validation"


def test_dots_that_only_join_to_a_dot_segment_are_refused() -> None:
    parameters = {name: Parameter(name, "path", "simple", False) for name in "ab"}
    with pytest.raises(CallFailed):
        fill_template("/x/{a}{b}/y", parameters, {"a": ".", "b": "."})
    assert fill_template("/x/{a}{b}/y", parameters, {"a": "v1", "b": ".."})[0] == "/x/v1../y"


def test_the_template_is_read_once() -> None:
    parameters = {name: Parameter(name, "path", "simple", False) for name in ("zone", "other")}
    values = {"zone": "{other}", "other": "x"}
    path, query = fill_template("/z/{zone}/m/{zone}/of/{other}:cancel?v=1", parameters, values)
    assert path == "/z/%7Bother%7D/m/%7Bother%7D/of/x:cancel"
    assert query == "v=1"


@pytest.mark.parametrize("base", ["http://a/v3", "http://a/v3/", "http://a/v3//"])
def test_exactly_one_slash_joins_base_and_path(base: str) -> None:
    assert join_url(base, "/mixes") == "http://a/v3/mixes"


def header(value: Any, explode: bool = False, **more: Any) -> str | None:
    return header_value(Parameter("X-A", "header", "simple", explode, **more), value)


def test_headers() -> None:
    assert header(True) == "true"
    assert header(["north", 2]) == "north,2"
    assert header({"a": 1, "b": "x y"}) == "a,1,b,x y"
    assert header({"a": 1}, explode=True) == "a=1"
    assert header("50% é") == "50% é"
    assert header({"a": [1]}, content_type="application/json") == '{"a":[1]}'
    assert header(None) is None


@pytest.mark.parametrize("value", ["a\r\nX-Evil: 1", "a\nb", "a\x00b", ["a", "b\r"]])
def test_a_header_value_can_not_end_the_header(value: Any) -> None:
    with pytest.raises(CallFailed):
        header(value)


def cookies(value: Any, style: str = "form", explode: bool = True, **more: Any) -> list[tuple[str, str]]:
    return list(cookie_pairs(Parameter("c", "cookie", style, explode, **more), value))


def test_cookies() -> None:
    assert cookies(True) == [("c", "true")]
    assert cookies("a=b/c:d==") == [("c", "a=b/c:d==")]
    assert cookies("a b;c%é") == [("c", "a%20b%3Bc%25%C3%A9")]
    assert cookies(["a", "b"]) == [("c", "a"), ("c", "b")]
    assert cookies(["a", "b"], explode=False) == [("c", "a,b")]
    assert cookies({"x": 1, "y": 2}) == [("x", "1"), ("y", "2")]
    assert cookies("a%b", style="cookie") == [("c", "a%b")]


def test_a_cookie_can_not_start_another_one() -> None:
    with pytest.raises(CallFailed):
        cookies("a; admin=1", style="cookie")

"""Parameters on the wire: what an independent decoder reads back is what the tool was given, or nothing is sent."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import httpx2
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mcpgen.runtime.auth.credentials import Credential
from mcpgen.runtime.operation import Operation, read_operation
from mcpgen.runtime.outcomes.failures import CallFailed
from mcpgen.runtime.requests.request import Values, build_request

from . import wire_decoder as wire

CHARACTERS = st.characters(exclude_categories=["Cs"])
TEXT = st.text(CHARACTERS, max_size=8) | st.sampled_from(
    [
        "a,b",
        "a b",
        "a|b",
        "a\tb",
        "1&b=2",
        "x+y",
        "50%",
        "%2F",
        "a;b",
        ".",
        "..",
        "a.b",
        "é☃",
        "#?/",
        '"q"',
        "",
    ]
)
NUMBERS = st.integers() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False)
SCALAR = TEXT | NUMBERS
NAME = st.text("abcxyzAZ09_-.$:@", min_size=1, max_size=6)
KEY = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), min_size=1, max_size=5)
NESTED = st.lists(SCALAR, max_size=2) | st.dictionaries(KEY, SCALAR, max_size=2)
LIST = st.lists(SCALAR | NESTED, min_size=1, max_size=4)
OBJECT = st.dictionaries(KEY, SCALAR | NESTED, min_size=1, max_size=3)
JSON = st.recursive(
    st.none() | SCALAR, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3)
)
VALUES = {"primitive": SCALAR, "array": LIST, "object": OBJECT}
KINDS = list(VALUES)


def text(value: Any) -> str:
    """JSON's spelling for what is no text (Appendix B leaves it open); nested values as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def texts(value: Any) -> Any:
    if isinstance(value, list):
        return [text(item) for item in value]
    return {k: text(v) for k, v in value.items()} if isinstance(value, dict) else text(value)


def operation(place: str, name: str, path: str = "/things", **more: Any) -> Operation:
    parameter = {"name": name, "in": place, **more}
    entry = {
        "module": "m", "function": "f", "toolset": "t", "effect": "read", "method": "GET",
        "path": path, "parameters": [parameter],
    }  # fmt: skip
    return read_operation("f", entry, {"inputSchema": {}, "outputSchema": {}})


def sent(place: str, name: str, value: Any, path: str = "/things", **more: Any) -> httpx2.Request:
    """The request as the HTTP library sends it."""
    values = Values(querystring=value) if place == "querystring" else Values(**{place: {name: value}})
    request = build_request(
        operation(place, name, path, **more), "https://api.example.com", values, Credential()
    )
    return httpx2.Request(request.method, request.url, headers=request.headers, content=request.content)


def query_of(request: httpx2.Request) -> str:
    return request.url.raw_path.decode("ascii").partition("?")[2]


def path_of(request: httpx2.Request) -> str:
    return request.url.raw_path.decode("ascii").partition("?")[0]


def refused(*arguments: Any, **more: Any) -> bool:
    try:
        sent(*arguments, **more)
    except CallFailed as error:
        return error.failure.category == "validation"
    return False


# ---------------------------------------------------------------- query


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("explode", [True, False])
@given(data=st.data(), name=NAME)
def test_form(kind: str, explode: bool, data: st.DataObject, name: str) -> None:
    value = data.draw(VALUES[kind])
    query = query_of(sent("query", name, value, style="form", explode=explode))
    assert wire.query_value(query, name, "form", explode, kind) == texts(value)


@pytest.mark.parametrize("kind", ["array", "object"])
@pytest.mark.parametrize(
    ("style", "delimiter"), [("spaceDelimited", " "), ("pipeDelimited", "|"), ("tabDelimited", "\t")]
)
@given(data=st.data(), name=NAME)
def test_delimited(kind: str, style: str, delimiter: str, data: st.DataObject, name: str) -> None:
    value = data.draw(VALUES[kind])
    parts = texts(value) if kind == "array" else [part for pair in texts(value).items() for part in pair]
    if any(delimiter in part for part in parts):
        assert refused("query", name, value, style=style, explode=False)
    else:
        query = query_of(sent("query", name, value, style=style, explode=False))
        assert wire.query_value(query, name, style, False, kind) == texts(value)


@given(st.dictionaries(KEY, SCALAR, min_size=1, max_size=3), NAME)
def test_deep_objects(value: dict[str, Any], name: str) -> None:
    query = query_of(sent("query", name, value, style="deepObject", explode=True))
    assert {
        "][".join(k): v for k, v in wire.query_value(query, name, "deepObject", True, "object").items()
    } == texts(value)


def leaves(value: Any, path: tuple[str, ...] = ()) -> dict[tuple[str, ...], str]:
    members = value.items() if isinstance(value, dict) else enumerate(value)
    found: dict[tuple[str, ...], str] = {}
    for key, item in members:
        where = (*path, str(key))
        found |= leaves(item, where) if isinstance(item, (dict, list)) else {where: text(item)}
    return found


@given(
    st.dictionaries(
        st.text("ab[]", min_size=1, max_size=3),
        st.recursive(
            SCALAR, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(KEY, inner, max_size=2)
        ),
        max_size=3,
    ),
    NAME,
)
def test_nested_deep_objects(value: dict[str, Any], name: str) -> None:
    assume(any(isinstance(item, (dict, list)) for item in value.values()))
    places = leaves(value)
    if refused("query", name, value, style="deepObject", explode=True):
        assert any("[" in key or "]" in key for key in json.dumps(value))
        return
    query = query_of(sent("query", name, value, style="deepObject", explode=True))
    assert wire.query_value(query, name, "deepObject", True, "object") == places


@pytest.mark.parametrize("style", ["form", "deepObject"])
@given(value=OBJECT)
def test_null_members_are_undefined(style: str, value: dict[str, Any]) -> None:
    with_null = {**value, "gone": None}
    assume("gone" not in value)
    assume(not refused("query", "o", value, style=style, explode=True))
    assert query_of(sent("query", "o", with_null, style=style, explode=True)) == query_of(
        sent("query", "o", value, style=style, explode=True)
    )


@pytest.mark.parametrize("value", [None, [], {}, [None], {"a": None}])
def test_undefined_values_are_left_out_or_said_by_the_bare_name(value: Any) -> None:
    assert query_of(sent("query", "a", value)) == ""
    assert query_of(sent("query", "a", value, allow_empty=True)) == "a="
    assert "x-a" not in sent("header", "X-A", value).headers
    assert "cookie" not in sent("cookie", "a", value).headers
    assert refused("path", "id", value, path="/things/{id}")


@given(
    st.lists(st.sampled_from([":", "/?", "@!$", "'()*;,=", "%2F", "%c3%a9", "%", "&#+", "a é"]), max_size=6)
)
def test_allow_reserved_lets_reserved_characters_and_triplets_pass(pieces: list[str]) -> None:
    value = "".join(pieces)
    raw = dict(wire.pairs_of(query_of(sent("query", "a", value, allow_reserved=True))))["a"]
    assert wire.form_decoded(raw) == value.replace("%2F", "/").replace("%c3%a9", "é")
    assert [c for c in raw if c in ":/?@!$'()*;,="] == [c for c in value if c in ":/?@!$'()*;,="]


@given(st.lists(st.text(":/?@!$'()*;,=ab", max_size=5), min_size=1, max_size=3))
def test_allow_reserved_keeps_items_apart(value: list[str]) -> None:
    query = query_of(sent("query", "a", value, explode=False, allow_reserved=True))
    assert wire.query_value(query, "a", "form", False, "array") == value


@given(JSON, NAME)
def test_content_parameters_are_json(value: Any, name: str) -> None:
    query = query_of(sent("query", name, value, content_type="application/json"))
    assert json.loads(wire.query_value(query, name, "form", True, "primitive")) == value


@given(JSON)
def test_the_whole_query_as_json(value: Any) -> None:
    query = query_of(sent("querystring", "q", value, content_type="application/json"))
    assert json.loads(wire.percent_decoded(query)) == value


@given(st.dictionaries(KEY, TEXT | st.lists(TEXT, min_size=1, max_size=3), min_size=1, max_size=4))
def test_the_whole_query_as_a_form(value: dict[str, Any]) -> None:
    query = query_of(sent("querystring", "q", value, content_type="application/x-www-form-urlencoded"))
    expected = [(k, item) for k, v in value.items() for item in (v if isinstance(v, list) else [v])]
    assert [(k, wire.form_decoded(v)) for k, v in wire.pairs_of(query)] == expected


@given(st.text(CHARACTERS, min_size=1, max_size=10))
def test_the_whole_query_in_a_format_of_its_own(value: str) -> None:
    query = query_of(sent("querystring", "q", value, content_type="text/plain"))
    assert wire.LEGAL_QUERY.fullmatch(query)
    assert wire.percent_decoded(query) == value


def test_a_broken_character_is_refused_everywhere() -> None:
    for place, name in (("query", "a"), ("header", "X-A"), ("cookie", "a")):
        assert refused(place, name, "\ud800")
    assert refused("path", "id", "\ud800", path="/things/{id}")


# ---------------------------------------------------------------- path


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("explode", [True, False])
@pytest.mark.parametrize("style", ["simple", "label", "matrix"])
@given(data=st.data())
def test_path(kind: str, explode: bool, style: str, data: st.DataObject) -> None:
    value = data.draw(VALUES[kind])
    more = {"path": "/x/{id}/y", "style": style, "explode": explode}
    if refused("path", "id", value, **more):
        told = json.dumps(value, ensure_ascii=False)
        dots = "." in told or (style == "label" and ("/" in told or "\\" in told))
        assert dots or value == "" or (isinstance(value, list) and not any(value)), value
        return
    path = path_of(sent("path", "id", value, **more))
    (segment,) = wire.placeholders("/x/{id}/y", path)["id"]
    assert wire.segment_value(segment, "id", style, explode, kind) == texts(value)


@given(st.text(CHARACTERS, min_size=1, max_size=8))
def test_no_value_leaves_its_segment(value: str) -> None:
    steps = value.replace("\\", "/").split("/")
    if "." in steps or ".." in steps:
        assert refused("path", "id", value, path="/x/{id}")
    else:
        path = path_of(sent("path", "id", value, path="/x/{id}"))
        assert path.count("/") == 2
        assert wire.percent_decoded(path.removeprefix("/x/")) == value


PLAIN = st.text(CHARACTERS, min_size=1, max_size=6).filter(lambda t: "." not in t and "\\" not in t)


@pytest.mark.parametrize(
    "template",
    [
        "/a/{p}/b/{q}",
        "/a/{p}:cancel/{q}",
        "/a/{p},{q}",
        "/{p}/x/{q}/y/{p}",
        "/a/{p}!{q}:go",
        "/a/({p})/{q}.json",
    ],
)
@given(p=PLAIN, q=PLAIN)
def test_templates(template: str, p: str, q: str) -> None:
    entry = operation("path", "p", template)
    values = Values(path={"p": p, "q": q})
    url = build_request(entry, "https://api.example.com", values, Credential()).url
    path = path_of(httpx2.Request("GET", url))
    found = wire.placeholders(template, path)
    assert {name: {wire.percent_decoded(one) for one in told} for name, told in found.items()} == {
        "p": {p},
        "q": {q},
    }


@given(st.text(":@!$&'()*+;,=ab", min_size=1, max_size=6))
def test_reserved_characters_stay_in_a_path_that_allows_them(value: str) -> None:
    assert path_of(sent("path", "id", value, path="/x/{id}", allow_reserved=True)) == f"/x/{value}"


@given(JSON)
def test_content_in_a_path(value: Any) -> None:
    try:
        path = path_of(sent("path", "id", value, path="/x/{id}", content_type="application/json"))
    except CallFailed:
        assert "." in json.dumps(value)
        return
    assert json.loads(wire.percent_decoded(path.removeprefix("/x/"))) == value


# ---------------------------------------------------------------- headers


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("explode", [True, False])
@given(data=st.data())
def test_headers(kind: str, explode: bool, data: st.DataObject) -> None:
    value = data.draw(VALUES[kind])
    if refused("header", "X-A", value, explode=explode):
        told = texts(value)
        parts = (
            [told] if kind == "primitive" else list(told) + (list(told.values()) if kind == "object" else [])
        )
        assert any(
            set(p) & {",", "=", '"', *map(chr, range(32)), "\x7f"} or p != p.strip(" \t") for p in parts
        )
        return
    raw = dict(sent("header", "X-A", value, explode=explode).headers.raw)[b"X-A"]
    assert wire.header_value(raw, explode, kind) == texts(value)


@given(st.text(CHARACTERS, max_size=6), st.sampled_from("\r\n\0\x1f\x7f"), st.text(CHARACTERS, max_size=6))
def test_nothing_ends_a_header(before: str, bad: str, after: str) -> None:
    assert refused("header", "X-A", before + bad + after)
    assert refused("header", "X-A", ["ok", before + bad + after])


@given(JSON)
def test_content_in_a_header(value: Any) -> None:
    if refused("header", "X-A", value, content_type="application/json"):
        assert "\x7f" in json.dumps(value, ensure_ascii=False)
        return
    raw = dict(sent("header", "X-A", value, content_type="application/json").headers.raw)[b"X-A"]
    assert json.loads(wire.header_value(raw, False, "primitive")) == value


def test_quoted_items_can_hold_commas() -> None:
    request = sent("header", "X-A", ['"a, b"', "c"])
    assert wire.header_value(dict(request.headers.raw)[b"X-A"], False, "array") == ['"a, b"', "c"]


# ---------------------------------------------------------------- cookies


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("explode", [True, False])
@given(data=st.data())
def test_form_cookies(kind: str, explode: bool, data: st.DataObject) -> None:
    value = data.draw(VALUES[kind])
    header = sent("cookie", "c", value, style="form", explode=explode).headers["cookie"]
    assert wire.cookie_value(header, "c", "form", explode, kind) == texts(value)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("explode", [True, False])
@given(data=st.data())
def test_plain_cookies(kind: str, explode: bool, data: st.DataObject) -> None:
    value = data.draw(VALUES[kind])
    if refused("cookie", "c", value, style="cookie", explode=explode):
        told = text(texts(value))
        assert any(c in " ;,=" or not c.isascii() or not c.isprintable() for c in told) or "\\" in told
        return
    header = sent("cookie", "c", value, style="cookie", explode=explode).headers["cookie"]
    assert wire.cookie_value(header, "c", "cookie", explode, kind) == texts(value)


def test_credentials_of_the_operator_can_not_be_given_by_any_parameter() -> None:
    credential = Credential(
        query=(("key", "real"),), cookies=(("sid", "real"),), headers=(("X-Key", "real"),)
    )
    for place, name, value in (
        ("query", "key", "mine"),
        ("query", "any", {"key": "mine", "other": "1"}),
        ("querystring", "q", {"key": "mine"}),
        ("cookie", "sid", "mine"),
        ("cookie", "any", {"sid": "mine"}),
        ("header", "X-Key", "mine"),
    ):
        values = Values(querystring=value) if place == "querystring" else Values(**{place: {name: value}})
        request = build_request(operation(place, name), "https://api.example.com", values, credential)
        whole = request.url + str(request.headers.raw)
        assert "mine" not in whole
        assert quote("real") in whole

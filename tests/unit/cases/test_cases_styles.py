"""The serialiser of expectations against the tables of the specifications, letter by letter."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.cases.wire.headers import cookies, header
from mcpgen.cases.wire.paths import path_and_query, path_value
from mcpgen.cases.wire.queries import query_parts, whole_query
from mcpgen.cases.wire.texts import NoSpelling
from mcpgen.plan.model import ParameterWire

COLORS = ["blue", "black", "brown"]
RGB = {"R": 100, "G": 200, "B": 150}


def wire(where: str, style: str, explode: bool, name: str = "color", **more: Any) -> ParameterWire:
    return ParameterWire(name, where, style, explode, False, **more)


# OpenAPI 3.2, Style Examples: (style, explode, "blue", the array, the object). Empty cells of the table are None.
IN_PATHS = [
    ("matrix", False, ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"),
    ("matrix", True, ";color=blue", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"),
    ("label", False, ".blue", ".blue,black,brown", ".R,100,G,200,B,150"),
    ("label", True, ".blue", ".blue.black.brown", ".R=100.G=200.B=150"),
    ("simple", False, "blue", "blue,black,brown", "R,100,G,200,B,150"),
    ("simple", True, "blue", "blue,black,brown", "R=100,G=200,B=150"),
]
IN_QUERIES = [
    ("form", False, "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"),
    ("form", True, "color=blue", "color=blue&color=black&color=brown", "R=100&G=200&B=150"),
    ("spaceDelimited", False, None, "color=blue%20black%20brown", "color=R%20100%20G%20200%20B%20150"),
    ("pipeDelimited", False, None, "color=blue%7Cblack%7Cbrown", "color=R%7C100%7CG%7C200%7CB%7C150"),
    ("deepObject", True, None, None, "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"),
]
IN_COOKIES = [
    ("cookie", False, "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"),
    ("cookie", True, "color=blue", "color=blue; color=black; color=brown", "R=100; G=200; B=150"),
]


def cells(rows: list[Any]) -> list[tuple[str, bool, Any, str]]:
    return [
        (style, explode, value, text)
        for style, explode, *texts in rows
        for value, text in zip(("blue", COLORS, RGB), texts, strict=True)
        if text is not None
    ]


@pytest.mark.parametrize(("style", "explode", "value", "text"), cells(IN_PATHS))
def test_path_styles(style: str, explode: bool, value: Any, text: str) -> None:
    assert path_value("color", wire("path", style, explode), value) == text


@pytest.mark.parametrize(("style", "explode", "value", "text"), cells(IN_QUERIES))
def test_query_styles(style: str, explode: bool, value: Any, text: str) -> None:
    assert "&".join(query_parts(wire("query", style, explode), value)) == text


@pytest.mark.parametrize(("style", "explode", "value", "text"), cells(IN_COOKIES))
def test_cookie_styles(style: str, explode: bool, value: Any, text: str) -> None:
    assert "; ".join(f"{name}={own}" for name, own in cookies(wire("cookie", style, explode), value)) == text


@pytest.mark.parametrize(("style", "explode"), [("form", True), ("form", False)])
def test_an_empty_text_is_a_name_and_nothing(style: str, explode: bool) -> None:
    assert query_parts(wire("query", style, explode), "") == ["color="]


# RFC 6570, 3.2: the variables of its examples, expanded as the operators of the styles expand them.
KEYS = {"semi": ";", "comma": ","}


@pytest.mark.parametrize(
    ("style", "explode", "value", "text"),
    [
        ("simple", False, "Hello World!", "Hello%20World%21"),
        ("simple", False, KEYS, "semi,%3B,comma,%2C"),
        ("simple", True, KEYS, "semi=%3B,comma=%2C"),
        ("label", True, KEYS, ".semi=%3B.comma=%2C"),
        ("matrix", False, KEYS, ";color=semi,%3B,comma,%2C"),
        ("matrix", True, KEYS, ";semi=%3B;comma=%2C"),
        ("matrix", False, "", None),
    ],
)
def test_expansions_of_the_rfc(style: str, explode: bool, value: Any, text: str | None) -> None:
    if text is None:
        with pytest.raises(NoSpelling):
            path_value("color", wire("path", style, explode), value)
    else:
        assert path_value("color", wire("path", style, explode), value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("/foo/bar", "color=/foo/bar"),
        ("Hello World!", "color=Hello%20World!"),
        ("50%", "color=50%25"),
        ("%2F%c3", "color=%2F%c3"),
        ("a&b#c+d", "color=a%26b%23c%2Bd"),
    ],
)
def test_reserved_characters_pass_where_that_is_allowed(value: str, text: str) -> None:
    assert query_parts(wire("query", "form", True, allow_reserved=True), value) == [text]


def test_a_path_keeps_no_slash_of_a_value() -> None:
    reserved = wire("path", "simple", False, allow_reserved=True)
    assert path_value("color", reserved, "a/b?c#d:e") == "a%2Fb%3Fc%23d:e"


@pytest.mark.parametrize(
    ("where", "style", "value"),
    [
        ("query", "spaceDelimited", ["a b"]),
        ("query", "pipeDelimited", ["a|b"]),
        ("header", "simple", ["a,b"]),
        ("header", "simple", "a\nb"),
        ("header", "simple", " a"),
        ("cookie", "cookie", "a b"),
        ("cookie", "cookie", "a;b"),
        ("path", "label", ["a.b"]),
        ("path", "simple", []),
        ("path", "simple", "\ud800"),
        ("query", "form", float("inf")),
    ],
)
def test_what_would_be_read_as_something_else_has_no_spelling(where: str, style: str, value: Any) -> None:
    known = wire(where, style, style == "label")
    write = {
        "path": lambda: path_value("color", known, value),
        "query": lambda: query_parts(known, value),
        "header": lambda: header(known, value),
        "cookie": lambda: cookies(known, value),
    }[where]
    with pytest.raises(NoSpelling):
        write()


@pytest.mark.parametrize(
    ("template", "value", "path", "query"),
    [
        ("/a/{id}/b", "x/y", "/a/x%2Fy/b", []),
        ("a/{id}", "1", "/a/1", []),
        ("/a b/{id}?fixed=1&also={id}", "é", "/a%20b/%C3%A9", ["fixed=1", "also=%C3%A9"]),
        ("/v1/{id}:cancel#part", "7", "/v1/7:cancel", []),
        ("/{id}?other={missing}", "7", "/7", []),
    ],
)
def test_paths(template: str, value: str, path: str, query: list[str]) -> None:
    assert path_and_query(template, {}, {"id": value}) == (path, query)


@pytest.mark.parametrize("value", ["..", ".", "a/../b", "..\\x", "", None])
def test_no_path_leads_elsewhere(value: Any) -> None:
    with pytest.raises(NoSpelling):
        path_and_query("/things/{id}/more", {}, {"id": value})


@pytest.mark.parametrize(
    ("media_type", "value", "text"),
    [
        # OpenAPI 3.2, Parameter Object Examples: a query that is JSON, and one that is a form.
        (
            "application/json",
            {"numbers": [1, 2], "flag": None},
            "%7B%22numbers%22%3A%5B1%2C2%5D%2C%22flag%22%3Anull%7D",
        ),
        ("application/x-www-form-urlencoded", {"foo": "a + b", "bar": True}, "foo=a%20%2B%20b&bar=true"),
        ("application/jsonpath", "$.a.b[1:1]", "$.a.b%5B1:1%5D"),
    ],
)
def test_whole_queries(media_type: str, value: Any, text: str) -> None:
    assert whole_query(media_type, value) == text


@pytest.mark.parametrize(
    ("explode", "value", "text"),
    [
        (False, [12345678, 90099], "12345678,90099"),
        (True, {"a": "b c", "d": "é"}, "a=b c,d=é"),
        (False, {"a": "b"}, "a,b"),
        (False, ['"x,y"', "z"], '"x,y",z'),
        (False, None, None),
        (False, False, "false"),
    ],
)
def test_headers(explode: bool, value: Any, text: str | None) -> None:
    assert header(wire("header", "simple", explode), value) == text


def test_cookies_in_the_old_style_are_escaped_where_they_must_be() -> None:
    assert cookies(wire("cookie", "form", True), "a b;c/é,%") == [("color", "a%20b%3Bc/%C3%A9%2C%25")]


def test_lists_in_lists_have_delimiters_of_their_own() -> None:
    known = wire("query", "form", False, inner=("|",))
    assert query_parts(known, [["a", 1], "b"]) == ["color=a%7C1,b"]

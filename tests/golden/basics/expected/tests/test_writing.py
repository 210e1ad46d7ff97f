"""How values are written into requests: in every place, style and kind of body, for operations of no API."""

from __future__ import annotations

from typing import Any

import anyio
import pytest
from operations import body, operation

from library_mcp._runtime.auth.credentials import Credential
from library_mcp._runtime.inputs.arguments import prepare
from library_mcp._runtime.outcomes.failures import CallFailed, Category
from library_mcp._runtime.requests.payload import Payload
from library_mcp._runtime.requests.request import Values, build_request

NO_CREDENTIAL = Credential()


def parameter(where: str, name: str, **more: Any) -> dict[str, Any]:
    return parameters({"in": where, "name": name, **more})


def parameters(*found: dict[str, Any]) -> dict[str, Any]:
    return {"parameters": list(found)}


def sent(
    entry: dict[str, Any], credential: Credential = NO_CREDENTIAL, **values: Any
) -> tuple[str, dict[str, str], bytes | None]:
    """What a tool with these values sends: the address, the headers, the body."""
    request = build_request(operation(**entry), "http://api.test", Values(**values), credential)
    content = request.content if isinstance(request.content, bytes) else None
    return (
        request.url.removeprefix("http://api.test/x"),
        {name.lower(): value for name, value in request.headers.items()},
        content,
    )


QUERIES: list[tuple[dict[str, Any], Any, str]] = [
    (parameter("query", "a b[]"), "x&y z", "a%20b%5B%5D=x%26y%20z"),
    (parameter("query", "q"), ["a,b", "c"], "q=a%2Cb&q=c"),
    (parameter("query", "q", explode=False), ["a,b", "c d"], "q=a%2Cb,c%20d"),
    (parameter("query", "q"), {"k k": "v&v"}, "k%20k=v%26v"),
    (parameter("query", "q", explode=False), {"k k": "v,v"}, "q=k%20k,v%2Cv"),
    (parameter("query", "q", style="pipeDelimited", explode=False), ["a b", "c"], "q=a%20b%7Cc"),
    (parameter("query", "q", style="spaceDelimited", explode=False), ["a|b", "c"], "q=a%7Cb%20c"),
    (parameter("query", "q", style="deepObject"), {"k": {"é": "1&2"}}, "q%5Bk%5D%5B%C3%A9%5D=1%262"),
    (parameter("query", "q", allow_reserved=True), "/a?b&c%20", "q=/a?b%26c%20"),
    (parameter("query", "q", content_type="application/json"), {"a": "é&"}, "q=%7B%22a%22%3A%22%C3%A9%26%22%7D"),
    (parameter("query", "q", content_type="application/x-www-form-urlencoded"), {"a": "b c"}, "q=a%3Db%2520c"),
]  # fmt: skip
"""A parameter, its value, and the query."""


@pytest.mark.parametrize(("entry", "value", "expected"), QUERIES)
def test_queries_are_encoded(entry: dict[str, Any], value: Any, expected: str) -> None:
    assert sent(entry, query={entry["parameters"][0]["name"]: value})[0] == "?" + expected


@pytest.mark.parametrize(
    ("content_type", "value", "expected"),
    [
        ("application/x-www-form-urlencoded", {"a b": "c&d"}, "a%20b=c%26d"),
        ("application/json", {"a": 1}, "%7B%22a%22%3A1%7D"),
        ("text/plain", "$.a[?b #c]", "$.a%5B?b%20%23c%5D"),
    ],
)
def test_a_value_can_be_the_whole_query(content_type: str, value: Any, expected: str) -> None:
    assert (
        sent(parameter("querystring", "q", content_type=content_type), querystring=value)[0]
        == "?" + expected
    )


@pytest.mark.parametrize(
    ("style", "explode", "value", "expected"),
    [
        ("simple", False, "a/b c?", "a%2Fb%20c%3F"),
        ("simple", False, ["a,b", "c"], "a%2Cb,c"),
        ("simple", True, {"k=": "v,"}, "k%3D=v%2C"),
        ("label", False, ["a.b", "c"], ".a.b,c"),
        ("matrix", False, "a;b", ";p%20p=a%3Bb"),
        ("matrix", True, ["a", "b"], ";p%20p=a;p%20p=b"),
    ],
)
def test_paths_are_encoded(style: str, explode: bool, value: Any, expected: str) -> None:
    told = {"path": "/x/{p p}"} | parameter("path", "p p", style=style, explode=explode)
    assert sent(told, path={"p p": value})[0] == "/" + expected


def test_cookies_and_headers_are_written_as_they_must_be() -> None:
    def cookie(value: Any, **more: Any) -> str:
        return sent(parameter("cookie", "k", **more), cookie={"k": value})[1]["cookie"]

    assert cookie("a;b é") == "k=a%3Bb%20%C3%A9"
    assert cookie({"n;1": "v;"}) == "n%3B1=v%3B"
    assert cookie(["a,b", "c"], explode=False) == "k=a%2Cb,c"
    assert cookie("a%20b", style="cookie") == "k=a%20b"
    assert cookie({"n": "v"}, style="cookie") == "n=v"
    for value in ("a b", {"n=": "v"}):
        with pytest.raises(CallFailed):
            cookie(value, style="cookie")
    both = parameters({"in": "header", "name": "Cookie"}, {"in": "cookie", "name": "k"})
    assert sent(both, header={"Cookie": "a=1"}, cookie={"k": 2})[1]["cookie"] == "k=2; a=1"
    told = sent(parameter("header", "X-Of", explode=True), header={"X-Of": {"a": 1, "b": "c"}})[1]
    assert told["x-of"] == "a=1,b=c"
    assert "host" not in sent(parameter("header", "Host"), header={"Host": "other.test"})[1]


def test_credentials_go_where_they_belong_and_win() -> None:
    credential = Credential(
        headers=(("X-Key", "h"),), query=(("a key", "q&"),), cookies=(("sid", "c; é"),)
    )
    entry = parameters(
        {"in": "query", "name": "a key"},
        {"in": "header", "name": "X-Key"},
        {"in": "cookie", "name": "sid"},
    )
    url, headers, _ = sent(
        entry, credential, query={"a key": "mine"}, header={"X-Key": "mine"}, cookie={"sid": "mine"}
    )
    assert url == "?a%20key=q%26"
    assert (headers["x-key"], headers["cookie"]) == ("h", "sid=c%3B%20%C3%A9")


FORM = "application/x-www-form-urlencoded"
BODIES: list[tuple[dict[str, Any], Any, bytes]] = [
    (body("application/json", "json"), {"a": "é", "b": None}, '{"a":"é","b":null}'.encode()),
    (body("application/json", "json"), {"a": "\ud800"}, b'{"a":"\\ud800"}'),
    (body(FORM, "form"), {"a b": "c&d", "n": None, "l": ["x,", "y"]}, b"a%20b=c%26d&n=&l=x%2C&l=y"),
    (body(FORM, "form"), {"n n": None}, b"n%20n="),
    (body(FORM, "form"), {"o": {"k&": ["v", None]}}, b"o%5Bk%26%5D%5B0%5D=v&o%5Bk%26%5D%5B1%5D="),
    (body(FORM, "form", encoding={"a b": {"content_type": "application/json"}}), {"a b": {"k": "&"}}, b"a%20b=%7B%22k%22%3A%22%26%22%7D"),
    (body(FORM, "form", encoding={"a": {"style": "spaceDelimited", "explode": False}}), {"a": ["b", "c&"]}, b"a=b%20c%26"),
    (body("text/plain; charset=latin-1", "text"), "é", b"\xe9"),
    (body("text/plain; charset=utf-8", "text"), "é", "é".encode()),
    (body("application/xml", "xml", xml={"name": "r"}), {"a": "<b>&"}, b"<r><a>&lt;b&gt;&amp;</a></r>"),
]  # fmt: skip
"""A body, its value, and its bytes."""


@pytest.mark.parametrize(("entry", "value", "expected"), BODIES)
def test_bodies_are_encoded(entry: dict[str, Any], value: Any, expected: bytes) -> None:
    url, headers, content = sent(entry, body=value)
    assert content is not None
    assert (url, content[-len(expected) :]) == ("", expected)
    assert entry["body"]["kind"] == "xml" or content == expected
    assert headers["content-type"] == entry["body"]["content_type"]


PARTS: list[tuple[dict[str, Any], Any, str]] = [
    (body("multipart/form-data", "multipart"), {'a"b': "x", "n": [1, 2]}, 'Content-Disposition: form-data; name="a%22b"||x;;Content-Disposition: form-data; name="n"||1;;Content-Disposition: form-data; name="n"||2'),
    (body("multipart/form-data", "multipart", encoding={"o": {"style": "form", "explode": True}}), {"o": {"a": 1, "b": "c"}}, 'Content-Disposition: form-data; name="a"||1;;Content-Disposition: form-data; name="b"||c'),
    (body("multipart/form-data", "multipart"), {"o": {"a": "é"}}, 'Content-Disposition: form-data; name="o"|Content-Type: application/json||{"a":"é"}'),
    (body("multipart/mixed", "multipart", prefix_encoding=[{"content_type": "text/csv"}]), ["a,b", {"k": 1}], 'Content-Type: text/csv||a,b;;Content-Type: application/json||{"k":1}'),
]  # fmt: skip
"""A body of several parts, its value, and the parts: `|` ends a line, `;;` a part."""


@pytest.mark.parametrize(("entry", "value", "expected"), PARTS)
def test_bodies_of_several_parts_are_written(
    entry: dict[str, Any], value: Any, expected: str
) -> None:
    _, headers, content = sent(entry, body=value)
    kind, _, boundary = headers["content-type"].partition("; boundary=")
    assert kind == entry["body"]["content_type"]
    first, *parts, last = (content or b"").decode().split(f"--{boundary}")
    assert (first, last) == ("", "--\r\n")
    assert ";;".join(part.strip("\r\n").replace("\r\n", "|") for part in parts) == expected


def test_a_related_body_tells_the_type_of_its_root() -> None:
    entry = body("multipart/related", "multipart")
    assert (
        'multipart/related; type="application/json"; boundary='
        in sent(entry, body=[{"a": 1}, "x"])[1]["content-type"]
    )
    assert (
        'multipart/related; type="text/plain"; boundary='
        in sent(entry, body=["x"])[1]["content-type"]
    )


def test_a_large_body_is_sent_in_pieces_that_are_the_whole() -> None:
    content = bytes(range(256)) * 2_000
    whole = Payload([b"head", content, b"tail"])

    async def pieces() -> list[bytes]:
        return [piece async for piece in whole]

    assert len(whole) == len(content) + 8
    for _ in range(2):
        found = anyio.run(pieces)
        assert len(found) > 3
        assert b"".join(found) == b"head" + content + b"tail"


def test_fields_given_in_the_rest_of_a_body_find_their_places() -> None:
    arguments = [
        {"name": "title", "python": "title", "in": "body", "pointer": "/ti~1tle"},
        {"name": "more", "python": "more", "in": "body", "pointer": ""},
    ]
    told = operation(arguments=arguments, fixed={"kind": "x"}, **body("application/json", "json"))
    assert prepare(told, {"more": {"ti/tle": "a", "b": 1}}).arguments == {
        "title": "a",
        "more": {"b": 1},
    }
    assert prepare(told, {"title": "a", "more": {"ti/tle": "a", "kind": "x"}}).arguments == {
        "title": "a",
        "more": {},
    }
    with pytest.raises(CallFailed, match=r"`title` is given twice.*") as twice:
        prepare(told, {"title": "a", "more": {"ti/tle": "b"}})
    with pytest.raises(CallFailed, match=r"`more.kind` is set by this tool itself"):
        prepare(told, {"more": {"kind": "y"}})
    assert twice.value.failure.category is Category.VALIDATION

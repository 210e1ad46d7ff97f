"""Bodies of expectations, letter by letter."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.cases.wire.bodies import written_body
from mcpgen.cases.wire.texts import NoSpelling
from mcpgen.plan.model import BodyWire

FORM = "application/x-www-form-urlencoded"


def text(kind: str, content_type: str, value: Any, **more: Any) -> tuple[str, str]:
    written = written_body(BodyWire(content_type, kind, True, **more), value)
    return written.content_type, str(written.content["text"])


@pytest.mark.parametrize(
    ("value", "encoding", "sent"),
    [
        ({"a": "b c&d=e+é", "n": 1.5, "t": True}, {}, "a=b%20c%26d%3De%2B%C3%A9&n=1.5&t=true"),
        ({"a": ["x", "y"]}, {}, "a=x&a=y"),
        ({"a": {"b": ["x", None], "c": 1}}, {}, "a%5Bb%5D%5B0%5D=x&a%5Bb%5D%5B1%5D=&a%5Bc%5D=1"),
        ({"a": None, "b": [], "c": [None]}, {}, "a="),
        ({"a": {"b": 1}}, {"a": {"content_type": "application/json"}}, "a=%7B%22b%22%3A1%7D"),
        ({"a": ["x", "y"]}, {"a": {"style": "form", "explode": False}}, "a=x,y"),
        ({"a": ["x", "y"]}, {"a": {"style": "spaceDelimited"}}, "a=x%20y"),
        ({"a": {"b": 1}}, {"a": {"style": "deepObject"}}, "a%5Bb%5D=1"),
        ({"a": "/b"}, {"a": {"allow_reserved": True}}, "a=/b"),
        ("a=b", {}, "a=b"),
    ],
)
def test_forms(value: Any, encoding: dict[str, Any], sent: str) -> None:
    assert text("form", FORM, value, encoding=encoding) == (FORM, sent)


def test_parts_of_a_form_with_files() -> None:
    body = BodyWire(
        "multipart/form-data; boundary=theirs",
        "multipart",
        True,
        encoding={"photo": {"content_type": "image/png"}, "note": {"headers": {"X-Lang": "en"}}},
        files={"photo": "one", "more": "list"},
    )
    value = {
        "photo": {"content_base64": "AAE=", "filename": 'a"é.png'},
        "more": [{"content_base64": "AQ=="}, {"content_base64": "Ag", "content_type": "text/x"}],
        "note": "two\nlines",
        "tags": ["a", 1],
        "meta": {"k": [1]},
        "gone": None,
    }
    written = written_body(body, value)
    assert written.content_type == "multipart/form-data"
    named = 'form-data; name="{}"'.format
    octets = "application/octet-stream"
    assert written.content["parts"] == [
        {
            "headers": {
                "content-disposition": 'form-data; name="photo"; filename="a%22é.png"',
                "content-type": "image/png",
            },
            "base64": "AAE=",
        },
        {
            "headers": {"content-disposition": f'{named("more")}; filename="file"', "content-type": octets},
            "base64": "AQ==",
        },
        {
            "headers": {"content-disposition": f'{named("more")}; filename="file"', "content-type": "text/x"},
            "base64": "Ag==",
        },
        {"headers": {"content-disposition": named("note"), "x-lang": "en"}, "text": "two\nlines"},
        {"headers": {"content-disposition": named("tags")}, "text": "a"},
        {"headers": {"content-disposition": named("tags")}, "text": "1"},
        {
            "headers": {"content-disposition": named("meta"), "content-type": "application/json"},
            "json": {"k": [1]},
        },
        {"headers": {"content-disposition": named("gone")}, "text": ""},
    ]


def test_parts_by_position_have_no_names() -> None:
    body = BodyWire(
        "multipart/related",
        "multipart",
        True,
        prefix_encoding=({"content_type": "application/json"},),
        item_encoding={"content_type": "image/png"},
        files={"*": "one"},
    )
    written = written_body(body, [{"a": 1}, {"content_base64": "AAE=", "filename": "b"}])
    assert written.content_type == 'multipart/related; type="application/json"'
    assert written.content["parts"] == [
        {"headers": {"content-type": "application/json"}, "json": {"a": 1}},
        {
            "headers": {"content-disposition": 'attachment; filename="b"', "content-type": "image/png"},
            "base64": "AAE=",
        },
    ]


def test_text_says_its_charset_where_it_must() -> None:
    assert text("text", "text/plain", "a b") == ("text/plain", "a b")
    assert text("text", "text/plain", "é") == ("text/plain; charset=utf-8", "é")
    assert text("text", "text/csv; charset=latin-1", "é") == ("text/csv; charset=latin-1", "é")
    with pytest.raises(NoSpelling):
        text("text", "text/csv; charset=latin-1", "☃")


def test_records_are_lines() -> None:
    assert text("ndjson", "application/x-ndjson", [{"a": 1}, "b"])[1] == '{"a":1}\n"b"\n'
    assert text("ndjson", "application/json-seq", [1])[1] == "\x1e1\n"


@pytest.mark.parametrize(
    ("declared", "value", "sent"),
    [
        ("application/pdf", {"content_base64": "AAE", "content_type": "a/b"}, "application/pdf"),
        ("image/*", {"content_base64": "AAE=", "content_type": "image/gif"}, "image/gif"),
        ("image/*", {"content_base64": "AAE=", "content_type": "text/x"}, "application/octet-stream"),
        ("*/*", "AA E=", "application/octet-stream"),
    ],
)
def test_files(declared: str, value: Any, sent: str) -> None:
    written = written_body(BodyWire(declared, "binary", True), value)
    assert (written.content_type, written.content) == (sent, {"base64": "AAE="})


@pytest.mark.parametrize(
    "value", [{"content_base64": "é"}, 1, {"filename": "a"}, {"content_base64": "AAE=", "content_type": "x"}]
)
def test_what_is_no_file(value: Any) -> None:
    with pytest.raises(NoSpelling):
        written_body(BodyWire("application/pdf", "binary", True), value)


# OpenAPI 3.2, XML Object Examples.
@pytest.mark.parametrize(
    ("value", "hints", "sent"),
    [
        (
            {"id": 123, "name": "example"},
            {
                "name": "Person",
                "properties": {
                    "id": {"nodeType": "attribute"},
                    "name": {"namespace": "https://a.test/s", "prefix": "sample"},
                },
            },
            '<Person id="123"><sample:name xmlns:sample="https://a.test/s">example</sample:name></Person>',
        ),
        (
            {"animals": ["dog", "cat"]},
            {"name": "document", "properties": {"animals": {"items": {"name": "animal"}}}},
            "<document><animal>dog</animal><animal>cat</animal></document>",
        ),
        (
            {"animals": ["dog", "cat"]},
            {
                "name": "document",
                "properties": {"animals": {"name": "aliens", "wrapped": True, "items": {"name": "animal"}}},
            },
            "<document><aliens><animal>dog</animal><animal>cat</animal></aliens></document>",
        ),
        (
            {"title": "a < b & c", "body": "x]]>y"},
            {"name": "page", "properties": {"body": {"nodeType": "cdata"}}},
            "<page><title>a &lt; b &amp; c</title><![CDATA[x]]]]><![CDATA[>y]]></page>",
        ),
        (
            {"count": None},
            {},
            '<root><count xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/></root>',
        ),
    ],
)
def test_xml(value: Any, hints: dict[str, Any], sent: str) -> None:
    assert text("xml", "application/xml", value, xml=hints) == (
        "application/xml",
        f'<?xml version="1.0" encoding="UTF-8"?>\n{sent}',
    )


def test_names_that_xml_does_not_have() -> None:
    with pytest.raises(NoSpelling):
        text("xml", "application/xml", {"two words": 1})

"""Bodies on the wire: what an independent decoder reads back is what the tool was given, or nothing is sent."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpgen.runtime.operation import Body, Encoding
from mcpgen.runtime.outcomes.failures import CallFailed
from mcpgen.runtime.requests.body import encode_body

from . import wire_decoder as wire

CHARACTERS = st.characters(exclude_categories=["Cs"])
TEXT = st.text(CHARACTERS, max_size=8)
SCALAR = TEXT | st.integers() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False)
NAME = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)
JSON = st.recursive(
    st.none() | SCALAR, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3)
)
COMPOSITE = st.lists(JSON, min_size=1, max_size=3) | st.dictionaries(TEXT, JSON, min_size=1, max_size=3)


def text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def encoded(kind: str, content_type: str, value: Any, **more: Any) -> tuple[bytes, str]:
    content, sent = encode_body(Body(content_type, kind, True, **more), value)
    assert isinstance(content, bytes)  # small ones always are
    return content, sent


def is_document(value: Any) -> bool:
    """Text that is JSON already: it is sent as the document that it is."""
    try:
        return isinstance(value, str) and isinstance(json.loads(value), (dict, list))
    except ValueError:
        return False


# ---------------------------------------------------------------- JSON


@given(JSON)
def test_json(value: Any) -> None:
    for media_type in ("application/json", "application/merge-patch+json", "application/json-patch+json"):
        content, sent = encoded("json", media_type, value)
        assert (json.loads(content), sent) == (value, media_type)


@given(st.lists(JSON, max_size=4), st.sampled_from(["application/x-ndjson", "application/json-seq"]))
def test_records(value: list[Any], media_type: str) -> None:
    content, sent = encoded("ndjson", media_type, value)
    assert (wire.records_of(content, sent), sent) == (value, media_type)


# ---------------------------------------------------------------- forms

FORM = "application/x-www-form-urlencoded"


def form(value: Mapping[str, Any], **encoding: Encoding) -> list[tuple[str, str]]:
    content, sent = encoded("form", FORM, value, encoding=encoding)
    assert sent == FORM
    raw = content.decode("ascii")
    assert wire.LEGAL_QUERY.fullmatch(raw)
    return [(name, wire.form_decoded(item)) for name, item in wire.pairs_of(raw)]


@given(st.dictionaries(NAME, SCALAR | st.lists(SCALAR, min_size=1, max_size=3), max_size=4))
def test_form_fields(value: dict[str, Any]) -> None:
    expected = [(k, text(i)) for k, v in value.items() for i in (v if isinstance(v, list) else [v])]
    assert form(value) == expected


@given(NAME, SCALAR | COMPOSITE)
def test_form_fields_that_are_declared_as_json(name: str, value: Any) -> None:
    sent = form({name: value}, **{name: Encoding(content_type="application/json")})
    assert {key for key, _ in sent} == {name}
    read = [json.loads(item) for _, item in sent]
    if isinstance(value, list) and not any(isinstance(item, (dict, list)) for item in value):
        expected = value  # one value for each item (Encoding By Name)
    else:
        expected = [value]
    assert read == [json.loads(item) if is_document(item) else item for item in expected]


@pytest.mark.parametrize("explode", [True, False])
@pytest.mark.parametrize("kind", ["array", "object"])
@given(data=st.data(), reserved=st.booleans())
def test_form_fields_with_a_style(kind: str, explode: bool, data: st.DataObject, reserved: bool) -> None:
    plain = st.text(CHARACTERS.filter(lambda c: c != "%"), max_size=5)
    values = {"array": st.lists(plain, min_size=1), "object": st.dictionaries(NAME, plain, min_size=1)}
    value = data.draw(values[kind])
    encoding = Encoding(style="form", explode=explode, allow_reserved=reserved)
    content, _ = encoded("form", FORM, {"f": value}, encoding={"f": encoding})
    raw = content.decode("ascii")
    if kind == "object" and not explode and any("%" in key for key in value):
        return  # a key that is percent-encoded already
    assert wire.query_value(raw, "f", "form", explode, kind) == value


@given(st.dictionaries(st.text("abc", min_size=1), TEXT, min_size=1))
def test_deep_objects_in_forms(value: dict[str, str]) -> None:
    content, _ = encoded(
        "form", FORM, {"f": value}, encoding={"f": Encoding(style="deepObject", explode=True)}
    )
    found = wire.query_value(content.decode("ascii"), "f", "deepObject", True, "object")
    assert found == {(key,): item for key, item in value.items()}


# ---------------------------------------------------------------- multipart


def parts(value: Any, content_type: str = "multipart/form-data", **more: Any) -> list[wire.Part]:
    content, sent = encoded("multipart", content_type, value, **more)
    assert sent.startswith(content_type)
    return wire.parts_of(content, sent)


@given(st.dictionaries(NAME, SCALAR | COMPOSITE, min_size=1, max_size=4))
def test_parts_by_name(value: dict[str, Any]) -> None:
    found = [(part.disposition("name"), part.value) for part in parts(value)]
    expected = [
        (k, item if isinstance(item, (dict, list)) else "" if item is None else text(item))
        for k, v in value.items()
        for item in (v if isinstance(v, list) else [v])
    ]
    # A name is read back as browsers write it: they can't tell `"` from `%22`.
    assert found == [
        (k.replace("%22", '"').replace("%0D", "\r").replace("%0A", "\n"), v) for k, v in expected
    ]


@given(JSON)
def test_json_parts(value: Any) -> None:
    (part,) = parts({"f": {"in": value}}, encoding={"f": Encoding(content_type="application/vnd.x+json")})
    assert (part.type, part.value) == ("application/vnd.x+json", {"in": value})


@pytest.mark.parametrize("value", ["plain", 5, True, "12", '"'])
def test_a_json_part_is_json_whatever_its_value(value: Any) -> None:
    (part,) = parts({"f": value}, encoding={"f": Encoding(content_type="application/json")})
    assert part.value == value


def test_text_that_is_a_json_document_is_sent_as_it_is() -> None:
    (part,) = parts({"f": '{"a": 1}'}, encoding={"f": Encoding(content_type="application/json")})
    assert part.content == b'{"a": 1}'


def file(content: bytes, **more: str) -> dict[str, str]:
    return {"content_base64": base64.b64encode(content).decode(), **more}


FILENAME = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="%"), min_size=1, max_size=8)


@given(st.binary(max_size=30), st.lists(st.tuples(st.binary(max_size=9), FILENAME), max_size=3), NAME)
def test_files(one: bytes, many: list[tuple[bytes, str]], title: str) -> None:
    value = {
        "title": title,
        "one": file(one),
        "many": [file(content, filename=name) for content, name in many],
    }
    found = parts(value, files={"one": "one", "many": "list"})
    assert [(p.disposition("name"), p.disposition("filename"), p.content) for p in found] == [
        ("title", None, title.encode()),
        ("one", "file", one),
        *(("many", name, content) for content, name in many),
    ]


@pytest.mark.parametrize(
    ("declared", "argument", "sent"),
    [
        (None, {"content_type": "image/png"}, "image/png"),
        ("image/png, image/jpeg", {"content_type": "image/jpeg"}, "image/jpeg"),
        (None, {"filename": "a.png"}, "image/png"),
        ("image/*", {"filename": "a.png"}, "image/png"),
        ("audio/*, image/*", {"filename": "a.txt"}, "application/octet-stream"),
        ("application/pdf", {"filename": "a.png"}, "application/pdf"),
        ("application/pdf", {}, "application/pdf"),
        ("image/png, image/jpeg", {}, "application/octet-stream"),
    ],
)
def test_the_type_of_a_file(declared: str | None, argument: dict[str, str], sent: str) -> None:
    (part,) = parts(
        {"f": file(b"x", **argument)}, files={"f": "one"}, encoding={"f": Encoding(content_type=declared)}
    )
    assert part.type == sent


def test_part_headers() -> None:
    encoding = Encoding(headers={"X-Kind": "a b", "Content-ID": "<1>"})
    (part,) = parts({"f": "x"}, encoding={"f": encoding})
    assert (part.headers["x-kind"], part.headers["content-id"]) == ("a b", "<1>")
    with pytest.raises(CallFailed):
        parts({"f": "x"}, encoding={"f": Encoding(headers={"X": "a\r\nY: 1"})})


def test_styles_in_multipart_are_not_percent_encoded() -> None:
    value = {"list": ["a b", "c&d"], "deep": {"x y": "1&2"}, "open": {"k": "é"}, "pipe": ["a", "b"]}
    encoding = {
        "list": Encoding(explode=False),
        "deep": Encoding(style="deepObject", explode=True),
        "open": Encoding(style="form"),
        "pipe": Encoding(style="pipeDelimited"),
    }
    found = [(part.disposition("name"), part.content.decode()) for part in parts(value, encoding=encoding)]
    assert found == [("list", "a b,c&d"), ("deep[x y]", "1&2"), ("k", "é"), ("pipe", "a|b")]
    with pytest.raises(CallFailed):
        parts({"list": ["a,b"]}, encoding=encoding)


@given(st.lists(SCALAR | COMPOSITE, min_size=1, max_size=4), st.sampled_from(["mixed", "related"]))
def test_parts_in_order(value: list[Any], subtype: str) -> None:
    found = parts(value, f"multipart/{subtype}")
    assert [part.disposition("name") for part in found] == [None] * len(value)
    assert [part.value for part in found] == [v if isinstance(v, (dict, list)) else text(v) for v in value]


def test_parts_in_order_have_their_own_encodings() -> None:
    value = [{"author": "x"}, file(b"\x89PNG", filename="a.png"), "a,b", file(b"<a/>")]
    found = parts(
        value,
        "multipart/related",
        positions=(Encoding(), Encoding(content_type="image/*")),
        rest_encoding=Encoding(content_type="text/css", headers={"X-A": "1"}),
        files={"1": "one"},
    )
    assert [(part.type, part.content) for part in found] == [
        ("application/json", b'{"author":"x"}'),
        ("image/png", b"\x89PNG"),
        ("text/css", b"a,b"),
        ("text/css", b"<a/>"),
    ]
    assert [part.headers.get("x-a") for part in found] == [None, None, "1", "1"]


@pytest.mark.parametrize(
    ("declared", "sent"),
    [
        ("multipart/related", 'multipart/related; type="application/json"; boundary='),
        ("multipart/related; type=text/html", "multipart/related; type=text/html; boundary="),
        ("multipart/mixed; boundary=abc", "multipart/mixed; boundary="),
        ("multipart/*", "multipart/form-data; boundary="),
    ],
)
def test_multipart_types(declared: str, sent: str) -> None:
    _, found = encoded("multipart", declared, [{"a": 1}, "x"])
    assert found.startswith(sent)
    assert found.count("boundary") == 1


def test_a_multipart_body_is_an_object_or_a_list() -> None:
    with pytest.raises(CallFailed):
        parts("text")


# ---------------------------------------------------------------- raw


@given(st.binary(max_size=50))
def test_bytes(content: bytes) -> None:
    assert encoded("binary", "application/octet-stream", file(content)) == (
        content,
        "application/octet-stream",
    )


@given(TEXT, st.sampled_from(["text/plain", "text/csv; charset=utf-8", "application/yaml", "text/*"]))
def test_texts(value: str, declared: str) -> None:
    content, sent = encoded("text", declared, value)
    # RFC 2046, 4.1.2: what is not said is US-ASCII.
    assert content.decode("utf-8" if "charset=utf-8" in sent else "ascii") == value
    assert "*" not in sent


@given(TEXT, st.sampled_from(["iso-8859-1", "utf-16", "us-ascii", '"utf-8"']))
def test_texts_in_a_declared_charset(value: str, charset: str) -> None:
    declared = f"text/plain; charset={charset}"
    try:
        content, sent = encoded("text", declared, value)
    except CallFailed:
        with pytest.raises(UnicodeEncodeError):
            value.encode(charset.strip('"'))
        return
    assert (content.decode(charset.strip('"')), sent) == (value, declared)


@pytest.mark.parametrize("kind", ["text", "xml", "form", "multipart", "ndjson"])
def test_half_a_surrogate_pair_is_refused(kind: str) -> None:
    value: Any = {"f": "\ud800"} if kind in ("form", "multipart") else "\ud800"
    with pytest.raises(CallFailed):
        encoded(kind, "a/b", value)


# ---------------------------------------------------------------- XML

XML_TEXT = st.text(
    st.characters(
        exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff", include_characters="\t\n\r"
    ),
    max_size=8,
)
HINTS = {
    "name": "order",
    "namespace": "urn:shop",
    "prefix": "s",
    "properties": {
        "id": {"attribute": True},
        "lang": {"nodeType": "attribute", "name": "language"},
        "rows": {"name": "ignored", "items": {"name": "row"}},
        "tags": {"name": "labels", "wrapped": True, "items": {"name": "label"}},
        "notes": {"nodeType": "element"},
        "who": {"name": "by", "namespace": "urn:people", "prefix": "p"},
        "mail": {"properties": {"kind": {"nodeType": "attribute"}, "text": {"nodeType": "cdata"}}},
    },
}
SHAPE = {
    "id": None, "lang": None, "rows": [{"n": None}], "tags": [None], "notes": [None], "who": None, "plain": None,
    "mail": {"kind": None, "text": None},
}  # fmt: skip
ORDER = st.fixed_dictionaries(
    {},
    optional={
        "id": XML_TEXT,
        "lang": XML_TEXT,
        "rows": st.lists(st.fixed_dictionaries({"n": XML_TEXT}), min_size=1, max_size=3),
        "tags": st.lists(XML_TEXT, max_size=3),
        "notes": st.lists(XML_TEXT, max_size=3),
        "who": st.none() | XML_TEXT,
        "plain": st.none() | XML_TEXT,
        "mail": st.fixed_dictionaries({"kind": XML_TEXT, "text": XML_TEXT}),
    },
)


@given(ORDER)
def test_xml(value: dict[str, Any]) -> None:
    content, sent = encoded("xml", "application/xml", value, xml=HINTS)
    assert sent == "application/xml"
    assert wire.xml_value(content, HINTS, SHAPE) == value


def test_xml_of_the_specification() -> None:
    """OpenAPI 3.2, XML Object Examples."""

    def written(value: Any, hints: dict[str, Any]) -> str:
        return encoded("xml", "application/xml", value, xml=hints)[0].decode().partition("\n")[2]

    animals = {"animals": ["dog", "cat"]}
    for own, expected in (
        ({}, "<animals>dog</animals><animals>cat</animals>"),
        ({"items": {"name": "animal"}}, "<animal>dog</animal><animal>cat</animal>"),
        ({"name": "aliens", "items": {"name": "animal"}}, "<animal>dog</animal><animal>cat</animal>"),
        ({"nodeType": "element"}, "<animals><animals>dog</animals><animals>cat</animals></animals>"),
        (
            {"nodeType": "element", "name": "aliens"},
            "<aliens><aliens>dog</aliens><aliens>cat</aliens></aliens>",
        ),
    ):
        found = written(animals, {"name": "document", "properties": {"animals": own}})
        assert found == f"<document>{expected}</document>"
    pets = {
        "items": {
            "name": "animal",
            "properties": {"kind": {"nodeType": "attribute"}, "name": {"nodeType": "text"}},
        }
    }
    assert written(
        [{"kind": "Cat", "name": "Fluffy"}], {"nodeType": "element", "name": "animals", **pets}
    ) == ('<animals><animal kind="Cat">Fluffy</animal></animals>')
    report = {"name": "Report", "prefixItems": [{"nodeType": "text"}, {"name": "data"}, {"nodeType": "text"}]}
    assert written(["pre ", 42, " post"], report) == "<Report>pre <data>42</data> post</Report>"
    product = {"name": "product", "properties": {"count": {"nodeType": "attribute"}}}
    assert "<product><description>Thing</description><related xmlns:xsi=" in written(
        {"count": None, "description": "Thing", "related": None}, product
    )
    assert written({"a": "x]]>y"}, {"properties": {"a": {"nodeType": "cdata"}}}) == (
        "<root><![CDATA[x]]]]><![CDATA[>y]]></root>"
    )


@pytest.mark.parametrize("value", [{"a b": 1}, {"a": "\x00"}, {"a": "\x0b"}, {"": 1}, {"<x>": 1}])
def test_what_xml_can_not_carry_is_refused(value: Any) -> None:
    with pytest.raises(CallFailed):
        encoded("xml", "application/xml", value)

"""Request bodies of every kind, read back by independent decoders."""

from __future__ import annotations

import base64
import email.parser
import email.policy
import json
from typing import Any
from urllib.parse import parse_qsl
from xml.etree import ElementTree

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpgen.runtime.operation import Body, Encoding
from mcpgen.runtime.outcomes.failures import CallFailed
from mcpgen.runtime.requests.body import encode_body
from mcpgen.runtime.requests.files import file_of

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def body(kind: str, content_type: str, **more: Any) -> Body:
    return Body(content_type, kind, True, **more)


def parts(encoded: tuple[bytes, str]) -> list[tuple[str, str | None, str | None, bytes]]:
    content, content_type = encoded
    head = f"Content-Type: {content_type}\r\n\r\n".encode()
    message = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + content)
    assert message.is_multipart()
    return [
        (
            part.get_param("name", header="content-disposition"),
            part.get_filename(),
            str(part["content-type"]) if part["content-type"] else None,
            part.get_payload(decode=True),
        )
        for part in message.iter_parts()
    ]


@given(JSON)
def test_json_is_read_back(value: Any) -> None:
    content, content_type = encode_body(body("json", "application/json"), value)
    assert json.loads(content) == value
    assert content_type == "application/json"


@pytest.mark.parametrize(
    ("declared", "sent"),
    [
        ("application/json-patch+json", "application/json-patch+json"),
        ("application/vnd.x+json; version=2", "application/vnd.x+json; version=2"),
        ("*/*", "application/json"),
        ("application/*", "application/json"),
    ],
)
def test_the_declared_type_is_sent_unless_it_is_a_range(declared: str, sent: str) -> None:
    assert encode_body(body("json", declared), []) == (b"[]", sent)


def test_json_keeps_digits_and_characters() -> None:
    content, _ = encode_body(body("json", "application/json"), {"n": 2**70, "é": "☃", "bad": "\ud800"})
    assert content == b'{"n":1180591620717411303424,"\\u00e9":"\\u2603","bad":"\\ud800"}'
    content, _ = encode_body(body("json", "application/json"), {"n": 2**70, "é": "☃"})
    assert content == '{"n":1180591620717411303424,"é":"☃"}'.encode()


def form(value: Any, **encoding: Encoding) -> list[tuple[str, str]]:
    content, content_type = encode_body(
        body("form", "application/x-www-form-urlencoded", encoding=encoding), value
    )
    assert content_type == "application/x-www-form-urlencoded"
    return parse_qsl(content.decode("ascii"), keep_blank_values=True)


FIELD = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@given(
    st.dictionaries(
        st.text("abc&=é+", min_size=1, max_size=3), FIELD | st.integers() | st.booleans(), max_size=4
    )
)
def test_flat_forms_are_read_back(value: dict[str, Any]) -> None:
    assert form(value) == [(k, v if isinstance(v, str) else json.dumps(v)) for k, v in value.items()]


def test_forms_write_lists_and_objects_in_the_usual_ways() -> None:
    value = {
        "lines": ["x", "y"],
        "card": {"no": 4, "exp": ["1", "2"]},
        "items": [{"id": 1}],
        "gone": None,
        "e": [],
    }
    assert form(value) == [
        ("lines", "x"),
        ("lines", "y"),
        ("card[no]", "4"),
        ("card[exp][0]", "1"),
        ("card[exp][1]", "2"),
        ("items[0][id]", "1"),
        ("gone", ""),
    ]


def test_forms_follow_their_encoding() -> None:
    value = {"a": ["x", "y"], "d": {"k": 1}, "j": {"k": [1]}}
    sent = form(
        value,
        a=Encoding(style="form", explode=False),
        d=Encoding(style="deepObject", explode=True),
        j=Encoding(content_type="application/json"),
    )
    assert sent == [("a", "x,y"), ("d[k]", "1"), ("j", '{"k":[1]}')]


PNG = base64.b64encode(b"\x89PNG\r\n\x00").decode()


def test_multipart_files_and_fields() -> None:
    value = {
        "photo": {"content_base64": PNG, "filename": 'c"at\n.png', "content_type": "image/png"},
        "pages": [{"content_base64": PNG}, {"content_base64": PNG, "filename": "b.txt"}],
        "title": 'my "cat" é',
        "width": 4,
        "public": True,
        "tags": ["a", "b"],
        "meta": {"x": [1]},
        "none": [],
    }
    shape = body("multipart", "multipart/form-data", files={"photo": "one", "pages": "list"})
    png = b"\x89PNG\r\n\x00"
    assert parts(encode_body(shape, value)) == [
        ("photo", "c%22at%0A.png", "image/png", png),
        ("pages", "file", "application/octet-stream", png),
        ("pages", "b.txt", "text/plain", png),
        ("title", None, None, 'my "cat" é'.encode()),
        ("width", None, None, b"4"),
        ("public", None, None, b"true"),
        ("tags", None, None, b"a"),
        ("tags", None, None, b"b"),
        ("meta", None, "application/json", b'{"x":[1]}'),
    ]


def test_multipart_follows_its_encoding() -> None:
    encoding = {
        "note": Encoding(content_type="text/markdown"),
        "meta": Encoding(content_type="application/vnd.x+json", headers={"X-Part": "1"}),
        "photo": Encoding(content_type="image/png, image/jpeg"),
        "rows": Encoding(content_type="application/json"),
    }
    shape = body("multipart", "multipart/form-data", encoding=encoding, files={"photo": "one"})
    value = {"note": "# x", "meta": {"a": 1}, "photo": {"content_base64": PNG}, "rows": [{"a": 1}]}
    assert [(name, kind) for name, _, kind, _ in parts(encode_body(shape, value))] == [
        ("note", "text/markdown"),
        ("meta", "application/vnd.x+json"),
        ("photo", "application/octet-stream"),
        ("rows", "application/json"),
    ]
    assert b"\r\nX-Part: 1\r\n" in encode_body(shape, value)[0]


@pytest.mark.parametrize(
    ("declared", "given", "sent"),
    [
        ("application/octet-stream", "image/png", "application/octet-stream"),
        ("image/*", "image/png", "image/png"),
        ("image/*", "text/plain", "application/octet-stream"),
        ("*/*", None, "application/octet-stream"),
    ],
)
def test_binary_bodies(declared: str, given: str | None, sent: str) -> None:
    value = {"content_base64": PNG} | ({"content_type": given} if given else {})
    assert encode_body(body("binary", declared), value) == (b"\x89PNG\r\n\x00", sent)


def test_text_bodies() -> None:
    assert encode_body(body("text", "text/plain"), "abc") == (b"abc", "text/plain")
    assert encode_body(body("text", "text/plain"), "é") == ("é".encode(), "text/plain; charset=utf-8")
    assert encode_body(body("text", "text/plain; charset=iso-8859-1"), "é") == (
        b"\xe9",
        "text/plain; charset=iso-8859-1",
    )
    with pytest.raises(CallFailed):
        encode_body(body("text", "text/plain; charset=us-ascii"), "é")


def test_xml_bodies() -> None:
    assert encode_body(body("xml", "application/xml"), "<a/>") == (b"<a/>", "application/xml")
    hints = {
        "name": "Order",
        "properties": {
            "id": {"attribute": True},
            "line": {"items": {"name": "row"}},
            "tags": {"wrapped": True, "items": {"name": "tag"}},
        },
    }
    value = {"id": 7, "note": "a<b&c", "line": [{"n": 1}, {"n": 2}], "tags": ["x"], "none": None}
    content, _ = encode_body(body("xml", "application/xml", xml=hints), value)
    root = ElementTree.fromstring(content)
    assert (root.tag, root.attrib, root.findtext("note")) == ("Order", {"id": "7"}, "a<b&c")
    assert [row.findtext("n") for row in root.findall("row")] == ["1", "2"]
    assert root.findtext("tags/tag") == "x"
    with pytest.raises(CallFailed):
        encode_body(body("xml", "application/xml"), {"a b": 1})


def test_ndjson_bodies() -> None:
    assert encode_body(body("ndjson", "application/x-ndjson"), [{"a": 1}, 2])[0] == b'{"a":1}\n2\n'


@given(st.binary(max_size=40))
def test_file_content_is_exact(content: bytes) -> None:
    for text in (
        base64.b64encode(content).decode(),
        base64.urlsafe_b64encode(content).decode().rstrip("="),
        "data:image/png;base64," + base64.b64encode(content).decode(),
        base64.encodebytes(content).decode(),
    ):
        assert file_of({"content_base64": text}, "f").content == content


@pytest.mark.parametrize("value", [{"content_base64": "%%%"}, {"filename": "x"}, "n!", 3])
def test_what_is_no_file_is_refused(value: Any) -> None:
    with pytest.raises(CallFailed) as caught:
        file_of(value, "photo")
    assert "`photo`" in str(caught.value)


class TestWhichBodyIsSent:
    """A body made of arguments: sent, left out or empty."""

    pytestmark = pytest.mark.anyio

    @pytest.fixture
    def patch(self, build, op):
        def make(required: bool):
            return build(
                change=op(
                    method="PATCH",
                    effect="write",
                    body={"content_type": "application/json", "kind": "json", "required": required},
                    fields={"name": {"type": "string"}},
                    rest={"type": "object"},
                )
            )

        return make

    async def test_none_when_optional_and_nothing_is_given(self, patch) -> None:
        package = patch(required=False)
        assert (await package.told("change"))["ok"]
        assert package.sent.content == b""
        assert "content-type" not in package.sent.headers

    async def test_an_empty_object_when_required(self, patch) -> None:
        package = patch(required=True)
        await package.told("change")
        assert package.sent.content == b"{}"

    async def test_an_empty_object_when_it_is_given(self, patch) -> None:
        package = patch(required=False)
        await package.told("change", {"extra": {}})
        assert package.sent.content == b"{}"

    async def test_the_whole_body_can_be_given_in_the_rest(self, patch) -> None:
        package = patch(required=False)
        await package.told("change", {"extra": {"name": "n", "more": [1]}})
        assert json.loads(package.sent.content) == {"name": "n", "more": [1]}

    async def test_whole_bodies(self, build, op) -> None:
        package = build(
            put=op(
                method="PUT",
                effect="write",
                body={"content_type": "application/json", "kind": "json", "required": False},
                whole={},
            )
        )
        for value, sent in ((None, b"null"), ({}, b"{}"), ([], b"[]"), (0, b"0"), ("", b'""')):
            package.requests.clear()
            await package.told("put", {"body": value})
            assert package.sent.content == sent
        package.requests.clear()
        await package.told("put")
        assert package.sent.content == b""

    async def test_fixed_fields_are_sent_and_can_not_be_changed(self, build, op) -> None:
        package = build(
            cancel=op(
                method="POST",
                effect="write",
                body={"content_type": "application/json", "kind": "json", "required": True},
                fields={"reason": {"type": "string"}},
                rest={"type": "object"},
                more={"fixed": {"action": "cancel"}},
            )
        )
        package.answer(httpx2.Response(204))
        await package.told("cancel", {"extra": {"action": "cancel", "reason": "late"}})
        assert json.loads(package.sent.content) == {"action": "cancel", "reason": "late"}
        told = await package.told("cancel", {"extra": {"action": "refund"}})
        assert told["category"] == "validation"
        assert "`extra.action`" in told["error"]

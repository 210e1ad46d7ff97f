"""Two serialisers, written apart from each other, agree about random values: about what is sent, and what can't be."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mcpgen.plan.model import BodyWire, ParameterWire

from .both_ways import expected, sent, tool_with

TELLING = r"""a,b|a b|x+y|50%|%2F|%2f|a;b|.|..|a/../b|a.b|é☃|#?/|"q"|"a,b"| a|a |[]|{}|true|null|=|$:@|%|a\..\b|_method|1&b=2"""
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=6) | st.sampled_from(
    [*TELLING.split("|"), "a|b", "a\tb", "a\nb", ""]
)
SCALAR = TEXT | st.integers() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False)
KEY = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1, max_size=4
) | st.sampled_from(["a", "b c", "d&e", "f=g", "h[i]", "$j", "k,l", "m.n", "ö"])
ANY = st.recursive(
    st.none() | SCALAR,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEY, inner, max_size=3),
    max_leaves=8,
)
NAME = st.text("abXY01-_.$:@", min_size=1, max_size=5)
STYLES = {
    "path": ["simple", "label", "matrix", "form", "spaceDelimited", "pipeDelimited", "tabDelimited"],
    "query": ["form", "spaceDelimited", "pipeDelimited", "tabDelimited", "deepObject"],
    "header": ["simple"],
    "cookie": ["form", "cookie"],
}
PLACES = [(where, style) for where, styles in STYLES.items() for style in styles]
CONTENTS = [
    "application/json",
    "application/problem+json",
    "application/x-www-form-urlencoded",
    "text/plain",
    "a/b",
]


@pytest.mark.parametrize(("where", "style"), PLACES)
@given(name=NAME, value=ANY, explode=st.booleans(), reserved=st.booleans(), empty=st.booleans())
def test_styles(
    where: str, style: str, name: str, value: Any, explode: bool, reserved: bool, empty: bool
) -> None:
    wire = ParameterWire(name, where, style, explode, False, reserved, empty)
    tool = tool_with(wire, path=f"/things/{{{name}}}/more" if where == "path" else "/things")
    assert sent(tool, value) == expected(tool, value)


@pytest.mark.parametrize("where", ["path", "query", "header"])
@given(
    value=st.lists(st.lists(SCALAR | st.lists(SCALAR, max_size=2), max_size=2) | SCALAR, max_size=3),
    explode=st.booleans(),
)
def test_lists_in_lists_of_swagger(where: str, value: Any, explode: bool) -> None:
    style = STYLES[where][0]
    wire = ParameterWire("v", where, style, explode, False, inner=("|", "~"))
    tool = tool_with(wire, path="/{v}" if where == "path" else "/")
    assert sent(tool, value) == expected(tool, value)


@pytest.mark.parametrize("content_type", CONTENTS)
@pytest.mark.parametrize("where", ["path", "query", "header", "cookie", "querystring"])
@given(name=NAME, value=ANY)
def test_parameters_with_a_media_type(where: str, content_type: str, name: str, value: Any) -> None:
    wire = ParameterWire(name, where, "form", True, False, content_type=content_type)
    tool = tool_with(wire, path=f"/{{{name}}}" if where == "path" else "/")
    assert sent(tool, value) == expected(tool, value)


@pytest.mark.parametrize(
    ("kind", "content_type"),
    [
        ("json", "application/json"),
        ("json", "application/*"),
        ("text", "text/plain"),
        ("text", "text/*"),
        ("text", 'text/csv; charset="iso-8859-1"'),
        ("xml", "application/xml"),
        ("xml", "*/xml"),
        ("ndjson", "application/x-ndjson"),
        ("ndjson", "application/json-seq"),
        ("form", "application/x-www-form-urlencoded"),
    ],
)
@given(value=ANY)
def test_bodies(kind: str, content_type: str, value: Any) -> None:
    tool = tool_with(body=BodyWire(content_type, kind, True))
    found = expected(tool, value)
    if found is not None and isinstance(found.body, bytes) and "iso-8859-1" in content_type:
        found = type(found)(found.target, found.headers, found.body.decode().encode("iso-8859-1"))
    assert sent(tool, value) == found


ENCODING = st.fixed_dictionaries(
    {},
    optional={
        "content_type": st.sampled_from(
            [None, "application/json", "text/plain", "application/x+json", "image/png, image/gif"]
        ),
        "style": st.sampled_from([None, "form", "spaceDelimited", "pipeDelimited", "deepObject"]),
        "explode": st.sampled_from([None, True, False]),
        "allow_reserved": st.booleans(),
        "headers": st.just({"X-Part": "one"}),
    },
)


def is_document(value: Any) -> bool:
    """Text that may be JSON already is sent as the document that it is: OpenAPI says nothing of it."""
    return isinstance(value, str) and value.strip()[:1] in ("[", "{")


@given(value=st.dictionaries(KEY, ANY, max_size=3), encoding=ENCODING)
def test_fields_of_forms(value: dict[str, Any], encoding: dict[str, Any]) -> None:
    assume(
        not any(
            is_document(item) for one in value.values() for item in (one if isinstance(one, list) else [one])
        )
    )
    body = BodyWire("application/x-www-form-urlencoded", "form", True, dict.fromkeys(value, encoding))
    tool = tool_with(body=body)
    assert sent(tool, value) == expected(tool, value)


def to_base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


FILE = st.fixed_dictionaries(
    {"content_base64": st.binary(max_size=6).map(to_base64)},
    optional={
        "filename": TEXT.filter(lambda name: "." not in name),
        "content_type": st.sampled_from(["a/b", "text/x; y=z"]),
    },
)


@given(
    value=st.dictionaries(KEY, ANY | FILE | st.lists(FILE, max_size=2), max_size=3),
    encoding=ENCODING,
    content_type=st.sampled_from(
        ["multipart/form-data", "multipart/form-data; boundary=x", "multipart/*", "multipart/related"]
    ),
)
def test_fields_of_multipart_bodies(
    value: dict[str, Any], encoding: dict[str, Any], content_type: str
) -> None:
    assume(
        not any(
            is_document(item) for one in value.values() for item in (one if isinstance(one, list) else [one])
        )
    )
    tool = tool_with(body=BodyWire(content_type, "multipart", True, dict.fromkeys(value, encoding)))
    assert sent(tool, value) == expected(tool, value)


@given(
    value=st.lists(ANY.filter(lambda one: not is_document(one)) | FILE, max_size=3),
    first=st.lists(ENCODING, max_size=2),
    rest=st.none() | ENCODING,
)
def test_parts_by_position(
    value: list[Any], first: list[dict[str, Any]], rest: dict[str, Any] | None
) -> None:
    body = BodyWire("multipart/mixed", "multipart", True, prefix_encoding=tuple(first), item_encoding=rest)
    tool = tool_with(body=body)
    assert sent(tool, value) == expected(tool, value)


@given(
    value=FILE | TEXT | st.binary(max_size=4).map(to_base64),
    content_type=st.sampled_from(["application/octet-stream", "image/*", "*/*", "text/*"]),
)
def test_files(value: Any, content_type: str) -> None:
    assume(isinstance(value, dict) or not value.startswith("data:"))
    tool = tool_with(body=BodyWire(content_type, "binary", True))
    assert sent(tool, value) == expected(tool, value)


HINT = st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from(["n", "m", "x:y"]),
        "attribute": st.booleans(),
        "wrapped": st.booleans(),
        "prefix": st.sampled_from(["p", "q"]),
        "namespace": st.sampled_from(["urn:a", 'urn:"b"&<']),
        "nodeType": st.sampled_from(["element", "attribute", "text", "cdata", "none"]),
    },
)
HINTS = st.recursive(
    HINT,
    lambda inner: st.builds(
        lambda own, **more: {**own, **more},
        HINT,
        properties=st.dictionaries(st.sampled_from(["a", "b", "c"]), inner, max_size=2),
        items=inner,
    ),
    max_leaves=4,
)
XML_VALUE = st.recursive(
    st.none() | SCALAR,
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["a", "b", "c", "d e"]), inner, max_size=3),
    max_leaves=6,
)


@given(value=XML_VALUE, hints=HINTS)
def test_xml(value: Any, hints: dict[str, Any]) -> None:
    tool = tool_with(body=BodyWire("application/xml", "xml", True, xml=hints))
    assert sent(tool, value) == expected(tool, value)

"""Answers read by what they are: charsets, streams, empty ones, compressed ones, redirects."""

from __future__ import annotations

import asyncio
import gzip
import json
import zlib
from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpgen.runtime.answers.charset import read_text
from mcpgen.runtime.answers.decoding import decode
from mcpgen.runtime.answers.streams import event_items, line_items
from mcpgen.runtime.transport.client import Answer

pytestmark = pytest.mark.anyio


def reply(
    content: bytes | str = b"", media: str | None = None, status: int = 200, **headers: str
) -> httpx2.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx2.Response(
        status, headers=named | ({"content-type": media} if media else {}), content=content
    )


@pytest.fixture
def told(build: Any, op: Any) -> Any:
    async def make(answer: Any, data: dict[str, Any], **settings: str) -> dict[str, Any]:
        package = build(get=op(data=data))
        package.answer(answer)
        return dict((await package.call("get", **settings)).structured_content)

    return make


TEXT, LIST = {"type": "string"}, {"type": "array"}

# ---------------------------------------------------------------- text


@pytest.mark.parametrize(
    ("media", "content", "text", "noted"),
    [
        ("text/plain", "é".encode(), "é", False),
        ("text/plain", b"caf\xe9", "café", False),
        ('text/plain; charset="UTF-8"', "é".encode(), "é", False),
        ("text/plain; CHARSET=Latin1; x=y", b"\xe9", "é", False),
        ("text/plain; charset=utf-8", b"\xef\xbb\xbfx", "x", False),
        ("text/plain; charset=iso-8859-1", b"\xef\xbb\xbf\xc3\xa9", "é", False),
        ("text/plain; charset=utf-16", "é".encode("utf-16"), "é", False),
        ("text/plain", "é".encode("utf-16"), "é", False),
        ("text/plain; charset=us-ascii", "é".encode(), "é", True),
        ("text/plain; charset=utf-8", b"caf\xe9", "café", True),
        ("text/plain; charset=nonsense", "é".encode(), "é", False),
        ("text/plain; charset=base64", "é".encode(), "é", False),
        ("application/xml", '<?xml version="1.0" encoding="ISO-8859-2"?>ž'.encode("iso-8859-2"), "ž", False),
        ("application/xml", b"<?xml version='1.0' encoding='nonsense'?>\xc3\xa9", "é", False),
        ("text/csv; header=present; charset=windows-1252", b"\x80", "€", False),
    ],
)
def test_charsets(media: str, content: bytes, text: str, noted: bool) -> None:
    found, note = read_text(content, media)
    assert found.endswith(text)
    assert (note is not None) is noted


@given(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\ufeff")),
    st.sampled_from(["utf-8", "utf-16"]),
)
def test_any_text_in_its_own_charset(text: str, charset: str) -> None:
    assert read_text(text.encode(charset), f"text/plain; charset={charset}") == (text, None)


@pytest.mark.parametrize(
    ("media", "content"),
    [
        ("application/json; charset=iso-8859-1", b'{"a":"\xe9"}'),
        ("application/json", b'{"a":"\xe9"}'),
        ("application/json; charset=iso-8859-1", '{"a":"é"}'.encode()),
        ('application/vnd.api+json; charset="utf-8"', '{"a":"é"}'.encode()),
        ("text/json", '{"a":"é"}'.encode("utf-16-le")),
    ],
)
async def test_json_in_other_charsets(told: Any, media: str, content: bytes) -> None:
    assert await told(reply(content, media), {"type": "object"}) == {"ok": True, "data": {"a": "é"}}


async def test_vendor_json_and_big_integers(told: Any) -> None:
    content = b'{"n": 123456789012345678901234567890, "x": 0.1}'
    for media in ("application/vnd.x.v2+json;q=1", "application/problem+json", "APPLICATION/JSON"):
        found = await told(reply(content, media), {"type": "object"})
        assert found["data"]["n"] == 123456789012345678901234567890


async def test_text_where_a_file_was_declared(told: Any) -> None:
    assert (await told(reply("a,b", "application/octet-stream"), TEXT))["data"] == "a,b"
    assert (await told(reply("a,b"), TEXT))["data"] == "a,b"
    assert (await told(reply("12"), TEXT))["data"] == "12"
    assert (await told(reply("12"), {"type": "integer"}))["data"] == 12


# ---------------------------------------------------------------- empty


@pytest.mark.parametrize(
    ("media", "schema", "data"),
    [
        ("text/plain", TEXT, ""),
        ("text/csv; charset=utf-8", TEXT, ""),
        ("application/x-ndjson", LIST, []),
        ("text/event-stream", LIST, []),
        ("application/json", {"type": ["object", "null"]}, None),
        (None, {}, None),
    ],
)
async def test_an_empty_answer_is_empty_data(told: Any, media: str | None, schema: Any, data: Any) -> None:
    assert await told(reply(b"", media), schema) == {"ok": True, "data": data}


async def test_an_empty_file(told: Any) -> None:
    found = await told(reply(b"", "application/pdf"), {"type": "object", "required": ["size"]})
    assert (found["data"]["size"], found["data"]["media_type"]) == (0, "application/pdf")


# ---------------------------------------------------------------- streams

STREAM = (
    '\ufeff: hello\r\nevent: add\nid: 7\nretry: 10\ndata: {"a":1}\n\n'
    "data: one\rdata:two\n\nevent: nothing\n\nretry: x\nid: \0\ndata\n\n"
)


def test_events_in_three_readings() -> None:
    data, events, parsed = event_items(STREAM.removeprefix("\ufeff"))
    assert data == [{"a": 1}, "one\ntwo", ""]
    assert events == [
        {"data": '{"a":1}', "event": "add", "id": "7", "retry": 10}, {"data": "one\ntwo"}, {"data": ""}
    ]  # fmt: skip
    assert parsed[0] == {"data": {"a": 1}, "event": "add", "id": "7", "retry": 10}


@pytest.mark.parametrize(
    ("items", "first"),
    [
        ({}, {"a": 1}),
        (
            {"type": "object", "required": ["data"], "properties": {"data": {"type": "string"}}},
            {"data": '{"a":1}'},
        ),
        (
            {"type": "object", "required": ["data"], "properties": {"data": {"type": "object"}}},
            {"data": {"a": 1}},
        ),
    ],
)
async def test_events_are_read_as_the_api_describes_them(told: Any, items: Any, first: Any) -> None:
    answer = reply('data: {"a":1}\n\ndata: [DONE]\n\n', "text/event-stream;charset=UTF-8")
    assert await told(answer, {"type": "array", "items": items}) == {"ok": True, "data": [first]}


@given(
    st.lists(st.recursive(st.none() | st.integers() | st.text(max_size=5), lambda i: st.lists(i, max_size=2)))
)
def test_records(value: list[Any]) -> None:
    lines = "".join(json.dumps(item) + "\n" for item in value)
    assert line_items(lines, cut=False) == value
    assert line_items(lines + '{"broken', cut=True) == value
    assert line_items("".join(f"\x1e{json.dumps(item, indent=1)}\n" for item in value), cut=False) == value


@pytest.mark.parametrize(
    "media",
    ["application/jsonl", "application/x-json-stream", "application/geo+json-seq", "application/jsonlines"],
)
async def test_the_names_of_record_streams(told: Any, media: str) -> None:
    assert (await told(reply('{"a":1}\n2\n', media), LIST))["data"] == [{"a": 1}, 2]


def test_a_stream_of_comments_is_empty() -> None:
    answer = Answer(200, httpx2.Headers({"content-type": "text/event-stream"}), b": ping\n\n: ping\n\n", "")
    found = decode(answer, "t")
    assert (found.value, found.suspect) == ([], False)


async def test_an_endless_stream_is_gathered_within_its_limit(build: Any, op: Any) -> None:
    package = build(get=op(data=LIST))

    class Endless(httpx2.AsyncByteStream):
        async def __aiter__(self) -> Any:
            for number in range(3):
                yield b"data: %d\n\n" % number
            yield b"data: half"
            await asyncio.sleep(60)

    headers = {"content-type": "text/event-stream"}
    package.answer(lambda _: httpx2.Response(200, headers=headers, stream=Endless()))
    found = await package.told("get", SHOP_TIMEOUT="0.4")
    assert found["data"] == [0, 1, 2]
    assert "The stream went on; the first 3 items" in found["note"]


async def test_a_stream_is_cut_at_the_download_limit(told: Any) -> None:
    answer = reply("".join(f'{{"n":{n}}}\n' for n in range(1000)), "application/x-ndjson")
    found = await told(answer, LIST, SHOP_MAX_DOWNLOAD_BYTES="1000")
    assert found["data"] == [{"n": n} for n in range(len(found["data"]))]
    assert 90 < len(found["data"]) < 120
    assert "went on" in found["note"]


# ---------------------------------------------------------------- compressed


@pytest.mark.parametrize(
    ("coding", "compress"),
    [
        ("gzip", gzip.compress),
        ("deflate", zlib.compress),
        ("deflate", lambda data: zlib.compress(data, wbits=-15)),
        ("gzip, deflate", lambda data: zlib.compress(gzip.compress(data))),
        ("identity", bytes),
    ],
)
async def test_compressed_answers(told: Any, coding: str, compress: Any) -> None:
    def answer(request: httpx2.Request) -> httpx2.Response:
        assert {"gzip", "deflate"} <= {one.strip() for one in request.headers["accept-encoding"].split(",")}
        headers = {"content-type": "application/json", "content-encoding": coding}
        return httpx2.Response(200, headers=headers, content=compress(b'{"a":1}'))

    assert (await told(answer, {"type": "object"}))["data"] == {"a": 1}


async def test_broken_compression_is_told(told: Any) -> None:
    headers = {"content-type": "application/json", "content-encoding": "gzip"}
    stream = httpx2.ByteStream(b"no gzip")
    found = await told(lambda _: httpx2.Response(200, headers=headers, stream=stream), {})
    assert (found["ok"], found["category"]) == (False, "internal")


async def test_a_compressed_bomb_is_stopped_at_the_limit(told: Any) -> None:
    headers = {"content-type": "application/json", "content-encoding": "gzip"}
    stream = httpx2.ByteStream(gzip.compress(b" " * (50 << 20)))
    found = await told(
        lambda _: httpx2.Response(200, headers=headers, stream=stream), {}, SHOP_MAX_DOWNLOAD_BYTES="100000"
    )
    assert (found["ok"], found["category"]) == (False, "validation")
    assert "larger than" in found["error"]


# ---------------------------------------------------------------- redirects


async def redirected(build: Any, op: Any, location: str, status: int = 302, **options: Any) -> Any:
    package = build(get=op(path="/things", **options))
    package.answer(httpx2.Response(status, headers={"location": location}), httpx2.Response(200, json={}))
    return package, await package.told("get")


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_reads_are_followed(build: Any, op: Any, status: int) -> None:
    package, found = await redirected(build, op, "items?x=1#part", status)
    assert found["ok"]
    assert str(package.requests[1].url) == "https://api.example.com/v1/items?x=1"
    assert package.requests[1].method == "GET"


@pytest.mark.parametrize(
    "location",
    ["https://me:secret@api.example.com/v1", "https://api.example.com:444/v1", "http://[bad", "ftp://api.example.com/",
     "https://api.example.com.evil.example/", "javascript:1"],
)  # fmt: skip
async def test_no_other_place_is_followed(build: Any, op: Any, location: str) -> None:
    package, found = await redirected(build, op, location)
    assert (found["ok"], found["status"]) == (False, 302)
    assert len(package.requests) == 1


async def test_the_default_port_is_the_same_origin(build: Any, op: Any) -> None:
    package, found = await redirected(build, op, "https://API.example.com:443/v1/x")
    assert found["ok"]
    assert len(package.requests) == 2


@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_writes_are_never_sent_elsewhere(build: Any, op: Any, status: int) -> None:
    package, found = await redirected(build, op, "/v1/other", status, method="PUT", effect="write")
    assert (found["ok"], found["status"]) == (False, status)
    assert len(package.requests) == 1

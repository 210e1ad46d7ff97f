"""Answers of the API as results: the contract's fields, success and failure alike."""

from __future__ import annotations

import base64
import gzip
import hashlib
from typing import Any

import httpx2
import pytest

pytestmark = pytest.mark.anyio

JSON = {"content-type": "application/json"}
ORDER = {
    "type": "object",
    "properties": {"id": {"type": "integer"}, "name": {"type": "string"}},
    "required": ["id"],
}


def reply(status: int = 200, content: bytes | str = b"", **headers: str) -> httpx2.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx2.Response(status, headers=named, content=content)


@pytest.fixture
def read(build, op):
    """Reads one answer through a tool whose `data` has the given schema."""

    async def make(answer: Any, data: dict[str, Any] | None = None, **options: Any) -> Any:
        package = build(get=op(data={} if data is None else data, **options.pop("op", {})))
        package.answer(answer)
        return await package.call("get", **options)

    return make


async def told(read, answer: Any, data: dict[str, Any] | None = None, **options: Any) -> dict[str, Any]:
    return dict((await read(answer, data, **options)).structured_content)


async def test_big_integers_floats_and_nulls_are_exact(read, mode) -> None:
    text = '{"id": 123456789012345678901234567890, "x": 0.1, "y": 1e22, "z": null, "é": "ž☃"}'
    result = await read(reply(content=text, content_type="application/json"), ORDER, mode=mode)
    assert result.structured_content["data"]["id"] == 123456789012345678901234567890
    assert '"id":123456789012345678901234567890' in result.content[0].text
    assert "ž☃" in result.content[0].text


async def test_lists_and_primitives_are_data(read) -> None:
    assert await told(read, httpx2.Response(200, json=[1]), {"type": "array"}) == {"ok": True, "data": [1]}
    assert await told(read, httpx2.Response(200, json=7), {"type": "integer"}) == {"ok": True, "data": 7}


@pytest.mark.parametrize("answer", [reply(204), reply(204, **JSON), reply(200), reply(200, **JSON)])
async def test_an_empty_answer_is_null_data(read, answer) -> None:
    assert await told(read, answer, {"type": "null"}) == {"ok": True, "data": None}


async def test_an_empty_answer_where_data_is_promised_is_a_null_raw(read) -> None:
    assert await told(read, reply(200), ORDER) == {"ok": True, "raw": None, "note": "The answer is empty."}


async def test_an_answer_that_breaks_its_schema_is_raw(read, mode) -> None:
    body = {"id": "x", "name": None}
    found = await told(read, httpx2.Response(200, json=body), ORDER, mode=mode)
    assert found["raw"] == body
    assert "data" not in found
    assert "/id is not integer" in found["note"]


async def test_where_it_differs_is_a_pointer(read) -> None:
    schema = {"type": "array", "items": {"$ref": "#/$defs/Row"}}
    from_defs = {"Row": {"type": "object", "required": ["a/b"]}}
    envelope = {
        "type": "object",
        "properties": {"ok": {}, "data": schema, "raw": {}, "note": {}},
        "required": ["ok"],
        "$defs": from_defs,
    }
    found = await told(read, httpx2.Response(200, json=[{"a/b": 1}, {}]), op={"output": envelope})
    assert "/1 lacks a/b" in found["note"]


async def test_malformed_json_is_raw_text_with_a_note(read) -> None:
    for text in ("{not json", "NaN", '{"a": 1e999}'):
        found = await told(read, reply(content=text, content_type="application/json"), ORDER)
        assert found["raw"] == text
        assert "not JSON" in found["note"]


@pytest.mark.parametrize(
    ("content_type", "content", "text"),
    [
        ("text/csv; charset=utf-8", b"a,b\n1,2\n", "a,b\n1,2\n"),
        ("text/plain", b"{not json", "{not json"),
        ("text/plain; charset=iso-8859-1", b"caf\xe9", "café"),
        ("text/plain; charset=nonsense", "é".encode(), "é"),
        ("text/html", b"\xef\xbb\xbf<p>", "<p>"),
        ("application/xml", "<a>ž</a>".encode(), "<a>ž</a>"),
        ("application/vnd.x+xml", b"<a/>", "<a/>"),
        ("text/plain", b"\xe9", "é"),
    ],
)
async def test_text_is_read_by_its_charset(read, content_type, content, text) -> None:
    assert (await told(read, reply(content=content, content_type=content_type), {"type": "string"}))[
        "data"
    ] == text


async def test_json_that_is_not_declared_as_such(read) -> None:
    for media in ("text/plain", "application/octet-stream"):
        result = await read(reply(content=b'{"id": 1}', content_type=media), ORDER)
        assert result.structured_content == {"ok": True, "data": {"id": 1}}
        assert len(result.content) == 1
    assert (await told(read, reply(content=b'{"id": 1}'), ORDER))["data"] == {"id": 1}


async def test_json_in_utf_16_and_with_a_mark(read) -> None:
    for codec in ("utf-8-sig", "utf-16"):
        content = '{"id": 1}'.encode(codec)
        assert (await told(read, reply(content=content, content_type="application/json"), ORDER))["data"] == {
            "id": 1
        }


async def test_gzip(read) -> None:
    content = gzip.compress(b'{"id": 1}')
    headers = JSON | {"content-encoding": "gzip"}
    found = await told(read, lambda _: httpx2.Response(200, headers=headers, content=content), ORDER)
    assert found["data"] == {"id": 1}


BYTES = b"\x89PNG\x00\xff"
DESCRIBED = {"media_type": "image/png", "size": 6, "sha256": hashlib.sha256(BYTES).hexdigest()}


@pytest.mark.parametrize("media", ["image/png", "audio/wav", "application/pdf"])
async def test_binary_answers_are_content_of_their_own(read, mode, media) -> None:
    result = await read(reply(content=BYTES, content_type=media), mode=mode)
    assert result.structured_content["data"] == DESCRIBED | {"media_type": media}
    block = result.content[1]
    encoded = base64.b64encode(BYTES).decode()
    if media == "application/pdf":
        assert (block.resource.blob, block.resource.mime_type) == (encoded, media)
    else:
        assert (block.type, block.data, block.mime_type) == (media.split("/")[0], encoded, media)


async def test_event_streams_and_ndjson_are_lists(read) -> None:
    events = ': hi\nid: 1\ndata: {"a":1}\n\ndata: one\ndata: two\n\ndata: {"cut'
    found = await told(read, reply(content=events, content_type="text/event-stream"), {"type": "array"})
    assert found["data"] == [{"a": 1}, "one\ntwo"]
    found = await told(
        read, reply(content='{"a":1}\n\n2\n', content_type="application/x-ndjson"), {"type": "array"}
    )
    assert found["data"] == [{"a": 1}, 2]


async def test_a_stream_without_events_is_text(read) -> None:
    found = await told(read, reply(content="no events", content_type="text/event-stream"), {"type": "array"})
    assert found["raw"] == "no events"


async def test_a_lone_surrogate_does_not_break_the_protocol(read, mode) -> None:
    found = await told(
        read,
        reply(content=b'{"id": 1, "name": "\\ud800x"}', content_type="application/json"),
        ORDER,
        mode=mode,
    )
    assert found["data"] == {"id": 1, "name": "?x"}


async def test_a_long_list_is_cut_between_items(read) -> None:
    rows = [{"id": n, "text": "x" * 50} for n in range(1000)]
    found = await told(read, httpx2.Response(200, json=rows), {"type": "array"}, SHOP_MAX_RESULT_BYTES="5000")
    assert found["data"] == rows[: len(found["data"])]
    assert 40 < len(found["data"]) < 80
    assert found["total"] == 1000
    assert f"The first {len(found['data'])} of 1000 items are given." in found["note"]


async def test_the_longest_list_of_an_object_is_cut(read) -> None:
    body = {"page": {"rows": ["x" * 50] * 1000, "few": [1, 2]}, "more": True}
    found = await told(
        read, httpx2.Response(200, json=body), {"type": "object"}, SHOP_MAX_RESULT_BYTES="5000"
    )
    assert found["data"]["page"]["few"] == [1, 2]
    assert found["data"]["more"] is True
    kept = len(found["data"]["page"]["rows"])
    assert f"The first {kept} of 1000 items in `/page/rows` are given." in found["note"]


async def test_an_object_without_long_parts_loses_fields(read) -> None:
    body = {f"k{n}": "x" * 100 for n in range(100)}
    found = await told(
        read, httpx2.Response(200, json=body), {"type": "object"}, SHOP_MAX_RESULT_BYTES="5000"
    )
    kept = len(found["data"])
    assert found["data"] == dict(list(body.items())[:kept])
    assert 30 < kept < 50
    assert f"{kept} of 100 fields are given." in found["note"]


async def test_an_answer_over_the_download_limit_is_told(read) -> None:
    answer = httpx2.Response(200, json=["x" * 100] * 100)
    found = await told(read, answer, SHOP_MAX_DOWNLOAD_BYTES="2000")
    assert (found["ok"], found["category"]) == (False, "validation")
    assert "larger than" in found["error"]


async def test_total_and_next_page(build, op) -> None:
    package = build(
        find=op(
            params=[
                ("query", "q", {"type": "string"}, {}),
                ("query", "page", {"type": "integer"}, {}),
                ("query", "per-page", {"type": "integer"}, {}),
            ]
        )
    )
    headers = {
        "x-total-count": "41",
        "link": '</v1/things?q=a&page=2>; rel="next", </v1/things?page=9>; rel=last',
    }
    package.answer(httpx2.Response(200, json=[1], headers=headers))
    found = await package.told("find", {"q": "a"})
    assert (found["total"], found["next"]) == (41, {"q": "a", "page": 2})


async def test_repairs_are_told_in_the_note(build, op) -> None:
    package = build(find=op(params=[("query", "page", {"type": "integer"}, {})]))
    assert (await package.told("find", {"page": "2"}))["note"] == "`page` was text and is read as integer."


# ---------------------------------------------------------------- failures


async def test_a_refusal_has_the_apis_own_words(read, mode) -> None:
    answer = httpx2.Response(422, json={"title": "Invalid", "detail": "days must be at most 90"})
    found = await told(read, answer, mode=mode)
    assert found["error"] == "The API answered 422 Unprocessable Content: Invalid; days must be at most 90"
    assert (found["category"], found["retryable"], found["status"]) == ("validation", True, 422)
    assert found["hint"] == "Correct the arguments as the error says, then call get again."
    assert found["trace_id"]


@pytest.mark.parametrize(
    ("status", "effect", "category", "retryable"),
    [
        (400, "read", "validation", True),
        (401, "read", "permission", False),
        (403, "read", "permission", False),
        (404, "read", "not_found", False),
        (410, "read", "not_found", False),
        (402, "read", "business", False),
        (409, "read", "business", False),
        (418, "read", "business", False),
        (429, "read", "transient", True),
        (415, "read", "internal", False),
        (500, "read", "transient", True),
        (500, "write", "internal", False),
        (501, "read", "internal", False),
        (503, "write", "transient", True),
    ],
)
async def test_categories(read, status, effect, category, retryable) -> None:
    options = {"effect": effect, "method": "GET" if effect == "read" else "POST"}
    found = await told(read, reply(status), op=options)
    assert (found["category"], found["retryable"], found["status"]) == (category, retryable, status)
    assert str(status) in found["error"]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"message": "no such order"}, "no such order"),
        ({"error": {"code": 7, "message": "card declined"}}, "card declined"),
        ({"errors": [{"field": "days", "message": "too many"}, {"message": "x"}]}, "days: too many; x"),
        ({"errors": {"days": ["too many"], "name": "missing"}}, "days: too many; name: missing"),
        ({"detail": [{"loc": ["body", "days"], "msg": "not an int"}]}, "body.days: not an int"),
        ({"error": "invalid_grant", "error_description": "expired"}, "expired; invalid_grant"),
        (["a", "b"], "a; b"),
        ({"code": 17}, '{"code":17}'),
        ("plain words", "plain words"),
    ],
)
async def test_the_words_of_error_bodies(read, body, words) -> None:
    answer = (
        reply(409, body, content_type="text/plain")
        if isinstance(body, str)
        else httpx2.Response(409, json=body)
    )
    assert (await told(read, answer))["error"] == f"The API answered 409 Conflict: {words}"


async def test_error_pages_and_traces_are_not_passed_on(read) -> None:
    page = "<html><head><title>Bad gateway</title></head><body><script>x</script><p>nginx at 10.0.0.7</p></body></html>"
    found = await told(read, reply(500, page, content_type="text/html"))
    assert found["error"].endswith(": Bad gateway")
    trace = 'Boom\nTraceback (most recent call last):\n  File "/srv/app/x.py", line 3, in f\nKeyError'
    assert (await told(read, reply(500, trace, content_type="text/plain")))["error"].endswith(": Boom")
    hosts = httpx2.Response(
        409, json={"message": "db.shop.internal:5432 and 127.0.0.1:80 at /srv/app/x.py failed"}
    )
    assert (await told(read, hosts))["error"].endswith(": [host] and [host] at [path] failed")


async def test_long_words_are_bounded(read) -> None:
    assert len((await told(read, httpx2.Response(409, json={"message": "word " * 1000})))["error"]) < 700


async def test_retry_after_is_a_hint(build, op) -> None:
    package = build(add=op(method="POST", effect="write"))
    package.answer(reply(429, retry_after="30"))
    found = await package.told("add")
    assert found["hint"] == "Wait 30 seconds, then call add again with the same arguments."
    assert len(package.requests) == 1


async def test_catalogue_hints_name_registered_tools_only(build, op) -> None:
    hint = {"tool": "find", "arguments": {"q": "the name"}, "text": "Then try again."}
    hints = {"404": hint, "business": {"tool": "hidden", "arguments": {}, "text": "No."}}
    package = build(get=op(more={"hints": hints}), find=op(), hidden=op(effect="destructive"))
    package.answer(reply(404))
    assert (await package.told("get"))["hint"] == 'Call find with {"q":"the name"}. Then try again.'
    package.answer(reply(409))
    assert "hint" not in await package.told("get")

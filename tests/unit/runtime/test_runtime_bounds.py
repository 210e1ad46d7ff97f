"""What reaches the model is bounded: the whole text of a result with its attachments, and the note tells the way out."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import httpx2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp import Client

from mcpgen.runtime.app import App
from mcpgen.runtime.bounds.fitting import fitted, squeezed
from mcpgen.runtime.call import Call
from mcpgen.runtime.outcomes.result import Attachment, Result

pytestmark = pytest.mark.anyio

INTEGER = {"type": "integer"}
ROWS = [{"id": n, "text": "x" * 50} for n in range(200)]
LIST = {"type": "array", "items": {"type": "object", "required": ["id"]}}


def policy(package: Any, text: str) -> Any:
    path = package.root / "policy.toml"
    path.write_text(text)
    package.environ["SHOP_POLICY"] = str(path)
    return package


def length(result: Any) -> int:
    """Bytes of everything that a client would show to a model."""
    total = 0
    for block in result.content:
        resource = getattr(block, "resource", None)
        total += len((getattr(block, "text", None) or getattr(block, "data", None) or resource.blob).encode())
    return total


@pytest.fixture
def find(build, op):
    """A tool with the usual arguments of a list."""

    def make(*names: str, data: dict[str, Any] | None = None, **more: Any) -> Any:
        schemas = {"fields": {"type": "string"}, "q": {"type": "string"}}
        params = [("query", name, schemas.get(name, INTEGER), {}) for name in names]
        package = build(find=op(params=params, data=LIST if data is None else data, more=more))
        package.answer(httpx2.Response(200, json=ROWS))
        return package

    return make


@pytest.mark.parametrize("limit", [1000, 2500, 10_000])
async def test_the_whole_text_keeps_the_limit(find, mode, limit) -> None:
    result = await find("limit", "offset").call("find", mode=mode, SHOP_MAX_RESULT_BYTES=str(limit))
    data = result.structured_content["data"]
    assert data == ROWS[: len(data)]
    assert data
    assert limit - 700 < length(result) <= limit


async def test_a_tool_can_have_a_limit_of_its_own(find) -> None:
    package = policy(find(), "[tools.find]\nmax_result_bytes = 1500\n")
    assert length(await package.call("find")) <= 1500


async def test_an_answer_that_fits_has_no_note(find) -> None:
    assert await find().told("find") == {"ok": True, "data": ROWS}


@pytest.mark.parametrize(
    ("names", "advice"),
    [
        (("limit", "offset"), "Ask for fewer items with `limit`, or for the rest with `offset`."),
        (("per_page", "page", "q"), "Ask for fewer items with `per_page`, or for the rest with `page`."),
        (("limit", "fields"), "Ask for fewer items with `limit`, or for fewer fields with `fields`."),
        (("q",), "Optional arguments of this tool may narrow it down."),
        ((), "The rest is left out because of its size."),
    ],
)
async def test_the_note_names_arguments_that_the_tool_has(find, names, advice) -> None:
    found = await find(*names).told("find", SHOP_MAX_RESULT_BYTES="3000")
    assert found["note"].startswith(f"The first {len(found['data'])} of 200 items are given.")
    assert found["note"].endswith(advice)


async def test_a_list_without_pages_tells_how_many_there_are(find) -> None:
    assert (await find("q").told("find", SHOP_MAX_RESULT_BYTES="3000"))["total"] == 200
    assert "total" not in await find("limit").told("find", SHOP_MAX_RESULT_BYTES="3000")


async def test_the_number_of_an_argument_that_counts_is_no_size(build, op) -> None:
    flag = {"type": "boolean"}
    package = build(find=op(params=[("query", "count", flag, {}), ("query", "size", INTEGER, {})]))
    package.answer(httpx2.Response(200, json=ROWS))
    assert "`size`" in (await package.told("find", SHOP_MAX_RESULT_BYTES="3000"))["note"]


OFFSET = {"kind": "offset", "items": "", "argument": "offset", "size": "limit", "first": 0}
PAGE = {"kind": "page", "items": "", "argument": "page", "size": "limit", "first": 1, "limit": 200}


@pytest.mark.parametrize(
    ("names", "paging", "given", "expected"),
    [
        (("limit", "offset"), OFFSET, {"limit": 200}, lambda kept: {"limit": 200, "offset": kept}),
        (("limit", "offset"), OFFSET, {"offset": 400}, lambda kept: {"offset": 400 + kept}),
        (("limit", "page"), PAGE, {}, lambda kept: {"page": 2, "limit": kept}),
    ],
)
async def test_next_leads_to_the_first_item_left_out(find, mode, names, paging, given, expected) -> None:
    package = find(*names, paging=paging)
    found = await package.told("find", given, mode=mode, SHOP_MAX_RESULT_BYTES="3000")
    assert found["next"] == expected(len(found["data"]))
    assert "`next` begins with the first item that is left out." in found["note"]


async def test_a_later_page_leads_on_only_where_the_numbers_work_out(find) -> None:
    package = find("limit", "page", paging=PAGE)
    found = await package.told("find", {"page": 3}, SHOP_MAX_RESULT_BYTES="3000")
    kept = len(found["data"])
    if 400 % kept:
        assert found.get("next", {}).get("limit") is None
    else:
        assert found["next"] == {"page": 400 // kept + 2, "limit": kept}


async def test_a_next_page_that_passes_over_items_is_told(find) -> None:
    package = find("limit", "cursor")
    headers = {"link": '</v1/things?cursor=7>; rel="next"'}
    package.answer(httpx2.Response(200, json=ROWS, headers=headers))
    found = await package.told("find", SHOP_MAX_RESULT_BYTES="3000")
    assert found["next"] == {"cursor": 7}
    assert "`next` goes on after the last item that there is, not after the last one given." in found["note"]


async def test_a_long_text_is_cut_with_a_mark(find, mode) -> None:
    package = find(data={"type": "object", "properties": {"body": {"type": "string"}}})
    package.answer(httpx2.Response(200, json={"id": 7, "body": "é" * 9000}))
    result = await package.call("find", mode=mode, SHOP_MAX_RESULT_BYTES="4000")
    found = result.structured_content
    kept = found["data"]["body"].count("é")
    assert found["data"]["body"] == "é" * kept + f"… [{9000 - kept:,} characters left out]"
    assert f"The text `/body` is cut: the first {kept} of 9000 characters are given." in found["note"]
    assert length(result) <= 4000


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"properties": {"body": {"pattern": "^x*$"}}}, {"body": "x" * 9000}),
        ({"properties": {"rows": {"minItems": 150}}}, {"rows": ROWS}),
        ({"required": [f"k{n}" for n in range(90)]}, {f"k{n}": "x" * 150 for n in range(90)}),
        ({"anyOf": [{"properties": {"rows": {"minItems": 150}}}]}, {"rows": ROWS}),
    ],
)
async def test_what_no_longer_keeps_its_schema_is_raw_and_no_drift(build, op, schema, value) -> None:
    hook = "async def after_result(call, result):\n    assert call.record.drift is None, call.record.drift\n"
    package = build({}, hook, find=op(data=schema))
    package.answer(httpx2.Response(200, json=value))
    result = await package.call("find", SHOP_MAX_RESULT_BYTES="4000")
    found = result.structured_content
    assert found["ok"]
    assert isinstance(found["raw"], dict)
    assert "What is left of it does not keep the API's description." in found["note"]
    assert length(result) <= 4000


async def test_drift_is_told_beside_a_cut(build, op) -> None:
    hook = "async def after_result(call, result):\n    assert call.record.drift == ('/0', 'required')\n"
    package = build({}, hook, find=op(data=LIST))
    package.answer(httpx2.Response(200, json=[{"text": "x" * 50}] * 200))
    result = await package.call("find", SHOP_MAX_RESULT_BYTES="2000")
    assert "/0 lacks id." in result.structured_content["note"]
    assert "of 200 items are given" in result.structured_content["note"]
    assert length(result) <= 2000


async def test_levels_that_no_client_can_read_are_left_out(build, op, mode) -> None:
    package = build(find=op())
    package.answer(
        httpx2.Response(200, content=b'{"id":1,"x":' + b"[" * 700 + b"]" * 700 + b"}", headers=JSON)
    )
    found = await package.told("find", mode=mode)
    assert found["data"]["id"] == 1
    assert "What is deeper than 60 levels is left out." in found["note"]


JSON = {"content-type": "application/json"}


async def test_a_secret_is_masked_before_a_text_is_cut(build, op) -> None:
    auth = {"key": {"type": "apiKey", "in": "header", "name": "X", "env": {"key": "SHOP_KEY"}}}
    package = build(auth, find=op())
    for before in range(1340, 1400, 7):
        text = "x" * before + "hidden-key-value" + "y" * 5000
        package.answer(httpx2.Response(200, json={"a": text}))
        told = json.dumps(
            await package.told("find", SHOP_KEY="hidden-key-value", SHOP_MAX_RESULT_BYTES="2000")
        )
        assert "hidd" not in told


async def test_masks_that_are_longer_than_secrets_keep_the_limit(build, op) -> None:
    auth = {"key": {"type": "apiKey", "in": "header", "name": "X", "env": {"key": "SHOP_KEY"}}}
    package = build(auth, find=op())
    package.answer(httpx2.Response(200, json=["s3cr"] * 900))
    result = await package.call("find", SHOP_KEY="s3cr", SHOP_MAX_RESULT_BYTES="4000")
    assert length(result) <= 4000
    assert set(result.structured_content["data"]) == {"[redacted]"}


@pytest.mark.parametrize(
    ("names", "hint"),
    [
        (("limit",), "Call find again with other arguments. Ask for fewer items with `limit`."),
        ((), None),
    ],
)
async def test_an_answer_that_can_not_be_read_at_all_tells_what_to_ask_for(find, names, hint) -> None:
    found = await find(*names).told("find", SHOP_MAX_DOWNLOAD_BYTES="2000")
    assert "larger than" in found["error"]
    assert (found.get("hint") or "").startswith(hint or "Correct the arguments")


async def test_a_write_whose_answer_can_not_be_read_is_done_all_the_same(build, op) -> None:
    package = build(add=op(method="POST", effect="write"))
    package.answer(httpx2.Response(201, json=ROWS))
    found = await package.told("add", SHOP_MAX_DOWNLOAD_BYTES="2000")
    assert found["ok"] is True
    assert "accepted the call (201)" in found["note"]
    assert str(found["raw"]).startswith('[{"')


# ---------------------------------------------------------------- attachments


@pytest.mark.parametrize("media", ["image/png", "audio/mpeg", "video/mp4", "application/pdf", "x/y"])
@pytest.mark.parametrize(("size", "kept"), [(1000, True), (3500, False)])
async def test_attachments_count(build, op, mode, media, size, kept) -> None:
    package = build(get=op())
    package.answer(httpx2.Response(200, content=b"\x00" * size, headers={"content-type": media}))
    result = await package.call("get", mode=mode, SHOP_MAX_RESULT_BYTES="4000")
    assert len(result.content) == (2 if kept else 1)
    assert result.structured_content["data"]["size"] == size
    assert ("too large" in result.structured_content.get("note", "")) is not kept
    assert length(result) <= 4000


async def test_bytes_that_are_declared_as_json_are_content(build, op, mode) -> None:
    package = build(get=op(data={"type": "object"}))
    package.answer(httpx2.Response(200, content=b"%PDF-1.7\x00\xff", headers=JSON))
    result = await package.call("get", mode=mode)
    assert result.structured_content["raw"]["size"] == 10
    assert "no text either" in result.structured_content["note"]
    assert result.content[1].resource.mime_type == "application/octet-stream"


# ---------------------------------------------------------------- what does not come from the API


async def test_results_of_hooks_keep_the_limit(build, op, mode) -> None:
    hook = (
        "from dataclasses import replace\n"
        "async def after_result(call, result):\n"
        "    return replace(result, data=[{'id': n} for n in range(1000)])\n"
    )
    package = build({}, hook, get=op())
    result = await package.call("get", mode=mode, SHOP_MAX_RESULT_BYTES="2000")
    assert length(result) <= 2000
    assert "of 1000 items are given." in result.structured_content["note"]


async def test_many_repairs_do_not_fill_the_answer(build, op) -> None:
    ids = {"type": "array", "items": INTEGER}
    package = build(find=op(params=[("query", "ids", ids, {})]))
    package.answer(httpx2.Response(200, json=ROWS))
    given = {"ids": [str(n) for n in range(500)]}
    result = await package.call("find", given, SHOP_MAX_RESULT_BYTES="2000")
    assert "more notes)" in result.structured_content["note"]
    assert result.structured_content["data"]
    assert length(result) <= 2000


async def test_a_next_page_with_huge_arguments_is_left_out(find) -> None:
    package = find("q", "page")
    package.answer(
        httpx2.Response(200, json=ROWS, headers={"link": f'</v1/things?q={"a" * 3000}&page=2>; rel="next"'})
    )
    result = await package.call("find", {"q": "a" * 3000}, SHOP_MAX_RESULT_BYTES="4000")
    assert "next" not in result.structured_content
    assert length(result) <= 4000


def test_notes_are_squeezed_in_order() -> None:
    assert squeezed(["a", "b"], 100) == ["a", "b"]
    assert squeezed(["a" * 30, "b" * 30, "c"], 100) == ["a" * 30, "(2 more notes)"]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=60) | st.dictionaries(st.text(max_size=30), inner, max_size=30),
    max_leaves=80,
)


@pytest.fixture
def call(build, op) -> Call:
    params = [("query", name, INTEGER, {}) for name in ("limit", "offset")]
    package = build(find=op(params=params))
    app = App.start(package.name, {})
    return Call(app, app.operation("find"), {"limit": 5}, "0" * 16)


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(
    value=VALUES,
    limit=st.integers(1000, 4000),
    times=st.integers(1, 200),
    notes=st.lists(st.text(max_size=60), max_size=2),
    following=st.none() | st.dictionaries(st.text(max_size=20), st.text(max_size=600), max_size=3),
    content=st.none() | st.binary(max_size=3000),
)
def test_any_result_keeps_its_limit(call, value, limit, times, notes, following, content) -> None:
    call.app.settings = replace(call.app.settings, max_result_bytes=limit)
    attachments = () if content is None else (Attachment("image/png", content, "result://x/y"),)
    value = [value] * times
    before: Result[Any] = Result(
        data=value, notes=tuple(notes), next=following, total=7, attachments=attachments
    )
    found = fitted(call, before)
    envelope = found.result.envelope(call.trace_id)
    text = json.dumps(envelope, ensure_ascii=False, separators=(",", ":"))
    total = len(text.encode()) + sum(-(-len(a.content) // 3) * 4 for a in found.result.attachments)
    assert total <= limit
    assert bool(found.cuts) is (found.result.value != value)
    if found.cuts and len(found.result.value) > 1:
        assert found.result.value == value[: len(found.result.value)]
        assert found.result.notes[: len(notes)] == tuple(notes)
        assert f"of {times} items are given." in found.result.notes[-1]


async def test_the_list_of_a_client_that_stays_is_bounded_each_time(find) -> None:
    package = find("limit")
    async with Client(package.server(SHOP_MAX_RESULT_BYTES="1500")) as client:
        for _ in range(2):
            assert length(await client.call_tool("find", {})) <= 1500

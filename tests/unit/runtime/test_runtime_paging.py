"""Lists are followed page by page through `next` alone, whatever convention the API has, and end where they end."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytestmark = pytest.mark.anyio

TEXT: dict[str, Any] = {"type": "string"}
NUMBER: dict[str, Any] = {"type": "integer"}
WORLD = [{"id": f"t{n}"} for n in range(1, 8)]
"""Seven things; pages have three at most, so the last one is not full."""

Query = dict[str, str]
Given = Callable[[Query, list[Any]], Any]


def cut(query: Query, offset: int, size: str = "limit") -> tuple[list[Any], int, int]:
    wanted = int(query.get(size, 3))
    return WORLD[offset : offset + wanted], offset, wanted


def offset_of(query: Query, name: str = "offset", base: int = 0) -> int:
    return int(query.get(name, base)) - base


def page_of(query: Query, name: str = "page", base: int = 1, size: str = "per_page") -> int:
    return (int(query.get(name, base)) - base) * int(query.get(size, 3))


@dataclass(frozen=True)
class Convention:
    """How one API pages: its query parameters, what the catalogue says, and how it answers."""

    params: dict[str, dict[str, Any]]
    paging: dict[str, Any] | None
    answer: Callable[[Query], httpx2.Response]
    arguments: dict[str, Any]
    total: int | None = 7
    calls: int = 3


def reply(body: Any, **headers: str) -> httpx2.Response:
    return httpx2.Response(200, json=body, headers=headers)


def offsets(query: Query) -> httpx2.Response:
    items, _, size = cut(query, offset_of(query))
    return reply({"rows": items, "meta": {"size": 7, "limit": size}})


def one_based(query: Query) -> httpx2.Response:
    items, start, _ = cut(query, offset_of(query, "startIndex", 1), "count")
    body = {"Resources": items, "totalResults": 7, "startIndex": start + 1, "itemsPerPage": len(items)}
    return reply(body)


def offset_and_address(query: Query) -> httpx2.Response:
    """Django: the address is that of a host behind a proxy."""
    items, start, size = cut(query, offset_of(query))
    more = urlencode({**query, "limit": size, "offset": start + size})
    after = f"http://inner:8000/v1/things?{more}" if start + size < 7 else None
    return reply({"count": 7, "next": after, "previous": None, "results": items})


def has_more(query: Query) -> httpx2.Response:
    items, start, size = cut(query, offset_of(query))
    return reply({"items": items, "has_more": start + size < 7})


def is_last(query: Query) -> httpx2.Response:
    items, start, size = cut(query, offset_of(query, "startAt"))
    return reply({"values": items, "isLast": start + size >= 7})


def bare_offsets(query: Query) -> httpx2.Response:
    return reply(cut(query, offset_of(query))[0])


def next_offset(query: Query) -> httpx2.Response:
    items, start, size = cut(query, offset_of(query))
    return reply({"items": items, "next_offset": start + size if start + size < 7 else None})


def pages(query: Query) -> httpx2.Response:
    items, _, _ = cut(query, page_of(query), "per_page")
    return reply({"data": items, "meta": {"total": 7}})


def spring(query: Query) -> httpx2.Response:
    items, start, size = cut(query, page_of(query, base=0, size="size"), "size")
    body = {
        "content": items,
        "number": start // size,
        "size": size,
        "totalElements": 7,
        "totalPages": -(-7 // size),
    }
    return reply(body)


def indexes(query: Query) -> httpx2.Response:
    """An index that begins at 1, as the answer shows only when it is not asked for one."""
    items, start, _ = cut(query, page_of(query, "pageIndex"), "per_page")
    return reply({"list": items, "count": 7, "pageIndex": start // 3 + 1, "per_page": 3})


def indexes_from_0(query: Query) -> httpx2.Response:
    items, start, _ = cut(query, page_of(query, "pageIndex", 0), "per_page")
    return reply({"list": items, "count": 7, "pageIndex": start // 3, "per_page": 3})


def total_pages(query: Query) -> httpx2.Response:
    items, _, size = cut(query, page_of(query), "per_page")
    return reply({"data": items, "pages": -(-7 // size)})


def page_number(query: Query) -> httpx2.Response:
    """The number of the next page, 0 on the last one."""
    items, start, size = cut(query, page_of(query), "per_page")
    page = start // size + 1
    return reply({"results": items, "pagination": {"next": page + 1 if start + size < 7 else 0, "count": 7}})


def headers(query: Query) -> httpx2.Response:
    items, _, _ = cut(query, page_of(query), "per_page")
    return reply(items, **{"X-Total": "7"})


def linked(query: Query) -> httpx2.Response:
    items, start, size = cut(query, page_of(query), "per_page")
    more = urlencode({**query, "page": start // size + 2})
    links = f'<https://api.example.com/v1/things?{more}>; rel="next", ' if start + size < 7 else ""
    return reply(items, link=f'{links}<https://api.example.com/v1/things?page=1>; rel="first"')


def always_linked(query: Query) -> httpx2.Response:
    """The next page is linked always, and what it holds is said beside it."""
    start = int(query.get("cursor", "0:0").partition(":")[2])
    items, _, size = cut(query, start, "per_page")
    there = "true" if start + size < 7 else "false"
    more = urlencode({**query, "cursor": f"0:{start + size}"})
    return reply(items, link=f'<https://api.example.com/v1/things?{more}>; rel="next"; results="{there}"')


def cursors(query: Query) -> httpx2.Response:
    start = int(query.get("cursor", "after-0").removeprefix("after-"))
    items, _, size = cut(query, start)
    after = f"after-{start + size}" if start + size < 7 else ""
    return reply({"ok": True, "channels": items, "response_metadata": {"next_cursor": after}})


def tokens(query: Query) -> httpx2.Response:
    """The last page has no field for the next one at all."""
    start = int(query.get("pageToken", "0"))
    items, _, size = cut(query, start, "pageSize")
    return reply({"items": items} | ({"nextPageToken": str(start + size)} if start + size < 7 else {}))


def continued(query: Query) -> httpx2.Response:
    start = int(query.get("continue", "c0")[1:])
    items, _, size = cut(query, start)
    left = max(0, 7 - start - size)
    meta = {"continue": f"c{start + size}", "remainingItemCount": left} if left else {}
    return reply({"kind": "List", "metadata": meta, "items": items})


def after_last(query: Query) -> httpx2.Response:
    found = [n for n, item in enumerate(WORLD) if item["id"] == query.get("starting_after")]
    start = found[0] + 1 if found else 0
    items, _, size = cut(query, start)
    return reply({"object": "list", "data": items, "has_more": start + size < 7})


def last_id(query: Query) -> httpx2.Response:
    """The id of the last item is there on the last page too."""
    found = [n for n, item in enumerate(WORLD) if item["id"] == query.get("after")]
    start = found[0] + 1 if found else 0
    items, _, size = cut(query, start)
    return reply({"data": items, "last_id": items[-1]["id"], "has_more": start + size < 7})


def item_cursor(query: Query) -> httpx2.Response:
    start = int(query.get("cursor", "c0")[1:])
    items, _, _ = cut(query, start)
    return reply([{"cursor": f"c{start + n}", "thing": item} for n, item in enumerate(items, 1)])


def token_header(query: Query) -> httpx2.Response:
    start = int(query.get("next_token", "n0")[1:])
    items, _, size = cut(query, start)
    return reply(items, **({"X-Next-Token": f"n{start + size}"} if start + size < 7 else {}))


def addresses(query: Query) -> httpx2.Response:
    start = int(query.get("cursor", "c0")[1:])
    items, _, size = cut(query, start)
    more = urlencode({**query, "cursor": f"c{start + size}"})
    return reply(
        {"features": items, "pagination": {"next": f"/v1/things?{more}"} if start + size < 7 else {}}
    )


LIMITED = {"offset": NUMBER, "limit": NUMBER}
PAGED = {"page": NUMBER, "per_page": NUMBER}
TOTAL_OFFSETS = {
    "kind": "offset",
    "items": "/rows",
    "argument": "offset",
    "total": "/meta/size",
    "per_page": "/meta/limit",
}
CURSOR = {"cursor": TEXT, "limit": NUMBER}
CONVENTIONS = {
    "offset and total": Convention(LIMITED, TOTAL_OFFSETS, offsets, {}),
    "offset as text": Convention({"offset": TEXT, "limit": TEXT}, TOTAL_OFFSETS, offsets, {}),
    "items counted from 1": Convention(
        {"startIndex": NUMBER, "count": NUMBER},
        {
            "kind": "offset",
            "items": "/Resources",
            "argument": "startindex",
            "size": "count",
            "first": 1,
            "total": "/totalResults",
        },
        one_based,
        {},
    ),
    "offset and address": Convention(
        LIMITED,
        {
            "kind": "offset",
            "items": "/results",
            "argument": "offset",
            "size": "limit",
            "next": "/next",
            "total": "/count",
        },
        offset_and_address,
        {},
    ),
    "has_more": Convention(
        LIMITED,
        {"kind": "offset", "items": "/items", "argument": "offset", "more": "/has_more"},
        has_more,
        {},
        None,
    ),
    "isLast": Convention(
        {"startAt": NUMBER, "limit": NUMBER},
        {"kind": "offset", "items": "/values", "argument": "startat", "last": "/isLast"},
        is_last,
        {},
        None,
    ),
    "a full page": Convention(
        LIMITED,
        {"kind": "offset", "items": "", "argument": "offset", "size": "limit", "limit": 3},
        bare_offsets,
        {},
        None,
    ),
    "next offset": Convention(
        LIMITED,
        {"kind": "offset", "items": "/items", "argument": "offset", "next": "/next_offset"},
        next_offset,
        {},
        None,
    ),
    "page and total": Convention(
        PAGED,
        {
            "kind": "page",
            "items": "/data",
            "argument": "page",
            "size": "per_page",
            "limit": 3,
            "total": "/meta/total",
        },
        pages,
        {},
    ),
    "pages counted from 0": Convention(
        {"page": NUMBER, "size": NUMBER},
        {
            "kind": "page",
            "items": "/content",
            "argument": "page",
            "size": "size",
            "first": 0,
            "total": "/totalElements",
            "pages": "/totalPages",
            "at": "/number",
            "per_page": "/size",
        },
        spring,
        {},
    ),
    "an index": Convention(
        {"pageIndex": NUMBER},
        {
            "kind": "page",
            "items": "/list",
            "argument": "pageindex",
            "total": "/count",
            "at": "/pageIndex",
            "per_page": "/per_page",
        },
        indexes,
        {},
    ),
    "an index from 0": Convention(
        {"pageIndex": NUMBER},
        {
            "kind": "page",
            "items": "/list",
            "argument": "pageindex",
            "total": "/count",
            "per_page": "/per_page",
        },
        indexes_from_0,
        {},
        calls=4,  # the last one is empty: nobody has said that the first is 0
    ),
    "number of pages": Convention(
        PAGED,
        {"kind": "page", "items": "/data", "argument": "page", "pages": "/pages"},
        total_pages,
        {},
        None,
    ),
    "number of the next page": Convention(
        PAGED,
        {
            "kind": "page",
            "items": "/results",
            "argument": "page",
            "next": "/pagination/next",
            "total": "/pagination/count",
        },
        page_number,
        {},
    ),
    "total in a header": Convention(
        PAGED, {"kind": "page", "items": "", "argument": "page", "size": "per_page", "limit": 3}, headers, {}
    ),
    "link header": Convention(PAGED, None, linked, {}, None),
    "link header and plan": Convention(
        PAGED,
        {"kind": "page", "items": "", "argument": "page", "size": "per_page"},
        linked,
        {"per_page": 3},
        None,
    ),
    "link header that says what is there": Convention(
        {"cursor": TEXT, "per_page": NUMBER}, None, always_linked, {}, None
    ),
    "cursor": Convention(
        CURSOR,
        {
            "kind": "cursor",
            "items": "/channels",
            "argument": "cursor",
            "next": "/response_metadata/next_cursor",
        },
        cursors,
        {},
        None,
    ),
    "token that is left out": Convention(
        {"pageToken": TEXT, "pageSize": NUMBER},
        {"kind": "cursor", "items": "/items", "argument": "pagetoken", "next": "/nextPageToken"},
        tokens,
        {"pagesize": 2},
        None,
        calls=4,
    ),
    "token for a number": Convention(
        {"pageToken": NUMBER, "pageSize": NUMBER},
        {"kind": "cursor", "items": "/items", "argument": "pagetoken", "next": "/nextPageToken"},
        tokens,
        {},
        None,
    ),
    "continue": Convention(
        {"continue": TEXT, "limit": NUMBER},
        {
            "kind": "cursor",
            "items": "/items",
            "argument": "continue",
            "next": "/metadata/continue",
            "remaining": "/metadata/remainingItemCount",
        },
        continued,
        {},
        None,
    ),
    "id of the last item": Convention(
        {"starting_after": TEXT, "limit": NUMBER},
        {
            "kind": "cursor",
            "items": "/data",
            "argument": "starting_after",
            "item": "/id",
            "more": "/has_more",
        },
        after_last,
        {},
        None,
    ),
    "last id": Convention(
        {"after": TEXT, "limit": NUMBER},
        {"kind": "cursor", "items": "/data", "argument": "after", "next": "/last_id", "more": "/has_more"},
        last_id,
        {},
        None,
    ),
    "cursor of an item": Convention(
        CURSOR,
        {"kind": "cursor", "items": "", "argument": "cursor", "item": "/cursor", "size": "limit", "limit": 3},
        item_cursor,
        {},
        None,
    ),
    "cursor in a header": Convention(
        {"next_token": TEXT, "limit": NUMBER},
        {"kind": "cursor", "items": "", "argument": "next_token", "next_header": "X-Next-Token"},
        token_header,
        {},
        None,
    ),
    "cursor in an address": Convention(
        CURSOR,
        {"kind": "cursor", "items": "/features", "argument": "cursor", "next": "/pagination/next"},
        addresses,
        {},
        None,
    ),
    "address": Convention(
        CURSOR, {"kind": "link", "items": "/features", "next": "/pagination/next"}, addresses, {}, None
    ),
}


def items_of(data: Any) -> list[Any]:
    if isinstance(data, list):
        return [item.get("thing", item) for item in data]
    return next(value for value in data.values() if isinstance(value, list))


def packaged(build: Any, op: Any, convention: Convention) -> Any:
    params = [("query", name, schema, {}) for name, schema in {**convention.params, "q": TEXT}.items()]
    more = {} if convention.paging is None else {"paging": convention.paging}
    package = build(list=op(params=params, more=more))
    package.answer(lambda request: convention.answer(dict(request.url.params)))
    return package


@pytest.mark.parametrize("name", CONVENTIONS)
async def test_next_leads_through_all_pages(build, op, mode, name) -> None:
    convention = CONVENTIONS[name]
    package = packaged(build, op, convention)
    arguments: dict[str, Any] | None = {"q": "lamp", **convention.arguments}
    seen: list[Any] = []
    for _ in range(12):
        found = await package.told("list", arguments, mode=mode)
        assert found["ok"], found
        seen += items_of(found["data"])
        if convention.total is not None and items_of(found["data"]):
            assert found["total"] == convention.total
        arguments = found.get("next")
        if arguments is None:
            break
        assert arguments["q"] == "lamp"
    assert seen == WORLD
    assert len(package.requests) == convention.calls
    assert all(request.url.params["q"] == "lamp" for request in package.requests)


@pytest.mark.parametrize(
    "name", ["cursor in an address", "link header", "link header and plan", "continue", "a full page"]
)
async def test_the_last_page_of_a_whole_number_of_pages(build, op, name) -> None:
    """A full last page has a next one only where nothing in the answer speaks against it; then that one is empty."""
    convention = CONVENTIONS[name]
    package = packaged(build, op, convention)
    size = "per_page" if "per_page" in convention.params else "limit"
    found = await package.told("list", {size: 7})
    assert ("next" in found) is (name == "a full page")
    if "next" in found:
        last = await package.told("list", found["next"])
        assert (last["data"], last["note"], "next" in last) == ([], "There is nothing on this page.", False)


async def test_continued_lists_say_how_many_there_are(build, op) -> None:
    package = packaged(build, op, CONVENTIONS["continue"])
    first = await package.told("list", {"limit": 3})
    assert first["total"] == 7
    assert "total" not in await package.told(
        "list", first["next"]
    )  # 4 are left, but nobody knows of how many


@pytest.mark.parametrize(
    ("arguments", "note"),
    [
        ({}, "Items 1 to 3 of 7."),
        ({"offset": 3}, "Items 4 to 6 of 7."),
        ({"offset": 6}, "Item 7 of 7."),
        ({"limit": 7}, None),
        ({"offset": 20}, "There is nothing on this page; there are 7 in all."),
        ({"limit": 0}, "There is nothing on this page; there are 7 in all."),
    ],
)
async def test_a_note_says_which_items_these_are(build, op, arguments, note) -> None:
    package = packaged(build, op, CONVENTIONS["offset and total"])
    assert (await package.told("list", arguments)).get("note") == note


FILTERS = [
    ("query", "query", TEXT, {}),
    ("query", "status", {"type": "array", "items": TEXT}, {}),
    ("query", "password", TEXT, {}),
    ("query", "sort", TEXT, {}),
    ("query", "page", NUMBER, {}),
    ("header", "X-Tenant", TEXT, {}),
]


@pytest.mark.parametrize(
    ("given", "answer", "note"),
    [
        (
            {"query": "lamp", "status": ["open"]},
            {"orders": []},
            'Nothing matches query "lamp", status ["open"].',
        ),
        ({"query": "x" * 100}, {"orders": []}, f'Nothing matches query "{"x" * 58}….'),
        ({"password": "hunter22", "sort": "id", "x_tenant": "a"}, {"orders": []}, "The list is empty."),
        ({}, {"orders": None}, "The list is empty."),
        ({}, {}, "The list is empty."),
        ({"page": 4}, {"orders": []}, "There is nothing on this page."),
        ({}, {"orders": [1]}, None),
        ({}, {"error": "no"}, None),
        ({}, [], None),
        ({}, "words", None),
    ],
)
async def test_an_empty_list_is_no_failure(build, op, mode, given, answer, note) -> None:
    paging = {"kind": "page", "items": "/orders", "argument": "page"}
    package = build(list=op(params=FILTERS, more={"paging": paging}))
    package.answer(reply(answer))
    found = await package.told("list", given, mode=mode)
    assert (found["ok"], found["data"], found.get("note")) == (True, answer, note)
    assert "next" not in found


async def test_credentials_are_masked_in_notes(build, op) -> None:
    auth = {"key": {"type": "apiKey", "in": "header", "name": "X-Key", "env": {"key": "SHOP_KEY"}}}
    package = build(
        auth, list=op(params=FILTERS, more={"paging": {"items": "/orders"}, "security": [{"key": []}]})
    )
    package.answer(reply({"orders": []}))
    found = await package.told("list", {"query": "find s3cr3t-v4lue"}, SHOP_KEY="s3cr3t-v4lue")
    assert found["note"] == 'Nothing matches query "find [redacted]".'


async def test_a_list_without_pages_may_be_empty(build, op) -> None:
    package = build(list=op(), add=op(method="POST", effect="write"))
    package.answer(reply([]))
    assert (await package.told("list"))["note"] == "The list is empty."
    assert "note" not in await package.told("add")


async def test_a_write_has_no_next_page(build, op) -> None:
    paging = TOTAL_OFFSETS | {"size": "limit"}
    params = [("query", name, NUMBER, {}) for name in LIMITED]
    package = build(purge=op(method="POST", effect="write", params=params, more={"paging": paging}))
    package.answer(reply({"rows": [1], "meta": {"size": 9}}))
    assert "next" not in await package.told("purge")


async def test_pages_are_moved_inside_an_argument(build, op) -> None:
    """Searches by POST: the fields of paging are in the body."""
    paging = {
        "kind": "page",
        "items": "/data",
        "argument": "/filter/page",
        "size": "/filter/size",
        "first": 0,
        "total": "/total",
    }
    body = {"content_type": "application/json", "kind": "json", "required": True}
    schema = {
        "type": "object",
        "properties": {"page": NUMBER, "size": NUMBER, "words": TEXT},
        "additionalProperties": False,
    }
    package = build(search=op(method="POST", body=body, fields={"filter": schema}, more={"paging": paging}))
    package.answer(reply({"data": [1, 2], "total": 3}))
    found = await package.told("search", {"filter": {"words": "a", "size": 2}})
    assert found["next"] == {"filter": {"words": "a", "size": 2, "page": 1}}
    package.answer(reply({"data": [3], "total": 3}))
    assert "next" not in await package.told("search", found["next"])


async def test_a_field_of_an_object_is_moved_by_an_address(build, op) -> None:
    page = {"type": "object", "properties": {"number": NUMBER, "size": NUMBER}}
    params = [("query", "page", page, {"style": "deepObject", "explode": True})]
    package = build(
        list=op(params=params, more={"paging": {"kind": "link", "items": "/data", "next": "/links/next"}})
    )
    package.answer(
        reply(
            {"data": [1], "links": {"next": "https://api.example.com/v1/things?page[number]=2&page[size]=1"}}
        )
    )
    found = await package.told("list", {"page": {"size": 1}})
    assert found["next"] == {"page": {"size": 1, "number": 2}}


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("https://api.example.com/v1/things?cursor=b", {"cursor": "b"}),
        ("https://elsewhere.example/v1/things/?cursor=b", {"cursor": "b"}),
        ("?cursor=b", {"cursor": "b"}),
        ("https://api.example.com/v1/secrets?cursor=b", None),
        ("https://api.example.com/v1/things?cursor=b&admin=1", None),
        ("https://api.example.com/v1/things?cursor=b&cursor=c", None),
        ("https://api.example.com/v1/things?limit=many&cursor=b", None),
        ("https://api.example.com/v1/things", None),
        ("http://[/v1/things?cursor=b", None),
        ("b", {"cursor": "b"}),
        (None, None),
        (0, None),
        ("", None),
        ({"a": 1}, None),
        (["b"], None),
        (True, None),
        ("c" * 5000, None),
        ("a", None),
    ],
)
async def test_only_this_list_is_gone_on_with(build, op, link, expected) -> None:
    """`a` is the cursor that was sent: an API that gives it again would go on for ever."""
    paging = {"kind": "cursor", "items": "/items", "argument": "cursor", "next": "/next"}
    package = build(
        list=op(
            params=[("query", name, schema, {}) for name, schema in CURSOR.items()], more={"paging": paging}
        )
    )
    package.answer(reply({"items": [1], "next": link}))
    assert (await package.told("list", {"cursor": "a"})).get("next") == expected


@pytest.mark.parametrize(
    ("body", "following", "note"),
    [
        ({"items": [], "next": "b"}, None, "There is nothing on this page."),
        ({"items": [], "next": "b", "more": True}, "b", "This page is empty, but the list goes on."),
        ({"items": [1], "next": "b", "more": False}, None, None),
        ({"items": [1], "next": "b"}, "b", None),
    ],
)
async def test_a_page_without_items_is_mostly_the_last(build, op, body, following, note) -> None:
    paging = {"kind": "cursor", "items": "/items", "argument": "cursor", "next": "/next", "more": "/more"}
    package = build(list=op(params=[("query", "cursor", TEXT, {})], more={"paging": paging}))
    package.answer(reply(body))
    found = await package.told("list", {"cursor": "a"})
    assert found.get("next") == (None if following is None else {"cursor": following})
    assert found.get("note") == note


@pytest.mark.parametrize(
    ("paging", "schema", "answer"),
    [
        ({"kind": "cursor", "next": "/next"}, NUMBER, {"items": [1], "next": "5"}),
        ({"kind": "page", "next": "/next"}, NUMBER, {"items": [1], "next": 5}),
        ({"kind": "page", "next": "/next"}, NUMBER, {"items": [1], "next": 4}),
        (
            {"kind": "offset", "next": "/next", "total": "/total"},
            NUMBER,
            {"items": [1], "next": 0, "total": 50},
        ),
        ({"kind": "link", "next": "/next"}, NUMBER, {"items": [1], "next": "?move=5"}),
    ],
)
async def test_no_page_leads_to_itself_or_back(build, op, paging, schema, answer) -> None:
    plan = {"items": "/items", "argument": "move"} | paging
    package = build(list=op(params=[("query", "move", schema, {})], more={"paging": plan}))
    package.answer(reply(answer))
    assert "next" not in await package.told("list", {"move": 5})


@pytest.mark.parametrize(
    ("body", "total"),
    [
        ({"rows": [1, 2], "meta": {"size": 2.0}}, 2),
        ({"rows": [1, 2], "meta": {"size": "12"}}, 12),
        ({"rows": [1, 2], "meta": {"size": 1}}, None),
        ({"rows": [1, 2], "meta": {"size": -1}}, None),
        ({"rows": [1, 2], "meta": {"size": True}}, None),
        ({"rows": [1, 2], "meta": {"size": 10**400}}, None),
        ({"rows": [1, 2], "meta": {"size": 2.5}}, None),
        ({"rows": [1, 2], "meta": {"size": {"value": 2}}}, None),
        ({"rows": [1, 2], "meta": []}, None),
    ],
)
async def test_a_total_is_a_number_that_can_be_true(build, op, body, total) -> None:
    package = build(
        list=op(params=[("query", n, NUMBER, {}) for n in LIMITED], more={"paging": TOTAL_OFFSETS})
    )
    package.answer(
        httpx2.Response(200, content=json.dumps(body), headers={"content-type": "application/json"})
    )
    assert (await package.told("list")).get("total") == total


@pytest.mark.parametrize(
    ("name", "value", "total"),
    [("X-Total-Count", "12", 12), ("Content-Range", "items 0-1/12", 12), ("content-range", "0-1/12", 12),
     ("Content-Range", "bytes 0-1/12", None), ("Content-Range", "items 0-1/*", None), ("X-Total", "twelve", None)],
)  # fmt: skip
async def test_totals_in_headers(build, op, name, value, total) -> None:
    package = build(list=op())
    package.answer(reply([1, 2], **{name: value}))
    assert (await package.told("list")).get("total") == total


async def test_a_part_that_is_too_large_is_gone_on_with_from_where_it_was_cut(build, op) -> None:
    package = build(
        list=op(
            params=[("query", n, NUMBER, {}) for n in LIMITED],
            more={"paging": TOTAL_OFFSETS | {"size": "limit"}},
        )
    )
    package.answer(reply({"rows": ["x" * 200] * 50, "meta": {"size": 70, "limit": 50}}))
    found = await package.told("list", {"limit": 50}, SHOP_MAX_RESULT_BYTES="4000")
    kept = len(found["data"]["rows"])
    assert 0 < kept < 50
    assert found["next"] == {"limit": 50, "offset": kept}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(
        st.sampled_from(["data", "next", "total", "more", "at", "pages", "id", "/", "~"]), inner, max_size=5
    ),
    max_leaves=25,
)
POINTERS = st.sampled_from(["", "/data", "/next", "/total", "/data/0", "/data/next", "/~1", "/~0", "/a/b"])
PLANS = st.fixed_dictionaries(
    {},
    optional={
        "kind": st.sampled_from(["cursor", "offset", "page", "link"]),
        "argument": st.sampled_from(["page", "cursor", "/filter/page", "/page/x"]),
        "size": st.sampled_from(["limit", "/filter/limit"]),
        "limit": st.integers(1, 3),
        "first": st.integers(0, 1),
        **dict.fromkeys(
            ["items", "next", "item", "more", "last", "total", "pages", "remaining", "at", "per_page"],
            POINTERS,
        ),
    },
)


@given(
    plan=PLANS,
    value=JSON,
    link=st.text(max_size=40)
    | st.sampled_from(['<?page=2>; rel="next"', "</v1/x>; rel=next", '<?page=2>; rel="prev"']),
    arguments=st.fixed_dictionaries(
        {},
        optional={
            "page": st.integers() | st.text(max_size=5),
            "cursor": st.text(max_size=5),
            "limit": st.integers(-1, 5),
        },
    ),
)
def test_no_answer_crashes_paging(plan, value, link, arguments) -> None:
    from mcpgen.runtime.operation import read_operation
    from mcpgen.runtime.paging.list_plan import read_paging
    from mcpgen.runtime.paging.next_page import next_page
    from mcpgen.runtime.paging.page_notes import page_note
    from mcpgen.runtime.paging.page_view import PageView
    from mcpgen.runtime.secrecy.redact import Redactor
    from mcpgen.runtime.transport.client import Answer

    schema = {
        "type": "object",
        "properties": {
            "page": {"type": ["integer", "string"]},
            "cursor": TEXT,
            "limit": NUMBER,
            "filter": {"type": "object"},
        },
        "additionalProperties": False,
    }
    entry = {
        "module": "m", "function": "f", "toolset": "t", "effect": "read", "method": "GET", "path": "/things",
        "arguments": [{"name": n, "python": n, "in": "query", "wire_name": n} for n in schema["properties"]],
    }  # fmt: skip
    operation = read_operation("list", entry, {"inputSchema": schema, "outputSchema": {"type": "object"}})
    answer = Answer(
        200,
        httpx2.Headers({"link": link.encode("ascii", "replace")}),
        b"",
        "https://api.example.com/v1/things",
    )
    paging = read_paging(plan)
    assert paging is not None
    view = PageView(paging, arguments, answer, value)
    following = next_page(operation, view)
    note = page_note(operation, view, Redactor(), goes_on=following is not None)
    if following is not None:
        assert next(operation.argument_check.errors(following), None) is None
        assert following != arguments
    assert note is None or len(note) < 600

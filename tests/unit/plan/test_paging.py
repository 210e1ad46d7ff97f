"""How lists are paged is read from both sides, arguments and answer, in the conventions of many APIs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcpgen.config import Config
from mcpgen.diagnostics import Collector, Refused
from mcpgen.pipeline import GenerateRequest, plan_spec
from mcpgen.plan.model import ToolPlan
from mcpgen.plan.planner import PlanOptions, plan_package

TEXT: dict[str, Any] = {"type": "string"}
NUMBER: dict[str, Any] = {"type": "integer"}
FLAG: dict[str, Any] = {"type": "boolean"}
THING: dict[str, Any] = {"type": "object", "properties": {"id": TEXT, "name": TEXT}}
THINGS: dict[str, Any] = {"type": "array", "items": THING}


def fields(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def numbers(*names: str) -> dict[str, Any]:
    return dict.fromkeys(names, NUMBER)


def texts(*names: str) -> dict[str, Any]:
    return dict.fromkeys(names, TEXT)


def spec(paths: dict[str, Any]) -> bytes:
    document = {"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, "paths": paths}
    return json.dumps(document).encode()


def operation(
    query: dict[str, Any], answer: Any, *, headers: tuple[str, ...] = (), body: Any = None, **more: Any
) -> dict[str, Any]:
    response: dict[str, Any] = {"description": "ok", "content": {"application/json": {"schema": answer}}}
    if headers:
        response["headers"] = {name: {"schema": TEXT} for name in headers}
    found: dict[str, Any] = {
        "parameters": [{"name": name, "in": "query", "schema": schema} for name, schema in query.items()],
        "responses": {"200": response},
        **more,
    }
    if body is not None:
        found["requestBody"] = {"content": {"application/json": {"schema": body}}}
    return found


def planned(path: str, method: str, found: dict[str, Any], collector: Collector | None = None) -> ToolPlan:
    request = GenerateRequest(spec="-", stdin=spec({path: {method: found}}), config=Config())
    (tool,) = plan_spec(request, Collector() if collector is None else collector).plan.tools
    return tool


def paging(
    query: dict[str, Any], answer: Any, *, path: str = "/things", method: str = "get", **more: Any
) -> dict[str, Any] | None:
    plan = planned(path, method, operation(query, answer, **more)).paging
    return None if plan is None else plan.entry()


PAGED = fields(total=NUMBER, things=THINGS)
CONVENTIONS: dict[str, tuple[dict[str, Any], Any, dict[str, Any]]] = {
    "Django": (
        numbers("limit", "offset"),
        fields(count=NUMBER, next={**TEXT, "format": "uri"}, previous=TEXT, results=THINGS),
        {"kind": "offset", "items": "/results", "argument": "offset", "size": "limit", "first": 0, "next": "/next",
         "total": "/count"},
    ),
    "Laravel": (
        numbers("page", "per_page"),
        fields(
            data=THINGS,
            links=fields(first=TEXT, last=TEXT, prev=TEXT, next=TEXT),
            meta=fields(current_page=NUMBER, last_page=NUMBER, per_page=NUMBER, total=NUMBER),
        ),
        {"kind": "page", "items": "/data", "argument": "page", "size": "per_page", "first": 1, "next": "/links/next",
         "total": "/meta/total", "pages": "/meta/last_page", "at": "/meta/current_page", "per_page": "/meta/per_page"},
    ),
    "Spring": (
        numbers("page", "size"),
        fields(content=THINGS, number=NUMBER, size=NUMBER, last=FLAG, totalElements=NUMBER, totalPages=NUMBER),
        {"kind": "page", "items": "/content", "argument": "page", "size": "size", "first": 0, "last": "/last",
         "total": "/totalElements", "pages": "/totalPages", "at": "/number", "per_page": "/size"},
    ),
    "OData": (
        numbers("$top", "$skip"),
        fields(**{"@odata.count": NUMBER, "@odata.nextLink": TEXT, "value": THINGS}),
        {"kind": "offset", "items": "/value", "argument": "skip", "size": "top", "first": 0,
         "next": "/@odata.nextLink", "total": "/@odata.count"},
    ),
    "JSON:API": (
        numbers("page[number]", "page[size]"),
        fields(data=THINGS, links=fields(self=TEXT, next=TEXT, prev=TEXT), meta=fields(total=NUMBER)),
        {"kind": "page", "items": "/data", "argument": "page_number", "size": "page_size", "first": 1,
         "next": "/links/next", "total": "/meta/total"},
    ),
    "HAL": (
        numbers("page", "limit"),
        fields(_embedded=fields(things=THINGS), _links=fields(next=fields(href=TEXT), prev=fields(href=TEXT)), total=NUMBER),
        {"kind": "page", "items": "/_embedded/things", "argument": "page", "size": "limit", "first": 1,
         "next": "/_links/next/href", "total": "/total"},
    ),
    "SCIM": (
        numbers("startIndex", "count"),
        fields(totalResults=NUMBER, startIndex=NUMBER, itemsPerPage=NUMBER, Resources=THINGS),
        {"kind": "offset", "items": "/Resources", "argument": "startIndex", "size": "count", "first": 1,
         "total": "/totalResults", "at": "/startIndex", "per_page": "/itemsPerPage"},
    ),
    "AIP-158": (
        texts("pageToken") | numbers("pageSize"),
        fields(things=THINGS, nextPageToken=TEXT, totalSize=NUMBER),
        {"kind": "cursor", "items": "/things", "argument": "pageToken", "size": "pageSize", "next": "/nextPageToken",
         "total": "/totalSize"},
    ),
    "ids of items": (
        texts("starting_after", "ending_before") | numbers("limit"),
        fields(object=TEXT, data=THINGS, has_more=FLAG, url=TEXT),
        {"kind": "cursor", "items": "/data", "argument": "starting_after", "size": "limit", "item": "/id",
         "more": "/has_more"},
    ),
    "first and last id": (
        texts("after", "before") | numbers("limit"),
        fields(data=THINGS, first_id=TEXT, last_id=TEXT, has_more=FLAG),
        {"kind": "cursor", "items": "/data", "argument": "after", "size": "limit", "next": "/last_id", "more": "/has_more"},
    ),
    "continue": (
        texts("continue") | numbers("limit"),
        fields(kind=TEXT, metadata=fields(**{"continue": TEXT, "remainingItemCount": NUMBER}), items=THINGS),
        {"kind": "cursor", "items": "/items", "argument": "continue", "size": "limit", "next": "/metadata/continue",
         "remaining": "/metadata/remainingItemCount"},
    ),
    "offset that is a token": (
        texts("offset") | numbers("limit"),
        fields(data=THINGS, next_page=fields(offset=TEXT, path=TEXT, uri=TEXT)),
        {"kind": "cursor", "items": "/data", "argument": "offset", "size": "limit", "next": "/next_page/offset"},
    ),
    "page that is a token": (
        texts("page") | numbers("limit"),
        fields(data=THINGS, next_page=TEXT, has_more=FLAG),
        {"kind": "cursor", "items": "/data", "argument": "page", "size": "limit", "next": "/next_page", "more": "/has_more"},
    ),
    "nested cursors": (
        texts("after") | numbers("limit"),
        fields(data=THINGS, paging=fields(cursors=fields(before=TEXT, after=TEXT))),
        {"kind": "cursor", "items": "/data", "argument": "after", "size": "limit", "next": "/paging/cursors/after"},
    ),
    "next.after": (
        texts("after") | numbers("limit"),
        fields(results=THINGS, paging=fields(next=fields(after=TEXT, link=TEXT))),
        {"kind": "cursor", "items": "/results", "argument": "after", "size": "limit", "next": "/paging/next/after"},
    ),
    "GraphQL style": (
        texts("cursor") | numbers("first"),
        fields(edges=THINGS, pageInfo=fields(startCursor=TEXT, endCursor=TEXT, hasNextPage=FLAG), totalCount=NUMBER),
        {"kind": "cursor", "items": "/edges", "argument": "cursor", "size": "first", "next": "/pageInfo/endCursor",
         "more": "/pageInfo/hasNextPage", "total": "/totalCount"},
    ),
    "cursor that is an address": (
        texts("cursor") | numbers("limit"),
        fields(features=THINGS, pagination=fields(next={**TEXT, "format": "uri"})),
        {"kind": "cursor", "items": "/features", "argument": "cursor", "size": "limit", "next": "/pagination/next"},
    ),
    "cursor beside each item": (
        texts("cursor") | numbers("limit"),
        {"type": "array", "items": fields(cursor=TEXT, thing=THING)},
        {"kind": "cursor", "items": "", "argument": "cursor", "size": "limit", "item": "/cursor"},
    ),
    "data in data": (
        texts("page_token") | numbers("page_size"),
        fields(code=NUMBER, msg=TEXT, data=fields(items=THINGS, page_token=TEXT, has_more=FLAG)),
        {"kind": "cursor", "items": "/data/items", "argument": "page_token", "size": "page_size",
         "next": "/data/page_token", "more": "/data/has_more"},
    ),
    "pageNum": (
        numbers("pageNum", "pageSize"),
        fields(code=NUMBER, msg=TEXT, rows=THINGS, total=NUMBER),
        {"kind": "page", "items": "/rows", "argument": "pageNum", "size": "pageSize", "first": 1, "total": "/total"},
    ),
    "size that is the total": (
        numbers("limit", "offset"),
        fields(rows=THINGS, meta=fields(size=NUMBER, limit=NUMBER, offset=NUMBER, nextHref=TEXT, previousHref=TEXT)),
        {"kind": "offset", "items": "/rows", "argument": "offset", "size": "limit", "first": 0, "next": "/meta/nextHref",
         "total": "/meta/size", "at": "/meta/offset", "per_page": "/meta/limit"},
    ),
    "search engine": (
        numbers("from", "size"),
        fields(took=NUMBER, hits=fields(total=fields(value=NUMBER, relation=TEXT), hits=THINGS)),
        {"kind": "offset", "items": "/hits/hits", "argument": "from", "size": "size", "first": 0,
         "total": "/hits/total/value"},
    ),
    "isLast": (
        numbers("startAt", "maxResults"),
        fields(values=THINGS, isLast=FLAG, startAt=NUMBER, maxResults=NUMBER, total=NUMBER),
        {"kind": "offset", "items": "/values", "argument": "startAt", "size": "maxResults", "first": 0, "last": "/isLast",
         "total": "/total", "at": "/startAt", "per_page": "/maxResults"},
    ),
    "vendor's names": (
        numbers("X-Shop-Container-Start", "X-Shop-Container-Size"),
        fields(MediaContainer=fields(Metadata=THINGS, totalSize=NUMBER, offset=NUMBER)),
        {"kind": "offset", "items": "/MediaContainer/Metadata", "argument": "x_shop_container_start",
         "size": "x_shop_container_size", "first": 0, "total": "/MediaContainer/totalSize", "at": "/MediaContainer/offset"},
    ),
    "a full page": (
        {"page": {**NUMBER, "default": 1}, "per_page": {**NUMBER, "default": 30}},
        THINGS,
        {"kind": "page", "items": "", "argument": "page", "size": "per_page", "limit": 30, "first": 1},
    ),
    "seite": (
        numbers("seite", "anzahl", "limit"),
        PAGED,
        {"kind": "page", "items": "/things", "argument": "seite", "size": "limit", "first": 1, "total": "/total"},
    ),
    "an address alone": (
        numbers("page"),
        fields(values=THINGS, next={**TEXT, "format": "uri"}),
        {"kind": "page", "items": "/values", "argument": "page", "first": 1, "next": "/next"},
    ),
    "a list without pages": ({}, PAGED, {"items": "/things", "total": "/total"}),
    "a plain list": ({}, THINGS, {"items": ""}),
}  # fmt: skip


@pytest.mark.parametrize("name", CONVENTIONS)
def test_conventions(name: str) -> None:
    query, answer, expected = CONVENTIONS[name]
    assert paging(query, answer) == expected


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        (texts("cursor"), fields(things=THINGS)),  # nothing gives the cursor
        (numbers("page"), THINGS),  # nobody knows how long a page is
        (numbers("offset"), THINGS),
        ({}, fields(things=THINGS, next_cursor=TEXT)),  # nothing takes it
        ({"after": {**TEXT, "format": "date-time"}}, fields(things=THINGS, next_cursor=TEXT)),
        ({"after": {**TEXT, "description": "An ISO-8601 timestamp."}}, fields(things=THINGS, next_cursor=TEXT)),
        ({"offset": {**NUMBER, "description": "Identifier of the first update."}, **numbers("limit")}, THINGS),
        ({"start": {**NUMBER, "description": "Unix timestamp."}, **numbers("limit")}, PAGED),
        (texts("next_token") | numbers("page", "limit"), fields(things=THINGS)),
        (texts("next_token") | numbers("page", "limit"), THINGS),  # the cursor is in a header
        (texts("cursor"), fields(things=THINGS, previous=TEXT)),
    ],
)  # fmt: skip
def test_one_side_alone_is_not_enough(query: dict[str, Any], answer: Any) -> None:
    found = paging(query, answer)
    assert found is not None
    assert found.keys() <= {"items", "total"}


def test_what_is_deprecated_counts_last() -> None:
    old = {**NUMBER, "description": "Deprecated: use page."}
    found = paging({"offset": old, **numbers("page", "limit")}, PAGED)
    assert found is not None
    assert found["kind"] == "page"


def test_an_item_with_lists_is_no_list() -> None:
    order = fields(id=TEXT, customer=TEXT, items=THINGS, total=NUMBER)
    assert paging({}, order, path="/orders/{id}", parameters=[path("id")]) is None
    assert paging({}, order, path="/cart") is None
    assert paging({}, fields(count=NUMBER), path="/things/count") is None


def path(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": TEXT}


def test_a_write_is_not_paged() -> None:
    query = texts("continue") | numbers("limit")
    answer = fields(metadata=fields(**{"continue": TEXT}), items=THINGS)
    assert paging(query, answer, method="delete") is None
    assert paging(query, answer) is not None


def test_a_search_by_post_pages_in_its_body() -> None:
    body = fields(query=TEXT, page=NUMBER, per_page={**NUMBER, "default": 20})
    found = paging({}, PAGED, path="/things/search", method="post", body=body, operationId="search_things")
    assert found == {"kind": "page", "items": "/things", "argument": "page", "size": "per_page", "limit": 20, "first": 1,
                     "total": "/total"}  # fmt: skip
    inside = fields(query=TEXT, pagination=fields(number=NUMBER, size=NUMBER))
    found = paging({}, PAGED, path="/things/search", method="post", body=inside, operationId="search_things")
    assert found is not None
    assert (found["argument"], found["size"]) == ("/pagination/number", "/pagination/size")


def test_headers_of_the_answer_count() -> None:
    found = paging(numbers("page", "per_page"), THINGS, headers=("X-Total-Count", "X-Rate-Limit"))
    assert found is not None
    assert (found["kind"], found["total_header"]) == ("page", "X-Total-Count")
    found = paging(texts("next_token"), THINGS, headers=("X-Shop-Next-Token",))
    assert found is not None
    assert (found["kind"], found["next_header"]) == ("cursor", "X-Shop-Next-Token")


def test_a_documented_link_header_is_all_that_counts() -> None:
    """A full page is no sign of a next one where the answer says it itself; any answer is searched for the header."""
    assert paging(numbers("page", "per_page"), THINGS, headers=("Link",)) == {"items": ""}


@pytest.mark.parametrize(
    ("schema", "first"),
    [
        ({**NUMBER, "default": 0}, 0),
        ({**NUMBER, "default": 1, "minimum": 0}, 1),
        ({**NUMBER, "minimum": 0}, 0),
        ({**NUMBER, "minimum": 1}, 1),
        ({**NUMBER, "description": "Zero-based page number.", "minimum": 1}, 0),
        ({**NUMBER, "examples": [0]}, 0),
        ({**NUMBER, "examples": [7]}, 1),
        ({**TEXT, "default": "0"}, 0),
        (NUMBER, 1),
    ],
)
def test_where_pages_are_counted_from(schema: dict[str, Any], first: int) -> None:
    found = paging({"page": schema, "limit": NUMBER}, PAGED)
    assert found is not None
    assert (found["kind"], found["first"]) == ("page", first)


def test_an_index_of_pages_can_begin_anywhere() -> None:
    found = paging({"pageIndex": NUMBER, "pageSize": NUMBER}, PAGED)
    assert found is not None
    assert "first" not in found
    found = paging({"pageIndex": {**NUMBER, "default": 1}, "pageSize": NUMBER}, PAGED)
    assert found is not None
    assert found["first"] == 1


@pytest.mark.parametrize(
    ("count", "total"),
    [
        ({**NUMBER, "description": "The total number of things."}, "/count"),
        ({**NUMBER, "description": "How many things are returned in this page."}, None),
        (NUMBER, None),
    ],
)
def test_a_count_can_be_that_of_the_page(count: dict[str, Any], total: str | None) -> None:
    found = paging(numbers("page", "limit"), fields(count=count, things=THINGS))
    assert found is not None
    assert found.get("total") == total


def override(told: Any, collector: Collector) -> Any:
    found = operation(numbers("page", "limit"), PAGED, **{"x-mcp": {"paging": told}})
    found["parameters"].append({"name": "Weird-Mover", "in": "header", "schema": TEXT})
    plan = planned("/things", "get", found, collector).paging
    return None if plan is None else plan.entry()


def test_the_document_can_say_it() -> None:
    told = {"kind": "cursor", "items": "/things", "argument": "Weird-Mover", "next": "/total"}
    assert override(told, Collector()) == told | {"argument": "weird_mover"}
    assert override(False, Collector()) is None


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (7, "paging must be false or a table."),
        ({"kind": "magic"}, "is of no known kind"),
        ({"kind": "page", "argument": "pages"}, "names `pages`"),
        ({"kind": "page"}, "needs an `argument`"),
        ({"kind": "cursor", "argument": "page"}, "needs `next`, `next_header` or `item`"),
        ({"kind": "link"}, "needs `next`"),
        ({"items": "things"}, "needs a JSON pointer as `items`"),
        ({"items": "/things", "first": "1"}, "needs a number as `first`"),
        ({"itms": "/things"}, "has no `itms`"),
    ],
)
def test_what_the_document_says_wrongly_is_refused(told: Any, words: str) -> None:
    collector = Collector()
    with pytest.raises(Refused):
        override(told, collector)
    (found,) = [d for d in collector if d.code == "extension-invalid"]
    assert words in found.message
    assert found.location.pointer == "/paths/~1things/get/x-mcp/paging"


def test_the_configuration_goes_over_the_document() -> None:
    found = operation(
        numbers("page", "limit"), PAGED, operationId="list_things", **{"x-mcp": {"paging": False}}
    )
    api = plan_spec(GenerateRequest(spec="-", stdin=spec({"/things": {"get": found}})), Collector()).api
    told = {"kind": "page", "items": "/things", "argument": "page", "pages": "/total"}
    (tool,) = plan_package(api, PlanOptions(paging={"list_things": told}), diagnostics=Collector()).tools
    assert tool.paging is not None
    assert tool.paging.entry() == told


def test_hostile_answers_are_read_to_their_end() -> None:
    """A schema that holds itself, everywhere that is looked into."""
    loop: dict[str, Any] = {
        "type": "object",
        "properties": {"data": {"$ref": "#/components/schemas/Loop"}, "items": {"$ref": "#/components/schemas/Loop"},
                       "next": {"anyOf": [{"$ref": "#/components/schemas/Loop"}, TEXT]}},
    }  # fmt: skip
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Shop", "version": "1"},
        "paths": {"/things": {"get": operation(texts("cursor"), {"$ref": "#/components/schemas/Loop"})}},
        "components": {"schemas": {"Loop": loop}},
    }
    request = GenerateRequest(spec="-", stdin=json.dumps(document).encode())
    assert plan_spec(request, Collector()).plan.tools[0].paging is None

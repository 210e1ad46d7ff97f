"""Lists: what this server says about a page, and the arguments that lead to the next one."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl

import pytest
from harness import Session, Stub, call_tool
from mcp import Client
from picking import CALLS, FILES, OPERATIONS, tools_that

LISTS = tools_that(lambda tool: (OPERATIONS[tool].get("paging") or {}).get("argument") is not None)
ONE_OF_EACH = {
    tuple(sorted(OPERATIONS[tool]["paging"].keys() | {OPERATIONS[tool]["paging"]["kind"]})): tool
    for tool in reversed(LISTS)
}
"""A list for each way to page: what is known of it."""


def each_list(*kinds: str) -> pytest.MarkDecorator:
    """One test for each way to page of some kinds."""
    tools = [
        tool
        for tool in list(ONE_OF_EACH.values())[:6]
        if OPERATIONS[tool]["paging"]["kind"] in kinds
        and not OPERATIONS[tool]["paging"]["argument"].startswith("/")
        and OPERATIONS[tool]["paging"].get("items") is not None
    ]
    return pytest.mark.parametrize("tool", tools)


def put(value: Any, pointer: str, part: Any) -> Any:
    """A copy of an answer with something at a place (RFC 6901)."""
    if not pointer:
        return part
    found = copy.deepcopy(value) if isinstance(value, dict) else {}
    inner = found
    *steps, last = [step.replace("~1", "/").replace("~0", "~") for step in pointer[1:].split("/")]
    for step in steps:
        inner = inner.setdefault(step, {})
        if not isinstance(inner, dict):
            pytest.skip("the place of the list is in another list")
    inner[last] = part
    return found


class Pages:
    """A list as the API would answer it: what is in the answer, and what the tool makes of it."""

    def __init__(self, tool: str, session: Session, stub: Stub) -> None:
        self.tool = tool
        self.paging: dict[str, Any] = OPERATIONS[tool]["paging"]
        self.arguments = dict(CALLS[tool])
        self._session = session
        self._stub = stub
        known = next(
            (
                one["body"]["json"]
                for one in FILES[tool]["outcomes"]
                if one["status"] == 200 and "json" in (one.get("body") or {})
            ),
            None,
        )
        self.empty = known if isinstance(known, dict) else {}
        for place in ("next", "more", "last", "total", "remaining", "pages", "at", "per_page"):
            if self.paging.get(place):
                self.empty = without(self.empty, self.paging[place])

    def wire(self, argument: str) -> str:
        """What an argument is called in the query."""
        names = {one["name"]: one.get("wire_name") for one in OPERATIONS[self.tool]["arguments"]}
        return names[argument] or argument

    def call(
        self,
        arguments: Mapping[str, Any],
        items: int,
        headers: Mapping[str, str] | None = None,
        **parts: Any,
    ) -> dict[str, Any]:
        """The result for a page of so many items, with parts at the places that the tool knows."""
        value = put(self.empty, self.paging["items"], [{"id": number} for number in range(items)])
        for place, part in parts.items():
            value = put(value, self.paging[place], part)
        self._stub.give(
            {
                "status": 200,
                "content_type": "application/json",
                "headers": headers or {},
                "body": {"json": value},
            }
        )
        result = self._session.run(lambda client: self._ask(client, arguments))
        assert result["ok"], result
        return result

    async def _ask(self, client: Client, arguments: Mapping[str, Any]) -> dict[str, Any]:
        result = await call_tool(client, self.tool, arguments)
        return dict(result.structured_content or {})

    @property
    def sent(self) -> dict[str, str]:
        """The query of the last request."""
        return dict(parse_qsl(self._stub.requests[-1].url.query.decode()))


def without(value: Any, pointer: str) -> Any:
    """A copy of an answer without something."""
    found = copy.deepcopy(value)
    inner = found
    *steps, last = pointer[1:].split("/")
    for step in steps:
        inner = inner.get(step) if isinstance(inner, dict) else None
    if isinstance(inner, dict):
        inner.pop(last, None)
    return found


@pytest.fixture
def pages(session: Session, stub: Stub) -> Callable[[str], Pages]:
    return lambda tool: Pages(tool, session, stub)


@each_list("cursor")
def test_a_cursor_leads_on(tool: str, pages: Callable[[str], Pages]) -> None:
    page = pages(tool)
    if "next" not in page.paging:
        pytest.skip("its cursor is not in the answer")
    argument = page.paging["argument"]
    for cursor in ("zz-2", "12", 12):
        found = page.call(page.arguments, 2, next=cursor)
        if "next" not in found:
            continue  # the argument is no text
        assert found["next"] == page.arguments | {argument: found["next"][argument]}
        assert str(found["next"][argument]) == str(cursor)
        page.call(found["next"], 2, next=cursor)
        if OPERATIONS[tool]["method"] == "GET":
            assert page.sent[page.wire(argument)] == str(cursor)
    nowhere: tuple[Any, ...] = ("", "0", "-1", "null", "None", None, False, 0, "x" * 5000, ["a"])
    for told in nowhere:
        assert "next" not in page.call(page.arguments, 2, next=told), told
    found = page.call(page.arguments, 2, next="zz-2")
    if "next" in found:
        assert "next" not in page.call(found["next"], 2, next="zz-2"), "the same page again"
        assert "next" not in page.call(page.arguments, 0, next="zz-2"), "an empty page"


@each_list("offset", "page")
def test_a_number_leads_on(tool: str, pages: Callable[[str], Pages]) -> None:
    page = pages(tool)
    paging, argument = page.paging, page.paging["argument"]
    size = paging.get("size")
    unsure = paging["kind"] == "page" and "first" not in paging and "index" in argument.lower()
    if (
        size is None
        or size.startswith("/")
        or unsure
        or "next" in paging
        or OPERATIONS[tool]["method"] != "GET"
    ):
        pytest.skip(
            "how large a page is, or where the first one begins, is not known, or the answer itself says what is next"
        )
    first = paging.get("first", 1 if paging["kind"] == "page" else 0)
    asked = page.arguments | {size: 3}
    step = 3 if paging["kind"] == "offset" else 1
    ends: list[dict[str, Any]] = []
    if "total" in paging:
        ends = [{"total": 7}]
        assert page.call(asked, 3, total=7)["total"] == 7
        assert "next" not in page.call(asked, 3, total=3)
        assert (
            page.call(asked | {argument: first + step}, 3, total=7)["next"][argument]
            == first + 2 * step
        )
        last = page.call(asked | {argument: first + 2 * step}, 1, total=7)
        assert "next" not in last
        assert "7 of 7" in last["note"]
        middle = page.call(asked | {argument: first + step}, 3, total=7)
        assert "4 to 6 of 7" in middle["note"]
        beyond = page.call(asked | {argument: first + 5 * step}, 0, total=7)
        assert "There is nothing on this page; there are 7 in all." in beyond["note"]
        assert "next" not in beyond
        assert "total" not in page.call(
            asked | {argument: first + 3 * step}, 3, total=7
        ), "a total that the page belies"
    for more in ends or [{}]:
        found = page.call(asked, 3, **more)
        assert found["next"] == asked | {argument: first + step}
        page.call(found["next"], 3, **more)
        assert page.sent[page.wire(argument)] == str(first + step)
        assert page.sent[page.wire(size)] == "3"
    assert "next" not in page.call(asked, 0)
    if not ends:
        assert "next" not in page.call(asked, 2)


@each_list("cursor", "offset", "page")
def test_links_and_totals_in_headers_are_read(tool: str, pages: Callable[[str], Pages]) -> None:
    page = pages(tool)
    argument = page.paging["argument"]
    if OPERATIONS[tool]["method"] != "GET" or OPERATIONS[tool].get("servers"):
        pytest.skip("its list is no GET")
    page.call(page.arguments, 2)
    here = str(page._stub.requests[-1].url)
    join = "&" if "?" in here else "?"
    wire = page.wire(argument)
    target = f"{here}{join}{wire}=33"

    def following(link: str) -> Any:
        return page.call(page.arguments, 2, {"Link": link}).get("next", {}).get(argument)

    for link in (
        f'<{target}>; rel="next"',
        f"<{target}>; title=x ; REL = next",
        f'<{here}>; rel="prev", <{target}>; rel="last next"',
        f'<{join if join == "?" else target}{"" if join == "&" else wire + "=33"}>; rel="next"; results="true"',
    ):
        assert str(following(link)) == "33", link
    for link in (
        f'<{target}>; rel="next"; results="false"',
        f'<{target}>; rel="prev"',
        f'<{target}>; rel="nextish"',
        f'<{here.replace("/base", "/base/other", 1)}{join}{wire}=33>; rel="next"',
        f'<http://[{target}>; rel="next"',
    ):
        assert str(following(link)) != "33", link
    for header, value, total in (
        ("X-Total-Count", "41", 41),
        ("X-Total", " 41 ", 41),
        ("X-WP-Total", "41", 41),
        ("Content-Range", "items 0-1/41", 41),
        ("Content-Range", "bytes 0-1/41", None),
        ("X-Total-Count", "4.1", None),
        ("X-Total-Count", "1", None),
    ):
        assert page.call(page.arguments, 2, {header: value}).get("total") == total, (header, value)

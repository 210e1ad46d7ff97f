"""Siblings: which tool is named beside another one, for what, and in which words."""

from __future__ import annotations

import pytest

from mcpgen.diagnostics import Location
from mcpgen.ir.api import Operation
from mcpgen.plan.texts.boundary import boundary_text
from mcpgen.plan.texts.phrases import phrases_in
from mcpgen.plan.texts.siblings import Sibling, SiblingIndex, SiblingKind, ToolRef


def ref(tool: str, key: str, summary: str = "", **arguments: bool) -> ToolRef:
    method, path = key.split(" ", 1)
    reads = method == "GET" or tool.startswith("search")
    return ToolRef(tool, Operation(method, path, Location("spec.yaml")), reads, arguments, {}, summary)


def said(tool: ToolRef, *others: ToolRef, language: str = "en") -> str:
    return " ".join(boundary_text(SiblingIndex([tool, *others]).of(tool), phrases_in(language)))


ONE = ref("get_boat", "GET /boats/{boat_id}", "Gets a boat", boat_id=True)
EVERY = ref("list_boats", "GET /boats", "List boats", page=False, boat_id=False)
SEARCH = ref("search_boats", "POST /boats/search", "Search boats", query=True)
ADD = ref("create_boat", "POST /boats", "Adds a boat", name=True)
PUT = ref("replace_boat", "PUT /boats/{boat_id}", "Replaces a boat", boat_id=True)
PATCH = ref("update_boat", "PATCH /boats/{boat_id}", "Changes a boat", boat_id=True)
DELETE = ref("delete_boat", "DELETE /boats/{boat_id}", "Scraps a boat", boat_id=True)
ALL = (ONE, EVERY, SEARCH, ADD, PUT, PATCH, DELETE)


@pytest.mark.parametrize(
    ("tool", "expected"),
    [
        (ONE, "To find boat_id, use search_boats. For a list instead of one, use list_boats."),
        (EVERY, "To search instead of listing, use search_boats."),
        (SEARCH, "To list all instead of searching, use list_boats."),
        (ADD, "To change a boat, use update_boat."),
        (PUT, "To find boat_id, use search_boats. To change only some fields, use update_boat."),
        (PATCH, "To find boat_id, use search_boats. To replace all fields, use replace_boat."),
        (DELETE, "To find boat_id, use search_boats. To change a boat, use update_boat."),
    ],
    ids=lambda value: value.name if isinstance(value, ToolRef) else "",
)
def test_the_boundary_among_tools_for_the_same_things(tool: ToolRef, expected: str) -> None:
    assert said(tool, *(other for other in ALL if other is not tool)) == expected


def test_one_of_a_list_is_got_by_its_id() -> None:
    assert said(EVERY, ONE) == "For one boat by its id, use get_boat."


def test_a_tool_on_one_item_finds_no_list_whatever_its_verb() -> None:
    look = ref("search_boat", "POST /boats/{boat_id}/manage", "Looks at what can be done", boat_id=True)
    assert "list" not in said(ONE, look)
    assert said(ONE, EVERY, look) == "To find boat_id, use list_boats."


def test_only_tools_that_there_are_get_named() -> None:
    assert said(ONE) == ""
    assert said(PUT, ADD) == "To add a boat, use create_boat."


def test_a_finder_that_needs_more_than_the_caller_has_is_no_help() -> None:
    assert "To find" not in said(ONE, ref("list_boats", "GET /boats", harbour=True))


def test_the_version_of_the_path_counts() -> None:
    old = ref("list_boats_v1beta1", "GET /v1beta1/boats")
    new = ref("list_boats_v1", "GET /v1/boats")
    tool = ref("get_boat", "GET /v1/boats/{id}", id=True)
    assert said(tool, old, new).startswith("To find id, use list_boats_v1.")


def test_calls_without_places_are_matched_by_their_names() -> None:
    get = ref("get_cert", "GET /api/get-cert", id=True)
    every = ref("get_certs", "GET /api/get-certs")
    assert said(get, every) == "To find id, use get_certs."
    assert said(every, get) == "For one cert by its id, use get_cert."


def test_the_reverse() -> None:
    lock = ref("lock_boat", "POST /boats/{id}/lock", id=True)
    unlock = ref("unlock_boat", "POST /boats/{id}/unlock", id=True)
    assert said(lock, unlock) == "For the reverse, use unlock_boat."


def test_a_neighbour_is_named_by_its_summary_as_an_infinitive() -> None:
    sail = ref("sail_boat", "POST /boats/{id}/sail", "Sails a boat", id=True)
    moor = ref("moor_boat", "POST /boats/{id}/moor", "Cancels a trip (soon).", id=True)
    assert said(sail, moor) == "To cancel a trip, use moor_boat."
    assert said(sail, moor, language="zh") == "如需“Cancels a trip”请用 moor_boat。"


def test_what_reads_is_not_held_against_what_writes() -> None:
    assert said(ref("get_boat_log", "GET /boats/{id}/log", id=True), DELETE) == ""


def test_strangers_are_no_siblings() -> None:
    assert said(ref("get_weather", "GET /weather"), ref("list_taxes", "GET /taxes")) == ""


def test_braces_in_a_summary_mean_nothing() -> None:
    sibling = Sibling("x", SiblingKind.OTHER, "", "Deep {what} {name}")
    assert boundary_text((sibling,), phrases_in("en")) == ['For "Deep {what} {name}", use x.']

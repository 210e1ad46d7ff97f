"""Descriptions: essentials first, from the document only, within the limit; siblings name real tools."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mcpgen.diagnostics import Location
from mcpgen.ir.api import MediaType, Operation, Response
from mcpgen.plan.effects.inference import infer_effect
from mcpgen.plan.texts.describe import describe_tool, title_for
from mcpgen.plan.texts.siblings import Sibling, SiblingIndex, SiblingKind, ToolRef

HERE = Location("spec.yaml")


def make(
    key: str, summary: str = "", description: str = "", responses: tuple[Response, ...] = (), **more: object
) -> Operation:
    method, path = key.split(" ", 1)
    return Operation(
        method, path, HERE, summary=summary, description=description, responses=responses, **more  # type: ignore[arg-type]
    )


def response(status: str, text: str, *media: MediaType) -> Response:
    return Response(status, text, media, HERE)


def described(operation: Operation, *siblings: Sibling, limit: int = 1200) -> str:
    return describe_tool(operation, effect=infer_effect(operation), siblings=siblings, limit=limit)


def test_summary_first_then_what_the_description_adds() -> None:
    text = described(
        make("GET /boats", "List the boats", "Lists boats. Only boats that are afloat are shown.")
    )
    assert text == "List the boats. Only boats that are afloat are shown."


def test_a_long_description_keeps_summary_and_notes() -> None:
    finder = Sibling("list_boats", SiblingKind.FIND, "boat_id")
    operation = make("DELETE /boats/{boat_id}", "Scrap a boat.", "A long tale of wood. " * 400)
    text = described(operation, finder)
    assert text.startswith("Scrap a boat.")
    assert "To find boat_id, use list_boats." in text
    assert "Destructive" in text
    assert len(text) <= 1200
    assert len(described(make("GET /boats", "x" * 9000), limit=9999)) <= 4096


def test_noise_and_plumbing_are_left_out() -> None:
    operation = make(
        "POST /boats",
        "Build a boat",
        "**Required scope:** boats:write\n\nTo build a boat, send a POST request to `/boats`. Wood is needed.\n\n"
        "For more information, see [the docs](https://example.test).",
    )
    assert described(operation) == "Build a boat. Wood is needed."


def test_returns_and_failures_only_when_they_say_something() -> None:
    plain = make("GET /boats/{id}", "Get a boat", "", (response("200", "OK"), response("404", "Not found")))
    assert described(plain) == "Get a boat."
    telling = make(
        "POST /boats",
        "Build a boat",
        "",
        (
            response("201", "The boat with its number."),
            response("409", "The name is taken."),
            response("400", "Bad"),
        ),
    )
    assert (
        described(telling)
        == "Build a boat.\nReturns: The boat with its number. Fails: 409: The name is taken."
    )


def test_the_schema_names_what_comes_back() -> None:
    media = MediaType("application/json", {"type": "array", "items": {"$ref": "#/components/schemas/Boat"}})
    assert (
        described(make("POST /x", "Do it", "", (response("200", "", media),))) == "Do it.\nReturns: Boat[]."
    )


def test_chinese_documents_get_chinese_phrases() -> None:
    text = described(
        make("DELETE /boats/{id}", "删除船只", "不会删除船员"), Sibling("list_boats", SiblingKind.FIND, "id")
    )
    assert text == "删除船只。不会删除船员\n查找 id 请用 list_boats。破坏性操作，难以撤销。"


def test_text_of_the_document_reaches_the_reader_unchanged() -> None:
    text = described(
        make("GET /t/{id}", 'say """ and \\', "first line\n\\x41 {{ config }} {% raw %} ${id} %(id)s last\\")
    )
    for part in ('"""', "\\x41", "{{ config }}", "{% raw %}", "${id}", "%(id)s", "last\\"):
        assert part in text


def test_without_any_text_the_call_is_named() -> None:
    assert described(make("GET /boats", operation_id="listBoats")) == "List boats (GET /boats)."
    assert described(make("GET /boats")) == "GET /boats."


def test_an_action_is_named() -> None:
    operation = make("POST /boats", "Manage boats")
    assert 'Does only "sink".' in describe_tool(operation, effect=infer_effect(operation), action="sink")


def test_titles() -> None:
    assert title_for(make("GET /boats", "List **all** boats."), "list_boats") == "List all boats"
    assert title_for(make("GET /boats", "x " * 60), "list_boats") == "List boats"


def ref(name: str, operation: Operation, **arguments: bool) -> ToolRef:
    return ToolRef(name, operation, operation.method == "GET" or name.startswith("search"), arguments)


def test_siblings_are_found_by_place() -> None:
    one = ref("get_boat", make("GET /boats/{boat_id}"), boat_id=True)
    every = ref("list_boats", make("GET /boats"), page=False)
    search = ref("search_boats", make("POST /boats/search"), query=True)
    cancel = ref("cancel_trip", make("POST /boats/{boat_id}/trips/{n}/cancel"), boat_id=True, n=True)
    trips = ref("list_trips", make("GET /boats/{id}/trips"), boat_id=True)
    index = SiblingIndex([one, every, search, cancel, trips])
    assert index.of(one) == (Sibling("search_boats", SiblingKind.FIND, "boat_id", "query"),)
    assert [(item.name, item.kind) for item in index.of(every)] == [
        ("search_boats", SiblingKind.SEARCH),
        ("get_boat", SiblingKind.ONE),
    ]
    assert index.of(cancel) == (Sibling("list_trips", SiblingKind.FIND, "n", None, ("boat_id",)),)


def test_a_finder_that_needs_more_than_the_caller_has_is_no_help() -> None:
    one = ref("get_boat", make("GET /boats/{id}"), id=True)
    index = SiblingIndex([one, ref("list_boats", make("GET /boats"), harbour=True)])
    assert index.of(one) == ()


def test_put_points_at_patch() -> None:
    put = ref("replace_boat", make("PUT /boats/{id}"), id=True)
    patch = ref("update_boat", make("PATCH /boats/{id}"), id=True)
    assert SiblingIndex([put, patch]).of(put) == (Sibling("update_boat", SiblingKind.PARTIAL, "boat"),)


@given(st.text(max_size=400), st.text(max_size=2000), st.integers(min_value=60, max_value=5000))
def test_any_text_fits(summary: str, description: str, limit: int) -> None:
    assert 0 < len(described(make("DELETE /boats/{id}", summary, description), limit=limit)) <= limit

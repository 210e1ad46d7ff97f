"""Descriptions: five elements, from the document only, the essentials first, within the length of their level."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mcpgen.diagnostics import Location
from mcpgen.ir.api import MediaType, Operation, Response
from mcpgen.plan.following import PagingPlan
from mcpgen.plan.overrides.model import TextOverrides
from mcpgen.plan.texts.boilerplate import shared_failures, shared_sentences
from mcpgen.plan.texts.describe import Facts, Level, Manner, describe_tool
from mcpgen.plan.texts.phrases import phrases_in
from mcpgen.plan.texts.returns import Answered
from mcpgen.plan.texts.siblings import Sibling, SiblingKind
from mcpgen.plan.texts.titles import title_for

HERE = Location("spec.yaml")
FINDER = Sibling("list_boats", SiblingKind.FIND, "boat_id")


def make(
    key: str, summary: str = "", description: str = "", responses: tuple[Response, ...] = (), **more: object
) -> Operation:
    method, path = key.split(" ", 1)
    return Operation(
        method, path, HERE, summary=summary, description=description, responses=responses, **more  # type: ignore[arg-type]
    )


def response(status: str, text: str, *media: MediaType) -> Response:
    return Response(status, text, media, HERE)


def described(operation: Operation, *siblings: Sibling, level: Level = Level.STANDARD, **more: object) -> str:
    facts = Facts(operation, siblings=siblings, **more)  # type: ignore[arg-type]
    return describe_tool(facts, Manner(level=level))


def test_summary_first_then_what_the_description_adds() -> None:
    text = described(
        make("GET /boats", "List the boats", "Lists boats. Only boats that are afloat are shown.")
    )
    assert text == "List the boats. Only boats that are afloat are shown."


def test_a_sentence_that_says_all_of_the_summary_takes_its_place() -> None:
    text = described(make("GET /boats", "List boats", "List boats of a harbour by length."))
    assert text == "List boats of a harbour by length."


def test_a_long_description_keeps_what_matters_and_the_notes() -> None:
    told = [f"In the year {year} it was a long tale of wood and rope. " for year in range(1900, 1980)]
    tale = "".join(told[:40]) + "Boats must not be at sea. " + "".join(told[40:])
    operation = make(
        "DELETE /boats/{boat_id}", "Scrap a boat.", tale, (response("409", "The boat is chartered"),)
    )
    text = described(operation, FINDER, destructive=True)
    assert text.startswith("Scrap a boat.")
    for part in (
        "Boats must not be at sea.",
        "To find boat_id, use list_boats.",
        "Destructive",
        "409: The boat is chartered",
    ):
        assert part in text
    assert len(text) <= 560


def test_levels() -> None:
    operation = make(
        "DELETE /boats/{boat_id}",
        "Scrap a boat.",
        "".join(f"Plank {i} is kept for later. " for i in range(25)) + "End.",
        (response("404", ""),),
    )
    brief = described(operation, FINDER, destructive=True, level=Level.BRIEF)
    assert brief == "Scrap a boat.\nDestructive: it can't simply be undone. To find boat_id, use list_boats."
    standard = described(operation, FINDER, destructive=True)
    full = described(operation, FINDER, destructive=True, level=Level.FULL)
    assert len(brief) < len(standard) < len(full) <= 1200
    assert "End." in full


def test_noise_and_plumbing_are_left_out() -> None:
    operation = make(
        "POST /boats",
        "Build a boat",
        "**Required scope:** boats:write\n\nTo build a boat, send a POST request to `/boats`. Wood is needed.\n\n"
        "# Further reading\n\nFor more information, see [the docs](https://example.test).",
    )
    assert described(operation) == "Build a boat. Wood is needed."


def test_what_most_operations_say_is_not_repeated() -> None:
    same = "All calls need a berth."
    failure = response("418", "The cook is asleep")
    operations = [make(f"GET /{i}", f"Do {i}", f"{same} Boat {i} sails.", (failure,)) for i in range(12)]
    manner = Manner(sentences=shared_sentences(operations), failures=shared_failures(operations))
    assert (
        describe_tool(Facts(operations[0]), manner) == "Do 0. Boat 0 sails.\nFails: 418: The cook is asleep."
    )
    two = make("GET /x", "Do it", same, (failure, response("404", "")))
    assert describe_tool(Facts(two), manner) == "Do it.\nFails: 404 not found."
    few = operations[:9]
    assert shared_sentences(few) == shared_failures(few) == frozenset()


def test_returns_and_failures_only_when_they_say_something() -> None:
    plain = make(
        "GET /boats/{id}",
        "Get a boat",
        "",
        (response("200", "OK"), response("404", "Not found"), response("401", "")),
    )
    assert described(plain) == "Get a boat.\nFails: 404 not found."
    telling = make(
        "POST /boats", "Build a boat", "",
        (response("201", "The boat with its number."), response("409", "If the name is taken."), response("400", "Bad")),
    )  # fmt: skip
    assert (
        described(telling)
        == "Build a boat.\nReturns: The boat with its number. Fails: 409 if the name is taken; 400: Bad."
    )


def answered(schema: dict[str, object], kind: str = "json", status: int = 200, media: str = "") -> str:
    text = described(make("POST /x", "Do it"), answer=Answered(kind, schema, {}, status, media))
    return text.removeprefix("Do it.").removeprefix("\nReturns: ")


def test_the_schema_says_what_comes_back() -> None:
    boat = {"type": "object", "properties": {"length": {}, "links": {}, "id": {}, "name": {}}}
    assert answered(boat) == "object with id, name, length."
    assert answered({"type": "array", "items": boat}) == "list of objects with id, name, length."
    assert answered({"type": "object", "properties": {"boats": {"type": "array", "items": boat}}}) == (
        "`boats` (list of objects with id, name, length)."
    )
    wrapped = {
        "type": "object",
        "properties": {"code": {"type": "integer"}, "msg": {"type": "string"}, "data": boat},
    }
    assert answered(wrapped) == "`data` (id, name, length)."
    assert answered({"type": "array", "items": {"type": "string"}}) == "list of string."
    assert answered({}, "binary", media="image/png") == "a file (image/png)."
    assert answered({"type": "null"}, "empty", 204) == "nothing."


def test_an_answer_that_the_document_is_silent_about_is_not_called_nothing() -> None:
    assert answered({"type": "null"}, "empty", 200) == "no documented content."
    assert answered({}) == ""


def test_pages_scopes_and_later_work() -> None:
    operation = make("GET /boats", "List boats", security=({"oauth": ("boats:read",)},))
    inputs = {"properties": {"limit": {"type": "integer", "maximum": 100, "default": 20}}}
    text = described(operation, inputs=inputs, paging=PagingPlan(size="limit"))
    assert text == "List boats.\nAt most 100 per page, 20 by default. Needs the scope `boats:read`."
    later = described(make("POST /exports", "Export all"), answer=Answered("empty", {}, {}, 202))
    assert later == "Export all.\nReturns: no documented content. Accepted first and done later (202)."


def test_conditions_between_arguments() -> None:
    either = {"properties": {}, "anyOf": [{"required": ["name"]}, {"required": ["number"]}]}
    assert (
        described(make("GET /x", "Find it"), inputs=either)
        == "Find it.\nPass at least one of `name`, `number`."
    )
    pair = {"properties": {}, "dependentRequired": {"from": ["to"]}}
    assert described(make("GET /x", "Find it"), inputs=pair) == "Find it.\n`from` needs `to`."
    known = make("GET /x", "Find it", "Give name or number.")
    assert described(known, inputs=either) == "Find it. Give name or number."


def test_chinese_documents_get_chinese_phrases() -> None:
    facts = Facts(make("DELETE /boats/{id}", "删除船只", "不会删除船员"), True, (FINDER,))
    text = describe_tool(facts, Manner(phrases_in("zh")))
    assert text == "删除船只。不会删除船员。\n破坏性操作，难以撤销。查找 boat_id 请用 list_boats。"


def test_own_texts_replace_elements() -> None:
    operation = make("DELETE /boats/{boat_id}", "Scrap a boat", "Wood is kept.")
    facts = Facts(operation, True, (FINDER,), example='Example: {"boat_id": "b1"}')
    own = TextOverrides(purpose="Takes a boat apart.", limits="", when_to_use="Only after a survey.")
    assert (
        describe_tool(facts, Manner(), own)
        == 'Takes a boat apart.\nOnly after a survey. Example: {"boat_id": "b1"}'
    )
    assert describe_tool(facts, Manner(), TextOverrides(description="All of it.", limits="x")) == "All of it."
    long = "A long word on the case. " * 40
    assert describe_tool(facts, Manner(), TextOverrides(when_to_use=long.strip())).count("A long word") == 40
    inputs = TextOverrides(inputs="Ids begin with b.", example="")
    assert describe_tool(facts, Manner(), inputs).count("Ids begin with b.") == 1
    assert "Example" not in describe_tool(facts, Manner(), inputs)


def test_text_of_the_document_reaches_the_reader_unchanged() -> None:
    operation = make(
        "GET /t/{id}", 'say """ and \\', "first line\n\\x41 {{ config }} {% raw %} ${id} %(id)s last\\"
    )
    for part in ('"""', "\\x41", "{{ config }}", "{% raw %}", "${id}", "%(id)s", "last\\"):
        assert part in described(operation)


def test_without_any_text_the_call_is_named() -> None:
    assert described(make("GET /boats", operation_id="listBoats")) == "List boats (GET /boats)."
    assert described(make("GET /boats"), name="get_boats") == "Get boats (GET /boats)."
    assert described(make("GET /boats")) == "GET /boats."


def test_an_action_is_named() -> None:
    assert 'Does only "sink".' in described(make("POST /boats", "Manage boats"), action="sink")


def test_titles() -> None:
    assert title_for(make("GET /boats", "List **all** boats."), "list_boats") == "List all boats"
    assert title_for(make("GET /boats", "x " * 60), "list_boats") == "List boats"


@given(st.text(max_size=400), st.text(max_size=2000), st.sampled_from(Level))
def test_any_text_fits(summary: str, description: str, level: Level) -> None:
    text = described(make("DELETE /boats/{id}", summary, description), FINDER, destructive=True, level=level)
    assert 0 < len(text) <= 1300

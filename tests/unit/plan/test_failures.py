"""How a call fails and what a second one does, in descriptions: what is documented, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from mcpgen.diagnostics import Location
from mcpgen.ir.api import MediaType, Operation, Response
from mcpgen.plan.texts.describe import Facts, Manner, describe_tool
from mcpgen.plan.texts.failures import failures_text
from mcpgen.plan.texts.phrases import catalogues, phrases_in

HERE = Location("spec.yaml")
ENGLISH = phrases_in("en")
SCHEMAS = {
    "Error": {"properties": {"ok": {}, "code": {"type": "integer"}, "message": {"type": "string"}}},
    "Coded": {"allOf": [{"$ref": "#/components/schemas/Error"}, {"properties": {"error": {"enum": list("abcde")}}}]},
    "Wrapped": {"properties": {"error": {"$ref": "#/components/schemas/Error"}}},
}  # fmt: skip


def response(status: str, text: str = "", schema: str = "", examples: tuple[Any, ...] = ()) -> Response:
    found = {"$ref": f"#/components/schemas/{schema}"} if schema else None
    media = (MediaType("application/json", found, examples=examples),) if schema or examples else ()
    return Response(status, text, media, HERE)


def failures(*responses: Response) -> str:
    operation = Operation("GET", "/boats", HERE, responses=responses)
    return failures_text(operation, (), "", SCHEMAS, ENGLISH)


OK = response("200", "OK")


@pytest.mark.parametrize(
    ("responses", "expected"),
    [
        ((OK,), ""),
        ((OK, response("401")), "Fails: 401 unauthorized."),
        ((OK, response("401"), response("404")), "Fails: 404 not found."),
        ((OK, response("503", "The harbour is frozen.")), "Fails: 503: The harbour is frozen."),
        ((OK, response("DEFAULT", "Error", "Error")), "Fails: error with code, message."),
        ((OK, response("4XX", "", "Wrapped")), "Fails: error with code, message."),
        ((OK, response("DEFAULT", "Error", "Coded")), "Fails: `a`, `b`, `c`, `d`, …"),
        ((response("DEFAULT", "A boat", "Error"),), ""),
    ],
)
def test_what_is_documented_is_said(responses: tuple[Response, ...], expected: str) -> None:
    assert failures(*responses) == expected


def test_failures_among_the_examples_of_a_success_are_named() -> None:
    good = {"status": "ok", "retcode": 0, "message": ""}
    bad = {"status": "failed", "retcode": 1404, "message": "No such boat"}
    assert failures(response("200", "Answer", examples=(good, bad, bad))) == "Fails: 1404 No such boat."
    assert failures(response("200", "Answer", examples=(bad,))) == ""


@pytest.mark.parametrize(
    ("method", "more", "expected"),
    [
        ("POST", {"repeated": "adds"}, "Do it.\nEach call adds another one."),
        ("PUT", {"repeated": "nothing"}, "Do it.\nRepeating a call changes nothing more."),
        ("POST", {"repeated": "again"}, "Do it.\nEach call takes effect again."),
        ("POST", {"reads": True}, "Do it.\nRead-only."),
        ("GET", {"reads": True}, "Do it.\nRead-only."),
    ],
)
def test_what_a_call_does_to_the_api(method: str, more: dict[str, Any], expected: str) -> None:
    assert describe_tool(Facts(Operation(method, "/x", HERE, summary="Do it"), **more), Manner()) == expected


def test_what_the_document_says_of_repeating_is_not_said_again() -> None:
    operation = Operation("POST", "/x", HERE, summary="Do it", description="The call is idempotent.")
    assert describe_tool(Facts(operation, repeated="nothing"), Manner()) == "Do it. The call is idempotent."


def test_every_language_says_it() -> None:
    english = phrases_in("en").texts
    for language in catalogues():
        told = phrases_in(language).texts
        same = [key for key in told if key.startswith("repeat.") and told[key] == english[key]]
        assert language == "en" or same == []

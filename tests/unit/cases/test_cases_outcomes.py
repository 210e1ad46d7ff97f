"""Which cell of the result contract an answer of the API belongs in."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import httpx2
import pytest

from mcpgen.cases.failures import category_of, hint_of, neutral
from mcpgen.cases.model import CallCase, ExpectedRequest, OutcomeCase
from mcpgen.cases.outcomes import outcomes_of
from mcpgen.diagnostics import Collector
from mcpgen.models.model import Models
from mcpgen.pipeline import GenerateRequest, plan_spec
from mcpgen.plan.following import HintPlan
from mcpgen.plan.model import AnswerSample, PackagePlan, ToolPlan
from mcpgen.render.catalog import catalogue
from mcpgen.runtime.api_errors import failure_of
from mcpgen.runtime.operation import Operation, read_operation
from mcpgen.runtime.secrecy.redact import Redactor
from mcpgen.runtime.transport.client import Answer

ORDER: dict[str, Any] = {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}
PATHS: dict[str, Any] = {
    "/orders": {
        "get": {"operationId": "listOrders", "responses": {"200": {"description": ""}}},
        "post": {
            "operationId": "createOrder",
            "requestBody": {"content": {"application/json": {"schema": ORDER}}},
            "responses": {"200": {"description": ""}},
        },
    },
    "/orders/{id}": {
        "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}],
        "get": {"operationId": "getOrder", "responses": {"200": {"description": ""}}},
        "delete": {"operationId": "deleteOrder", "responses": {"204": {"description": ""}}},
    },
}
SPEC = {"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, "paths": PATHS}
PLAN: PackagePlan = plan_spec(GenerateRequest(spec="-", stdin=json.dumps(SPEC).encode()), Collector()).plan
TOOLS = {tool.name: tool for tool in PLAN.tools}
CALL = CallCase("minimal", {"id": 1}, ExpectedRequest("GET", "/orders/1", {}))


def tool(*answers: AnswerSample, data: Mapping[str, Any] | None = None, name: str = "get_order") -> ToolPlan:
    schema = {"type": "object", "properties": {"data": ORDER if data is None else data}}
    return replace(TOOLS[name], answers=answers, output_schema=schema, hints={})


def outcomes(subject: ToolPlan, *, common: bool = False) -> tuple[OutcomeCase, ...]:
    return outcomes_of(subject, (CALL,), TOOLS, common=common)


def first(*answers: AnswerSample, data: Mapping[str, Any] | None = None) -> OutcomeCase:
    return outcomes(tool(*answers, data=data))[0]


def said(status: str, value: Any, media: str = "application/json") -> AnswerSample:
    return AnswerSample(status, media, "json", value, found=True)


def test_data_is_the_answer_that_keeps_the_published_schema() -> None:
    assert first(said("200", {"id": 7})) == OutcomeCase(
        200, "application/json", {"id": 7}, {"ok": True, "data": {"id": 7}}
    )


def test_raw_is_the_answer_that_breaks_it() -> None:
    assert first(said("200", [7])).expect == {"ok": True, "raw": [7]}


def test_nothing_is_promised_of_an_answer_that_may_be_taken_for_an_error() -> None:
    assert [case.status for case in outcomes(tool(said("200", {"error": "No such order"})))] == [404]


def test_a_documented_error_with_the_status_of_a_success_is_data() -> None:
    value = {"id": 7, "error": "No such order"}
    assert first(said("200", value)).expect == {"ok": True, "data": value}


@pytest.mark.parametrize(
    ("data", "expect"),
    [({"type": "null"}, {"ok": True, "data": None}), (ORDER, {"ok": True, "raw": None})],
)
def test_no_body_is_an_empty_result(data: Mapping[str, Any], expect: Mapping[str, Any]) -> None:
    case = first(AnswerSample("204", None, "empty"), data=data)
    assert (case.content_type, case.value, case.expect) == (None, None, expect)


def test_bytes_are_told_by_type_size_and_digest() -> None:
    case = first(AnswerSample("200", "image/*", "binary"), data={"type": "object"})
    content = b"\x89\x00\xff\xfe sample"
    assert case.content_type == "image/png"
    assert case.value == {"base64": "iQD//iBzYW1wbGU="}
    assert case.expect["data"] == {
        "media_type": "image/png",
        "size": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
    }


@pytest.mark.parametrize(
    ("kind", "media", "sent", "type_"),
    [
        ("text", "text/*", "Sample text", "text/plain"),
        ("text", "text/csv; charset=iso-8859-1", "Sample text", "text/csv"),
        ("text", "text/csv; charset=UTF-8", "Sample text", "text/csv; charset=UTF-8"),
        ("xml", "application/vnd.x+xml", "<answer>Sample text</answer>", "application/vnd.x+xml"),
        ("form", "application/x-www-form-urlencoded", "sample=text", "application/x-www-form-urlencoded"),
    ],
)
def test_a_text_is_data_where_a_text_is_promised(kind: str, media: str, sent: str, type_: str) -> None:
    found = [first(AnswerSample("200", media, kind), data=data) for data in ({"type": "string"}, ORDER)]
    assert [case.content_type for case in found] == [type_, type_]
    assert [case.expect for case in found] == [{"ok": True, "data": sent}, {"ok": True, "raw": sent}]


@pytest.mark.parametrize(
    ("media", "sent"),
    [
        ("application/x-ndjson", '{"id": 7}\n'),
        ("application/json-seq", '\x1e{"id": 7}\n'),
        ("text/event-stream", 'data: {"id": 7}\n\n'),
    ],
)
def test_a_stream_is_the_list_of_its_records(media: str, sent: str) -> None:
    sample = AnswerSample("200", media, "ndjson", {"id": 7}, found=True)
    case = first(sample, data={"type": "array", "items": ORDER})
    assert (case.value, case.expect) == (sent, {"ok": True, "data": [{"id": 7}]})


def test_events_are_whole_where_the_schema_describes_them_so() -> None:
    sample = AnswerSample("200", "text/event-stream", "ndjson", {"id": 7}, found=True)
    event = {"type": "object", "required": ["data"], "properties": {"data": {"type": "string"}}}
    assert first(sample, data={"type": "array", "items": event}).expect["data"] == [{"data": '{"id": 7}'}]


def test_what_can_not_be_sent_is_no_case() -> None:
    samples = (
        said("200", 1, "application/json\r\nX-Sample: 1"),
        AnswerSample("200", "application/json", "json"),
        AnswerSample("100", None, "empty"),
        AnswerSample("teapot", None, "empty"),
        said("200", {"base64": "aWQ="}),
        AnswerSample("200", "multipart/mixed", "ndjson", {"id": 7}, found=True),
    )
    assert [case.status for case in outcomes(tool(*samples))] == [404]


def test_a_range_is_a_status_that_the_document_does_not_tell_apart() -> None:
    samples = [
        AnswerSample(status, None, "empty") for status in ("200", "400", "4XX", "5XX", "DEFAULT", "3XX")
    ]
    assert [case.status for case in outcomes(tool(*samples))] == [200, 400, 422, 500, 500, 301, 404]


def test_default_is_a_success_where_no_other_is_documented() -> None:
    assert first(said("DEFAULT", {"id": 7})).expect == {"ok": True, "data": {"id": 7}}


def test_a_refusal_keeps_its_form_but_none_of_its_words() -> None:
    case = first(said("422", {"code": "card_declined", "retry_after": 3, "list": ["quota exceeded"], "n": 4}))
    assert case.value == {"code": "Sample text", "list": ["Sample text"], "n": 4}
    assert case.expect == {"ok": False, "status": 422, "category": "validation", "retryable": True}
    assert first(said("503", {"code": "down"})).value == {"code": "down"}


def test_only_a_status_is_promised_where_words_or_arguments_decide() -> None:
    assert first(said("428", {})).expect == {"ok": False, "status": 428}
    named = tool(said("404", {"errors": {"id": "unknown"}}), name="delete_order")
    assert outcomes(named)[0].expect == {"ok": False, "status": 404}


def test_every_tool_is_tried_with_something_that_is_not_there() -> None:
    (case,) = outcomes(tool())
    assert case.expect == {"ok": False, "status": 404, "category": "not_found", "retryable": False}
    assert len(outcomes(tool(said("404", {})))) == 1


def test_common_answers() -> None:
    found = outcomes(tool(), common=True)[1:]
    told = [(case.status, case.content_type, case.expect.get("category", "-")) for case in found]
    assert told == [
        (429, "application/problem+json", "transient"),
        (500, None, "transient"),
        (503, "text/html", "transient"),
        (403, "text/html", "permission"),
        (200, None, "-"),
        (200, "text/html", "-"),
        (200, "application/json", "-"),
    ]
    assert found[0].headers == {"Retry-After": "7"}
    assert found[4].expect == {"ok": True, "raw": None}
    assert found[6].value == {"base64": "e25vdCBKU09O"}
    assert found[6].expect == {"ok": True, "raw": "{not JSON"}


def test_without_a_call_there_is_nothing_to_answer() -> None:
    assert outcomes_of(tool(), (), TOOLS) == ()


def test_no_method_head_has_a_body() -> None:
    subject = replace(tool(said("200", {"id": 7}), said("500", {}), data={"type": "null"}), method="HEAD")
    assert {(case.content_type, case.value) for case in outcomes(subject)} == {(None, None)}


OPERATIONS: dict[str, Operation] = {
    entry["name"]: read_operation(entry["name"], catalog["operations"][entry["name"]], entry)
    for catalog in [catalogue(PLAN, Models({}, {}), "test")]
    for entry in catalog["tools"]
}


@pytest.mark.parametrize("name", sorted(TOOLS))
@pytest.mark.parametrize(
    "body", [None, {"title": "Sample text"}, {"errors": [{"field": "x", "message": "no"}]}]
)
def test_both_sides_know_the_same_categories(name: str, body: Any) -> None:
    """The table of this module and the run-time library's, for every status."""
    told = neutral(body)
    content = b"" if body is None else json.dumps(told).encode()
    for status in (*range(300, 304), *range(305, 600)):
        expected = category_of(TOOLS[name], status, told)
        headers = httpx2.Headers({"content-type": "application/json"} if content else {})
        answer = Answer(status, headers, content, "http://api.test/orders", False)
        failure = failure_of(answer, OPERATIONS[name], Redactor())
        if expected is not None:
            assert (status, str(failure.category)) == (status, expected)
            assert failure.retryable is (expected in ("validation", "transient"))


LIST = HintPlan("list_orders")
LOOK = HintPlan("get_order", same={"id": "id"})


@pytest.mark.parametrize(
    ("name", "status", "category", "hints", "expected"),
    [
        ("get_order", 404, "not_found", {"not_found": (LIST,)}, "list_orders"),
        ("get_order", 404, "not_found", {"404": (LOOK,), "not_found": (LIST,)}, "get_order"),
        ("get_order", 404, "not_found", {"4XX": (HintPlan("gone"), LIST)}, "list_orders"),
        ("get_order", 404, "not_found", {"404": (HintPlan("get_order", same={"id": "no"}),)}, None),
        (
            "get_order",
            404,
            "not_found",
            {"reference": (HintPlan("list_orders", when="shop"),)},
            "list_orders",
        ),
        ("get_order", 404, "not_found", {"reference": (HintPlan("list_orders", when="sample"),)}, None),
        ("get_order", 429, "transient", {}, "get_order"),
        ("create_order", 422, "validation", {}, "create_order"),
        ("create_order", 409, "business", {"unknown": (LIST,)}, "list_orders"),
        ("create_order", 402, "business", {"unknown": (LIST,)}, None),
        ("create_order", 504, "transient", {"unknown": (LIST,)}, "list_orders"),
        ("create_order", 504, "transient", {}, None),
        ("create_order", 500, "internal", {"unknown": (LIST,)}, "list_orders"),
        ("create_order", 503, "transient", {"unknown": (LIST,)}, "create_order"),
        ("delete_order", 504, "transient", {}, "delete_order"),
        ("delete_order", 500, "transient", {"unknown": (LIST,)}, "delete_order"),
    ],
)
def test_the_tool_that_a_hint_names(
    name: str, status: int, category: str, hints: dict[str, Any], expected: str | None
) -> None:
    subject = replace(TOOLS[name], hints=hints)
    assert hint_of(subject, status, category, "Sample text", {"id": 1}, TOOLS) == expected

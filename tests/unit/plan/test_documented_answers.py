"""The documented answers of an operation, each with a value: what generated tests let the API say."""

from __future__ import annotations

import json
from typing import Any

from mcpgen.diagnostics import Collector
from mcpgen.pipeline import GenerateRequest, plan_spec
from mcpgen.plan.model import AnswerSample

ORDER = {
    "type": "object",
    "required": ["id"],
    "properties": {"id": {"type": "integer"}, "note": {"type": "string"}},
}


def answers(responses: dict[str, Any], method: str = "get") -> tuple[AnswerSample, ...]:
    spec = {
        "openapi": "3.1.0",
        "info": {"title": "Shop", "version": "1"},
        "paths": {"/orders": {method: {"responses": responses}}},
    }
    request = GenerateRequest(spec="-", stdin=json.dumps(spec).encode())
    (tool,) = plan_spec(request, Collector()).plan.tools
    return tool.answers


def response(**media: Any) -> dict[str, Any]:
    content = {name.replace("_", "/"): told for name, told in media.items()}
    return {"description": "", **({"content": content} if content else {})}


def test_every_status_has_its_answer() -> None:
    found = answers(
        {"default": response(), "200": response(application_json={"schema": ORDER}), "4XX": response()}
    )

    assert found == (
        AnswerSample("200", "application/json", "json", {"id": 1}, found=True),
        AnswerSample("4XX", None, "empty"),
        AnswerSample("DEFAULT", None, "empty"),
    )


def test_a_media_type_has_one_answer_among_successes_and_one_among_failures() -> None:
    media: dict[str, Any] = {
        "application_json": {"schema": ORDER},
        "text_csv": {"schema": {"type": "string"}},
    }
    found = answers({status: response(**media) for status in ("200", "206", "400", "404")})

    assert [(one.status, one.media) for one in found] == [
        ("200", "application/json"),
        ("200", "text/csv"),
        ("206", "application/json"),
        ("400", "application/json"),
        ("400", "text/csv"),
        ("404", "application/json"),
    ]


def test_an_example_counts_where_it_is_what_its_schema_says() -> None:
    valid, wrong = {"id": 7, "note": "gift"}, {"id": "seven"}
    found = answers(
        {
            "200": response(application_json={"schema": ORDER, "example": valid}),
            "201": response(application_json={"schema": ORDER, "example": wrong}),
        }
    )

    assert [one.value for one in found] == [valid, {"id": 1}]


def test_a_value_that_nobody_could_read_is_none() -> None:
    long = {"type": "string", "minLength": 5_000}
    (found,) = answers({"200": response(application_json={"schema": long})})

    assert (found.found, found.value) == (False, None)


def test_what_can_have_no_body_has_none() -> None:
    media: dict[str, Any] = {"application_json": {"schema": ORDER}}

    assert [one.kind for one in answers({"204": response(**media), "304": response(**media)})] == [
        "empty"
    ] * 2
    assert [one.kind for one in answers({"200": response(**media)}, "head")] == ["empty"]


def test_the_answers_of_one_operation_are_bounded() -> None:
    found = answers({str(status): response() for status in range(400, 440)})

    assert len(found) == 24

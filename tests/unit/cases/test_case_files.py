"""The case files: readable, short, one for each tool, and with the names that every system can have."""

from __future__ import annotations

import json
from pathlib import PurePosixPath
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpgen.cases.documents import case_files
from mcpgen.cases.model import CallCase, ExpectedRequest, OutcomeCase, PackageCases, ToolCases
from mcpgen.cases.printing import MAX_LINES, WIDTH, readable_json

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=40,
)


@given(JSON)
def test_what_is_printed_is_the_value(value: Any) -> None:
    text = readable_json(value)
    assert json.loads(text) == value
    assert text.count("\n") <= MAX_LINES


def test_what_fits_a_line_stays_on_it() -> None:
    text = readable_json({"short": [1, 2], "long": {"a": "x" * 60, "b": "y" * 60}})
    assert text.splitlines() == [
        "{",
        '  "short": [1, 2],',
        '  "long": {',
        f'    "a": "{"x" * 60}",',
        f'    "b": "{"y" * 60}"',
        "  }",
        "}",
    ]


def test_a_document_with_many_entries_gets_longer_lines() -> None:
    value = {"rows": [{"text": "x" * WIDTH, "number": number} for number in range(600)]}
    text = readable_json(value)
    assert text.count("\n") <= MAX_LINES
    assert json.loads(text) == value


def files(*tools: ToolCases) -> dict[PurePosixPath, Any]:
    found = case_files(PackageCases({"orders": tools}, {"SHOP_KEY": "k"}))
    return {path: json.loads(text) for path, text in found.items()}


def test_each_tool_has_a_file_that_every_system_can_have() -> None:
    found = files(ToolCases("get_order"), ToolCases("Get_Order"), ToolCases("con"))
    named = {path.name: told.get("tool") for path, told in found.items()}
    assert named == {
        "credentials.json": None,
        "get_order.json": "get_order",
        "Get_Order_.json": "Get_Order",
        "con_tool.json": "con",
    }
    assert found[PurePosixPath("tests/cases/credentials.json")] == {"SHOP_KEY": "k"}


@pytest.mark.parametrize(
    ("content_type", "value", "body"),
    [
        ("application/json", "text", {"json": "text"}),
        ("application/problem+json; charset=utf-8", {"a": 1}, {"json": {"a": 1}}),
        ("application/json", {"base64": "AA=="}, {"base64": "AA=="}),
        ("text/plain", "text", {"text": "text"}),
        ("application/x-ndjson", "{}\n", {"text": "{}\n"}),
    ],
)
def test_the_body_of_an_answer_says_how_it_is_written(
    content_type: str, value: Any, body: dict[str, Any]
) -> None:
    outcome = OutcomeCase(200, content_type, value, {"ok": True}, headers={"Retry-After": "7"})
    (told,) = files(ToolCases("t", outcomes=(outcome,)))[PurePosixPath("tests/cases/orders/t.json")][
        "outcomes"
    ]
    assert told == {
        "status": 200,
        "content_type": content_type,
        "body": body,
        "headers": {"Retry-After": "7"},
        "expect": {"ok": True},
    }


def test_a_call_is_told_whole_and_why_there_is_none() -> None:
    request = ExpectedRequest("POST", "/a?b=c", {"accept": "*/*"}, ("idempotency-key",), {"json": {"a": 1.0}})
    found = files(
        ToolCases("t", calls=(CallCase("minimal", {"a": 1.0}, request),)), ToolCases("u", why="no value")
    )
    assert found[PurePosixPath("tests/cases/orders/t.json")]["calls"] == [
        {
            "name": "minimal",
            "arguments": {"a": 1.0},
            "request": {
                "method": "POST",
                "target": "/a?b=c",
                "headers": {"accept": "*/*"},
                "generated": ["idempotency-key"],
                "body": {"json": {"a": 1.0}},
            },
        }
    ]
    assert found[PurePosixPath("tests/cases/orders/u.json")]["why_no_calls"] == "no value"

"""Each tool: what it puts on the wire, and that every answer keeps the result contract. `-k TOOL` picks one."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest
from conftest import BASE_URL, CASES, Session, Stub
from jsonschema import Draft202012Validator

CATALOG: dict[str, Any] = json.loads(
    files("library_mcp").joinpath("catalog.json").read_text(encoding="utf-8")
)
INPUTS = {tool["name"]: tool["inputSchema"] for tool in CATALOG["tools"]}
SCHEMAS = {tool["name"]: tool["outputSchema"] for tool in CATALOG["tools"]}
CALLABLE = [case for case in CASES["tools"] if case["arguments"] is not None]


def conforms(tool: str, result: dict[str, Any]) -> None:
    Draft202012Validator(SCHEMAS[tool]).validate(result)


@pytest.mark.parametrize("case", CALLABLE, ids=lambda case: case["tool"])
def test_minimal_call(case: dict[str, Any], session: Session, stub: Stub) -> None:
    answer = case["answer"]
    is_json = (answer["content_type"] or "").endswith("json")
    stub.give(answer["status"], answer["content_type"] if is_json else None, answer["value"])

    is_error, result = session.call(case["tool"], case["arguments"])

    assert len(stub.requests) == 1, result
    request = stub.requests[0]
    assert request.method == case["method"]
    assert str(request.url).startswith(f"{BASE_URL}/")
    if case["path"] is not None:
        assert request.url.raw_path.decode().partition("?")[0] == f"/base{case['path']}"
    assert (is_error, result["ok"]) == (False, True)
    conforms(case["tool"], result)


@pytest.mark.parametrize("case", CALLABLE, ids=lambda case: case["tool"])
def test_failure_keeps_the_contract(case: dict[str, Any], session: Session, stub: Stub) -> None:
    stub.give(404, "application/problem+json", {"title": "Not here"})

    is_error, result = session.call(case["tool"], case["arguments"])

    assert (is_error, result["ok"], result["category"], result["status"]) == (
        True,
        False,
        "not_found",
        404,
    )
    conforms(case["tool"], result)


@pytest.mark.parametrize("case", CASES["tools"], ids=lambda case: case["tool"])
def test_unknown_argument_is_refused_before_anything_is_sent(
    case: dict[str, Any], session: Session, stub: Stub
) -> None:
    stub.give(200)
    unknown = "no_such_argument"
    while unknown in INPUTS[case["tool"]]["properties"]:
        unknown += "_"

    is_error, result = session.call(case["tool"], {**(case["arguments"] or {}), unknown: 1})

    assert (is_error, result["ok"], result["category"]) == (True, False, "validation")
    assert stub.requests == []
    conforms(case["tool"], result)

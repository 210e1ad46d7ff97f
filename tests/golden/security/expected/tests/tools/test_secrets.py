"""The tools of secrets: what each sends, gives and refuses. `-k TOOL` picks one."""

from __future__ import annotations

from typing import Any

from checks import check_outcomes, check_refusals, check_request
from harness import Session, Stub, cases_of, each_call, each_tool

CASES = cases_of("secrets")


@each_call(CASES)
def test_request(tool: str, call: dict[str, Any], session: Session, stub: Stub) -> None:
    check_request(CASES[tool], call, session, stub)


@each_tool(CASES, "outcomes")
def test_outcomes(tool: str, session: Session, stub: Stub) -> None:
    check_outcomes(CASES[tool], session, stub)


@each_tool(CASES, "refusals")
def test_refusals(tool: str, session: Session, stub: Stub) -> None:
    check_refusals(CASES[tool], session, stub)

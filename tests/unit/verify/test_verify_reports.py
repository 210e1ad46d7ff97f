"""Reports carry text from the spec and from the API as data; credentials are in none of them."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from markdown_it import MarkdownIt

from mcpgen.diagnostics import Location
from mcpgen.pipeline import Planned
from mcpgen.verify.environment import Mask, server_environment
from mcpgen.verify.model import Finding, Kind, Report, ToolReport, Verdict, Wanted
from mcpgen.verify.reports import markdown, report_object, summary

PLACE = Location("api.yaml", "/paths/~1x/get", 12, 3)
HOSTILE = "`x` | <img src=x onerror=alert(1)> **b** @team [a](http://e.example) \n# h1\n| c |"


def report(detail: str = "200 differs", request: str = "GET /x") -> Report:
    finding = Finding(Kind.BODY, detail, PLACE, 200, {"q": detail}, request, count=2)
    drifts = ToolReport("get_x", "GET /x", "read", PLACE, Verdict.DRIFTS, 3, {200: 2, 404: 1}, (finding,))
    other = ToolReport("make_x", "POST /x", "write", PLACE, Verdict.NOT_CALLED, reason="it is write")
    return Report("x-mcp", "http://127.0.0.1:1/v1", 7, ("read",), 3, (drifts, other), (("GET /y", "odd"),))


def test_report_for_programs() -> None:
    found = report_object(report())
    assert json.loads(json.dumps(found)) == found
    assert found["summary"] == {"conforms": 0, "drifts": 1, "unproven": 0, "not_called": 1}
    assert found["tools"][0]["findings"] == [
        {
            "kind": "body-breaks-schema",
            "detail": "200 differs",
            "status": 200,
            "count": 2,
            "place": {"file": "api.yaml", "line": 12, "column": 3, "pointer": "/paths/~1x/get"},
            "arguments": {"q": "200 differs"},
            "request": "GET /x",
        }
    ]
    assert found["tools"][0]["statuses"] == {"200": 2, "404": 1}
    assert found["skipped"] == [{"operation": "GET /y", "reason": "odd"}]
    assert found["ended_early"] is None


def test_summary() -> None:
    assert summary(report()) == "x-mcp at http://127.0.0.1:1/v1: 1 drifts, 1 not called; 3 calls, seed 7."


def test_markdown_of_hostile_text_has_the_shape_of_harmless_text() -> None:
    def shape(text: str) -> list[str]:
        tokens = MarkdownIt("commonmark").enable("table").parse(text)
        return [
            token.type
            for outer in tokens
            for token in (outer, *(outer.children or ()))
            if token.type != "text"
        ]

    assert shape(markdown(report(HOSTILE, HOSTILE))) == shape(markdown(report()))


def test_markdown_says_how_many_more_there_are() -> None:
    base = report()
    many = tuple(replace(base.tools[0].findings[0], same=str(number)) for number in range(60))
    text = markdown(replace(base, tools=(replace(base.tools[0], findings=many),), ended="after 60 seconds"))
    assert text.count("### ") == 50
    assert "… and 10 more findings." in text
    assert "Ended after 60 seconds." in text


@pytest.fixture
def secured(plan: Callable[..., Planned]) -> Planned:
    schemes = {
        "key": {"type": "apiKey", "in": "query", "name": "k"},
        "basic": {"type": "http", "scheme": "basic"},
    }
    operation: dict[str, Any] = {
        "responses": {"200": {"description": ""}},
        "security": [{"key": []}, {"basic": []}],
    }
    return plan({"/x": {"get": operation}}, components={"securitySchemes": schemes})


def test_credentials_are_masked_in_both_spellings(secured: Planned) -> None:
    prefix = secured.plan.env_prefix
    environment = {
        f"{prefix}_KEY": "a/b+c",
        f"{prefix}_BASIC_USERNAME": "anna",
        f"{prefix}_BASIC_PASSWORD": "pass",
    }
    names = {name for scheme in secured.plan.auth for name in scheme.env.values()}
    assert environment.keys() <= names
    mask = Mask(environment, secured.plan)
    assert mask("GET /x?k=a%2Fb%2Bc&u=anna a/b+c pass") == "GET /x?k=***&u=anna *** ***"


def test_server_gets_its_own_variables_and_nothing_more(secured: Planned) -> None:
    prefix = secured.plan.env_prefix
    environment = {
        f"{prefix}_KEY": "k",
        f"{prefix}_ALLOW_EFFECTS": "read,write,destructive",
        f"{prefix}_CONFIRM": "write",
        "OTHER_TOKEN": "no",
        "HTTPS_PROXY": "http://proxy.example:3128",
        "NO_PROXY": "internal.example",
    }
    wanted = Wanted("http://api.example/v1", ("read",), rate=2.5)
    found = server_environment(environment, secured.plan, wanted, "http://127.0.0.1:5/v1")
    assert found[f"{prefix}_KEY"] == "k"
    assert found[f"{prefix}_ALLOW_EFFECTS"] == "read", "what is not allowed is not even there"
    assert found[f"{prefix}_CONFIRM"] == "never"
    assert found[f"{prefix}_MAX_RATE"] == "2.5"
    assert found[f"{prefix}_BASE_URL"] == "http://127.0.0.1:5/v1"
    assert found["NO_PROXY"] == "internal.example,127.0.0.1"
    assert found["HTTPS_PROXY"] == "http://proxy.example:3128"
    assert "OTHER_TOKEN" not in found

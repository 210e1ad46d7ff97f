"""How diagnostics look, for people and for programs."""

from __future__ import annotations

import json

import pytest

from mcpgen.cli.report import Reporter, as_line
from mcpgen.diagnostics import Diagnostic, Location, Severity

PLACE = Location("api.yaml", "/paths/~1a", 3, 5)
ITEMS = [
    Diagnostic("source-syntax", Severity.ERROR, "It is broken.", PLACE, "Mend it."),
    Diagnostic("spec-invalid", Severity.WARNING, "It is odd.", Location("api.yaml")),
    Diagnostic("name-changed", Severity.INFO, "It was renamed."),
]


def test_a_diagnostic_is_one_line_that_editors_can_jump_to(capsys: pytest.CaptureFixture[str]) -> None:
    Reporter().diagnostics(ITEMS)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines() == [
        "api.yaml:3:5: error[source-syntax]: It is broken. Mend it.",
        "api.yaml: warning[spec-invalid]: It is odd.",
        "mcpgen: info[name-changed]: It was renamed.",
    ]


def test_quiet_leaves_only_problems(capsys: pytest.CaptureFixture[str]) -> None:
    Reporter(quiet=True).diagnostics(ITEMS)
    assert [line.split(": ")[1] for line in capsys.readouterr().err.splitlines()] == [
        "error[source-syntax]",
        "warning[spec-invalid]",
    ]


def test_json_goes_to_standard_output_alone(capsys: pytest.CaptureFixture[str]) -> None:
    reporter = Reporter(as_json=True)
    reporter.diagnostics(ITEMS)
    reporter.result("done")
    captured = capsys.readouterr()
    assert captured.err == ""
    first, second, _ = json.loads(captured.out)
    assert first == {
        "file": "api.yaml",
        "line": 3,
        "column": 5,
        "pointer": "/paths/~1a",
        "severity": "error",
        "code": "source-syntax",
        "message": "It is broken.",
        "hint": "Mend it.",
    }
    assert second["line"] is None


def test_json_without_diagnostics_is_an_empty_array(capsys: pytest.CaptureFixture[str]) -> None:
    Reporter(as_json=True).diagnostics([])
    assert json.loads(capsys.readouterr().out) == []


@pytest.mark.parametrize(
    "text", ["two\nlines", "\x1b[31mred", "back\bspace", "hidden\u202etext", "zero\u200bwidth", "\x9b1m"]
)
def test_text_from_a_document_cannot_steer_the_terminal(text: str) -> None:
    line = as_line(Diagnostic("spec-invalid", Severity.WARNING, text, Location(text)))
    assert line.isprintable()


def test_there_is_no_colour_and_no_progress_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    reporter = Reporter()
    with reporter.progress("working"):
        reporter.diagnostics(ITEMS)
    assert "\x1b" not in capsys.readouterr().err


def test_quiet_hides_the_result(capsys: pytest.CaptureFixture[str]) -> None:
    Reporter(quiet=True).result("done")
    Reporter().result("made")
    assert capsys.readouterr().out == "made\n"

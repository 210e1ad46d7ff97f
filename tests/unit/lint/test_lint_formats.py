"""The command: text, JSON, SARIF, exit statuses, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from mcpgen.cli.main import main
from mcpgen.lint.codes import RULES


@pytest.fixture
def spec(tmp_path: Path, good: dict[str, Any]) -> Path:
    """The good document with three defects: an error, a warning and a hint."""
    sound = good["paths"]["/customers/{customer}/orders"]
    sound["get"]["security"] = [{"missing": []}]
    sound["get"]["parameters"].append({"name": "channel", "in": "query", "schema": {"type": "string"}})
    sound["get"]["deprecated"] = True
    path = tmp_path / "orders.json"
    path.write_text(json.dumps(good, indent=1), "utf-8")
    return path


def run(*arguments: object, stdin: str | None = None) -> Result:
    """The deprecated operation of the fixture is a tool only on request."""
    return CliRunner().invoke(main, ["lint", "--deprecated", *map(str, arguments)], input=stdin)


def test_text_shows_the_score_and_the_findings_by_kind_the_worst_first(spec: Path) -> None:
    lines = run(spec).stdout.splitlines()
    assert lines[0].startswith(f"{spec}: 2 tools, ")
    assert lines[1].startswith("Score ")
    assert "(TDQS " in lines[1]
    assert "(JAIRF level " in lines[1]
    heads = [line.split(" ")[0] for line in lines if "[" in line.split(" ")[0]]
    assert heads == [
        "error[security-undefined]",
        "warning[parameter-undescribed]",
        "info[operation-deprecated]",
    ]
    place = next(line for line in lines if "`channel` has no description" in line)
    assert place.startswith(f"{spec}:")
    assert place.endswith("(list_orders)")
    number = int(place.split(":")[1])
    assert '"name": "channel"' in "".join(spec.read_text().splitlines()[number - 1 : number + 1])


def test_quiet_leaves_out_hints_and_all_shows_everything(spec: Path, good: dict[str, Any]) -> None:
    assert "operation-deprecated" not in run(spec, "--quiet").stdout
    for number in range(8):
        good["paths"]["/customers/{customer}/orders"]["get"]["parameters"].append(
            {"name": f"channel{number}", "in": "query", "schema": {"type": "string"}}
        )
    spec.write_text(json.dumps(good))
    assert "… and 4 more (--all shows them)" in run(spec).stdout
    assert "`channel7` has no description" not in run(spec).stdout
    assert "`channel7` has no description" in run(spec, "--all").stdout


def test_json_has_everything_in_a_stable_form(spec: Path) -> None:
    report = json.loads(run(spec, "--format", "json").stdout)
    assert list(report) == [
        "schema_version", "target", "score", "counts", "tokens", "findings", "tools", "rules"
    ]  # fmt: skip
    assert report["schema_version"] == 1
    assert set(report["score"]["dimensions"]) == {
        "purpose", "usage", "behaviour", "parameters", "conciseness", "completeness", "coherence", "validity", "readiness",
        "understanding", "usability", "security", "discovery",
    }  # fmt: skip
    assert all(0 <= value <= 100 for value in report["score"]["dimensions"].values())
    assert report["counts"]["severities"] == {"error": 1, "warning": 1, "info": 1}
    assert report["counts"]["codes"] == {
        "operation-deprecated": 1, "parameter-undescribed": 1, "security-undefined": 1
    }  # fmt: skip
    finding = next(item for item in report["findings"] if item["code"] == "parameter-undescribed")
    assert finding["pointer"] == "/paths/~1customers~1{customer}~1orders/get/parameters/1"
    assert (finding["severity"], finding["tool"]) == ("warning", "list_orders")
    assert {tool["name"] for tool in report["tools"]} == {"list_orders", "create_order"}
    assert all(1 <= tool["tdqs"] <= 5 and 0 <= tool["elements"]["total"] <= 5 for tool in report["tools"])
    assert report["tokens"]["total"] == sum(tool["tokens"] for tool in report["tools"])
    assert set(report["rules"]) == set(report["counts"]["codes"])
    assert report["rules"]["security-undefined"]["source"].startswith("AutoMCP")


def test_sarif_has_the_structure_of_2_1_0(spec: Path) -> None:
    log = json.loads(run(spec, "--format", "sarif").stdout)
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-2.1.0.json")
    (one,) = log["runs"]
    assert one["tool"]["driver"]["name"] == "mcpgen"
    rules = one["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for rule in rules:
        assert rule["id"] in RULES
        for text in (rule["shortDescription"], rule["fullDescription"], rule["help"]):
            assert text["text"].strip()
        assert rule["defaultConfiguration"]["level"] in {"none", "note", "warning", "error"}
    assert {result["level"] for result in one["results"]} == {"error", "warning", "note"}
    for result in one["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["message"]["text"]
        (location,) = result["locations"]
        physical = location["physicalLocation"]
        assert physical["artifactLocation"]["uri"] == str(spec)
        assert physical["region"]["startLine"] >= 1
        assert physical["region"]["startColumn"] >= 1
        assert all(set(logical) == {"name", "kind"} for logical in location.get("logicalLocations", ()))
        assert len(result["partialFingerprints"]["place/v1"]) == 32
    prints = [result["partialFingerprints"]["place/v1"] for result in one["results"]]
    assert len(set(prints)) == len(prints)


def test_a_fingerprint_stays_when_lines_move(spec: Path) -> None:
    def prints() -> list[str]:
        log = json.loads(run(spec, "--format", "sarif").stdout)
        return [result["partialFingerprints"]["place/v1"] for result in log["runs"][0]["results"]]

    before = prints()
    spec.write_text("\n\n\n" + spec.read_text())
    assert prints() == before


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        ([], 1, "1 findings are worse than `warning`."),
        (["--max-severity", "error"], 0, ""),
        (["--max-severity", "info"], 1, "2 findings are worse than `info`."),
        (["--max-severity", "none"], 1, "3 findings are worse than `none`."),
        (["--max-severity", "error", "--fail-under", "100"], 1, "is below 100."),
        (["--max-severity", "error", "--fail-under", "10"], 0, ""),
        (["--ignore", "security-undefined"], 0, ""),
        (["--ignore", "security-undefind"], 2, "Did you mean security-undefined?"),
        (["--fail-under", "101"], 2, "--fail-under"),
        (["--format", "xml"], 2, "--format"),
        (["--system-prompt", "missing.md"], 2, "missing.md"),
    ],
)
def test_exit_statuses(arguments: list[str], status: int, said: str, spec: Path) -> None:
    result = run(spec, *arguments)
    assert result.exit_code == status, result.stderr
    assert said in result.stderr


def test_a_spec_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "no.json"
    path.write_text("{}")
    result = run(path, "--format", "json", "--fix", tmp_path / "overlay.yaml")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "error[spec-not-openapi]" in result.stderr
    assert not (tmp_path / "overlay.yaml").exists()


def test_standard_input_is_a_spec_too(spec: Path) -> None:
    result = run("-", "--max-severity", "error", stdin=spec.read_text())
    assert result.exit_code == 0
    assert "<stdin>:" in result.stdout


def test_fix_writes_once_and_never_over_answers(spec: Path, tmp_path: Path) -> None:
    overlay = tmp_path / "overlay.yaml"
    result = run(spec, "--fix", overlay)
    assert result.exit_code == 1
    assert f"{overlay}: repairs: 0, questions: 2." in result.stderr
    before = overlay.read_text()
    assert before.startswith("# Repairs of ")
    again = run(spec, "--fix", overlay)
    assert again.exit_code == 2
    assert "is there already" in again.stderr
    assert overlay.read_text() == before
    assert run(tmp_path, "--fix", tmp_path / "b.yaml").exit_code == 2
    assert run(spec, "--fix", tmp_path / "none" / "b.yaml").exit_code == 2


def test_a_prompt_is_held_against_the_tools(spec: Path, tmp_path: Path) -> None:
    prompt = tmp_path / "prompt.md"
    prompt.write_text("Be kind.\nAlways call list_orders.\n")
    result = run(spec, "--system-prompt", prompt)
    said = f"{prompt}:2:1: `Always call list_orders.` pulls towards `list_orders` for any task"
    assert said in result.stdout
    prompt.write_bytes(b"\xff\xfe\x00")
    assert run(spec, "--system-prompt", prompt).exit_code == 2


def test_the_same_input_gives_the_same_output(spec: Path) -> None:
    for kind in ("text", "json", "sarif"):
        assert run(spec, "--format", kind).stdout == run(spec, "--format", kind).stdout

"""What a run of the conformance suite gave, held against the list of failures that are expected.

The rules are the suite's own (its README, "Expected Failures"); a warning counts as a failure. The suite applies
them to the scenarios that it scores, here they hold for the others too: those may fail without harm to conformance,
but not without our knowing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

FAILING = ("FAILURE", "WARNING")
_SEVERITY = ("FAILURE", "WARNING", "SUCCESS", "SKIPPED", "INFO")
_STAMP = re.compile(r"-\d{4}-\d{2}-\d{2}T[\d-]+Z$")


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario of a run.

    Attributes:
        scored: the revision asks for it.
        statuses: how often each status was given.
        checks: the worst status of each check, which may have been made several times.
        reasons: of the checks that failed.
    """

    name: str
    scored: bool
    statuses: dict[str, int]
    checks: dict[str, str]
    reasons: dict[str, str]

    @property
    def failing(self) -> list[str]:
        return [check for check, status in self.checks.items() if status in FAILING]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Failures, named `scenario:check`, that are not in the baseline; and entries of it that no longer hold."""

    unexpected: tuple[str, ...]
    stale: tuple[str, ...]


def read(folder: Path, requirements: Path) -> list[Scenario]:
    """The scenarios of a run, in the order of the requirements; one that left nothing behind has failed.

    Args:
        folder: what the suite wrote: a folder with `checks.json` for each scenario.
        requirements: the suite's list of what a revision asks for.
    """
    wanted = yaml.safe_load(requirements.read_text("utf-8"))
    scored = list(wanted["server"])
    others = [entry["scenario"] for entry in wanted["not_scored"] if entry["leg"] == "server"]
    found: dict[str, Any] = {
        _STAMP.sub("", path.parent.name).removeprefix("server-"): json.loads(path.read_text("utf-8"))
        for path in folder.glob("*/checks.json")
    }
    missing = [{"id": "did-not-run", "status": "FAILURE", "errorMessage": "The suite could not run it."}]
    return [_scenario(name, name in scored, found.get(name, missing)) for name in scored + others]


def _scenario(name: str, scored: bool, given: list[dict[str, Any]]) -> Scenario:
    statuses: dict[str, int] = dict.fromkeys(_SEVERITY, 0)
    checks: dict[str, str] = {}
    reasons: dict[str, str] = {}
    for check in given:
        statuses[check["status"]] += 1
        so_far = checks.get(check["id"], "INFO")
        checks[check["id"]] = min(so_far, check["status"], key=_SEVERITY.index)
        if check["status"] in FAILING:
            reasons.setdefault(check["id"], str(check.get("errorMessage") or "no reason given"))
    return Scenario(name, scored, statuses, checks, reasons)


def judge(scenarios: Collection[Scenario], baseline: Collection[str]) -> Verdict:
    """Holds a run against the expected failures: `scenario`, or `scenario:check`."""
    unexpected: list[str] = []
    stale = set(baseline)
    for scenario in scenarios:
        if scenario.name in baseline:
            stale -= {scenario.name} if scenario.failing else set()
            continue
        for check, status in scenario.checks.items():
            entry = f"{scenario.name}:{check}"
            if entry in baseline and status != "SUCCESS":
                stale.discard(entry)
            elif entry not in baseline and status in FAILING:
                unexpected.append(entry)
    return Verdict(tuple(unexpected), tuple(sorted(stale)))


def table(scenarios: Collection[Scenario], verdict: Verdict) -> str:
    """A line for each scenario: how many of its checks passed, failed and were warned of."""
    width = max(len(scenario.name) for scenario in scenarios)
    lines = [f"  {'scenario':{width}}  passed  failed  warned"]
    for scenario in scenarios:
        count = scenario.statuses
        bad = any(entry.startswith(f"{scenario.name}:") for entry in verdict.unexpected)
        remark = "UNEXPECTED" if bad else "expected" if scenario.failing else "ok"
        remark += "" if scenario.scored else " (not scored)"
        numbers = f"{count['SUCCESS']:6}  {count['FAILURE']:6}  {count['WARNING']:6}"
        lines.append(f"  {scenario.name:{width}}  {numbers}  {remark}")
    return "\n".join(lines)


def summary(scenarios: Collection[Scenario]) -> str:
    scored = [scenario for scenario in scenarios if scenario.scored]
    passing = sum(not scenario.failing for scenario in scored)
    total = {status: sum(scenario.statuses[status] for scenario in scenarios) for status in _SEVERITY}
    return (
        f"{passing} of {len(scored)} scored scenarios pass; of all checks {total['SUCCESS']} passed, "
        f"{total['FAILURE']} failed, {total['WARNING']} gave a warning"
    )

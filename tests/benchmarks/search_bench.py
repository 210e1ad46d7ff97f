"""`make search-bench`: how well `find_tools` ranks, on requests that people wrote without seeing a tool's text.

MCPGEN_CORPUS is a folder of specs, one folder for each. MCPGEN_LABELS is a folder with `operations.json`: operations
of these specs (`spec`, `operation` with method and path), each with `queries` for which it is the right one. A request is
a hit when a tool of that operation is among the first. Specs are divided in two halves by a hash of their name: weights
and words were tried on the one only, so the other tells what to expect. Exit status 1: a bar was missed; 2: nothing to
measure.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import re
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from bench import Report, find_spec

from mcpgen.config import Config
from mcpgen.diagnostics import Collector, Refused
from mcpgen.pipeline import GenerateRequest, plan_spec
from mcpgen.render.catalog import wire_tool
from mcpgen.runtime.catalog import collector_paused
from mcpgen.runtime.search.index import Index

HIT_1, HIT_5 = 0.40, 0.75
LIMIT = 50
ONE_API = {
    "automcp-notion": "notion",
    "automcp-petstore": "petstore",
    "automcp-sentry": "sentry",
    "jira-platform": "jira",
    "jira-software": "jira",
    "petstore3": "petstore",
    "sentry-deref": "sentry",
    "xero-accounting": "xero",
    "xero-files": "xero",
}
"""Specs of the same API stay together, or one half would tell of the other."""
_FOREIGN = re.compile(r"[^\W\d_a-zA-Z]")
_FOREIGN_WORDS = frozenset(
    "der die das und für mit el los las una para le les des une pour os uma il gli".split()
)


@dataclasses.dataclass(frozen=True, slots=True)
class Found:
    """One request: where the right operation came; `rank` is 0 when it did not come."""

    spec: str
    query: str
    rank: int


@dataclasses.dataclass(frozen=True, slots=True)
class Measured:
    """The requests of one spec, and what searching cost."""

    spec: str
    tools: int
    build_ms: float
    query_ms: float
    found: tuple[Found, ...]


def main() -> int:
    corpus, labels = os.environ.get("MCPGEN_CORPUS"), os.environ.get("MCPGEN_LABELS")
    file = Path(labels or "", "operations.json")
    if not corpus or not Path(corpus).is_dir() or not labels or not file.is_file():
        print(
            "Set MCPGEN_CORPUS to a folder of specs, MCPGEN_LABELS to one with operations.json.",
            file=sys.stderr,
        )
        return 2
    wanted: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for label in json.loads(file.read_bytes()):
        if label.get("queries") and find_spec(Path(corpus), label["spec"]):
            wanted[label["spec"]].append(label)
    with ProcessPoolExecutor() as pool:
        jobs = [pool.submit(measure, Path(corpus), spec, given) for spec, given in wanted.items()]
        measured = [job.result() for job in jobs]
    report = Report()
    tell(report, [found for each in measured for found in each.found])
    for each in sorted(measured, key=lambda each: -each.tools)[:3]:
        report.say(
            f"{each.spec}: {each.tools} tools, index {each.build_ms:.0f} ms, request {each.query_ms:.1f} ms"
        )
    return 0 if report.passed else 1


def measure(corpus: Path, spec: str, labels: Sequence[dict[str, Any]]) -> Measured:
    """Plans a spec and looks for the tool of every labelled request."""
    path = find_spec(corpus, spec)
    request = GenerateRequest(
        spec=str(path), config=dataclasses.replace(Config(), server_url="https://api.example.com")
    )
    try:
        plan = plan_spec(request, Collector()).plan
    except Refused:
        return Measured(spec, 0, 0.0, 0.0, ())
    tools = [wire_tool(tool) for tool in plan.tools]
    entries = {
        tool.name: {
            key: getattr(tool, key)
            for key in ("method", "path", "operation_id", "toolset", "effect", "additive")
        }
        for tool in plan.tools
    }
    start = time.perf_counter()
    with collector_paused():
        index = Index(tools, entries, str(plan.title))
    built = time.perf_counter()
    found = []
    for label in labels:
        operation = label["operation"]
        right = (operation["method"].upper(), operation["path"])
        for query in label["queries"]:
            named = (entries[name] for name in index.search(query, LIMIT))
            operations = list(dict.fromkeys((entry["method"].upper(), entry["path"]) for entry in named))
            found.append(Found(spec, query, operations.index(right) + 1 if right in operations else 0))
    seconds = time.perf_counter() - built
    return Measured(spec, len(tools), (built - start) * 1000, seconds * 1000 / len(found), tuple(found))


def tell(report: Report, found: Sequence[Found]) -> None:
    """Figures for both halves, and in them for English and other requests."""
    for name, held in (("tried on", False), ("held out", True)):
        half = [each for each in found if held_out(each.spec) == held]
        for language, chosen in (
            ("all", half),
            ("English", [each for each in half if not foreign(each.query)]),
            ("other languages", [each for each in half if foreign(each.query)]),
        ):
            if not chosen:
                continue
            first, five = hits(chosen, 1), hits(chosen, 5)
            rank = sum(1 / each.rank for each in chosen if each.rank) / len(chosen)
            report.say(
                f"{name}, {language}: {len(chosen)} requests, hit@1 {first:.3f}, hit@5 {five:.3f}, MRR {rank:.3f}"
            )
            if held:
                report.bar(f"hit@1 {language}", first, first >= HIT_1, f"at least {HIT_1}")
                report.bar(f"hit@5 {language}", five, five >= HIT_5, f"at least {HIT_5}")


def hits(found: Iterable[Found], places: int) -> float:
    ranks = [each.rank for each in found]
    return sum(0 < rank <= places for rank in ranks) / len(ranks)


def held_out(spec: str) -> bool:
    return bool(hashlib.sha256(ONE_API.get(spec, spec).encode()).digest()[0] % 2)


def foreign(query: str) -> bool:
    return bool(_FOREIGN.search(query)) or len(_FOREIGN_WORDS & set(query.lower().split())) > 1


if __name__ == "__main__":
    sys.exit(main())

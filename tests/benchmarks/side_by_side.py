"""`make bench`: mcpgen and FastMCP's `from_openapi` side by side, on ten specs in several languages.

MCPGEN_CORPUS is a folder of specs, one folder for each; MCPGEN_LABELS one with `operations.json`: operations of these
specs with their effects by hand, and requests that people wrote without seeing a tool's text. Without labels the
annotations and the search are not compared. FASTMCP_PYTHON is a Python that has FastMCP. Every figure is of the list that
clients get, by the same rule for both. Exit status 2: there is nothing to compare.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import yaml
from bench import find_spec
from comparing import PLACES, Label, Listed, Measures, measure, share, together
from rich import box
from rich.console import Console
from rich.table import Table

from mcpgen.config import Config
from mcpgen.diagnostics import Collector, Refused
from mcpgen.inspection import catalog_of
from mcpgen.pipeline import GenerateRequest, plan_spec
from mcpgen.runtime.search.index import Index

SPECS = "2ch-ru asana automcp-trello hubspot-contacts kratos lark-im mistral napcat radarr xero-accounting".split()
"""OpenAPI 3 in English, Chinese and Russian: FastMCP reads no Swagger 2.0."""
PEER = Path(__file__).with_name("peer_list.py")
ADDRESS = "https://api.example.com"
SECONDS = 240
ELEMENTS = ("does", "inputs", "example", "limits", "boundary")


@dataclasses.dataclass(frozen=True, slots=True)
class Pair:
    """One spec: both lists measured, or why there is nothing to compare."""

    spec: str
    ours: Measures | None = None
    peer: Measures | None = None
    problem: str = ""


def main() -> int:
    options = _options()
    corpus, python = options.corpus, os.environ.get("FASTMCP_PYTHON")
    if not corpus or not Path(corpus).is_dir():
        print("Set MCPGEN_CORPUS to a folder of specs, one folder for each.", file=sys.stderr)
        return 2
    if not python:
        print("Set FASTMCP_PYTHON to a Python that has FastMCP; `make bench` installs one.", file=sys.stderr)
        return 2
    labels = read_labels(options.labels)
    if not labels:
        print(
            "SKIPPED: annotations and search; set MCPGEN_LABELS to a folder with operations.json.",
            file=sys.stderr,
        )
    with ProcessPoolExecutor(options.workers) as pool:
        jobs = [
            pool.submit(compare, Path(corpus), spec, labels.get(spec, []), python)
            for spec in options.specs.split(",")
        ]
        pairs = [job.result() for job in jobs]
    console = Console(width=None if sys.stdout.isatty() else 170, highlight=False)
    for pair in pairs:
        if pair.problem:
            console.print(f"SKIPPED  {pair.spec}: {pair.problem}", markup=False)
    measured = [(pair.spec, pair.ours, pair.peer) for pair in pairs if pair.ours and pair.peer]
    if not measured:
        print("No spec could be compared.", file=sys.stderr)
        return 2
    total = ("all", together([ours for _, ours, _ in measured]), together([peer for _, _, peer in measured]))
    show(console, [*measured, total])
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="mcpgen and FastMCP side by side.")
    parser.add_argument(
        "--specs", default=",".join(SPECS), help=f"folders of the corpus (default: {','.join(SPECS)})"
    )
    parser.add_argument("--corpus", default=os.environ.get("MCPGEN_CORPUS"), help="default: MCPGEN_CORPUS")
    parser.add_argument("--labels", default=os.environ.get("MCPGEN_LABELS"), help="default: MCPGEN_LABELS")
    parser.add_argument(
        "--workers", type=int, default=os.cpu_count(), help="specs at a time (default: processors)"
    )
    return parser.parse_args()


def read_labels(folder: str | None) -> dict[str, list[Label]]:
    """The labels by spec; none without the file."""
    file = Path(folder or "", "operations.json")
    found: dict[str, list[Label]] = {}
    for told in json.loads(file.read_bytes()) if folder and file.is_file() else ():
        operation = told["operation"]
        label = Label(
            operation=(operation["method"].upper(), operation["path"]),
            effect=told["effect"],
            additive=bool(told.get("additive_only")),
            idempotent=bool(told["idempotent"]),
            queries=tuple(told.get("queries") or ()),
        )
        found.setdefault(told["spec"], []).append(label)
    return found


def compare(corpus: Path, spec: str, labels: Sequence[Label], python: str) -> Pair:
    """Measures both on one spec."""
    path = find_spec(corpus, spec)
    if path is None:
        return Pair(spec, problem="the corpus does not have it")
    queries = [query for label in labels for query in label.queries]
    ours = list_ours(path, queries)
    if isinstance(ours, str):
        return Pair(spec, problem=ours)
    peer = list_peer(path, queries, python)
    if isinstance(peer, str):
        return Pair(spec, problem=peer)
    return Pair(spec, measure(ours, labels), measure(peer, labels))


def list_ours(path: Path, queries: Sequence[str]) -> Listed | str:
    """The tools that mcpgen makes of a spec and what `find_tools` finds, or why there are none."""
    request = GenerateRequest(spec=str(path), config=dataclasses.replace(Config(), server_url=ADDRESS))
    try:
        plan = plan_spec(request, Collector()).plan
    except Refused as error:
        return f"mcpgen refuses it: {error}"
    catalog = catalog_of(plan)
    entries = catalog["operations"]
    index = Index(catalog["tools"], entries, str(plan.title))
    return Listed(
        catalog["tools"],
        {name: (entry["method"].upper(), entry["path"]) for name, entry in entries.items()},
        [list(index.search(query, max(PLACES))) for query in queries],
    )


def list_peer(path: Path, queries: Sequence[str], python: str) -> Listed | str:
    """The same of FastMCP, with its search transform (BM25), or why there is nothing."""
    document: Any = yaml.load(path.read_bytes(), yaml.CSafeLoader)
    with tempfile.TemporaryDirectory(prefix="mcpgen-bench-") as work:
        spec = Path(work, "spec.json")
        spec.write_text(json.dumps(document, default=str), "utf-8")
        try:
            done = subprocess.run(
                [python, str(PEER), str(spec)],
                input=json.dumps(queries).encode(),
                env={**os.environ, "FASTMCP_CHECK_FOR_UPDATES": "off", "FASTMCP_LOG_LEVEL": "ERROR"},
                capture_output=True,
                timeout=SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"FastMCP takes more than {SECONDS} s"
    if done.returncode:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["no reason given"]
        return f"FastMCP cannot load it: {lines[-1][:200]}"
    told = json.loads(done.stdout)
    operations = {name: (method, route) for name, (method, route) in told["operations"].items()}
    return Listed(told["tools"], operations, told["found"])


def show(console: Console, rows: Sequence[tuple[str, Measures, Measures]]) -> None:
    """Prints both tables: every spec, then the elements one by one."""
    table = Table(title="mcpgen | FastMCP from_openapi", box=box.SIMPLE, pad_edge=False)
    table.add_column("spec", no_wrap=True)
    for name in figures(rows[0][1]):
        table.add_column(name, justify="right")
    for spec, ours, peer in rows:
        if spec == "all":
            table.add_section()
        cells = zip(figures(ours).values(), figures(peer).values(), strict=True)
        table.add_row(spec, *(f"{mine} | {theirs}" for mine, theirs in cells))
    console.print(table)
    elements = Table(title="five elements, mean over all tools (0 to 1 each)", box=box.SIMPLE, pad_edge=False)
    for name in ("", *ELEMENTS):
        elements.add_column(name, justify="right")
    _, *sides = rows[-1]
    for name, side in zip(("mcpgen", "FastMCP"), sides, strict=True):
        elements.add_row(name, *(f"{value:.2f}" for value in side.elements))
    console.print(elements)
    console.print(
        "hints: annotations that are right, of labelled operations; what a list does not say counts by the protocol's\n"
        "defaults (it may write and destroy, and is not idempotent), which is all that FastMCP gives. unsafe: a write called\n"
        "read-only, or a destructive call called harmless. parameters: described by more than their names. alike: tools with\n"
        "a nearly equal description in the list. tokens: a tool as models see it, name, description and arguments (in\n"
        "brackets the description). hit@N: the right tool is among the first N of each one's own search."
    )


def figures(measures: Measures) -> Mapping[str, str]:
    """The cells of one side of a row."""
    tools = measures.tools
    return {
        "tools": str(tools),
        "annotated": _percent(measures.annotated),
        "hints": _percent(measures.hints),
        "unsafe": str(measures.unsafe) if measures.hints[1] else "-",
        "elements /5": f"{measures.score:.2f}",
        "parameters": _percent(measures.parameters),
        "alike": _percent((measures.alike, tools)),
        "tokens": f"{measures.tokens / tools:.0f} ({measures.description_tokens / tools:.0f})",
        **{f"hit@{places}": _percent(measures.hits[places]) for places in PLACES},
    }


def _percent(part: tuple[int, int]) -> str:
    value = share(part)
    return "-" if value is None else f"{value:.0f}%"


if __name__ == "__main__":
    sys.exit(main())

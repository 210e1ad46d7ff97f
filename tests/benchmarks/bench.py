"""`make bench`: start-up, list size and cost of generating, with the bars that mcpgen sets itself.

The specs are those of MCPGEN_CORPUS, a folder with one folder for each spec (`netbox`, `stripe`, `kubernetes`). The
peer, FastMCP, runs with the Python that FASTMCP_PYTHON names. Ratios of one run can be compared; seconds of two
machines cannot. Exit status 1: a bar was missed; 2: there is nothing to measure.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import yaml
from measuring import Cost, Listing, cost_of, first_listing

MAX_GROWTH = 1.5
MIN_PEER_RATIO = 4.0
MAX_LIST_BYTES = 4_000_000
SUFFIXES = (".yaml", ".yml", ".json")
PEER = Path(__file__).with_name("peer_server.py")

SMALL = """
openapi: 3.1.0
info: {title: Small, version: "1"}
servers: [{url: https://api.example.com}]
paths:
  /notes:
    get: {operationId: listNotes, responses: {"200": {description: All notes.}}}
    post: {operationId: createNote, responses: {"201": {description: The new note.}}}
  /notes/{id}:
    get:
      operationId: getNote
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: One note.}}
"""


class Report:
    """Prints figures and remembers whether every bar was met."""

    def __init__(self) -> None:
        self.passed = True

    def say(self, text: str) -> None:
        print(text, flush=True)

    def bar(self, name: str, value: float, met: bool, wanted: str) -> None:
        self.passed = self.passed and met
        self.say(f"{'PASS' if met else 'FAIL'}  {name}: {value:,.2f} (wanted: {wanted})")

    def skip(self, name: str, why: str) -> None:
        self.say(f"SKIPPED  {name}: {why}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=7, help="starts of each server (default: 7)")
    options = parser.parse_args()
    corpus = os.environ.get("MCPGEN_CORPUS")
    if not corpus or not Path(corpus).is_dir():
        print(
            "Set MCPGEN_CORPUS to a folder of specs: netbox/, stripe/ and kubernetes/ in it.", file=sys.stderr
        )
        return 2
    report = Report()
    with tempfile.TemporaryDirectory(prefix="mcpgen-bench-") as name:
        work = Path(name)
        (work / "small.yaml").write_text(SMALL, "utf-8")
        generate("small", work / "small.yaml", work)
        projects = {}
        for slug in ("netbox", "stripe", "kubernetes"):
            spec = find_spec(Path(corpus), slug)
            if spec is None:
                report.skip(f"generating {slug}", "the corpus does not have it")
                continue
            cost, projects[slug] = generate(slug, spec, work)
            report.say(f"generate {slug}: {cost.seconds:.1f} s, peak {cost.peak_bytes / 2**20:.0f} MiB")
        if "netbox" in projects:
            compare_start_up(work, find_spec(Path(corpus), "netbox"), options.rounds, report)
        else:
            report.skip("start-up", "the corpus has no netbox")
        if "stripe" in projects:
            check_list(first_listing(*server("stripe", work)), report)
        else:
            report.skip("size of the list", "the corpus has no stripe")
    return 0 if report.passed else 1


def find_spec(corpus: Path, slug: str) -> Path | None:
    """The spec's main document: the one file of the folder, or the one with the usual name."""
    found = sorted(path for path in corpus.joinpath(slug).glob("*") if path.suffix in SUFFIXES)
    usual = [path for path in found if path.stem in {"openapi", "swagger"}]
    return next(iter(usual or found), None)


def generate(slug: str, spec: Path, work: Path) -> tuple[Cost, Path]:
    output = work / slug
    command = [sys.executable, "-m", "mcpgen", "generate", str(spec), "--output", str(output), "--quiet"]
    return cost_of([*command, "--server-url", "https://api.example.com"], work), output


def server(slug: str, work: Path) -> tuple[list[str], dict[str, str], Path]:
    """How a generated server is started, with every effect allowed: command, environment, folder."""
    [catalog] = (work / slug / "src").glob("*/catalog.json")
    prefix = json.loads(catalog.read_bytes())["server"]["env_prefix"]
    env = {
        **os.environ,
        "PYTHONPATH": str(work / slug / "src"),
        f"{prefix}_ALLOW_EFFECTS": "read,write,destructive",
    }
    return [sys.executable, "-m", catalog.parent.name], env, work


def compare_start_up(work: Path, spec: Path | None, rounds: int, report: Report) -> None:
    """Process start to the first answer to `tools/list`, in turn, so that a busy moment hits all alike."""
    assert spec is not None
    subjects: dict[str, Callable[[], Listing]] = {
        "three tools": lambda: first_listing(*server("small", work)),
        "netbox": lambda: first_listing(*server("netbox", work)),
    }
    peer = os.environ.get("FASTMCP_PYTHON")
    if peer:
        document = work / "netbox.json"
        document.write_text(json.dumps(yaml.load(spec.read_bytes(), yaml.CSafeLoader), default=str), "utf-8")
        env = {**os.environ, "FASTMCP_CHECK_FOR_UPDATES": "off", "FASTMCP_LOG_LEVEL": "ERROR"}
        subjects["fastmcp netbox"] = lambda: first_listing([peer, str(PEER), str(document)], env, work)
    listings: dict[str, list[Listing]] = {name: [] for name in subjects}
    for number in range(rounds + 1):
        for name, start in subjects.items():
            listing = start()
            if number:  # the first start compiles byte code and warms the disk cache
                listings[name].append(listing)
            else:
                report.say(f"{name}: {len(listing.tools)} tools, list of {listing.size:,} bytes")
    median = {name: statistics.median(each.seconds for each in found) for name, found in listings.items()}
    for name, found in listings.items():
        cpu = statistics.median(each.cpu_seconds for each in found)
        report.say(
            f"start to first list, {name}: {median[name] * 1000:.0f} ms, processor {cpu * 1000:.0f} ms"
        )
    growth = median["netbox"] / median["three tools"]
    report.bar("netbox / three tools", growth, growth <= MAX_GROWTH, f"at most {MAX_GROWTH}")
    if "fastmcp netbox" in median:
        ratio = median["fastmcp netbox"] / median["netbox"]
        report.bar("fastmcp netbox / netbox", ratio, ratio >= MIN_PEER_RATIO, f"at least {MIN_PEER_RATIO}")
    else:
        report.skip("fastmcp netbox / netbox", "FASTMCP_PYTHON is not set: FastMCP could not be installed")


def check_list(listing: Listing, report: Report) -> None:
    """The whole list of a very large API has to fit into a client, with a typed result on every tool."""
    report.say(f"stripe: {len(listing.tools)} tools, list of {listing.size:,} bytes")
    report.bar("stripe list, MB", listing.size / 1e6, listing.size < MAX_LIST_BYTES, "under 4")
    typed = sum(tool.get("outputSchema", {}).get("type") == "object" for tool in listing.tools)
    report.bar("stripe tools with an outputSchema", typed, typed == len(listing.tools), "all")
    largest = max(len(json.dumps(tool.get("outputSchema"))) for tool in listing.tools)
    report.say(f"stripe: the largest outputSchema has {largest:,} characters")


if __name__ == "__main__":
    sys.exit(main())

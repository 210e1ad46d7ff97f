"""`make conformance`: the MCP conformance suite and the Inspector against the generated server of the example.

Two servers are tested, each at both revisions: the generated one alone, started as its users start it, and the same
with the suite's fixtures on top (overlay.py). What is expected to fail, and why, is in baselines/. Exit status 1:
something failed that is not there, or something there no longer fails; 2: the suite is not installed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import yaml
from processes import Failed, finish, free_port, serving, tail
from results import judge, read, summary, table

from mcpgen.preview.serving import serving as serving_app

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
INSTALLED = ROOT / ".conformance"
SUITE = INSTALLED / "node_modules" / "@modelcontextprotocol" / "conformance"
PROGRAMS = INSTALLED / "node_modules" / ".bin"
INSPECTOR = INSTALLED / "inspector" / "node_modules" / ".bin" / "mcp-inspector"
LOGS = INSTALLED / "logs"
PACKAGE = "orders_mcp"
REVISIONS = ("2026-07-28", "2025-11-25")
SUITE_SECONDS = 600.0
INSPECTOR_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Subject:
    """A server to test; its command gets a port as last argument."""

    name: str
    title: str
    command: tuple[str, ...]


SUBJECTS = (
    Subject(
        "plain",
        "the generated server alone",
        (sys.executable, "-m", PACKAGE, "--transport", "http", "--port"),
    ),
    Subject(
        "overlay",
        "the generated server with the suite's fixtures",
        (sys.executable, str(HERE / "overlay.py"), PACKAGE, "--port"),
    ),
)


def main() -> int:
    parser = argparse.ArgumentParser(description="Runs the MCP conformance suite against a generated server.")
    parser.add_argument("-v", "--verbose", action="store_true", help="say why each expected failure fails")
    options = parser.parse_args()
    if not (SUITE / "package.json").is_file() or not (PROGRAMS / "node").exists():
        print("The conformance suite is not installed: run `make conformance`.", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # so that what was started ends
    shutil.rmtree(LOGS, ignore_errors=True)
    LOGS.mkdir()
    passed = True
    with example_api() as environ:
        for subject in SUBJECTS:
            port = free_port()
            with serving((*subject.command, str(port)), LOGS / f"{subject.name}-server.log", port, environ):
                for revision in REVISIONS:
                    passed &= conforms(subject, revision, port, options.verbose)
        passed &= inspected(environ)
    print("\nPASSED" if passed else f"\nFAILED; the programs' own words are in {LOGS}")
    return 0 if passed else 1


@contextmanager
def example_api() -> Iterator[Mapping[str, str]]:
    """Runs the example's back end; gives the environment of a generated server in front of it."""
    sys.path.insert(0, str(ROOT / "specs" / "orders"))
    from backend import PREFIX, create_app

    token = "conformance-token"
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ORDERS_")}
    with serving_app(create_app(token)) as root:
        yield clean | {
            "PYTHONPATH": str(ROOT / "generated" / "orders" / "src"),
            "ORDERS_BASE_URL": root + PREFIX,
            "ORDERS_BEARER_AUTH_TOKEN": token,
            "ORDERS_ALLOW_EFFECTS": "read,write,destructive",
        }


def conforms(subject: Subject, revision: str, port: int, verbose: bool) -> bool:
    """Runs the suite at one revision, prints what it found, and says whether all is as expected."""
    baseline = HERE / "baselines" / f"{subject.name}-{revision}.yaml"
    log = LOGS / f"{subject.name}-{revision}.log"
    with tempfile.TemporaryDirectory(prefix="conformance-") as folder:
        # The suite's list of scenarios, its order and the revision that it speaks are fixed by `--requirements`.
        status = finish(
            [
                *(PROGRAMS / "node", PROGRAMS / "conformance", "server"),
                *("--url", f"http://127.0.0.1:{port}/mcp"),
                *("--requirements", revision),
                *("--expected-failures", baseline),
                *("--output-dir", folder),
            ],
            log,
            SUITE_SECONDS,
        )
        scenarios = read(Path(folder), SUITE / "requirements" / f"{revision}.yaml")
    verdict = judge(scenarios, yaml.safe_load(baseline.read_text("utf-8"))["server"])
    print(f"\n== {revision}, {subject.title}\n{table(scenarios, verdict)}\n  {summary(scenarios)}")
    for scenario in scenarios:
        for check, reason in scenario.reasons.items():
            entry = f"{scenario.name}:{check}"
            if verbose or entry in verdict.unexpected:
                print(f"  {'UNEXPECTED' if entry in verdict.unexpected else 'expected'}  {entry}: {reason}")
    for entry in verdict.stale:
        print(f"  STALE  {entry} does not fail any more: take it out of {baseline.relative_to(ROOT)}")
    if status != 0 and not verdict.unexpected and not verdict.stale:
        print(f"  The suite itself ended with status {status}; it said:\n{tail(log)}")
    return status == 0 and not verdict.unexpected and not verdict.stale


def inspected(environ: Mapping[str, str]) -> bool:
    """Lists the generated tools over standard input and output, with the Inspector's schema lint, in both eras."""
    print("\n== MCP Inspector: tools/list --strict over stdio")
    if not INSPECTOR.exists():
        print("  SKIPPED: the Inspector could not be installed")
        return True
    passed = True
    given = [
        f"{name}={value}" for name, value in environ.items() if name.startswith(("ORDERS_", "PYTHONPATH"))
    ]
    settings = [word for setting in given for word in ("-e", setting)]
    with tempfile.TemporaryDirectory(prefix="inspector-") as home:
        for era in ("modern", "legacy"):
            log = LOGS / f"inspector-{era}.log"
            status = finish(
                [
                    *(PROGRAMS / "node", INSPECTOR, "--cli", "--protocol-era", era),
                    *("--method", "tools/list", "--strict", "-q", *settings),
                    *(sys.executable, "-m", PACKAGE),
                ],
                log,
                INSPECTOR_SECONDS,
                {**environ, "HOME": home, "MCP_INSPECTOR_SECRET_STORE": "memory"},
            )
            print(f"  {era}: ok" if status == 0 else f"  {era}: exit status {status}; it said:\n{tail(log)}")
            passed &= status == 0
    return passed


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failed as failure:
        sys.exit(f"conformance: {failure}")

"""Documents that attack the reader end in bounded time and memory: with a project, or with a sentence about what is wrong."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from mcpgen.diagnostics import Collector
from mcpgen.pipeline import GenerateRequest, generate

from .hostile_documents import DOCUMENTS
from .projects import light

SECONDS = 20
"""Of processor time for one document. Each takes a few at most; the attack would take hours, or all memory."""

REFUSED = {
    "aliases of aliases": "source-limit",
    "merged aliases of aliases": "source-limit",
    "JSON without end": "source-limit",
    "YAML without end": "source-syntax",
    "block YAML without end": "source-limit",
    "a long chain of references": "source-limit",
    "a long chain of compositions": "source-limit",
}
QUICK = (
    *REFUSED,
    "a reference to itself",
    "references in a circle",
    "schemas that all refer to each other",
    "a path of thousands of placeholders",
    "a union of thousands",
    "a circle of required fields",
    "path items in a circle",
    "compositions that fan out",
    "lists that fan out",
    "alternatives of every kind that fan out",
    "an operationId of a megabyte",
    "a pattern that backtracks",
    "a pattern that backtracks over names",
    "a parameter whose pattern backtracks",
    "a pattern of millions",
    "a pattern of patterns of patterns",
    "a pattern that ends nowhere",
    "a text of gigabytes",
    "a list of billions",
    "an object of billions",
    "a number without end",
    "a number too large",
    "thousands of tags",
)
WORST = ("merged aliases of aliases", "a text of gigabytes", "a larger document than is read")
MEMORY = 1024 * 1024 * 1024
_CHILD = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]), int(sys.argv[1])))
resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[2]), int(sys.argv[2])))
sys.argv = ["mcpgen", "generate", "-", "--output", sys.argv[3], "--dry-run"]
from mcpgen.cli.main import main
main()
"""


@pytest.mark.parametrize("name", QUICK)
def test_time_is_bounded(name: str, tmp_path: Path) -> None:
    started = time.process_time()
    with light():
        outcome = generate(
            GenerateRequest("-", tmp_path / "out", dry_run=True, stdin=DOCUMENTS[name]()), Collector()
        )
    assert time.process_time() - started < SECONDS
    assert outcome.refused == (name in REFUSED)
    if outcome.refused:
        assert {item.code for item in outcome.diagnostics if item.severity == "error"} == {REFUSED[name]}


@pytest.mark.skipif(sys.platform != "linux", reason="limits of a process are Linux's here")
@pytest.mark.parametrize("name", WORST)
def test_memory_is_bounded(name: str, tmp_path: Path) -> None:
    """The command as a user runs it, with so much memory and processor time."""
    command = [sys.executable, "-c", _CHILD, str(MEMORY), str(SECONDS), str(tmp_path / "out")]
    done = subprocess.run(command, input=DOCUMENTS[name](), capture_output=True, timeout=300, check=False)
    assert done.returncode in (0, 1), done.stderr.decode()[-500:]
    assert b"internal" not in done.stderr

"""A handful of faults in one generated project: those that its tests must find, and one that they can't."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_a_few_faults_of_the_sample_are_found() -> None:
    command = [
        sys.executable,
        "-m",
        "tests.mutation",
        "--projects",
        str(ROOT / "generated" / "orders"),
        "--tests",
        "tests/tools/test_refunds.py",
        "--only",
        "tools/refunds.py",
        "--own",
        "4",
    ]
    done = subprocess.run(
        [*command, "--processes", "1"], cwd=ROOT, capture_output=True, text=True, timeout=600, check=False
    )
    assert "Traceback" not in done.stderr, done.stderr
    found = re.search(r"tools of orders +(\d+) of +(\d+)", done.stdout)
    assert found is not None, done.stdout + done.stderr
    assert (found[1], found[2]) == ("4", "4"), done.stdout
    assert done.returncode == 0

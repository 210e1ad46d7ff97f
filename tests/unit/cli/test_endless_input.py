"""Standard input that never ends, messages that never end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mcpgen.diagnostics import Collector
from mcpgen.diagnostics.collector import LONGEST


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="a device without end")
def test_standard_input_without_end_is_refused(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mcpgen", "generate", "-", "--output", str(tmp_path / "out")]
    with Path("/dev/zero").open("rb") as endless:
        done = subprocess.run(
            command, stdin=endless, capture_output=True, text=True, timeout=300, check=False
        )
    assert done.returncode == 1, done.stderr[-500:]
    assert "is larger than" in done.stderr


def test_a_message_keeps_its_ends_and_loses_its_middle() -> None:
    found = Collector()
    found.add("spec-invalid", "begin" + "x" * 10 * LONGEST + "end")
    (item,) = found
    assert len(item.message) < LONGEST + 10
    assert item.message.startswith("begin")
    assert item.message.endswith("end")

"""`make demo`: every step of the demonstration goes as expected."""

import subprocess
import sys
from pathlib import Path

DEMO = Path(__file__).parents[2] / "specs" / "orders" / "demo.py"


def test_demo_goes_as_expected() -> None:
    done = subprocess.run(
        [sys.executable, str(DEMO)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    assert "demo-token" not in done.stdout
